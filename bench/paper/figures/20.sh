interval=0

. "$here/figures/long_messages.sh"
