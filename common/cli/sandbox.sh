#!/bin/sh
# SPDX-License-Identifier: MIT
# sandbox.sh HAND-IN COMMAND...: runs the command with the workbook as its
# current folder, in namespaces of its own that bubblewrap makes:
#
#   /workbook   common/, chapters/ and the built programs, read only; no
#               solutions, no tests, no git. Of the compiled solutions those in
#               $STAGES alone, as NN/NAME.so
#   /handin     the hand-in, read only
#
# It can write to nothing outside but the descriptors that it is given. No
# network, no terminal, no other process in sight, an unprivileged user id,
# nothing of /etc, /home or /root. All that it starts ends with it. $BUILD and
# $CUDA_HOME are the caller's. Exit code 3: no sandbox can be made here.
set -eu
handin=$1
shift
root=$PWD
build=${BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
cuda=${CUDA_HOME:-/usr/local/cuda}
scratch=$((2 << 30)) # bytes in memory, for what is compiled

bwrap --unshare-all --ro-bind / / true || {
    echo "no sandbox: bwrap (package bubblewrap) is missing, or this system" \
        "lets nobody make namespaces" >&2
    exit 3
}

for folder in bin simgpu harness vclock roofs; do
    [ ! -d "$build/$folder" ] ||
        set -- --ro-bind "$build/$folder" "/workbook/build/$folder" "$@"
done
for stage in ${STAGES-}; do
    set -- --ro-bind "$build/stage/solution/$stage" \
        "/workbook/build/stage/solution/$stage" "$@"
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
case $cuda in /usr/*) ;; *) set -- --ro-bind-try "$cuda" "$cuda" "$@" ;; esac

# The order matters: what is mounted later lies on top.
exec bwrap --unshare-all --die-with-parent --new-session \
    --uid 65534 --gid 65534 --clearenv --setenv PATH "$cuda/bin:/usr/bin:/bin" \
    --setenv CUDA_HOME "$cuda" --setenv HOME /tmp --setenv LANG C.UTF-8 \
    --proc /proc --dev /dev --size $scratch --tmpfs /tmp \
    --ro-bind /usr /usr --tmpfs /workbook \
    --ro-bind "$root/common" /workbook/common \
    --ro-bind "$root/chapters" /workbook/chapters \
    --size $scratch --tmpfs /workbook/build \
    --ro-bind "$handin" /handin \
    --chdir /workbook "$@"
