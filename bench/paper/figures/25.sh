# How long a second program takes with different broadcasts.
caption='a second program (another root each step) with different broadcasts, 16 nodes of 8 processes'

. "$here/figures/applications.sh"
program=$second algorithms=plain,p-bt,cp-bt,dyn,auto

plot() { draw_times; }

compare() {
    need_rows
    faster "Programs are about 16 % faster with CP than with P" 16 p-bt cp-bt "$(root_why)"
    faster "The second program is about 24 % faster with CP than with MVAPICH2" 24 plain cp-bt "$(root_why)"
    faster "(ours) the program is faster with auto than with MVAPICH2" 0 plain auto
}
