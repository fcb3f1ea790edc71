# SPDX-License-Identifier: MIT
# words.awk: a plot's data in words, for who cannot see it. Variables: kind,
# first and last (chapter), copy (ms), full (1: every number).

BEGIN {
    FS = "\t"
    split("forward,input gradient,weight gradient", name, ",")
    path = 1
}
!NF { if (blank++) { path++; blank = 0 } next }
{ blank = 0; n[path]++; now = kind == "ladder" ? $3 : sprintf("%#.3g", $2) }
n[path] == 1 { from[path] = now }
{
    to[path] = now
    said[path] = said[path] (n[path] > 1 ? ", " : " ") now
}
END {
    unit = kind == "ladder" ? "ms" : "TFLOP/s"
    printf "%s from chapter %s to %s: ", unit, first, last
    for (i = 1; i <= path; i++)
        printf("%s%s%s", (i > 1 ? "; " : ""), name[i],
            full ? said[i] : " " from[i] " to " to[i])
    if (kind == "ladder") printf "; a copy of the same bytes %.3f", copy
    print "."
}
