# SPDX-License-Identifier: BSD-3-Clause
# median.awk - the median of numbers in a text, for the other scripts here.

function median(list,   n, i, j, t, v) {
    n = split(list, v, " ")
    for (i = 2; i <= n; i++) {
        for (j = i; j > 1 && v[j] + 0 < v[j - 1] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
    }
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}
