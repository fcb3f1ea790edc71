# SPDX-License-Identifier: MIT
# hand-in.sh: which hand-ins there are, and what a name says; sourced.
#
#   hand_ins            the paths of those in FROM, each ended by a NUL; fails
#                       if the folder could not be read to its end
#   no_hand_ins         prints, on one line, the names of what systems leave in
#                       FROM: .DS_Store, __MACOSX
#   split_name NAME     sets student, and of its time: seconds, time (in UTC);
#                       both empty if it names none. no_time: why its time is
#                       none
#   one_name NAME       prints it as one field of a line, and as another name
#                       than one that has blanks there
#
# "anna@2026-11-30T23:59": who and when; "anna@30.11.2026" has a time that is
# none, rather than a name of its own. date itself would take more, such as
# "2026-11-30T23:59 3 days ago".
# shellcheck shell=sh
# shellcheck disable=SC2034 # the caller's

# Whole paths.
stray='.*/([.][^/]*|__MACOSX|desktop[.]ini|Thumbs[.]db)'

# A pipe's exit code is sort's, which takes half a list for a whole one. So what
# fails says so beside the list.
hand_ins()
{
    {
        failed=$({
            {
                LC_ALL=C find "$FROM" -mindepth 1 -maxdepth 1 -regextype \
                    posix-extended ! -regex "$stray" -print0 || echo find >&3
            } | LC_ALL=C sort -z >&4 || echo sort >&3
        } 3>&1)
    } 4>&1
    [ -z "$failed" ]
}

no_hand_ins()
{
    LC_ALL=C find "$FROM" -mindepth 1 -maxdepth 1 -regextype posix-extended \
        -regex "$stray" -printf '%f\n' | LC_ALL=C sort | paste -sd ' ' -
}

split_name()
{
    student=$1 time='' seconds='' no_time=''
    at=${1##*@}
    [ -n "${1%@*}" ] || return 0
    case $at in
    "$1" | *[!0-9TZ:./+\ -]*) return ;; # anna@uni.de, or no @ at all
    *[0-9][0-9]*[:./\ -]*[0-9]*) ;;
    *) return ;; # anna@1234567
    esac
    student=${1%@*}
    clock=$(clock_of "$at")
    [ -n "$clock" ] && seconds=$(date -d "$clock" +%s 2>/dev/null) || {
        no_time="the folder's name says @$at, and there is no such time; \
rename it, as ANNA@2026-11-30T23:59, or ANNA@2026-11-30T23:59-05:00"
        return
    }
    time=$(date -u -d "@$seconds" +%Y-%m-%dT%H:%M:%SZ)
}

# With colons, which not every system takes in a file's name. One sign stands
# for all of them: T23-59-05 has seconds, T23:59-05 is five hours behind UTC.
# T23-59-05-00 could be either, and is none.
clock_of() # TIME
{
    zone='Z|[+-](0[0-9]|1[0-4])([:-]?[0-5][0-9])?'
    printf %s "$1" | sed -nE '
        /^.{4}-..-..T[0-9]{2}/!d
        /T..-..-..-..$/d
        s/^(.{10}T..)([:.-]?)(..)(\2([0-9]{2}([.][0-9]+)?))?('"$zone"')?$/'\
'\1:\3 \5 \7/
        s/ ([0-9])/:\1/
        s/([+-]..)-(..)$/\1\2/
        s/ //gp'
}

one_name()
{
    printf %s "$1" | sed -z 's/\t/␉/g; s/\n/␊/g; s/\r/␍/g'
}
