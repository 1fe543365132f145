caption='CP-BT against P-BT, 16 nodes of 4 processes'

run() {
    broadcasts 16 4 '0 500' p-bt,cp-bt,dyn 8 64 512 4000 8000
}

. "$here/figures/cp_over_p.sh"
