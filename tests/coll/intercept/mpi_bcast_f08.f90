! SPDX-License-Identifier: BSD-3-Clause
! mpi_bcast_f08.f90 - contents of MPI_Bcast called from Fortran through the module mpi_f08.
!
! Run under mpirun with libhitop_coll.so preloaded and HITOP_LAZY=0. Stops with an error when a value is
! wrong or when the library did not serve the calls itself.
program bcast_f08
    use mpi_f08
    use, intrinsic :: iso_c_binding
    implicit none

    interface
        function dlsym(handle, name) bind(C)
            import
            type(c_ptr), value :: handle
            character(kind=c_char), intent(in) :: name(*)
            type(c_funptr) :: dlsym
        end function
        function count_served() bind(C)
            import
            integer(c_long_long) :: count_served
        end function
    end interface

    procedure(count_served), pointer :: served
    type(c_funptr) :: symbol
    integer :: rank, ranks, root, errors, total, ierror

    errors = 0
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    do root = 0, ranks - 1
        call integers(1)
        call integers(1000)
        call integers(300000)
        call text()
        call every_other()
        call from_bottom()
        call on_half()
    end do
    call without_root()

    symbol = dlsym(c_null_ptr, "hitop_bcast_served" // c_null_char)
    if (.not. c_associated(symbol)) then
        call complain("libhitop_coll.so is not loaded")
    else
        call c_f_procpointer(symbol, served)
        if (ranks > 1 .and. served() < 6_c_long_long * ranks) then
            call complain("the library left the calls to MPI")
        end if
    end if
    call MPI_Allreduce(errors, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (rank == 0) print "(i0, a)", ranks, merge(" ranks: all right", " ranks: WRONG    ", total == 0)
    call MPI_Finalize(ierror)
    if (total > 0) error stop

contains

    subroutine complain(what)
        character(*), intent(in) :: what
        errors = errors + 1
        if (errors < 5) print "(a, i0, a, i0, 2a)", "rank ", rank, ", root ", root, ": ", what
    end subroutine

    subroutine integers(n)
        integer, intent(in) :: n
        integer, allocatable :: data(:)
        integer :: i
        allocate (data(n))
        data = 0
        if (rank == root) data = [(i * 3 + root, i = 1, n)]
        ierror = -1
        call MPI_Bcast(data, n, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        if (ierror /= MPI_SUCCESS) call complain("error code")
        if (any(data /= [(i * 3 + root, i = 1, n)])) call complain("wrong integers")
    end subroutine

    subroutine text()
        character(11) :: word
        word = ""
        if (rank == root) word = "broadcaster"
        call MPI_Bcast(word, len(word), MPI_CHARACTER, root, MPI_COMM_WORLD, ierror)
        if (word /= "broadcaster") call complain("wrong text")
    end subroutine

    ! A type with holes.
    subroutine every_other()
        type(MPI_Datatype) :: vector
        double precision :: data(200)
        integer :: i
        call MPI_Type_vector(100, 1, 2, MPI_DOUBLE_PRECISION, vector, ierror)
        call MPI_Type_commit(vector, ierror)
        data = -1
        if (rank == root) data(1::2) = [(i / 8d0, i = 1, 100)]
        call MPI_Bcast(data, 1, vector, root, MPI_COMM_WORLD, ierror)
        if (any(data(1::2) /= [(i / 8d0, i = 1, 100)])) call complain("wrong vector")
        if (rank /= root .and. any(data(2::2) /= -1)) call complain("a hole was written")
        call MPI_Type_free(vector, ierror)
    end subroutine

    ! Absolute addresses.
    subroutine from_bottom()
        type(MPI_Datatype) :: somewhere
        integer, asynchronous :: data(50)
        integer(MPI_ADDRESS_KIND) :: where(1)
        integer :: lengths(1), i
        lengths(1) = 50
        call MPI_Get_address(data, where(1), ierror)
        call MPI_Type_create_hindexed(1, lengths, where, MPI_INTEGER, somewhere, ierror)
        call MPI_Type_commit(somewhere, ierror)
        data = 0
        if (rank == root) data = [(i + root, i = 1, 50)]
        call MPI_Bcast(MPI_BOTTOM, 1, somewhere, root, MPI_COMM_WORLD, ierror)
        if (any(data /= [(i + root, i = 1, 50)])) call complain("wrong integers from MPI_BOTTOM")
        call MPI_Type_free(somewhere, ierror)
    end subroutine

    ! The ranks of one parity, the last one first.
    subroutine on_half()
        type(MPI_Comm) :: half
        double precision :: value
        integer :: last
        last = ranks - 1 - mod(ranks - 1 - mod(rank, 2), 2)
        call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half, ierror)
        value = rank
        call MPI_Bcast(value, 1, MPI_DOUBLE_PRECISION, 0, half, ierror)
        if (value /= last) call complain("wrong value on a half")
        call MPI_Comm_free(half, ierror)
    end subroutine

    ! What MPI calls an error stays one.
    subroutine without_root()
        type(MPI_Comm) :: copy
        integer :: value
        call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
        call MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN, ierror)
        value = 0
        call MPI_Bcast(value, 1, MPI_INTEGER, ranks, copy, ierror)
        if (ierror == MPI_SUCCESS) call complain("a root that does not exist was accepted")
        call MPI_Comm_free(copy, ierror)
    end subroutine
end program
