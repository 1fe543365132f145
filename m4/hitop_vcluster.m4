# HITOP_VCLUSTER
# --------------
# Decide whether tests/vcluster is built: it needs Linux, and real processes instead of simulated
# ones. Call after LT_INIT and HITOP_MPI_CHOOSE.
AC_DEFUN([HITOP_VCLUSTER], [
hitop_vcluster=no
case $host_os:$hitop_smpi in
linux*:no) hitop_vcluster=yes ;;
esac
AM_CONDITIONAL([VCLUSTER], [test $hitop_vcluster = yes])
AC_ARG_VAR([MPICH_CC], [compiler wrapper of MPICH, for what the virtual cluster adds to it])
AC_PATH_PROGS([MPICH_CC], [mpicc.mpich], [no])
AM_CONDITIONAL([MPICH_SHIM], [test "$MPICH_CC" != no])
])
