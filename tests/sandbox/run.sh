#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests common/cli/sandbox.sh, as TAP: what a hand-in can write to in it, for
# root and for whoever is not.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
CUDA_HOME=$(sh common/cli/find-cuda.sh)
export BUILD CUDA_HOME
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

if ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
    echo "1..0 # SKIP no namespaces here, so there is no sandbox"
    exit
fi

# shellcheck disable=SC2016 # the inner shell's
look='for place in $(find / -xdev -type d) $(cut -d " " -f 2 /proc/mounts) \
        $(find /dev /workbook -type d); do
        [ ! -d "$place" ] || ! (: >"$place/x") 2>/dev/null || echo "$place"
    done 2>/dev/null | sort -u | paste -sd " " -'

# What a stage could put elsewhere, check's own programs would load: a library
# by /etc/ld.so.preload, a stage that was compiled before.
places() # COMMAND...: the sandbox is run by it
{
    said=$(STAGES="04/forward.so" "$@" sh common/cli/sandbox.sh "$work" \
        sh -c "$look" 2>&1)
    [ "$said" = "/tmp /workbook/build /workbook/build/stage" ] || echo "$said"
}

quiet "a hand-in writes to scratch folders alone" places env
if [ "$(id -u)" -eq 0 ]; then
    quiet "and so it does for another user" \
        places setpriv --reuid 65533 --regid 65533 --clear-groups
else
    skip "and so it does for another user" "only root can become another user"
fi
plan
