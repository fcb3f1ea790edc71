# SPDX-License-Identifier: MIT
# ladder.awk: facts to ladder.gp's data. Variables: gpu, chapters ("04 05 06").
# A block a path, a line a stage that was measured: place, ms, the number as it
# is shown, and where: higher than its point where a neighbour's is in the way.

BEGIN { FS = "\t" }
{ fact[$1] = $2 }
END {
    n = split(chapters, chapter, " ")
    paths = split("forward input_grad weight_grad", path, " ")
    for (p = 1; p <= paths; p++) {
        if (p > 1) print "\n"
        last = -1
        for (i = 1; i <= n; i++) {
            key = gpu "/" chapter[i] "/" path[p] "/time_ms"
            if (!(key in fact)) continue
            at = fact[key] * 1.12
            if (i == last + 1 && at < shown * 1.6 && at > shown / 1.6)
                at = shown * 1.6
            printf "%d\t%.6g\t%#.3g\t%.6g\n", i, fact[key], fact[key], at
            last = i
            shown = at
        }
    }
}
