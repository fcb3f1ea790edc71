#!/bin/sh
# SPDX-License-Identifier: MIT
# make.sh WORK: compiles the kernels that a chapter.conf has a `page` for,
# records what their launchers do for each shape, and writes a script per
# chapter, book/kernels/NN.js:
# simKernels["NN"] = JSON, compressed, in base64. Those that are current stay.
# Inside:
#
#   [{"title", "source", "text", "ptx", "sizes": [[dim, [size, …], first], …],
#     "shapes": {"B1 H2 …": what record prints}}, …]
#
# make.sh sums prints what the scripts were made of, as their first lines say:
# they are committed, and a test compares.
set -eu

tab=$(printf '\t')

# A line per kernel: chapter, source below solutions/, operator, title, an edit
# (sed) that plants a bug or -, sizes. Those with bugs come last.
list=$(awk -f common/cli/conf.awk chapters/*/chapter.conf |
    awk -F '\t' -v folders="$(cd chapters && echo *)" '
        BEGIN {
            OFS = FS
            for (k = split(folders, name, " "); k > 0; k--)
                folder[substr(name[k], 1, 2)] = name[k]
        }
        $3 == "op" { op = $4 }
        $3 == "page" {
            n = split($4, part, ": ")
            edit = n > 2 ? substr($4, length(part[1] part[2]) + 5) : "-"
            print $1, (n > 2), folder[$1] "/" $2, op, part[1], edit, part[2]
        }' | sort -s -t "$tab" -k 1,2 | cut -f 1,3-)

rows() # of a chapter, or all
{
    printf '%s\n' "$list" | grep "^${1:-}"
}

chapters()
{
    rows | cut -f 1 | sort -u
}

# What a chapter's kernels come from, without comments. The headers of operators
# declare an interface, no code of a kernel; nor does the toolkit count.
sum() # CHAPTER
{
    {
        rows "$1"
        for source in $(rows "$1" | cut -f 2 | sort -u); do
            cat "solutions/$source.cu"
            sed -n 's/^#include "\(.*\.cuh\)".*/\1/p' "solutions/$source.cu" |
                while read -r header; do
                    cat "common/$header" 2>/dev/null ||
                        cat "solutions/${source%/*}/$header"
                done
        done
    } | sed -e 's|//.*||' -e 's/[[:space:]]*$//' -e '/^$/d' |
        sha256sum | cut -d ' ' -f 1
}

if [ "$1" = sums ]; then
    for chapter in $(chapters); do
        echo "$chapter $(sum "$chapter")"
    done
    exit
fi

work=$1
mkdir -p "$work"

edited() # SOURCE EDIT: into a tree whose paths are the workbook's
{
    mkdir -p "$work/solutions/${1%/*}"
    cp "solutions/${1%/*}"/*.cu* "$work/solutions/${1%/*}"
    [ "$2" = - ] && return
    sed "$2" "solutions/$1.cu" >"$work/solutions/$1.cu"
    ! cmp -s "solutions/$1.cu" "$work/solutions/$1.cu" || {
        echo "This edit changes nothing in $1: $2" >&2
        exit 1
    }
}

compile() # SOURCE
{
    folder=${1%/*}
    arch=$(sed -n 's/^arch = //p' "chapters/$folder/chapter.conf")
    root=$PWD
    (
        cd "$work"
        set -- -lineinfo -I "$root/common/op" -I "$root/common" \
            -D_GLIBCXX_BITS_SPECFUN_H=1 -gencode "arch=$arch,code=$arch" \
            "solutions/$1.cu"
        "$NVCC" -ptx -o kernel.long "$@"
        "$NVCC" -cudart shared -shared -Xcompiler -fPIC,-fvisibility=hidden \
            -o kernel.so "$@"
    )
    # Paths of this machine, and what no page shows.
    sed -e "s|$root/||g" -e "s|$work/||g" -e '/^[[:space:]]*$/d' -e '/^\/\//d' \
        -e 's/^[[:space:]]*//' "$work/kernel.long" >"$work/kernel.ptx"
}

# "B 1 2*;H 3*" -> every shape, one per line.
shapes()
{
    echo "$1" | awk '{
        n = split($0, dims, ";")
        out[1] = ""
        count = 1
        for (d = 1; d <= n; d++) {
            k = split(dims[d], words, " ")
            m = 0
            for (i = 1; i <= count; i++)
                for (j = 2; j <= k; j++) {
                    sub(/\*/, "", words[j])
                    next_out[++m] = out[i] (d > 1 ? " " : "") words[1] words[j]
                }
            count = m
            for (i = 1; i <= m; i++) out[i] = next_out[i]
        }
        for (i = 1; i <= count; i++) print out[i]
    }'
}

sizes()
{
    echo "$1" | jq -cR 'split(";") | map(split(" ") | [.[0],
        (.[1:] | map(rtrimstr("*") | tonumber)),
        (.[1:] | map(select(endswith("*"))) | .[0] | rtrimstr("*") | tonumber)])'
}

one() # SOURCE OPERATOR TITLE EDIT SIZES: its JSON
{
    edited "$1" "$4"
    compile "$1"
    shapes "$5" | tr '\n' '\t' | sed 's/\t$//' >"$work/shapes"
    IFS=$tab
    # shellcheck disable=SC2046
    LD_LIBRARY_PATH=$BUILD/simgpu "$BUILD/bin/page-record" "$work/kernel.so" \
        "$work/kernel.ptx" "$2" $(cat "$work/shapes") >"$work/shapes.json"
    unset IFS
    jq -nc --arg title "$3" --arg source "solutions/$1.cu" \
        --rawfile text "$work/solutions/$1.cu" \
        --rawfile ptx "$work/kernel.ptx" --argjson sizes "$(sizes "$5")" \
        --slurpfile shapes "$work/shapes.json" \
        '{$title, $source, $text, $ptx, $sizes, shapes: $shapes[0]}'
}

for chapter in $(chapters); do
    made="// Made by \`make page-kernels\` from $(sum "$chapter")"
    grep -qsxF "$made" "book/kernels/$chapter.js" && continue
    echo "$chapter" >&2
    rows "$chapter" >"$work/rows"
    while IFS=$tab read -r _ source op title edit its_sizes; do
        one "$source" "$op" "$title" "$edit" "$its_sizes" </dev/null
    done <"$work/rows" >"$work/list.json"
    jq -sc . "$work/list.json" >"$work/$chapter.json"
    {
        echo "$made"
        printf 'globalThis.simKernels["%s"] = "' "$chapter"
        gzip -9nc "$work/$chapter.json" | base64 | tr -d '\n'
        echo '";'
    } >"book/kernels/$chapter.js"
done
