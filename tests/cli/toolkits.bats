# SPDX-License-Identifier: MIT
# test-toolkit: what it puts where, and what it refuses; nothing is installed.
load scratch

fake_root() # UID: nothing but a folder is made, and nothing is mounted
{
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    cd "$BATS_TEST_TMPDIR/bin" || return 1
    printf '#!/bin/sh\necho %s\n' "$1" >id
    printf '#!/bin/sh\nfor to; do :; done\nmkdir -p "$to/etc"\n' >mmdebstrap
    printf '#!/bin/sh\nprintf "%%s|" "$@"\n' >unshare
    chmod +x id mmdebstrap unshare
    cd - >/dev/null || return 1
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
    export WHERE=$BATS_TEST_TMPDIR/debian
}

@test "test-toolkit asks which Debian" {
    fake_root 0
    for release in '' 11 '../12'; do
        run make test-toolkit DEBIAN="$release"
        [ "$status" -ne 0 ]
        says "DEBIAN=12 brings CUDA 11.8"
    done
    [ ! -e "$WHERE" ]
}

@test "test-toolkit does nothing without root" {
    fake_root 1000
    run make test-toolkit DEBIAN=12
    [ "$status" -ne 0 ]
    says "only root may mount"
    [ ! -e "$WHERE" ]
}

@test "test-toolkit puts what is committed into the folder, and again" {
    fake_root 0
    fake_git
    echo "# not committed" >>Makefile
    run make test-toolkit DEBIAN=12 SUITES="simgpu bugs"
    [ "$status" -eq 0 ]
    says "|$WHERE/12|simgpu|bugs|"
    git show HEAD:Makefile | cmp - "$WHERE/12/warpbook/Makefile"
    git -c user.name=a -c user.email=a@localhost commit -qam "More"
    run make test-toolkit DEBIAN=12
    [ "$status" -eq 0 ]
    cmp Makefile "$WHERE/12/warpbook/Makefile"
    [ ! -e "$WHERE/12.new" ]
}
