# SPDX-License-Identifier: MIT
# Functions of the commands; sourced with the workbook's root as the current
# folder.
#
#   die LINE...            prints the lines to stderr, exits with 2
#   whole_numbers NAME...  dies if one of these variables holds something else
#   pad N                  5 -> 05
#   chapter_dir KIND NN    chapters/05-slug; nothing if there is none
#   conf_lines DIR...      chapter.conf as lines NN, SECTION, KEY, VALUE,
#                          separated by tabs (conf.awk)
#   chapter_conf DIR KEY [KERNEL]
#                          the first value of a key in chapter.conf's [chapter]
#                          section, or in a kernel's
#   small_shapes DIR       KERNEL, SHAPE, separated by a tab: the last of each
#                          stage's sim_shapes without `on` or `off`
#   state FILE             prints .progress/FILE; nothing if there is none
#   remember FILE TEXT     writes it
#   note_kernel NN PATH VERDICT
#                          keeps what a check said of a kernel's file as it is
#   kernel_passed NN PATH  did a check say PASS of the file as it is now?
#   kernels DIR            the paths of a chapter's files: .cu, and a timer's .c
#   ordered DIR            the same, in the order of chapter.conf's sections
#   file_before KIND DIR FILE
#                          the chapter's or the solution's file of the step
#                          before DIR/FILE; nothing if FILE begins a ladder
#   solution_before DIR FILE
#                          the solution from which the holes of DIR/FILE start
#   solutions_before DIR   the same of all its files
#   starter PATH           prints the original starter
#   given_out PATH         prints the starter as a course hands it out
#   starter_files DIR      the paths of a chapter's starters, even if deleted
#   keep_starters          saves untouched starters (see below)
#   holes MODE FILE...     runs holes.awk on the files
#   ask QUESTION           true if the answer is y, or without a terminal
#   counters_permitted     may this user profile the GPU?
#   stamp                  a sortable date for file names
#
# The hard idea: `reset` and `update` must find the original of a starter in a
# clone, in a fork with the learner's own commits, and in a tarball without git.
# It is the newest version in git whose author is not the learner; else the copy
# saved when a command first ran; else git's newest version.
# shellcheck shell=sh

# A number has a point, in files and for awk, whatever the caller's language.
LC_ALL=C.UTF-8
export LC_ALL

PROGRESS=.progress
PRISTINE=$PROGRESS/pristine

die()
{
    printf '%s\n' "$@" >&2
    exit 2
}

# Dies unless the variables hold whole numbers, or nothing.
whole_numbers() # NAME...
{
    for variable; do
        value=
        eval "value=\${$variable:-0}"
        case $value in
        *[!0-9]*)
            [ "$variable" != BUDGET ] || variable=SECONDS # as make calls it
            die "$variable=$value: it has to be a whole number"
            ;;
        esac
    done
}

pad()
{
    printf '%02d' "$1"
}

