#!/bin/sh
# SPDX-License-Identifier: MIT
# debian.sh 12|13 [SUITE...]: `make test` under the CUDA toolkit of another
# Debian release: 11.8 in 12, 12.4 in 13. With SUITEs, those alone.
#
# It installs a small Debian in WHERE/RELEASE, clones the committed tree into
# it, and runs the commands that a reader types there: the set-up must install
# the toolkit and everything else. A second call updates the clone and continues
# with what is installed and built.
#   WHERE=dir   /var/tmp/warpbook-debian; 8 GB each; rm -rf ends it
#
# The hard idea: the machine is not changed. The mounts live in a namespace that
# ends with the script; everything else is in that folder. It is not in build/,
# where make would read its /etc/rc1.d as a dependency file.
set -eu
cd "$(dirname "$0")/../.."

stop()
{
    printf '%s\n' "test-toolkit: $1" >&2
    exit 1
}

case ${1-} in
12) release=bookworm ;;
13) release=trixie ;;
*) stop "which Debian? DEBIAN=12 brings CUDA 11.8, DEBIAN=13 brings 12.4" ;;
esac
root=${WHERE:-/var/tmp/warpbook-debian}/$1
case $root in /*) ;; *) stop "WHERE must begin with a /" ;; esac
shift
[ "$(id -u)" -eq 0 ] || stop "only root may mount; try sudo"
command -v mmdebstrap >/dev/null || stop "install mmdebstrap"

# A reader needs only make and git.
if [ ! -d "$root" ]; then
    mkdir -p "$(dirname "$root")"
    mmdebstrap --quiet --variant=minbase --include=ca-certificates,git,make \
        "$release" "$root.new"
    mv "$root.new" "$root" # half a system is none
fi
git init -q "$root/warpbook"
git -C "$root/warpbook" fetch -q "$PWD" HEAD
git -C "$root/warpbook" checkout -q --force --detach FETCH_HEAD
cp /etc/resolv.conf "$root/etc/resolv.conf"

# shellcheck disable=SC2016 # the inner shells expand it
exec unshare --mount --pid --fork --kill-child --mount-proc sh -euc '
    root=$1
    shift
    mount --bind "$root" "$root"
    mount --rbind /dev "$root/dev"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/tmp"
    exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin \
        ${http_proxy:+"http_proxy=$http_proxy"} sh -euc "
        cd /warpbook
        make check-solution 5
        make doctor
        [ \$# -gt 0 ] || exec make test
        sh common/cli/setup.sh test book plot
        exec sh tests/run.sh \"\$@\"" - "$@"' - "$root" "$@"
