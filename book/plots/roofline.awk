# SPDX-License-Identifier: MIT
# roofline.awk: facts to roofline.gp's data: a block a path, a line a chapter.
# Variables: gpu, chapters.

BEGIN { FS = "\t" }
{ fact[$1] = $2 }
END {
    n = split(chapters, chapter, " ")
    paths = split("forward input_grad weight_grad", path, " ")
    for (p = 1; p <= paths; p++) {
        if (p > 1) print "\n"
        for (i = 1; i <= n; i++) {
            key = gpu "/" chapter[i] "/" path[p] "/"
            if (!(key "time_ms" in fact)) continue
            printf "%.6g\t%.6g\t%s\t1\n", fact[key "intensity"],
                fact[key "flops"] / fact[key "time_ms"] / 1e9, chapter[i]
        }
    }
}
