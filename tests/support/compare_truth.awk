# Compare the classes of a model file with the true links of a simulated machine.
# usage: awk -v limit=RELATIVE_ERROR -f compare_truth.awk HOSTS TRUTH MODEL
# Prints the number of classes and the worst error; exit status 1 when that exceeds the limit.

# The first number of that name; the same names occur again in the intervals.
function member(line, key) {
    match(line, "\"" key "\": *[-+.0-9e]+")
    line = substr(line, RSTART, RLENGTH)
    sub(".*: *", "", line)
    return line + 0
}

function check(what, got, wanted, error) {
    error = got / wanted - 1
    error = error < 0 ? -error : error
    worst = error > worst ? error : worst
    if (error > limit) {
        printf "%s of %s-%s is %g instead of %g\n", what, i, j, got, wanted
        failed = 1
    }
}

FNR == 1 { file++ }
file == 1 { host[FNR - 1] = $1 }
file == 2 && !/^#/ {
    latency[$3, $4] = latency[$4, $3] = $5
    bandwidth[$3, $4] = bandwidth[$4, $3] = $6
}
file == 3 && /"pair"/ {
    match($0, /"pair": *\[[0-9]+, *[0-9]+\]/)
    split(substr($0, RSTART, RLENGTH), pair, /[^0-9]+/)
    i = pair[2]
    j = pair[3]
    a = host[i]
    b = host[j]
    # the library puts 16 bytes before every message
    check("alpha", member($0, "alpha"), latency[a, b] + 16 / bandwidth[a, b])
    check("beta", member($0, "beta"), 1 / bandwidth[a, b])
    classes++
}
END {
    printf "%d classes, worst error %.2g\n", classes, worst
    exit failed || classes == 0
}
