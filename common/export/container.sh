#!/bin/sh
# SPDX-License-Identifier: MIT
# container.sh HAND-IN COMMAND...: what sandbox.sh does, where no namespaces can
# be made: in a container that holds one hand-in and is thrown away. One.sh uses
# it, as root.
#
# The command runs as user 65534, without capabilities, in a workbook of links
# in which build/ is its own; the hand-in is /handin. What the bundle keeps from
# students is root's alone. Unlike sandbox.sh it leaves the container's network
# and its processes' names in sight. All that it starts ends with it.
set -eu
handin=$1
shift
root=$PWD
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
cuda=${CUDA_HOME:-/usr/local/cuda}
if [ "$(id -u)" -ne 0 ] || [ ! -f "$root/export/throwaway" ]; then
    echo "container.sh is for root in a container of one hand-in" >&2
    exit 3
fi

as_nobody()
{
    setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs \
        --inh-caps=-all --bounding-set=-all --pdeathsig KILL "$@"
}

clean()
{
    trap '' INT TERM
    as_nobody sh -c 'kill -9 -1' 2>/dev/null || true
    rm -rf "$place" /handin
}

place=$(mktemp -d /tmp/sandbox.XXXXXX)
trap clean EXIT
trap 'exit 143' INT TERM
chmod 755 "$place"
mkdir -p "$place/build/stage/solution"
ln -s "$root/common" "$root/chapters" "$place/"
for folder in bin simgpu harness vclock; do
    [ ! -d "$build/$folder" ] ||
        ln -s "$(readlink -f "$build/$folder")" "$place/build/$folder"
done
for folder in roofs predicted; do
    [ ! -d "$build/$folder" ] || cp -RL "$build/$folder" "$place/build/"
done
for stage in ${STAGES-}; do
    mkdir -p "$place/build/stage/solution/${stage%/*}"
    for file in "$stage" "${stage%.so}.log"; do
        [ ! -f "$build/stage/solution/$file" ] ||
            cp "$build/stage/solution/$file" "$place/build/stage/solution/$file"
    done
done
rm -rf /handin
cp -R "$handin" /handin
chmod -R a+rX "$place/build" /handin
chmod 1777 "$place/build" "$place/build/stage"

exec 3<&0 # a command in the background has no other input
(
    cd "$place"
    as_nobody env -i PATH="$cuda/bin:/usr/bin:/bin" CUDA_HOME="$cuda" \
        HOME=/tmp LANG=C.UTF-8 "$@" <&3 3<&-
) &
wait $!
