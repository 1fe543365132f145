caption='CP-RDAAS against P-RDAAS, 16 nodes of 8 processes'
fewer=14

run() {
    broadcasts 16 8 '0 500' p-rdaas,cp-rdaas,dyn 12000 18000 27000 40500 60750 92000
}

. "$here/figures/cp_over_p.sh"
