# SPDX-License-Identifier: MIT
# Every include of a file of ours, as `FROM TO`, paths from the root. Input:
# lines `FILE:#include "NAME"`. What is found nowhere is `FROM ?NAME`.

function exists(path,    line, is)
{
    if (!(path in known)) {
        is = (getline line <path)
        close(path)
        known[path] = is >= 0
    }
    return known[path]
}

function plain(path,    n, part, k, out) # a/b/../c: a/c
{
    n = split(path, part, "/")
    out = ""
    for (k = 1; k <= n; k++)
        if (part[k] == ".." && out != "") {
            if (!sub(/\/[^\/]*$/, "", out))
                out = ""
        } else
            out = out (out == "" ? "" : "/") part[k]
    return out
}

{
    from = $0
    sub(/:.*/, "", from)
    name = $0
    sub(/^[^"]*"/, "", name)
    sub(/".*/, "", name)
    folder = from
    sub(/\/[^\/]*$/, "", folder)
    n = split(folder "/ common/ checker/", base, " ")
    to = "?" name
    for (k = n; k > 0; k--)
        if (exists(plain(base[k] name)))
            to = plain(base[k] name)
    print from, to
}
