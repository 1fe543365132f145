# SPDX-License-Identifier: BSD-3-Clause
# launches.awk - results of launches, or of guides made of several, as benchmark_report writes them in csv, as medians of those that
# found one state.
#
# A state is a group of launches whose cache lines, before and after an operation, took times within a factor of 1.2; medians do
# not count. Variables, to be set before the files: wanted launches of a state; list: only print, when there are so many, the
# files of launches that found it, with 1 for each operation by itself (then those of the last one), with more for all of them.

function sort(values, n,    i, j, swap)
{
    for (i = 2; i <= n; i++) {
        for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
            swap = values[j]
            values[j] = values[j - 1]
            values[j - 1] = swap
        }
    }
}

# The first launches of the largest group of an operation, in chosen[1..]; returns how many.
function choose(operation,    i, k, n, most_found)
{
    for (i = 1; i <= launches; i++) {
        n = 0
        for (k = 1; k <= launches; k++) {
            n += is_in(operation, k, i)
        }
        if (least[operation, i] > 0 && n > most_found) {
            most_found = n
            around = i
        }
    }
    n = 0
    for (k = 1; k <= launches && n < wanted; k++) {
        if (most_found && is_in(operation, k, around)) {
            chosen[++n] = k
        }
    }
    return n
}

function is_in(operation, k, i)
{
    return least[operation, k] >= least[operation, i] && most[operation, k] <= 1.2 * least[operation, i]
}

function widen(operation, low, high)
{
    if (!((operation, launches) in least)) {
        least[operation, launches] = low
        most[operation, launches] = high
    }
    least[operation, launches] = low < least[operation, launches] ? low : least[operation, launches]
    most[operation, launches] = high > most[operation, launches] ? high : most[operation, launches]
}

FNR == 1 {
    file[++launches] = FILENAME
    for (i = 1; i <= NF; i++) {
        at[$i] = i
    }
    next
}
{
    widen($1, $at["line_hop_least_ns"] + 0, $at["line_hop_most_ns"] + 0)
    widen("", $at["line_hop_least_ns"] + 0, $at["line_hop_most_ns"] + 0) # all operations
    key = $1 " " $at["size_B"]
    if (launches == 1) {
        keys[++nkeys] = key
    }
    median[key, launches] = $at["median_us"]
    lo[key, launches] = $at["lo_us"]
    hi[key, launches] = $at["hi_us"]
}

function print_files(n,    i)
{
    for (i = 1; i <= n; i++) {
        print file[chosen[i]]
    }
}

function list_files(    k, part, n)
{
    if (list > 1) {
        n = choose("")
        print_files(n < wanted ? 0 : n)
        return
    }
    for (k = 1; k <= nkeys; k++) {
        split(keys[k], part, " ")
        n = choose(part[1])
        if (n < wanted) {
            return
        }
    }
    print_files(n)
}

function print_table(    k, part, n, i, c, text, low, high, sorted, middle, covered, of)
{
    printf "%-12s %8s %9s %8s %7s  %s\n", "operation", "size_B", "line_ns", "apart_%", "covered", "medians_us"
    for (k = 1; k <= nkeys; k++) {
        split(keys[k], part, " ")
        n = choose(part[1])
        if (n < wanted) {
            missing++
            continue
        }
        text = ""
        low = high = least[part[1], chosen[1]]
        for (i = 1; i <= n; i++) {
            c = chosen[i]
            text = text sprintf(" %9.3f", median[keys[k], c])
            sorted[i] = median[keys[k], c] + 0
            low = least[part[1], c] < low ? least[part[1], c] : low
            high = most[part[1], c] > high ? most[part[1], c] : high
        }
        sort(sorted, n)
        middle = sorted[int((n + 1) / 2)]
        covered = of = 0
        for (i = 1; i <= n; i++) {
            c = chosen[i]
            if (median[keys[k], c] + 0 != middle && lo[keys[k], c] != "") {
                of++
                covered += lo[keys[k], c] + 0 <= middle && middle <= hi[keys[k], c] + 0
            }
        }
        printf "%-12s %8d %4.0f-%-4.0f %8.1f %5d/%d %s\n", part[1], part[2], low, high, 100 * (sorted[n] / sorted[1] - 1), covered, of, text
        all++
        near += sorted[n] <= 1.05 * sorted[1]
        held += covered
        intervals += of
    }
    printf "%d of %d medians are within 5 %%, %d have too few of one state\n", near, all, missing
    printf "%d of %d intervals hold the middle one of the medians, where it is not their own\n", held, intervals
}

END {
    if (list) {
        list_files()
    } else {
        print_table()
    }
}
