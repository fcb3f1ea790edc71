#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh GROUP...: makes sure that the packages of the groups (compile, build,
# test, docs; see needs.sh) and, for compile, a CUDA toolkit are installed. It
# prints what it will install, then installs it: as root at once, else through
# sudo after asking; without either it prints the command to run and stops.
#
# It never edits a package source. If Debian's or Ubuntu's sources lack the
# section with the toolkit, it adds one file and names it. If nothing is missing
# it only tests for a few files.
. common/cli/needs.sh

SOURCE_FILE=$SETUP_ROOT/etc/apt/sources.list.d/warpbook-cuda.sources
OS_RELEASE=$SETUP_ROOT/etc/os-release

say()
{
    printf '%s\n' "$@" >&2
}

stop()
{
    say "$@"
    exit 1
}

system_key() # KEY of os-release
{
    sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$OS_RELEASE" 2>/dev/null
}

family() # debian, ubuntu, fedora, arch, or nothing
{
    for id in $(system_key ID) $(system_key ID_LIKE); do
        case $id in
        ubuntu | debian | fedora | arch) echo "$id" && return ;;
        rhel | centos) echo fedora && return ;;
        esac
    done
}

old_toolkit() # VERSION WHERE
{
    stop "" "CUDA $1 ($2) is not supported." \
        "This workbook needs CUDA $CUDA_MIN or newer; Debian packages that" \
        "since 12, Ubuntu since 24.04 (22.04 has 11.5)." \
        "What to do: install CUDA 12 or 13 from NVIDIA's download page for" \
        "your system. It goes into /usr/local/cuda, where we look for it." \
        "If it is elsewhere: make CUDA_HOME=/path check-solution 5"
}

# Must the toolkit be installed? Stops if there is one that cannot work.
need_toolkit()
{
    [ -z "$CUDA_HOME" ] || [ -x "$CUDA_HOME/bin/nvcc" ] ||
        stop "CUDA_HOME is $CUDA_HOME, which has no bin/nvcc." \
            "Unset it, or name the folder of a CUDA toolkit."
    cuda=$(sh common/cli/find-cuda.sh)
    [ -n "$cuda" ] || return 0
    version=$(cuda_version "$cuda")
    case $version in
    '') stop "$cuda has bin/nvcc, but no cuda_runtime_api.h:" \
        "the toolkit is not complete. Install it again, with its headers." ;;
    esac
    ! cuda_is_old "$version" || old_toolkit "$version" "$cuda"
    return 1
}

# apt ------------------------------------------------------------------------

candidate() # the toolkit version that apt would install; nothing if none
{
    apt-cache policy $TOOLKIT 2>/dev/null |
        sed -n 's/^ *Candidate: //p' | grep -v none
}

section() # FAMILY: the section of its archive that has the toolkit
{
    [ "$1" = debian ] && echo "contrib non-free" || echo "universe multiverse"
}

# A source: the archive that this system uses, its key, and one more section.
extra_source() # FAMILY
{
    codename=$(system_key UBUNTU_CODENAME)
    codename=${codename:-$(system_key VERSION_CODENAME)}
    # shellcheck disable=SC2016  # apt's own fields
    apt-get indextargets --format '$(REPO_URI) $(RELEASE)' \
        'Created-By: Packages' 'Component: main' 2>/dev/null |
        awk -v suite="$codename" -v section="$(section "$1")" '
            $2 == suite {
                print "Types: deb"
                print "URIs: " $1
                print "Suites: " suite
                print "Components: " section
                exit
            }'
    key=/usr/share/keyrings/$1-archive-keyring.gpg
    [ ! -f "$key" ] || echo "Signed-By: $key"
}

apt_failed() # WHAT
{
    stop "" "$1 failed; apt's messages above say why." \
        "No network? Try again later. No space? df -h /var / shows it." \
        "Nothing else was changed."
}

update_lists()
{
    apt-get update -q || apt_failed "apt-get update"
}

