# How long ASP takes with different broadcasts.
caption='ASP with different broadcasts, 16 nodes of 8 processes'

. "$here/figures/applications.sh"
program=$asp algorithms=plain,p-rdaas,cp-rdaas,dyn,auto

plot() { draw_times; }

compare() {
    need_rows
    faster "ASP is 16 % faster with CP than with P" 16 p-rdaas cp-rdaas "$(root_why)"
    faster "ASP is 18 % faster with CP than with MVAPICH2" 18 plain cp-rdaas "$(root_why)"
    faster "(ours) ASP is faster with auto than with MVAPICH2" 0 plain auto
}
