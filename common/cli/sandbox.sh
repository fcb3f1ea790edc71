#!/bin/sh
# SPDX-License-Identifier: MIT
# sandbox.sh HAND-IN COMMAND...: runs the command with the workbook as its
# current folder, in namespaces of its own that bubblewrap makes:
#
#   /workbook   common/, the chapters' tables and the built programs, read only;
#               no starters (each has the answers of the steps before it), no
#               solutions, no tests, no git. Of the compiled solutions those in
#               $STAGES alone, as NN/NAME.so
#   /handin     the hand-in, read only
#
# It can write to /tmp, /workbook/build and the descriptors that it is given. No
# network, no terminal, no other process in sight, nothing of /etc, /home or
# /root. All that it starts ends with it. No process is inside whose descriptors
# a stage might open through /proc: check's own are closed to it. $BUILD and
# $CUDA_HOME are the caller's. Exit code 3: no sandbox can be made here.
#
# The hard idea: whose processes they are. Limits on their number count a
# user's, and hold for nobody who is root outside, whatever the name inside. So
# where root calls, each sandbox has a user of its own, which owns nothing; root
# enters as root, to see the folders, and process 1 is a shell of root's, which
# dies with bwrap (another user's would not). An ordinary user's processes stay
# that user's, called 65534 inside and counted per sandbox.
set -eu
handin=$1
shift
root=$PWD
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
cuda=${CUDA_HOME:-/usr/local/cuda}
scratch=$((2 << 30)) # bytes in memory, for what is compiled

tasks=$((128 + 2 * $(nproc))) # nvcc for a chapter's kernels, and workers
alone=$((200000 + $$))
drop="setpriv --reuid $alone --regid $alone --clear-groups --no-new-privs
    --inh-caps=-all --bounding-set=-all"
apart="--unshare-pid --unshare-net --unshare-ipc --unshare-uts
    --unshare-cgroup-try"
# shellcheck disable=SC2086 # words without blanks
if [ "$(id -u)" -eq 0 ] &&
    bwrap $apart --ro-bind / / $drop test -r "$PWD/common/cli/sandbox.sh" \
        2>/dev/null; then
    set -- sh -c '"$@"; exit $?' sh $drop prlimit --nproc=$tasks "$@"
elif bwrap --unshare-all --ro-bind / / true; then
    apart="--unshare-all --uid 65534 --gid 65534"
    set -- prlimit --nproc=$tasks "$@"
else
    echo "no sandbox: bwrap (package bubblewrap) is missing, or this system" \
        "lets nobody make namespaces" >&2
    exit 3
fi

# Last of all, since it lies on top: without root, what bwrap made belongs to
# whoever is inside.
set -- --remount-ro /workbook/build/stage/solution --remount-ro /workbook \
    --remount-ro /dev --remount-ro / "$@"
for folder in bin simgpu harness vclock roofs predicted; do
    [ ! -d "$build/$folder" ] ||
        set -- --ro-bind "$build/$folder" "/workbook/build/$folder" "$@"
done
# What nvcc said of a stage, its registers, lies beside it.
for stage in ${STAGES-}; do
    for file in "$stage" "${stage%.so}.log"; do
        set -- --ro-bind-try "$build/stage/solution/$file" \
            "/workbook/build/stage/solution/$file" "$@"
    done
done
# A folder that bwrap makes by itself could be entered by nobody else.
for stage in ${STAGES-}; do
    set -- --perms 755 --dir "/workbook/build/stage/solution/${stage%%/*}" "$@"
done
for file in chapters/*/chapter.conf chapters/*/*.tsv; do
    [ ! -e "$file" ] || set -- --ro-bind "$root/$file" "/workbook/$file" "$@"
done
for folder in chapters/*/; do
    set -- --perms 755 --dir "/workbook/${folder%/}" "$@"
done
for device in /dev/nvidia*; do
    [ ! -e "$device" ] || set -- --dev-bind "$device" "$device" "$@"
done
for folder in bin sbin lib lib32 lib64; do
    if [ -L "/$folder" ]; then
        set -- --symlink "$(readlink "/$folder")" "/$folder" "$@"
    elif [ -d "/$folder" ]; then
        set -- --ro-bind "/$folder" "/$folder" "$@"
    fi
done
for file in alternatives ld.so.cache ld.so.conf ld.so.conf.d; do
    set -- --ro-bind-try "/etc/$file" "/etc/$file" "$@"
done
# Which GPU is the caller's, and where its driver lies.
for name in CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER LD_LIBRARY_PATH; do
    eval "value=\${$name-}"
    [ -z "$value" ] || set -- --setenv $name "$value" "$@"
done
case $cuda in /usr/*) ;; *) set -- --ro-bind-try "$cuda" "$cuda" "$@" ;; esac

# The order matters: what is mounted later lies on top.
# shellcheck disable=SC2086 # words without blanks
exec bwrap $apart --as-pid-1 --die-with-parent --new-session \
    --clearenv --setenv PATH "$cuda/bin:/usr/bin:/bin" \
    --setenv CUDA_HOME "$cuda" --setenv HOME /tmp --setenv LANG C.UTF-8 \
    --proc /proc --dev /dev --perms 1777 --size $scratch --tmpfs /tmp \
    --ro-bind /usr /usr --tmpfs /workbook \
    --ro-bind "$root/common" /workbook/common \
    --perms 755 --dir /workbook/chapters \
    --perms 1777 --size $scratch --tmpfs /workbook/build \
    --perms 1777 --dir /workbook/build/stage \
    --perms 755 --tmpfs /workbook/build/stage/solution --perms 755 --dir /etc \
    --ro-bind "$handin" /handin \
    --chdir /workbook "$@"