add_source() # FAMILY: adds the file; removes it again if it does not help
{
    text=$(extra_source "$1")
    case $text in
    *URIs:*) ;;
    *) stop "apt's sources do not tell which archive this system uses." \
        "Install CUDA 12 or 13 from NVIDIA's download page." ;;
    esac
    say "adding $SOURCE_FILE:" "$text"
    echo "$text" >"$SOURCE_FILE" || stop "cannot write $SOURCE_FILE"
    trap 'rm -f "$SOURCE_FILE"' EXIT
    update_lists
}

# Makes the toolkit available to apt; stops if it is missing or too old.
toolkit_source() # FAMILY
{
    [ -n "$(candidate)" ] || add_source "$1"
    found=$(candidate)
    [ -n "$found" ] || stop "this system's archive has no $TOOLKIT." \
        "Install CUDA 12 or 13 from NVIDIA's download page."
    ! cuda_is_old "$found" ||
        old_toolkit "${found%%[-~]*}" "this system's own package"
    trap - EXIT
}

install_debian() # FAMILY PACKAGE...: as root
{
    os=$1
    shift
    export DEBIAN_FRONTEND=noninteractive
    update_lists
    case " $* " in *" $TOOLKIT "*) toolkit_source "$os" ;; esac
    apt-get install -q -y --no-install-recommends \
        -o DPkg::Lock::Timeout=120 "$@" || apt_failed "apt-get install"
}

# ----------------------------------------------------------------------------

announce() # FAMILY PACKAGE...
{
    os=$1
    shift
    say "Warpbook needs packages of this system that are missing:"
    say "    $*"
    case " $* " in
    *" $TOOLKIT "*)
        say "$TOOLKIT is the CUDA toolkit: a download of 2 GB, 5 GB on disk."
        [ -n "$(candidate)" ] ||
            say "If apt does not know it, this file is added, with the" \
                "$(section "$os") section of the archive that you use:" \
                "    $SOURCE_FILE"
        ;;
    esac
}

root_line() # COMMAND: a line that runs it as root
{
    if command -v sudo >/dev/null; then
        echo "sudo $1"
    else
        echo "su -c '$1'"
    fi
}

one_line() # FAMILY PACKAGE...: the command that installs them
{
    os=$1
    shift
    case $os in
    fedora) root_line "dnf install $(printf '%s\n' "$@" |
        names_for fedora | sort -u | tr '\n' ' ')" ;;
    arch) root_line "pacman -S --needed $(printf '%s\n' "$@" |
        names_for arch | sort -u | tr '\n' ' ')" ;;
    *) root_line "sh common/cli/setup.sh $groups" ;;
    esac
}

install() # FAMILY PACKAGE...
{
    os=$1
    shift
    if [ "$os" != debian ] && [ "$os" != ubuntu ]; then
        say "Warpbook needs packages of this system that are missing. Type" \
            "this line, then the same make command again:" \
            "    $(one_line "$os" "$@")"
        [ -n "$os" ] || say "(these are Debian's names; yours may differ)"
        exit 1
    fi
    announce "$os" "$@"
    if [ "$(id -u)" -eq 0 ]; then
        install_debian "$os" "$@"
    elif command -v sudo >/dev/null && [ -t 0 ] && [ -t 2 ]; then
        printf 'Install them now, through sudo? [y/N] ' >&2
        read -r answer
        case $answer in
        y | Y | yes) ;;
        *) stop "Nothing was installed." ;;
        esac
        # shellcheck disable=SC2086
        sudo env ${CUDA_HOME:+"CUDA_HOME=$CUDA_HOME"} \
            sh common/cli/setup.sh $groups
    else
        stop "To install them, type this line, then the same make command" \
            "again:" "    $(one_line "$os" "$@")"
    fi
}

groups=$*
set --
for group in $groups; do
    # shellcheck disable=SC2046
    set -- "$@" $(missing "$group")
    if [ "$group" = compile ] && need_toolkit; then
        set -- "$@" $TOOLKIT
    fi
done
[ $# -eq 0 ] || install "$(family)" "$@"
