#!/bin/sh
# SPDX-License-Identifier: MIT
# image.sh container|server: makes the unpacked workbook of a bundle ready to
# grade, as root, once: for an image of containers that hold a hand-in each, or
# on a server that grades as an ordinary user in sandbox.sh.
#
# It installs packages, builds, and grades the solution with the bundle's seed,
# which must get every point, and makes the format's text of it; otherwise it
# fails, and with it the image. Then the solutions go: what is left answers
# nothing. PREBUILT=1 uses build/ as it is.
set -eu
kind=$1
cd "$(dirname "$0")/../.."
case $kind in
container | server) ;;
*) echo "image.sh container, or image.sh server" >&2 && exit 2 ;;
esac
number=$(cat export/number)

[ -n "${PREBUILT-}" ] || {
    sh common/cli/setup.sh compile build grade export
    make programs
}
BUILD=$PWD/build CUDA_HOME=$(sh common/cli/find-cuda.sh)
export BUILD CUDA_HOME
[ "$kind" = server ] || touch export/throwaway
SANDBOX=common/cli/sandbox.sh
if [ "$kind" = server ]; then
    # As those who will grade: what root may do says nothing about them.
    chmod a+rx .
    chmod -R a+rX common chapters build
    setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
        sh $SANDBOX common true || {
        echo "Ordinary users of this server may not make namespaces, so a" \
            "hand-in cannot be kept apart from the grader. It is not made" \
            "ready." >&2
        exit 1
    }
elif ! sh $SANDBOX export true 2>/dev/null; then
    SANDBOX=common/export/container.sh
fi

from=$(mktemp -d)
trap 'rm -rf "$from"' EXIT
cp -R solutions/"$number"-* "$from/solution"
rm -rf export/class
SANDBOX=$SANDBOX FROM=$from TO=$PWD/export/class JOBS=1 \
    POINTS=export/points DEVICE=sim SEED="$(cat export/seed)" \
    sh common/cli/grade.sh grade "$number"
result=$(find export/class -name result)
awk -F '\t' '$1 == "sum" { all = $2 == $3 } END { exit !all }' "$result" || {
    echo "The solution does not get every point: nothing is ready." >&2
    exit 1
}
# What one.sh will make of a result must come out, too.
jq -n -L common/export --rawfile result "$result" --arg title "$(
    cat export/title)" --rawfile feedback "${result%/*}/feedback.txt" \
    'include "record"; graded($result; $feedback; $title)' |
    jq -r -L common/export -f "common/export/$(cat export/format)/result.jq" \
        >"$from/told" || rm "$from/told"
[ -s "$from/told" ] || {
    echo "No text for the grader comes out: nothing is ready." >&2
    exit 1
}
find export/class -depth -type d -name solution -exec rm -rf {} +
rm -rf export/class/reports/* export/class/.class/checked/* \
    export/class/gradebook.csv export/seed solutions
mkdir -p export/why
# On a server whoever grades reads it, and leaves a file in export/why that
# nobody else can read; a hand-in sees nothing of it.
if [ "$kind" = server ]; then
    chmod -R a+rX .
    chmod 1733 export/why
else
    chmod 700 export
fi
echo "Ready to grade chapter $number."
