#!/bin/sh
# SPDX-License-Identifier: MIT
# watch.sh watch NN: checks again at each save, until Ctrl-C.
. common/cli/lib.sh

number=$2
dir=$(chapter_dir chapter "$number")
trap 'echo; exit 0' INT TERM

print_of() # a line that changes with any file of the chapter
{
    cat "$dir"/*.cu "$dir"/*.c "$dir"/chapter.conf 2>/dev/null | cksum
}

wait_for_save() # $1: the print to leave
{
    while [ "$(print_of)" = "$1" ]; do
        if command -v inotifywait >/dev/null; then
            inotifywait -qq -t 2 -e close_write,move,create,delete "$dir"
        else
            sleep 1
        fi
    done
}

while :; do
    checked=$(print_of)
    sh common/cli/check.sh check-chapter "$number"
    echo
    echo "watching $dir; save a file to check again, Ctrl-C ends."
    wait_for_save "$checked"
done
