! SPDX-License-Identifier: BSD-3-Clause
! mpi_intercept.F90 - contents of every collective called from Fortran, four times each, every other time with
! MPI_IN_PLACE. No other collective is called, so that a profiler must count four of each.
!
! Compiled with -DBINDING_H (mpif.h), -DBINDING_MPI (use mpi) or -DBINDING_F08 (use mpi_f08).
program intercept
#if defined(BINDING_F08)
    use mpi_f08
#elif defined(BINDING_MPI)
    use mpi
#endif
    implicit none
#if defined(BINDING_H)
    include 'mpif.h'
#endif
    integer, parameter :: block = 19, rounds = 4
    integer :: rank, ranks, root, round, wrong, i, r, ierror
    integer, allocatable :: mine(:), got(:), counts(:), displs(:), rows(:), places(:), sums(:)

    wrong = 0
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    allocate (mine(ranks * block), got(ranks * block), sums(ranks * block))
    counts = [(r, r = 1, ranks)]
    displs = [(r * (r + 1) / 2, r = 0, ranks - 1)]
    rows = [(rank + 1, r = 1, ranks)]
    places = [(r * block, r = 0, ranks - 1)]
    do round = 0, rounds - 1
        root = mod(round, ranks)
        call spread()
        call collect()
        if (mod(round, 2) == 0) then
            call combine()
        else
            call combine_in_place()
        end if
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call expect("barrier", [ierror], [MPI_SUCCESS])
    end do
    call MPI_Finalize(ierror)
    if (wrong > 0) error stop

