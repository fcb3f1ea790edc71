#!/bin/sh
# SPDX-License-Identifier: MIT
# image.sh container|server: makes the unpacked workbook of a bundle ready to
# grade, as root, once: for an image of containers that hold a hand-in each, or
# on a server that grades as an ordinary user in sandbox.sh.
#
# It installs packages, builds, and grades the solution with the bundle's seed,
# which must get every point; otherwise it fails, and with it the image. Then
# the solutions go: what is left answers nothing. PREBUILT=1 uses build/ as it
# is.
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
sh $SANDBOX export true 2>/dev/null || {
    [ "$kind" = container ] || {
        echo "This server lets nobody make namespaces, so a hand-in cannot be" \
            "kept apart from the grader. It is not made ready." >&2
        exit 1
    }
    SANDBOX=common/export/container.sh
}

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
find export/class -depth -type d -name solution -exec rm -rf {} +
rm -rf export/class/reports/* export/class/.class/checked/* \
    export/class/gradebook.csv export/seed solutions
# On a server whoever grades reads it; a hand-in sees nothing of it.
if [ "$kind" = server ]; then
    chmod -R a+rX .
else
    chmod 700 export
fi
echo "Ready to grade chapter $number."
