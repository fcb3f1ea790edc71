#!/bin/sh
# SPDX-License-Identifier: MIT
# handout.sh handout NN: the folder that students start from.
#
#   TO=handout-NN   where; it must not exist yet. The default
#
# It has the chapters up to NN with starters as committed (whoever works in
# this copy has other files) or as they came here, the checker and the
# simulated GPU as sources, and a README of its own. It has no solutions and no
# tests, and of the book only what the lessons link to and what `make analyze`
# draws with. Stages that a chapter is timed against go along built
# (build/stage/solution), without source. Beside them lies what ptxas said of
# their registers: the time predicted for them depends on it. Helper headers
# that only solutions include stay here.
. common/cli/lib.sh
number=$2
TO=${TO:-handout-$number}

[ ! -e "$TO" ] || die "TO=$TO is there already. Remove it, or name another."
mkdir -p "$(dirname "$TO")" || die "cannot make TO=$TO"
part=$(mktemp -d "$TO.part.XXXXXX") || die "cannot write beside TO=$TO"
trap 'rm -rf "$part"' EXIT
trap 'exit 130' INT TERM

handed_out() # the chapters' folders
{
    for folder in chapters/[0-9][0-9]-*/; do
        n=${folder#chapters/}
        [ "${n%%-*}" -gt "$number" ] || echo "${folder%/}"
    done
}

# Headers of common/op that the given files include, directly or not.
headers_of() # FILE...
{
    sed -n 's/^#include "\(.*\.cuh\)"$/\1/p' "$@" | sort -u |
        while read -r name; do
            file=common/op/${name##*/}
            grep -qx "$file" "$part/.headers" || {
                echo "$file" >>"$part/.headers"
                headers_of "$file"
            }
        done
}

cp_to() # FILE: into the same place of the hand-out
{
    mkdir -p "$part/$(dirname "$1")" && cp "$1" "$part/$1"
}

chapter() # DIR
{
    mkdir -p "$part/$1"
    for file in "$1"/*; do
        case $file in
        *.cu | *.c) given_out "$file" >"$part/$file" || exit ;;
        # What the book's pages run quotes the solutions.
        */chapter.conf) sed '/^page *=/d' "$file" >"$part/$file" || exit ;;
        *) cp -R "$file" "$part/$file" || exit ;;
        esac
    done
    # shellcheck disable=SC2046 # paths without blanks
    headers_of $(kernels "$part/$1")
    linked "$1/README.md" || exit
}

# A page's pictures, the pages it links to, and the tables of measurements that
# it names. A link to a chapter that is not handed out stays as it is: no lesson
# may have one (tests/handout).
linked() # PAGE
{
    from=${1%/*}
    {
        grep -o '](\(\.\./\)*[A-Za-z0-9][^):#]*[)#]' "$1" |
            sed "s|^](|$from/|; s|.$||"
        grep -oE '`(book|tests)/[^` ]*\.(csv|json)`' "$1" | tr -d '`'
    } | sort -u | while read -r file; do
        file=$(realpath --relative-to=. "$file")
        case $file in book/* | docs/* | tests/*) ;; *) continue ;; esac
        [ ! -f "$part/$file" ] || continue
        cp_to "$file" || exit
        case $file in *.md) linked "$file" ;; esac
    done
}

stage() # SOLUTION'S FILE: built, without its source
{
    n=${1#solutions/}
    n=${n%%-*}
    name=$(basename "${1%.*}")
    so=stage/solution/$n/$name.so
    log=${so%.so}.log
    [ -f "$BUILD/$so" ] && [ -f "$BUILD/$log" ] || {
        echo "Building $1" >&2
        "$BUILD/bin/check" solution "${n#0}" --kernel "$name" --case 0 \
            --device sim --build "$BUILD" --root . >"$part/.check" 2>&1
    }
    [ -f "$BUILD/$so" ] ||
        die "$1 could not be built:" "$(cat "$part/.check")"
    mkdir -p "$part/build/${so%/*}" && cp "$BUILD/$so" "$part/build/$so" &&
        sed -n '/^ptxas info/p' "$BUILD/$log" >"$part/build/$log"
}

page()
{
    files=$(ordered "$(chapter_dir chapter "$number")" | sed 's|.*/||' |
        paste -sd ' ' -)
    sed "s/%N%/${number#0}/g; s/%NN%/$number/g; s/%FILES%/$files/g" \
        common/cli/handout.md
}

# What `make help` prints there: of the commands those that need neither
# solutions nor tests nor the book, with the last chapter as their example. A
# command's line may go on.
help()
{
    awk -v nn="$number" '
        BEGIN {
            split("list next check-chapter run watch predict start hint " \
                "analyze roofline trace lines reset doctor clean" \
                (nn >= 23 ? " tune" : "") (nn >= 24 ? " profile train" : ""),
                names, " ")
            for (i in names) is_given[names[i]] = 1
        }
        /^[^ ]/ || /^$/ { is_shown = 1 }
        $1 == "make" {
            is_shown = $2 in is_given
            command = substr($0, 1, 28)
            sub(/ [0-9]+ +$/, " " nn + 0, command)
            $0 = sprintf("%-28s%s", command, substr($0, 29))
            sub("chapters/05-", "chapters/" nn "-")
        }
        is_shown' common/cli/help.txt | cat -s
}

: >"$part/.headers"
for folder in $(handed_out); do
    chapter "$folder"
done
for folder in $(handed_out); do
    solutions_before "$folder"
done | sort -u | while read -r source; do
    stage "$source" || exit
done || exit
for file in Makefile LICENSE .gitignore chapters/inside.mk book/plots/*.gp \
    book/plots/finish.awk book/results/nvidia-h200/roofs.json; do
    [ ! -f "$file" ] || cp_to "$file" || exit
done
# Those of common/op that no lesson's file includes are the solutions' own.
find common checker -type f |
    grep -vxE 'common/op/[^/]*\.cuh' >"$part/.files"
while read -r file; do
    [ ! -f "$file" ] || echo "$file"
done <"$part/.headers" >>"$part/.files"
xargs -d '\n' cp --parents -t "$part" <"$part/.files" || exit
linked common/simgpu/README.md
page >"$part/README.md" && help >"$part/common/cli/help.txt" || exit
rm -f "$part/.headers" "$part/.files" "$part/.check"
mv -T "$part" "$TO" || die "cannot move the hand-out to $TO"
chmod 755 "$TO"
trap - EXIT
echo "$TO: chapters 01 to $number. Students type there:"
echo "    make check-chapter ${number#0}"
