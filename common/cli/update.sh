#!/bin/sh
# SPDX-License-Identifier: MIT
# update.sh: updates the workbook and keeps your edits. What you wrote in holes
# stays; the text around the holes is replaced by the new one.
#
#   make update              from the repository that this is a clone of
#   make update FROM=DIR     from a newer workbook, unpacked in DIR
#
# Files that the update does not change stay as they are. Edited files are
# backed up first. It names what it could not keep: changes outside holes, and
# holes that the new version does not have.
. common/cli/lib.sh
. common/cli/backup.sh

hole() # NAME FILE: the hole's contents
{
    holes inside "$2" | awk -F '\t' -v name="$1" \
        '$1 == name { print substr($0, length(name) + 2) }'
}

changed_holes() # MINE BASE: the names of the holes that the learner edited
{
    holes list "$1" | cut -f 2 | while read -r name; do
        hole "$name" "$1" >"$work/mine.hole"
        hole "$name" "$2" | cmp -s - "$work/mine.hole" || printf '%s ' "$name"
    done
}

splice() # NAMES MINE NEW: the new text, with these holes from mine
{
    [ -n "$1" ] || { cat "$3"; return; }
    awk -v mode=splice -v names="$1" -f common/cli/holes.awk "$2" "$3"
}

merge_one() # PATH: merges $work/new/PATH and PATH into $work/merged/PATH
{
    mkdir -p "$work/merged/${1%/*}"
    starter "$1" >"$work/base" 2>/dev/null || cp "$1" "$work/base"
    if cmp -s "$work/base" "$work/new/$1"; then # unchanged by the update
        cp "$1" "$work/merged/$1"
        return
    fi
    names=$(changed_holes "$1" "$work/base")
    splice "$names" "$1" "$work/new/$1" >"$work/merged/$1"

    holes outside "$1" >"$work/mine.outside"
    holes outside "$work/base" | cmp -s - "$work/mine.outside" ||
        echo "$1: your changes outside the holes were not kept" \
            >>"$work/conflicts"
    for name in $names; do
        holes list "$work/new/$1" | cut -f 2 | grep -qxF -- "$name" ||
            echo "$1: hole $name no longer exists; yours is in the backup" \
                >>"$work/conflicts"
    done
}

edited_starters() # the learner's files that differ from the new starter
{
    for source in $(kernels 'chapters/*'); do
        [ -f "$work/new/$source" ] || continue
        starter "$source" 2>/dev/null | cmp -s - "$source" || echo "$source"
    done
}

fetch_new() # fills $work/new/chapters
{
    mkdir -p "$work/new"
    if [ -n "$FROM" ]; then
        [ -d "$FROM/chapters" ] || die "FROM=$FROM has no chapters/ folder."
        cp -R "$FROM/chapters" "$work/new/"
        return
    fi
    in_git Makefile || die "this folder is not a git clone. Unpack the new" \
        "workbook beside it and type: make update FROM=../its-folder"
    git rev-parse -q --verify '@{upstream}' >/dev/null 2>&1 ||
        die "this branch has no upstream: git branch --set-upstream-to=..."
    git fetch -q || die "git could not fetch; nothing was changed."
    git archive '@{upstream}' chapters | tar xf - -C "$work/new" ||
        die "git could not read what it fetched; nothing was changed."
}

install_new() # everything but the edited starters, given as arguments
{
    if [ -n "$FROM" ]; then
        tar cf - -C "$FROM" --exclude=./.git --exclude=./build \
            --exclude=./.progress . | tar xf - || return 1
        return
    fi
    [ $# -eq 0 ] || git checkout -q HEAD -- "$@" || return 1
    git merge -q --no-edit '@{upstream}' && return
    git merge --abort 2>/dev/null
    return 1
}

keep_new_starters()
{
    for file in $(cd "$work/new/chapters" && kernels '*'); do
        mkdir -p "$PRISTINE/${file%/*}"
        cp "$work/new/chapters/$file" "$PRISTINE/$file"
    done
}

main()
{
    keep_starters
    work=$(mktemp -d) || die "cannot make a temporary folder."
    trap 'rm -rf "$work"' EXIT
    fetch_new

    edited_starters >"$work/edited"
    # Paths contain no spaces: NN-slug/NAME.cu.
    # shellcheck disable=SC2046
    set -- $(cat "$work/edited")
    kept=
    if [ $# -gt 0 ]; then
        kept=$(backup update "$@") ||
            die "cannot write a backup under $PROGRESS: nothing was changed."
    fi
    for source; do merge_one "$source"; done
    if ! install_new "$@"; then
        for source; do cp "$kept/${source#chapters/}" "$source"; done
        die "git could not merge the update with your own commits or edits;" \
            "your files are unchanged. Commit or undo what git names above," \
            "then type make update again."
    fi
    for source; do cp "$work/merged/$source" "$source"; done
    keep_new_starters

    echo "the workbook is up to date."
    [ $# -eq 0 ] || printf 'kept what you wrote in %s\n' "$@"
    [ -z "$kept" ] || echo "backup of your files: $kept"
    [ ! -s "$work/conflicts" ] || { cat "$work/conflicts" && exit 1; }
}
main "$@"
exit
