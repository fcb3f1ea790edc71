# SPDX-License-Identifier: MIT
# backup NAME FILE...: copies the files to .progress/backups/NAME-DATE/, with
# their paths below chapters/, and prints that folder. Sourced after lib.sh.
# shellcheck shell=sh

backup()
{
    folder=$PROGRESS/backups/$1-$(stamp)
    shift
    while [ -e "$folder" ]; do folder=$folder+; done
    mkdir -p "$folder" || return 1
    for source; do
        [ -f "$source" ] || continue # deleted
        target=$folder/${source#chapters/}
        mkdir -p "${target%/*}" && cp -p "$source" "$target" || return 1
    done
    echo "$folder"
}
