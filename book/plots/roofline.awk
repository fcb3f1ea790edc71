# SPDX-License-Identifier: MIT
# roofline.awk: facts to roofline.gp's data: a block a path, a line a chapter.
# Variables: gpu, chapters. The last chapters crowd below the roof: a label
# makes room for the one above it.

BEGIN { FS = "\t" }
{ fact[$1] = $2 }

function line(p, i, above,    key, y, at)
{
    key = gpu "/" chapter[i] "/" path[p] "/"
    if (!(key "time_ms" in fact)) return above
    y = fact[key "flops"] / fact[key "time_ms"] / 1e9
    at = above && y > above / 1.75 ? above / 1.75 : y
    text = sprintf("%.6g\t%.6g\t%s\t1\t%.6g\n", fact[key "intensity"], y,
        chapter[i], at) text
    return at
}

END {
    n = split(chapters, chapter, " ")
    paths = split("forward input_grad weight_grad", path, " ")
    for (p = 1; p <= paths; p++) {
        text = ""
        above = 0
        for (i = n; i > 0; i--) above = line(p, i, above)
        printf "%s%s", (p > 1 ? "\n\n" : ""), text
    }
}