contains

    ! Element i of what rank r brings.
    elemental integer function value(r, i)
        integer, intent(in) :: r, i
        value = r * 7919 + i
    end function

    subroutine fill()
        mine = value(rank, [(i, i = 1, ranks * block)])
        got = -1
    end subroutine

    subroutine expect(what, is, wanted)
        character(*), intent(in) :: what
        integer, intent(in) :: is(:), wanted(:)
        if (ierror == MPI_SUCCESS .and. all(is == wanted)) return
        wrong = wrong + 1
        if (wrong < 5) print *, "rank", rank, ": wrong ", what
        ierror = MPI_SUCCESS
    end subroutine

    ! The blocks of all ranks, of whole length or of counts(r), from their element `first` on.
    subroutine expect_blocks(what, first, uneven)
        character(*), intent(in) :: what
        integer, intent(in) :: first
        logical, intent(in) :: uneven
        integer :: at, length
        do r = 0, ranks - 1
            at = merge(displs(r + 1), r * block, uneven)
            length = merge(counts(r + 1), block, uneven)
            call expect(what, got(at + 1:at + length), value(r, [(first + i, i = 1, length)]))
        end do
    end subroutine

    subroutine spread()
        integer :: n
        n = counts(rank + 1)
        call fill()
        call MPI_Bcast(mine, block, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        call expect("bcast", mine(:block), value(root, [(i, i = 1, block)]))
        call fill()
        if (mod(round, 2) == 1 .and. rank == root) then
            call MPI_Scatter(mine, block, MPI_INTEGER, MPI_IN_PLACE, block, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
            call MPI_Scatterv(mine, counts, displs, MPI_INTEGER, MPI_IN_PLACE, n, MPI_INTEGER, root, &
                MPI_COMM_WORLD, ierror)
            call expect("scatter in place", mine, value(rank, [(i, i = 1, ranks * block)]))
            return
        end if
        call MPI_Scatter(mine, block, MPI_INTEGER, got, block, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        call expect("scatter", got(:block), value(root, [(rank * block + i, i = 1, block)]))
        call MPI_Scatterv(mine, counts, displs, MPI_INTEGER, got, n, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        call expect("scatterv", got(:n), value(root, [(displs(rank + 1) + i, i = 1, n)]))
    end subroutine

    subroutine collect()
        integer :: n, at
        n = counts(rank + 1)
        at = displs(rank + 1)
        call fill()
        if (mod(round, 2) == 1) then
            got(rank * block + 1:(rank + 1) * block) = mine(:block)
            if (rank == root) then
                call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, got, block, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
                call expect_blocks("gather in place", 0, .false.)
            else
                call MPI_Gather(mine, block, MPI_INTEGER, got, block, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
            end if
            call MPI_Allgather(MPI_IN_PLACE, 0, MPI_INTEGER, got, block, MPI_INTEGER, MPI_COMM_WORLD, ierror)
            call expect_blocks("allgather in place", 0, .false.)
            call fill()
            got(at + 1:at + n) = mine(:n)
            if (rank == root) then
                call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_INTEGER, got, counts, displs, MPI_INTEGER, root, &
                    MPI_COMM_WORLD, ierror)
                call expect_blocks("gatherv in place", 0, .true.)
            else
                call MPI_Gatherv(mine, n, MPI_INTEGER, got, counts, displs, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
            end if
            call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, got, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierror)
            call expect_blocks("allgatherv in place", 0, .true.)
            got = mine
            call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, got, block, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        else
            call MPI_Gather(mine, block, MPI_INTEGER, got, block, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
            if (rank == root) call expect_blocks("gather", 0, .false.)
            call MPI_Allgather(mine, block, MPI_INTEGER, got, block, MPI_INTEGER, MPI_COMM_WORLD, ierror)
            call expect_blocks("allgather", 0, .false.)
            got = -1
            call MPI_Gatherv(mine, n, MPI_INTEGER, got, counts, displs, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
            if (rank == root) call expect_blocks("gatherv", 0, .true.)
            call MPI_Allgatherv(mine, n, MPI_INTEGER, got, counts, displs, MPI_INTEGER, MPI_COMM_WORLD, ierror)
            call expect_blocks("allgatherv", 0, .true.)
            call MPI_Alltoall(mine, block, MPI_INTEGER, got, block, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        end if
        call expect_blocks("alltoall", rank * block, .false.)
        call MPI_Alltoallv(mine, rows, places, MPI_INTEGER, got, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        do r = 0, ranks - 1
            call expect("alltoallv", got(r * block + 1:r * block + r + 1), &
                value(r, [(rank * block + i, i = 1, r + 1)]))
        end do
    end subroutine

    ! Operands, and their sums over the first `n` ranks.
    subroutine operands(n)
        integer, intent(in) :: n
        call fill()
        sums = 0
        do r = 0, n - 1
            sums = sums + value(r, [(i, i = 1, ranks * block)])
        end do
    end subroutine

    subroutine combine()
        integer :: at
        call operands(ranks)
        call MPI_Reduce(mine, got, block, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierror)
        if (rank == root) call expect("reduce", got(:block), sums(:block))
        call MPI_Allreduce(mine, got, block, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call expect("allreduce", got(:block), sums(:block))
        call MPI_Reduce_scatter_block(mine, got, block, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call expect("reduce_scatter_block", got(:block), sums(rank * block + 1:(rank + 1) * block))
        call MPI_Reduce_scatter(mine, got, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        at = displs(rank + 1)
        call expect("reduce_scatter", got(:rank + 1), sums(at + 1:at + rank + 1))
        call operands(rank + 1)
        call MPI_Scan(mine, got, block, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call expect("scan", got(:block), sums(:block))
        call operands(rank)
        call MPI_Exscan(mine, got, block, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        if (rank > 0) call expect("exscan", got(:block), sums(:block))
    end subroutine

    subroutine combine_in_place()
        integer :: at
        call operands(ranks)
        got = mine
        if (rank == root) then
            call MPI_Reduce(MPI_IN_PLACE, got, block, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierror)
            call expect("reduce in place", got(:block), sums(:block))
        else
            call MPI_Reduce(mine, got, block, MPI_INTEGER, MPI_SUM, root, MPI_COMM_WORLD, ierror)
        end if
        got = mine
        call MPI_Allreduce(MPI_IN_PLACE, got, block, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call expect("allreduce in place", got(:block), sums(:block))
        got = mine
        call MPI_Reduce_scatter_block(MPI_IN_PLACE, got, block, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call expect("reduce_scatter_block in place", got(:block), sums(rank * block + 1:(rank + 1) * block))
        got = mine
        call MPI_Reduce_scatter(MPI_IN_PLACE, got, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        at = displs(rank + 1)
        call expect("reduce_scatter in place", got(:rank + 1), sums(at + 1:at + rank + 1))
        call operands(rank + 1)
        got = mine
        call MPI_Scan(MPI_IN_PLACE, got, block, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call expect("scan in place", got(:block), sums(:block))
        call operands(rank)
        got = mine
        call MPI_Exscan(MPI_IN_PLACE, got, block, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        if (rank > 0) call expect("exscan in place", got(:block), sums(:block))
    end subroutine
end program
