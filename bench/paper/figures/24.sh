# When processes come to the broadcasts of a second program.
caption='a second program (another root each step), when processes come to its broadcasts, 16 nodes of 8 processes'

. "$here/figures/applications.sh"
program=$second algorithms=plain,p-bt,cp-bt width=40

plot() { draw_arrivals; }

compare() {
    need_rows
    come_alike plain p-bt
    come_alike plain cp-bt
}
