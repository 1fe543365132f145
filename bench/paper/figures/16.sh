caption='CP-RingAAS against P-RingAAS, 10 nodes of 4 processes'

run() {
    broadcasts 10 4 '0 500' p-ringaas,cp-ringaas,dyn 12000 18000 27000 40500 60750 91000 137000 205000 308000
}

. "$here/figures/cp_over_p.sh"
