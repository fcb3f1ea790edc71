# SPDX-License-Identifier: MIT
# The set-up, against a stand-in for the system below $SETUP_ROOT: apt's
# commands are scripts here, which record what they were asked.
load scratch

bare_system() # ID CODENAME VERSION-OF-ITS-TOOLKIT [known]
{
    export SETUP_ROOT=$BATS_TEST_TMPDIR/root
    unset CUDA_HOME CUDA_PATH
    mkdir -p "$SETUP_ROOT/etc/apt/sources.list.d" "$SETUP_ROOT/usr/bin" \
        "$SETUP_ROOT/usr/include" "$BATS_TEST_TMPDIR/bin"
    printf 'ID=%s\nVERSION_CODENAME=%s\n' "$1" "$2" \
        >"$SETUP_ROOT/etc/os-release"
    echo "$3" >"$SETUP_ROOT/toolkit-version"
    [ -z "$4" ] || touch "$SETUP_ROOT/toolkit-known"
    fake apt-get <<'END'
echo "apt-get $*" >>"$SETUP_ROOT/log"
case $1 in
indextargets) echo "http://archive.invalid/debian/ $CODENAME" ;;
update)
    [ ! -f "$SETUP_ROOT/no-network" ] || { echo "no network"; exit 100; }
    [ ! -f "$SETUP_ROOT/etc/apt/sources.list.d/warpbook-cuda.sources" ] ||
        touch "$SETUP_ROOT/toolkit-known"
    ;;
install)
    [ ! -f "$SETUP_ROOT/no-space" ] || { echo "no space left"; exit 100; }
    ;;
esac
END
    fake apt-cache <<'END'
version=$(cat "$SETUP_ROOT/toolkit-version")
[ -f "$SETUP_ROOT/toolkit-known" ] || version='(none)'
echo "  Candidate: $version"
END
    echo 'echo ${FAKE_UID:-0}' | fake id
    export CODENAME=$2 PATH=$BATS_TEST_TMPDIR/bin:$PATH
    source_file=$SETUP_ROOT/etc/apt/sources.list.d/warpbook-cuda.sources
}

fake() # NAME; stdin: its script
{
    { echo '#!/bin/sh'; cat; } >"$BATS_TEST_TMPDIR/bin/$1"
    chmod +x "$BATS_TEST_TMPDIR/bin/$1"
}

complete_system()
{
    bare_system debian trixie 12.4.131~12.4.1-2
    for header in jansson ini zstd lz4 stdlib cmocka; do
        touch "$SETUP_ROOT/usr/include/$header.h"
    done
    for tool in gcc g++ git bats shellcheck jq jsonschema xmllint patch unzip \
        doxygen; do
        install /dev/null "$SETUP_ROOT/usr/bin/$tool"
    done
    toolkit 12040
}

toolkit() # VERSION-NUMBER in /usr/local/cuda
{
    cuda=$SETUP_ROOT/usr/local/cuda
    mkdir -p "$cuda/bin" "$cuda/include"
    install /dev/null "$cuda/bin/nvcc"
    echo "#define CUDART_VERSION  $1" >"$cuda/include/cuda_runtime_api.h"
}

installed()
{
    grep "^apt-get install" "$SETUP_ROOT/log"
}

setup_for()
{
    run sh common/cli/setup.sh "$@" </dev/null
}

@test "with everything in place it does and says nothing" {
    complete_system
    setup_for compile build test docs
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ ! -e "$SETUP_ROOT/log" ]
}

@test "only what is missing is installed, after it was named" {
    complete_system
    rm "$SETUP_ROOT/usr/include/zstd.h"
    setup_for compile build
    [ "$status" -eq 0 ]
    says "    libzstd-dev"
    [[ "$(installed)" == *" libzstd-dev" ]]
    [[ "$(installed)" != *jansson* ]]
}

@test "test packages only where the tests are wanted" {
    complete_system
    rm "$SETUP_ROOT/usr/bin/bats"
    setup_for compile build
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    setup_for compile build test
    [[ "$(installed)" == *" bats" ]]
}

@test "an old pandoc needs a library for JSON, a new one does not" {
    complete_system
    echo 'echo pandoc 2.17.1.1' >"$SETUP_ROOT/usr/bin/pandoc"
    chmod +x "$SETUP_ROOT/usr/bin/pandoc"
    setup_for book
    [[ "$(installed)" == *" lua-dkjson" ]]
    rm "$SETUP_ROOT/log"
    for version in 3.1.1 3.1.11.1 4.0; do
        echo "echo pandoc $version" >"$SETUP_ROOT/usr/bin/pandoc"
        setup_for book
        [ "$status" -eq 0 ] && [ -z "$output" ]
    done
    echo 'echo pandoc 2.17.1.1' >"$SETUP_ROOT/usr/bin/pandoc"
    mkdir -p "$SETUP_ROOT/usr/share/lua/5.3"
    touch "$SETUP_ROOT/usr/share/lua/5.3/dkjson.lua"
    setup_for book
    [ "$status" -eq 0 ] && [ -z "$output" ]
}

@test "Debian without the toolkit: one source file is added, and named" {
    bare_system debian trixie 12.4.131~12.4.1-2
    setup_for compile build
    [ "$status" -eq 0 ]
    says "adding $source_file"
    grep -x "URIs: http://archive.invalid/debian/" "$source_file"
    grep -x "Suites: trixie" "$source_file"
    grep -x "Components: contrib non-free" "$source_file"
    [[ "$(installed)" == *nvidia-cuda-toolkit* ]]
    [ "$(ls "$SETUP_ROOT/etc/apt/sources.list.d")" = warpbook-cuda.sources ]
}

