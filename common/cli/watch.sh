#!/bin/sh
# SPDX-License-Identifier: MIT
# watch.sh watch NN: checks again after each save, until Ctrl-C.
. common/cli/lib.sh

number=$2
dir=$(chapter_dir chapter "$number")
trap 'echo; exit 0' INT TERM

fingerprint() # a line that changes with any file of the chapter
{
    cat "$dir"/*.cu "$dir"/*.c "$dir"/chapter.conf 2>/dev/null | cksum
}

wait_for_save() # FINGERPRINT: returns when it is outdated
{
    while [ "$(fingerprint)" = "$1" ]; do
        if command -v inotifywait >/dev/null; then
            inotifywait -qq -t 2 -e close_write,move,create,delete "$dir"
        else
            sleep 1
        fi
    done
}

while :; do
    checked=$(fingerprint)
    sh common/cli/check.sh check-chapter "$number"
    echo
    echo "watching $dir; save a file to check again, Ctrl-C ends."
    wait_for_save "$checked"
done
