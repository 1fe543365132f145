# SPDX-License-Identifier: BSD-3-Clause
# compare.sh - what numbers of broadcasts show beside what the paper states, and their pictures; figure.sh reads it.

# One row of the page: agrees, differs or another word (a statement of ours begins with a parenthesis and holds or not); the
# paper's statement; what the numbers show; why they differ.
verdict() { # verdict WORD STATEMENT NUMBERS [WHY]
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${4-}" >>"$work/comparisons"
}

# Means over the seeds of the paper's time, the largest mean time of a rank, for the algorithms that begin with A.
means() { # means A INTERVAL [COLUMN [FILE]]: size and mean, by size
    awk -F, -v a="$1" -v interval="$2" -v column="${3:-7}" '
        index($5, a) == 1 && $3 == interval { sum[$6] += $column; n[$6]++ }
        END { for (size in sum) print size, sum[size] / n[size] }' "${4:-$csv}" | sort -n
}

# Size, time of A, time of B, for the sizes that both have.
pairs() { # pairs A B INTERVAL [FILE]
    means "$2" "$3" 7 "${4:-$csv}" >"$work/b"
    means "$1" "$3" 7 "${4:-$csv}" | awk 'NR == FNR { b[$1] = $2; next } $1 in b { print $1, $2, b[$1] }' "$work/b" -
}

# The times of A over those of B at each size. EXPECTED: below (1), equal (0.9 to 1.1) or LOW..HIGH.
ratios() { # ratios STATEMENT EXPECTED A B INTERVAL [WHY]
    pairs "$3" "$4" "$5" | awk -v ours="${1%%[!(]*}" -v expected="$2" -v what="$(names "$3" "$4"), K = $5 us" '
        BEGIN {
            low = expected == "equal" ? 0.9 : expected == "below" ? 0 : expected + 0
            high = expected == "equal" ? 1.1 : expected == "below" ? 1 : substr(expected, index(expected, "..") + 2) + 0
        }
        {
            r = sprintf("%.2f", $2 / $3) + 0
            least = NR == 1 || r < least ? r : least
            most = r > most ? r : most
            if (r >= low && (expected == "below" ? r < high : r <= high)) good++
            else other = other (other ? ", " : "") $1 " B: " sprintf("%.2f", r)
        }
        END {
            if (!NR) exit 1
            yes = ours ? "holds" : "agrees"
            word = good == NR ? yes : good ? yes " at " good " of " NR " sizes" : ours ? "does not hold" : "differs"
            printf "%s\t%s: %.2f to %.2f%s\n", word, what, least, most, good && good < NR ? " (" other ")" : ""
        }' >"$work/ratios" || { echo "figure.sh: $csv has no times of $3 and $4 at $5 us" >&2; exit 3; }
    verdict "$(cut -f 1 "$work/ratios")" "$1" "$(cut -f 2 "$work/ratios")" "${6-}"
}

names() { # names A B: how a ratio is called
    echo "$1/$2" | sed 's/cp-[a-z]*/CP/; s/p-[a-z]*/P/; s/mpi/'"${mpi_name:-MVAPICH2}/"
}

# The mean ratio of A to B over all sizes is smaller here, by 1 % or more, than in figure OTHER, whose numbers must be there.
grows() { # grows STATEMENT OTHER A B INTERVAL [WHY]
    other=$out/results/figure-$2.csv
    [ -s "$other" ] || return 0
    for file in "$other" "$csv"; do
        pairs "$3" "$4" "$5" "$file" | awk '{ sum += $2 / $3 } END { print sum / NR }'
    done | paste -s -d ' ' - | awk -v what="mean of $(names "$3" "$4"), K = $5 us" -v other="figure $2" \
        '{ printf "%s\t%s: %.3f, in %s %.3f\n", $2 < 0.99 * $1 ? "agrees" : $2 < 1.01 * $1 ? "no difference" : "differs", what, $2, other, $1 }' >"$work/ratios"
    verdict "$(cut -f 1 "$work/ratios")" "$1" "$(cut -f 2 "$work/ratios")" "${6-}"
}

# How much longer A takes than B, e.g. "19 us at 12000 B, 41 us at 92000 B": at the smallest and the largest size.
longer() { # longer A INTERVAL B INTERVAL-OF-B
    means "$3" "$4" >"$work/b"
    means "$1" "$2" | awk 'NR == FNR { b[$1] = $2; next } { print $1, $2 - b[$1] }' "$work/b" - |
        awk '{ line = sprintf("%.0f us at %d B", $2, $1) } NR == 1 { first = line } END { print first (NR > 1 ? ", " line : "") }'
}

# A curve of a picture: a title, then pairs x y.
curve() { # curve TITLE <PAIRS
    [ ! -s "$work/curves" ] || printf '\n\n' >>"$work/curves"
    echo "\"$1\"" >>"$work/curves"
    cat >>"$work/curves"
}

# A picture of times by size, with the sizes of the figure at the axis.
draw_sizes() { # draw_sizes [GNUPLOT-COMMANDS]
    tics=$(awk -F, 'NR > 1 { print $6 }' "$csv" | sort -nu | awk '{
        name = $1 >= 1048576 && $1 % 1048576 == 0 ? $1 / 1048576 " MiB" : $1 >= 10000 ? int($1 / 1000 + 0.5) "k" : $1
        printf "%s\"%s\" %d", (NR > 1 ? ", " : ""), name, $1 }')
    draw "message, bytes" "largest mean time of a rank, us" "set logscale x; set xtics ($tics); ${1:-set yrange [0:]}"
}

# The curves, in the order of their line types in figure.gp, as results/figure-N.svg.
draw() { # draw XLABEL YLABEL [GNUPLOT-COMMANDS]
    gnuplot -e "curves='$work/curves'; n=$(grep -c '^"' "$work/curves"); caption='$work/caption'" \
        -e "svg='$out/results/figure-$number.svg'; xname='$1'; yname='$2'; more='${3-}'" "$here/figure.gp"
    rm "$work/curves"
}
