caption='CP-RingAAS against P-RingAAS, 10 nodes of 8 processes'
fewer=16

run() {
    broadcasts 10 8 '0 500' p-ringaas,cp-ringaas,dyn 12000 18000 27000 40500 60750 91000 137000 205000 308000
}

. "$here/figures/cp_over_p.sh"
