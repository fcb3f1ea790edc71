#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh GROUP...: makes sure that the packages of the groups (compile, build,
# test, docs; see needs.sh) and, for compile, a CUDA toolkit are here. Says what
# it will install, then installs: as root at once, else after asking through
# sudo; without the rights it prints the one line to run and stops.
#
# It never edits a package source. Where Debian's or Ubuntu's sources lack the
# section with the toolkit, it adds one file, which it names. With everything
# in place it costs a few file tests.
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
        "This workbook needs CUDA $CUDA_MIN or newer; Debian has that among" \
        "its own packages since 12, Ubuntu since 24.04 (22.04 has 11.5)." \
        "What to do: install CUDA 12 or 13 from NVIDIA's download page for" \
        "your system. It goes into /usr/local/cuda, where it is found." \
        "Elsewhere, say where: make CUDA_HOME=/path check-solution 5"
}

# The toolkit, or the reason why there is none that works.
need_toolkit()
{
    [ -z "$CUDA_HOME" ] || [ -x "$CUDA_HOME/bin/nvcc" ] ||
        stop "CUDA_HOME is $CUDA_HOME, which holds no bin/nvcc." \
            "Unset it, or name the folder of a CUDA toolkit."
    cuda=$(sh common/cli/find-cuda.sh)
    [ -n "$cuda" ] || return 0
    version=$(cuda_version "$cuda")
    case $version in
    '') stop "$cuda/bin/nvcc is there, but no cuda_runtime_api.h beside it:" \
        "the toolkit is not complete. Install it again, headers included." ;;
    esac
    ! cuda_is_old "$version" || old_toolkit "$version" "$cuda"
    return 1
}

# apt ------------------------------------------------------------------------

candidate() # the toolkit's version that apt would install; nothing if none
{
    apt-cache policy $TOOLKIT 2>/dev/null |
        sed -n 's/^ *Candidate: //p' | grep -v none
}

section() # where the toolkit stands in FAMILY's archive
{
    [ "$1" = debian ] && echo "contrib non-free" || echo "universe multiverse"
}

# The archive that this system already uses, its key, and one more section.
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
    stop "" "$1 did not work; apt says why, above." \
        "No network? Try again later. No space? df -h /var / shows it." \
        "Nothing else was changed."
}

update_lists()
{
    apt-get update -q || apt_failed "apt-get update"
}

add_source() # FAMILY: adds the file, or takes it back where it does not help
{
    text=$(extra_source "$1")
    case $text in
    *URIs:*) ;;
    *) stop "cannot see in apt's sources which archive this system uses." \
        "Install CUDA 12 or 13 from NVIDIA's download page." ;;
    esac
    say "adding $SOURCE_FILE:" "$text"
    echo "$text" >"$SOURCE_FILE" || stop "cannot write $SOURCE_FILE"
    trap 'rm -f "$SOURCE_FILE"' EXIT
    update_lists
}

# True where the wanted toolkit is new enough; says so and stops where not.
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
            say "Where apt does not know it, this file is added, with the" \
                "$(section "$os") section of the archive that you use:" \
                "    $SOURCE_FILE"
        ;;
    esac
}

root_line() # COMMAND: the same as root
{
    if command -v sudo >/dev/null; then
        echo "sudo $1"
    else
        echo "su -c '$1'"
    fi
}

one_line() # FAMILY PACKAGE...: what a person types to get them
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
            "this line, then the same make again:" \
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
        stop "They are installed by this line; type it, then the same make" \
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
