#!/bin/sh
# SPDX-License-Identifier: MIT
# bare.sh 12|13: `make test-handout`, a hand-out on that Debian, as TAP: what a
# student types there, and PASS once the solution's files are in their places.
# It uses the system that `make test-toolkit` made in WHERE, and leaves nothing
# in it.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
export BUILD
root=${WHERE:-/var/tmp/warpbook-debian}/${1:-12}
if [ "$(id -u)" -ne 0 ] || [ ! -d "$root/usr" ]; then
    echo "1..0 # SKIP needs root, and make test-toolkit DEBIAN=${1:-12} before"
    exit
fi
given=$root/handout-05
rm -rf "$given" "$root/solved-05"
trap 'rm -rf "$given" "$root/solved-05"' EXIT
trap 'exit 130' INT TERM

inside() # COMMAND...: in a namespace that ends with it, as a student's shell
{
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare --mount --pid --fork --kill-child --mount-proc sh -euc '
        root=$1
        shift
        mount --bind "$root" "$root"
        mount --rbind /dev "$root/dev"
        mount -t proc proc "$root/proc"
        mount -t tmpfs tmpfs "$root/tmp"
        exec chroot "$root" env -i HOME=/root LANG=C.UTF-8 \
            PATH=/usr/sbin:/usr/bin ${http_proxy:+"http_proxy=$http_proxy"} \
            sh -c "cd /handout-05 && \"\$@\"" - "$@"' - "$root" "$@" \
        >"$given.out" 2>&1 </dev/null
}

says() # WORDS COMMAND...
{
    words=$1
    shift
    inside "$@"
    grep -q "$words" "$given.out" || tail -n 40 "$given.out"
    rm -f "$given.out"
}

TO=$given sh common/cli/handout.sh handout 05 >/dev/null || exit
cp -R solutions/05-dwconv-coalesced "$root/solved-05"
quiet "the first command builds and checks" \
    says '^BUILD  chapter 01\|^WRONG  chapter 01' make check-chapter 1
quiet "the chapter as it was handed out" \
    says '^TECHNIQUE  chapter 05' make check-chapter 5
cp "$root"/solved-05/*.cu "$given/chapters/05-dwconv-coalesced/"
quiet "with the solution's files" says '^PASS  chapter 05' make check-chapter 5
plan
