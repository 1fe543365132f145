interval=500

. "$here/figures/short_messages.sh"
