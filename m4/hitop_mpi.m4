# HITOP_MPI_CHOOSE
# ----------------
# Settle which MPI this build tree is for, from MPICC; call before AC_PROG_CC. SimGrid's smpicc
# replaces the compiler itself, because its headers redefine sleep, time and exit.
AC_DEFUN([HITOP_MPI_CHOOSE], [
AC_ARG_VAR([MPICC], [MPI compiler wrapper: mpicc, mpicc.openmpi, mpicc.mpich, smpicc, or no])
AC_ARG_VAR([MPIRUN], [launcher that belongs to MPICC])
AC_MSG_CHECKING([for the MPI compiler wrapper ${MPICC:-mpicc}])
MPICC_PATH=$(command -v "${MPICC:-mpicc}") || MPICC_PATH=no
AC_MSG_RESULT([$MPICC_PATH])
AC_SUBST([MPICC_PATH])
hitop_smpi=no
case $MPICC_PATH in
*smpicc)
    hitop_smpi=yes
    CC=$MPICC_PATH
    # smpicc refuses to build programs outside a simulation unless it is told to pretend
    SMPI_PRETEND_CC=1
    export SMPI_PRETEND_CC
    : "${LD:=/usr/bin/ld}"
    # simulated ranks share shared libraries, so everything is linked statically, as PIC
    enable_shared=no
    with_pic=yes
    AC_DEFINE([HITOP_SMPI], [1], [Define to 1 where ranks are simulated.])
    ;;
esac
AM_CONDITIONAL([SMPI], [test $hitop_smpi = yes])
])

# HITOP_MPI_FLAGS
# ---------------
# Set MPI_CFLAGS and MPI_LIBS from what the wrapper would run, and MPIRUN from its name.
AC_DEFUN([HITOP_MPI_FLAGS], [
hitop_have_mpi=no
MPI_CFLAGS= MPI_LIBS=
AS_IF([test $hitop_smpi = yes], [hitop_have_mpi=yes : "${MPIRUN:=smpirun}"],
      [test "$MPICC_PATH" != no], [
    hitop_have_mpi=yes
    for hitop_word in $($MPICC_PATH -show); do
        case $hitop_word in
        -I*|-D*|-pthread) MPI_CFLAGS="$MPI_CFLAGS $hitop_word" ;;
        -L*|-l*) MPI_LIBS="$MPI_LIBS $hitop_word" ;;
        esac
    done
    hitop_base=$(basename "$MPICC_PATH")
    : "${MPIRUN:=mpirun${hitop_base#mpicc}}"
    hitop_save_CFLAGS=$CFLAGS hitop_save_LIBS=$LIBS
    CFLAGS="$CFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
    AC_MSG_CHECKING([whether $MPICC_PATH gives a working MPI-3])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#if MPI_VERSION < 3
#error MPI-3 is needed
#endif
]], [[MPI_Message m; MPI_Improbe(0, 0, MPI_COMM_WORLD, (int []){0}, &m, MPI_STATUS_IGNORE);]])],
        [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])
         AC_MSG_ERROR([MPI_Improbe does not link with flags '$MPI_CFLAGS $MPI_LIBS'])])
    # Fortran calls are taken over where its integers are those of C.
    AC_CHECK_SIZEOF([int])
    AC_CHECK_SIZEOF([MPI_Fint], [], [#include <mpi.h>])
    CFLAGS=$hitop_save_CFLAGS LIBS=$hitop_save_LIBS
], [AC_MSG_ERROR([no MPI compiler wrapper found; install an MPI or set MPICC])])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
])
