# When processes come to the broadcasts of ASP.
caption='ASP, when processes come to its broadcasts, 16 nodes of 8 processes'

. "$here/figures/applications.sh"
program=$asp algorithms=plain,p-rdaas,cp-rdaas width=40

plot() { draw_arrivals; }

compare() {
    need_rows
    arrive_within 300
    come_alike plain p-rdaas
    come_alike plain cp-rdaas
}
