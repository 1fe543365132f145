interval=0

. "$here/figures/short_messages.sh"
