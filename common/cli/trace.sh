#!/bin/sh
# SPDX-License-Identifier: MIT
# trace.sh trace|lines NN: a warp's memory accesses, as pages and pictures; or
# the cost of each source line, as text. Always on the simulated GPU.
#
#   KERNEL=forward     one of the chapter's kernels; all of them by default
#   SRC=DIR            other sources: solutions/05-dwconv-coalesced, say
#   SHAPE="..."        sizes other than the chapter's first
. common/cli/lib.sh

command=$1
number=$2
folder=$BUILD/trace/${SRC:+src-}$number
[ -x "$BUILD/bin/trace" ] ||
    die "$BUILD/bin/trace is missing: PREBUILT=1 needs a carried build."
mkdir -p "$folder" || die "cannot write $folder"
data=$folder/data.json

set -- chapter "${number#0}" --build "$BUILD" --root . --inspect "$data"
[ -z "$KERNEL" ] || set -- "$@" --kernel "$KERNEL"
[ -z "$SHAPE" ] || set -- "$@" --shape "$SHAPE"
[ -z "$SRC" ] || set -- "$@" --src "$SRC"
[ -z "$SEED" ] || set -- "$@" --seed "$SEED"
[ -z "$PREBUILT" ] || set -- "$@" --prebuilt
"$BUILD/bin/check" "$@" || exit

draw() # KERNEL: its page, and its first accesses as pictures
{
    "$BUILD/bin/trace" page "$data" "$1" >"$folder/$1.html" || exit
    rm -f "$folder/$1"-*.svg
    for n in 1 2 3 4 5 6 7 8; do
        picture=$folder/$1-$n.svg
        "$BUILD/bin/trace" picture "$data" "$1" $n >"$picture" ||
            { rm -f "$picture"; break; }
    done
    echo "open $folder/$1.html"
}

for kernel in $("$BUILD/bin/trace" names "$data"); do
    if [ "$command" = lines ]; then
        "$BUILD/bin/trace" lines "$data" "$kernel"
    else
        draw "$kernel"
    fi
done