@test "Debian with non-free already there: no source is added" {
    bare_system debian trixie 12.4.131~12.4.1-2 known
    setup_for compile build
    [ "$status" -eq 0 ]
    [ ! -e "$source_file" ]
    [[ "$(installed)" == *nvidia-cuda-toolkit* ]]
}

@test "Ubuntu without multiverse gets multiverse" {
    bare_system ubuntu noble 12.0.140~12.0.1-4build4
    setup_for compile build
    [ "$status" -eq 0 ]
    grep -x "Components: universe multiverse" "$source_file"
}

@test "Debian 12's own 11.8 is new enough" {
    bare_system debian bookworm 11.8.89~11.8.0-5~deb12u1
    setup_for compile build
    [ "$status" -eq 0 ]
    grep -x "Suites: bookworm" "$source_file"
    [[ "$(installed)" == *nvidia-cuda-toolkit* ]]
}

@test "a system whose toolkit is too old: said, nothing left behind" {
    bare_system ubuntu jammy 11.5.1~11.5.1-1ubuntu1
    setup_for compile build
    [ "$status" -ne 0 ]
    says "CUDA 11.5.1 (this system's own package) is not supported."
    says "download page"
    [ ! -e "$source_file" ]
    run installed
    [ "$status" -ne 0 ]
}

@test "an old toolkit that is installed: said, nothing installed" {
    complete_system
    toolkit 11050
    setup_for compile build
    [ "$status" -ne 0 ]
    says "CUDA 11.5"
    says "needs CUDA 11.8 or newer"
    [ ! -e "$SETUP_ROOT/log" ]
}

@test "CUDA 11.8 that is installed does" {
    complete_system
    toolkit 11080
    setup_for compile build
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "a distribution's toolkit is found in any PATH" {
    complete_system
    rm -r "$SETUP_ROOT/usr/local"
    install /dev/null "$SETUP_ROOT/usr/bin/nvcc"
    run env PATH=/sbin:/bin sh common/cli/find-cuda.sh
    [ "$output" = "$SETUP_ROOT/usr" ]
}

@test "a CUDA_HOME without nvcc is named" {
    complete_system
    CUDA_HOME=/nowhere setup_for compile
    [ "$status" -ne 0 ]
    says "CUDA_HOME is /nowhere"
}

@test "without the rights: the one line to type, nothing installed" {
    bare_system debian trixie 12.4.131~12.4.1-2
    FAKE_UID=1000 setup_for compile build
    [ "$status" -ne 0 ]
    says "sh common/cli/setup.sh compile build"
    [ ! -e "$SETUP_ROOT/log" ]
    [ ! -e "$source_file" ]
}

@test "on a terminal it asks, then installs through sudo" {
    needs_terminal
    complete_system
    rm "$SETUP_ROOT/usr/include/zstd.h"
    echo 'export FAKE_UID=0; exec "$@"' | fake sudo
    export FAKE_UID=1000
    run script -qec "sh common/cli/setup.sh compile build" /dev/null \
        < <(echo n)
    [ "$status" -ne 0 ]
    says "through sudo? [y/N]"
    says "Nothing was installed"
    [ ! -e "$SETUP_ROOT/log" ]
    run script -qec "sh common/cli/setup.sh compile build" /dev/null \
        < <(echo y)
    [ "$status" -eq 0 ]
    [[ "$(installed)" == *" libzstd-dev" ]]
}

@test "Fedora and Arch: the one line in their own names" {
    bare_system fedora "" 0
    setup_for compile build
    [ "$status" -ne 0 ]
    says "dnf install"
    says "jansson-devel"
    printf 'ID=manjaro\nID_LIKE=arch\n' >"$SETUP_ROOT/etc/os-release"
    setup_for compile build
    [ "$status" -ne 0 ]
    says "pacman -S --needed"
    says " cuda "
}

@test "a broken network: said, nothing left behind" {
    bare_system debian trixie 12.4.131~12.4.1-2
    touch "$SETUP_ROOT/no-network"
    setup_for compile build
    [ "$status" -ne 0 ]
    says "no network"
    says "apt-get update failed"
    [ ! -e "$source_file" ]
}

@test "no space: said" {
    bare_system debian trixie 12.4.131~12.4.1-2 known
    touch "$SETUP_ROOT/no-space"
    setup_for compile build
    [ "$status" -ne 0 ]
    says "apt-get install failed"
    says "df -h"
}

@test "make check-solution and make test run it; a failure builds nothing" {
    bare_system debian trixie 12.4.131~12.4.1-2
    export FAKE_UID=1000
    run make check-solution 5 </dev/null
    [ "$status" -ne 0 ]
    says "setup.sh compile build"
    says "nothing was built"
    run make test </dev/null
    says "setup.sh compile build test"
    [ ! -e build ]
}

@test "help, list, next, doctor and typing errors never install" {
    bare_system debian trixie 12.4.131~12.4.1-2
    for command in help list next doctor "check-chapter 99" chekc; do
        run make $command </dev/null
    done
    [ ! -e "$SETUP_ROOT/log" ]
    make -n check-solution 5 </dev/null >/dev/null 2>&1 || true
    [ ! -e "$SETUP_ROOT/log" ]
}

@test "a carried build needs the compilers alone" {
    complete_system
    rm "$SETUP_ROOT/usr/include/jansson.h"
    fake_check 0
    run make check-solution 5 PREBUILT=1 </dev/null
    [ "$status" -eq 0 ]
    [ ! -e "$SETUP_ROOT/log" ]
}
