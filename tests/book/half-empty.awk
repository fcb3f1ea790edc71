# SPDX-License-Identifier: MIT
# half-empty.awk, on what `pdftotext -bbox` prints: the pages whose last words
# stand above the middle. The cover and the last page may.
/<page /   { page++; match($0, /height="[0-9.]+/)
             height[page] = substr($0, RSTART + 8, RLENGTH - 8) + 0 }
/<word /   { match($0, /yMax="[0-9.]+/)
             y = substr($0, RSTART + 6, RLENGTH - 6) + 0
             # A page's number below the text says nothing.
             if (y < 0.93 * height[page] && y > last[page]) last[page] = y }
END {
    for (p = 2; p < page; p++)
        if (last[p] < 0.5 * height[p])
            printf "page %d ends at %.0f %% of its height\n", p,
                100 * last[p] / height[p]
    if (page < 100) print "only " page + 0 " pages were seen"
}
