interval=500

. "$here/figures/long_messages.sh"
