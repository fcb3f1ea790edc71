# SPDX-License-Identifier: MIT
# quoted.awk: rewrites a page's samples of a starter's report.
#
#   awk -v reports=DIR -f quoted.awk PAGE
#
# After `<!-- report: chapter N -->` follows a block with the report in
# DIR/chapter-N, without its later kernels; after `<!-- report: kernel N -->`
# only its first kernel. The check's own time is left out.
function first_kernel(file, line, inside)
{
    while ((getline line <file) > 0) {
        if (line ~ /^[a-z_]+\.(cu|c)  /)
            inside = 1
        if (inside && line == "")
            break
        if (inside || part == "chapter")
            print line
    }
    if (part == "chapter")
        print "…"
    while ((getline line <file) > 0)
        last = line
    if (part == "chapter") {
        sub(/; [0-9.]+ s$/, "; … s", last)
        print last
    }
    close(file)
}

/^<!-- report: / { part = $3; file = reports "/chapter-" $4; waiting = 1 }
/^```$/ && waiting { print; first_kernel(file); waiting = 0; skipping = 1; next }
/^```$/ { skipping = 0 }
!skipping { print }
