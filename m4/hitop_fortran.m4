# HITOP_MPI_FORTRAN_MODULE(MODULE)
# --------------------------------
# Set hitop_fortran_MODULE to yes where a Fortran program can use an MPI module.
AC_DEFUN([HITOP_MPI_FORTRAN_MODULE], [
AC_MSG_CHECKING([whether Fortran programs can use $1])
AS_ECHO(["program p
use $1
print *, MPI_SUCCESS
end program"]) >conftest.f90
hitop_fortran_$1=no
AS_IF([test "$MPIFORT_PATH" != no &&
       "$MPIFORT_PATH" -o conftest conftest.f90 >&AS_MESSAGE_LOG_FD 2>&1],
      [hitop_fortran_$1=yes])
rm -f conftest conftest.f90
AC_MSG_RESULT([$hitop_fortran_$1])
])

# HITOP_MPI_FORTRAN
# -----------------
# Find the Fortran wrapper that belongs to MPICC and what it can compile; only tests need it. Call
# after HITOP_MPI_FLAGS.
AC_DEFUN([HITOP_MPI_FORTRAN], [
AC_ARG_VAR([MPIFORT], [Fortran wrapper that belongs to MPICC, or no; for tests])
AS_IF([test $hitop_smpi = yes], [MPIFORT_PATH=no],
      [AC_PATH_PROGS([MPIFORT_PATH], [${MPIFORT:-mpifort${hitop_base#mpicc}}], [no])])
HITOP_MPI_FORTRAN_MODULE([mpi])
HITOP_MPI_FORTRAN_MODULE([mpi_f08])
AM_CONDITIONAL([FORTRAN_MPI], [test $hitop_fortran_mpi = yes])
AM_CONDITIONAL([FORTRAN_MPI_F08], [test $hitop_fortran_mpi_f08 = yes])
])
