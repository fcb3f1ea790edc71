#!/bin/sh
# SPDX-License-Identifier: MIT
# one.sh FORMAT FOLDER: grades the hand-in in FOLDER by make grade's own
# programs, and prints what FORMAT wants (FORMAT/result.jq). It works in a
# workbook that image.sh has made ready.
#
# Exit code 0: graded, whatever the verdict. 1: not graded, which is never the
# student's fault. Why is on stderr, without seed and paths, since CI's logs are
# the students', too. Autolab and VPL hand stderr to the student, so there it is
# in a file of export/why instead, which only the grader reads.
#
# The hard idea: where student's code runs. Where namespaces can be made, in
# sandbox.sh. In a container they mostly cannot; one that is thrown away after
# each hand-in, and that image.sh was told of, has container.sh instead.
# Anywhere else nothing is graded.
set -u
format=$1
folder=$(cd "$2" && pwd) || exit 1
cd "$(dirname "$0")/../.." || exit 1
. common/cli/feedback.sh
number=$(cat export/number)
BUILD=$PWD/build CUDA_HOME=$(sh common/cli/find-cuda.sh)
CUDA_HOME=${CUDA_HOME:-/usr/local/cuda} # as sandbox.sh has it
export BUILD CUDA_HOME
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
exec 3>&2 2>"$work/stderr"

# $work/result, $work/feedback.txt
grade()
{
    mkdir "$work/empty" "$work/from" || return
    SANDBOX=common/cli/sandbox.sh
    if ! sh $SANDBOX "$work/empty" true 2>"$work/why"; then
        [ -f export/throwaway ] || { cat "$work/why" >&2; return 1; }
        SANDBOX=common/export/container.sh
    fi
    # The files alone: who owns them, and when they were made, says nothing.
    cp -RP "$folder" "$work/from/hand-in" && cp -R export/class "$work/to" ||
        return
    env SANDBOX="$SANDBOX" FROM="$work/from" TO="$work/to" JOBS=1 \
        POINTS=export/points DEVICE=sim SEED='' ON='' HAND_INS='' \
        sh common/cli/grade.sh grade "$number" >"$work/log" 2>&1
    there=$(find "$work/to" -name result)
    [ -n "$there" ] && cp "$there" "$work/result" || return
    cp "${there%/*}/feedback.txt" "$work/feedback.txt"
}

not_graded()
{
    {
        echo "not graded:"
        jq -r .reason "$work/record"
        cat "$work/log" "$work/stderr"
    } 2>/dev/null | clean_text | sed "s|$PWD/*||g" >"$work/told"
    case $format in
    autolab | vpl)
        file=$(mktemp "export/why/$(date -u +%Y-%m-%dT%H%M%SZ).XXXXXX") &&
            cat "$work/told" >"$file" ;;
    *) cat "$work/told" >&3 ;;
    esac
    exit 1
}

: >"$work/feedback.txt"
grade || printf 'verdict\tUNGRADED\n' >"$work/result"
jq -n -L common/export --rawfile result "$work/result" \
    --rawfile feedback "$work/feedback.txt" --arg title "$(cat export/title)" \
    'include "record"; graded($result; $feedback; $title)' \
    >"$work/record" || not_graded
jq -r -L common/export -f "common/export/$format/result.jq" "$work/record" ||
    not_graded
[ "$(jq .graded "$work/record")" = true ] || not_graded
