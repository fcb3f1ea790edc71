#!/bin/sh
# SPDX-License-Identifier: MIT
# contained.sh ROOT COMMAND...: runs the command as a grader's container would:
# as root, in a file system that has the system's programs and of ours only what
# lies in ROOT, which gets /opt, and ROOT's other folders under their names.
# Without network. As root namespaces fail inside, as they do in Docker;
# elsewhere they must work, or nobody could become another user.
set -eu
root=$1
shift
for folder in "$root"/*/; do
    set -- --bind "${folder%/}" "/$(basename "$folder")" "$@"
done
if [ "$(id -u)" -eq 0 ]; then
    set -- --ro-bind /usr/bin/false "$(command -v bwrap)" "$@"
else
    set -- --unshare-user --uid 0 --gid 0 "$@"
fi
for folder in bin sbin lib lib32 lib64; do
    if [ -L "/$folder" ]; then
        set -- --symlink "$(readlink "/$folder")" "/$folder" "$@"
    elif [ -d "/$folder" ]; then
        set -- --ro-bind "/$folder" "/$folder" "$@"
    fi
done
case ${CUDA_HOME:-/usr} in
/usr/*) ;;
*) set -- --ro-bind "$CUDA_HOME" "$CUDA_HOME" "$@" ;;
esac
exec bwrap --unshare-pid --unshare-ipc --unshare-net --die-with-parent \
    --clearenv --setenv PATH /usr/local/sbin:/usr/sbin:/usr/bin \
    --setenv PREBUILT 1 --setenv CUDA_HOME "${CUDA_HOME-}" \
    --ro-bind /usr /usr --ro-bind /etc /etc --proc /proc --dev /dev \
    --perms 1777 --tmpfs /tmp --chdir / "$@"