chapter_dir()
{
    set -- "$1s/$2"-*/
    [ -d "$1" ] || return 0
    [ $# -eq 1 ] || die "Two folders have one number: $1 $2." \
        "Rename one of them."
    printf '%s\n' "${1%/}"
}

conf_lines()
{
    for folder; do
        [ ! -f "$folder/chapter.conf" ] ||
            awk -f common/cli/conf.awk "$folder/chapter.conf"
    done
}

chapter_conf()
{
    conf_lines "$1" | awk -F '\t' -v key="$2" -v section="${3:-chapter}" \
        '$2 == section && $3 == key { print $4; exit }'
}

# A host program has no shape that a launch could be looked at for.
small_shapes()
{
    conf_lines "$1" | awk -F '\t' -v OFS='\t' '
        $3 == "kind" { host[$2] = $4 == "host" }
        $3 == "sim_shapes" && !host[$2] {
            gsub(/; *[^;]* (on|off) [^;]*/, "", $4)
            sub(/.*; */, "", $4)
            print $2, $4
        }'
}

state()
{
    cat "$PROGRESS/$1" 2>/dev/null
}

remember()
{
    mkdir -p "$PROGRESS/${1%/*}" && echo "$2" >"$PROGRESS/$1" && return
    die "cannot write $PROGRESS/$1: no permission, or the disk is full?"
}

# What was said of a file holds as long as it is the same.
note_kernel()
{
    set -- "$1" "$2" "$3" "${2##*/}"
    remember "$1/kernels/${4%.*}" "$3 $(cksum <"$2")"
}

kernel_passed()
{
    set -- "$1" "$2" "${2##*/}"
    [ -f "$2" ] &&
        [ "$(state "$1/kernels/${3%.*}")" = "PASS $(cksum <"$2")" ]
}

in_git()
{
    git ls-files --error-unmatch "$1" >/dev/null 2>&1
}

foreign_commit() # PATH: the newest commit to it by someone else
{
    me=$(git config user.email 2>/dev/null)
    git log --format='%H %ae' -- "$1" 2>/dev/null |
        awk -v me="$me" '$2 != me { print $1; exit }'
}

starter()
{
    commit=
    if in_git "$1"; then
        commit=$(foreign_commit "$1")
        [ -n "$commit" ] || [ -f "$PRISTINE/${1#chapters/}" ] || commit=HEAD
    fi
    if [ -n "$commit" ]; then
        git show "$commit:./$1"
    else
        cat "$PRISTINE/${1#chapters/}"
    fi
}

# What a course hands out and grades against: the starter that is committed,
# also by whoever runs the course.
given_out()
{
    if in_git "$1"; then git show "HEAD:./$1"; else starter "$1"; fi
}

# Paths contain no spaces: NN-slug/NAME.cu.
kernels() # DIR, or a pattern for several
{
    # shellcheck disable=SC2086 # a pattern is to be expanded
    for kernel in $1/*.cu $1/*.c; do
        [ ! -f "$kernel" ] || echo "$kernel"
    done
}

ordered()
{
    {
        conf_lines "$1" | awk -F '\t' '$2 != "chapter" { print $2 }'
        kernels "$1" | sed 's|.*/||; s|\.[^.]*$||' # without a section: last
    } | awk '!seen[$0]++' | while read -r name; do
        kernels "$1" | grep "/$name\.c"
    done
}

file_before()
{
    before=$(chapter_conf "$2" previous "${3%.*}")
    case $before in
    */*) number=${before%%/*} before=${before#*/}.${3##*.} ;;
    ?*) number=${2#*/} number=${number%%-*} before=$before.${3##*.} ;;
    *) number=$(chapter_conf "$2" previous) before=$3 ;;
    esac
    [ -n "$number" ] || return 0
    before=$(chapter_dir "$1" "$(pad "${number#0}")")/$before
    [ ! -f "$before" ] || echo "$before"
}

solution_before()
{
    file_before solution "$@"
}

solutions_before()
{
    for source in $(kernels "$1"); do
        solution_before "$1" "${source##*/}"
    done
}

starter_files()
{
    {
        for copy in $(kernels "$1") $(kernels "$PRISTINE/${1#chapters/}"); do
            echo "$1/${copy##*/}"
        done
        git ls-files "$1/*.cu" "$1/*.c" 2>/dev/null
    } | sort -u
}

keep_in() # FOLDER STARTER...: of one chapter
{
    kept=$1
    shift
    mkdir -p "$kept" 2>/dev/null || return
    for source in $(git ls-files -- "$@" 2>/dev/null); do
        git show "HEAD:./$source" >"$kept/${source##*/}"
    done
    given=$#
    for source; do
        [ -f "$kept/${source##*/}" ] || set -- "$@" "$source"
    done
    shift "$given"
    [ $# -eq 0 ] || cp "$@" "$kept/"
}

keep_starters()
{
    for folder in chapters/*/; do
        folder=${folder%/}
        set --
        for source in $(kernels "$folder"); do
            [ -f "$PRISTINE/${source#chapters/}" ] || set -- "$@" "$source"
        done
        [ $# -eq 0 ] || keep_in "$PRISTINE/${folder#chapters/}" "$@" || return
    done
}

holes()
{
    mode=$1
    shift
    awk -v mode="$mode" -f common/cli/holes.awk "$@"
}

ask()
{
    [ -t 0 ] && [ -t 1 ] && [ -z "$YES" ] || return 0
    printf '%s [y/N] ' "$1"
    read -r answer
    case $answer in
    y | Y | yes) return 0 ;;
    esac
    return 1
}

counters_permitted()
{
    [ "$(id -u)" -eq 0 ] || grep -qx 'RmProfilingAdminOnly: 0' \
        /proc/driver/nvidia/params 2>/dev/null
}

stamp()
{
    date '+%Y-%m-%dT%H-%M-%S'
}
