# SPDX-License-Identifier: MIT
# words.awk: a plot's data in words, for who cannot see it. Variables: kind,
# first (chapter), copy (ms).

BEGIN {
    FS = "\t"
    split("Forward,input gradient,weight gradient", name, ",")
    path = 1
}
!NF { if (blank++) { path++; blank = 0 } next }
{ blank = 0; n[path]++ }
kind == "ladder" { said[path] = said[path] (n[path] > 1 ? ", " : " ") $3 }
kind == "roofline" {
    said[path] = said[path] (n[path] > 1 ? ", " : " ") \
        sprintf("%s: %#.3g", $3, $2)
}
END {
    if (kind == "ladder") printf "Milliseconds from chapter %s on. ", first
    else printf "TFLOP/s by chapter. "
    for (i = 1; i <= path; i++)
        printf("%s%s%s", (i > 1 ? "; " : ""), name[i], said[i])
    if (kind == "ladder") printf "; a copy of the same bytes %.3f", copy
    print "."
}
