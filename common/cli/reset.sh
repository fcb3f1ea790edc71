#!/bin/sh
# SPDX-License-Identifier: MIT
# reset.sh reset NN: restores the starter; backs up your files first.
. common/cli/lib.sh
. common/cli/backup.sh

number=$2
dir=$(chapter_dir chapter "$number")
keep_starters
fresh=$(mktemp -d) || die "cannot make a temporary folder."
trap 'rm -rf "$fresh"' EXIT

set -- # the files that differ from their starter
for source in $(starter_files "$dir"); do
    starter "$source" >"$fresh/${source##*/}" ||
        die "no copy of the starter of $source: nothing was changed."
    cmp -s "$fresh/${source##*/}" "$source" || set -- "$@" "$source"
done
if [ $# -eq 0 ]; then
    echo "chapter ${number#0} is unchanged; nothing to reset."
    exit 0
fi

printf 'resets %s\n' "$@"
ask "Restore the starter (your files are backed up)?" || exit 0
kept=$(backup "${dir##*/}" "$@") ||
    die "cannot write a backup under $PROGRESS: nothing was changed."
for source; do
    cp "$fresh/${source##*/}" "$source" ||
        die "cannot write $source; your version is in $kept."
done
rm -f "$PROGRESS/$number/verdict"
echo "your files are in $kept"
