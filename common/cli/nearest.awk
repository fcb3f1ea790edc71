# SPDX-License-Identifier: MIT
# nearest.awk: of the words on standard input, a line each, the one with the
# smallest edit distance to -v word=WORD; nothing if none is near.
function least(a, b) { return a < b ? a : b }
function distance(s, t,    i, j, d) {
    for (i = 0; i <= length(s); i++) d[i, 0] = i
    for (j = 0; j <= length(t); j++) d[0, j] = j
    for (i = 1; i <= length(s); i++)
        for (j = 1; j <= length(t); j++)
            d[i, j] = least(least(d[i-1, j], d[i, j-1]) + 1,
                d[i-1, j-1] + (substr(s, i, 1) != substr(t, j, 1)))
    return d[length(s), length(t)]
}
BEGIN { best = 1 + int(length(word) / 2) }
{
    d = distance(word, $1)
    if (index($1, word) == 1) d = 0
    if (d < best) { best = d; near = $1 }
}
END { if (near != "") print near }
