#!/bin/sh
# SPDX-License-Identifier: MIT
# export.sh export NN: what an instructor gives to a grader that a course has.
#
#   FOR=FORMAT      a folder of common/export: gradescope, prairielearn,
#                   autolab, vpl, coderunner, inginious, classroom50, junit; or
#                   template, a repository that students start from
#   TO=dir          where; it must not exist yet. export-FORMAT-NN
#   POINTS=file     what a verdict is worth: common/cli/points
#   SEED=           of the inputs; drawn if it is not given
#
# All but the template hold workbook.tar.gz: the sources, the chapters up to NN
# and their solutions. image.sh makes a grader of it, then deletes these.
# FORMAT/bundle.sh adds what the format needs, by the functions below: `image`,
# `files` and `fill`.
. common/cli/lib.sh
. common/cli/graded.sh
number=$2
format=${FOR:-}
TO=${TO:-export-$format-$number}
POINTS=${POINTS:-common/cli/points}
BUILD=${BUILD:-build}

formats()
{
    for folder in common/export/*/; do
        basename "$folder"
    done | paste -sd ' ' -
}

# A file of common/export, with the chapter in it, on stdout.
fill() # FILE
{
    sed -e "s|%NN%|$number|g" -e "s|%N%|${number#0}|g" \
        -e "s|%TITLE%|$safe_title|g" -e "s|%FOLDER%|${chapter##*/}|g" \
        -e "s|%FILES%|$names|g" -e "s|%COMMAS%|$(commas "$names")|g" \
        -e "s|%FIRST%|${names%% *}|g" -e "s|%BASE%|${base-}|g" \
        -e "s| *%NEEDS%|${needs:+ $needs}|g" \
        -e "s|%PROBLEMS%|$(commas "$problems")|g" \
        -e "s|%POINTS%|$(most_points)|g" "common/export/$1"
}

commas()
{
    printf %s "$1" | sed 's/ /, /g'
}

files() # FILE...: into the bundle, under their own names
{
    for file; do
        fill "$file" >"$part/${file##*/}" || exit
        case $(head -c 2 "common/export/$file") in
        '#!') chmod 755 "$part/${file##*/}" ;;
        esac
    done
}

# The image's recipe, which bundle.sh may add to. An empty BASE must be named by
# whoever builds it; PROGRAMs that it must bring, besides apt-get.
image() # BASE PROGRAM...
{
    base=$1
    shift
    needs=$*
    files Dockerfile
}

most_points()
{
    awk -f common/cli/points.awk -v kernels="$problems" "$POINTS" /dev/null |
        awk -F '\t' '$1 == "sum" { print $3 + 0 }'
}

# The workbook up to this chapter, with starters as they were given out.
workbook() # FOLDER
{
    mkdir -p "$1/chapters" "$1/solutions" "$1/export" || exit
    cp -R Makefile LICENSE common checker "$1/" || exit
    [ ! -f chapters/inside.mk ] || cp chapters/inside.mk "$1/chapters/" || exit
    for folder in chapters/[0-9][0-9]-*/; do
        folder=${folder#chapters/}
        folder=${folder%/}
        [ "${folder%%-*}" -le "$number" ] || continue
        cp -R "chapters/$folder" "$1/chapters/" || exit
        for file in $(starter_files "chapters/$folder"); do
            given_out "$file" >"$1/$file" || exit
        done
        cp -R "solutions/$folder" "$1/solutions/" || exit
    done
    echo "$number" >"$1/export/number"
    echo "$title" >"$1/export/title"
    echo "$format" >"$1/export/format"
    cp "$POINTS" "$1/export/points" || exit
    echo "${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}" \
        >"$1/export/seed"
}

# A platform hands over no time: nobody would be late.
no_deadline()
{
    [ "$format" != template ] || return 0
    deadline=$(awk -f common/cli/settings.awk -v value_of=deadline \
        -v known=x "$POINTS")
    [ -z "$deadline" ] || die \
        "POINTS=$POINTS has a deadline, and a platform does not say when a" \
        "hand-in came. Take the line out of a copy; the platform has rules" \
        "of its own for late hand-ins. Nothing was made."
}

bundle()
{
    workbook "$part/warpbook"
    tar -C "$part" --owner=0 --group=0 --sort=name \
        -czf "$part/workbook.tar.gz" warpbook || die "cannot pack the workbook"
    rm -rf "$part/warpbook"
    fill "$format/README.in" >"$part/README.md" || exit
    # shellcheck source=/dev/null
    . "common/export/$format/bundle.sh"
}

template()
{
    rmdir "$part"
    TO=$part sh common/cli/handout.sh handout "$number" >/dev/null || exit
    mkdir -p "$part/.github/workflows"
    # Each push takes the built stages along, whatever else Git ignores.
    printf '%s\n' '!build/' 'build/*' '!build/stage/' 'build/stage/*' \
        '!build/stage/solution/' '!build/stage/solution/**' \
        >>"$part/.gitignore"
    fill template/github.yml >"$part/.github/workflows/check.yml"
    fill template/gitlab-ci.yml >"$part/.gitlab-ci.yml"
}

[ -n "$format" ] || die \
    "make export needs to know for what: make export ${number#0} FOR=..." \
    "There are: $(formats)"
case " $(formats) " in
*" $format "*) ;;
*)
    near=$(formats | tr ' ' '\n' |
        awk -v word="$format" -f common/cli/nearest.awk)
    die "FOR=$format is unknown.${near:+ Did you mean: FOR=$near?}" \
        "There are: $(formats)" ;;
esac
[ ! -e "$TO" ] || die "TO=$TO is there already. Remove it, or name another."
chapter=$(chapter_dir chapter "$number")
kernels=$(ordered "$chapter" | sed 's|.*/||; s|\.[^.]*$||' | paste -sd ' ' -)
points_are_right
awk -f common/cli/settings.awk -v value_of=worth -v kernels="$kernels" \
    "$POINTS" >&2
no_deadline
case ${SEED:-0} in
*[!0-9]*) die "SEED=$SEED: a seed is a whole number" ;;
esac
[ "$format" = template ] || [ -d "$(chapter_dir solution "$number")" ] ||
    die "make export needs solutions/, which this folder does not have."
title="Chapter $number, $(chapter_conf "$chapter" title)"
safe_title=$(printf %s "$title" | sed 's/[&|\\]/\\&/g')
names=$(ordered "$chapter" | sed 's|.*/||' | paste -sd ' ' -)
problems=$(printf %s "$names" | sed 's/\.[a-z]*//g')
mkdir -p "$(dirname "$TO")"
part=$(mktemp -d "$TO.part.XXXXXX") || die "cannot write beside TO=$TO"
trap 'rm -rf "$part"' EXIT
trap 'exit 130' INT TERM
if [ "$format" = template ]; then template; else bundle; fi || exit
chmod 755 "$part"
mv "$part" "$TO" || die "cannot move the bundle to $TO"
trap - EXIT
echo "$TO: $title, for $format. README.md in it says what to do."
