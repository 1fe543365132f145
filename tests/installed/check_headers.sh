#!/bin/sh
# Each public header compiles on its own, as C11 and as C++.
set -eu
top=${srcdir:-.}/..
(cd "$top/src" && find hitop -name '*.h' ! -name '*_mpi.h') | sort | while read -r h; do
    echo "#include <$h>" | cc -std=c11 -pedantic-errors -Wall -Wextra -Werror -I"$top/src" -fsyntax-only -x c -
    echo "#include <$h>" | c++ -std=c++11 -Wall -Wextra -Werror -I"$top/src" -fsyntax-only -x c++ -
done
(cd "$top/src" && find hitop -name '*_mpi.h') | sort | while read -r h; do
    # shellcheck disable=SC2086 # MPI_CFLAGS is a list
    echo "#include <$h>" | cc -std=c11 -pedantic-errors -Wall -Wextra -Werror -I"$top/src" ${MPI_CFLAGS-} -fsyntax-only -x c -
    # shellcheck disable=SC2086
    echo "#include <$h>" | c++ -std=c++11 -Wall -Wextra -Werror -I"$top/src" ${MPI_CFLAGS-} -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -fsyntax-only -x c++ -
done
