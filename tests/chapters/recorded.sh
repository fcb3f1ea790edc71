#!/bin/sh
# SPDX-License-Identifier: MIT
# The recorded counters of one release of CUDA: FOLDER/NN.tsv has those of
# chapter NN's solution (counters.sh).
#
#   recorded.sh differ FOLDER COUNTED NN...   how COUNTED differs from them
#   recorded.sh write FOLDER COUNTED          makes COUNTED the recorded ones
#
# Some compilers make one of two kernels from one source, and nobody knows which
# beforehand. FOLDER/NN.KERNEL.tsv has the other one's rows. They are accepted
# all together or not at all, and when they are, `differ` says so on standard
# error. `write` leaves the rows of such a kernel in NN.tsv as they are, and
# fails if it counted what neither file has.
set -eu
what=$1
folder=$2
counted=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

of() # NN KERNEL FILE: a kernel's rows
{
    awk -F '\t' -v n="$1" -v kernel="$2" '$1 == n && $2 == kernel' "$3"
}

# FILE, with other rows of that kernel where the first of its own is.
with() # NN KERNEL ROWS FILE
{
    awk -F '\t' -v n="$1" -v kernel="$2" '
        FNR == NR { rows = rows $0 "\n"; next }
        $1 == n && $2 == kernel { printf "%s", rows; rows = ""; next }
        { print }' "$3" "$4"
}

# Counted rows that are another set become those of NN.tsv.
cp "$counted" "$work/counted"
for other in "$folder"/[0-9][0-9].*.tsv; do
    [ -f "$other" ] || continue
    name=$(basename "$other" .tsv)
    n=${name%%.*}
    kernel=${name#*.}
    of "$n" "$kernel" "$counted" >"$work/now"
    [ -s "$work/now" ] || continue
    of "$n" "$kernel" "$folder/$n.tsv" >"$work/first"
    if [ -s "$work/first" ] && cmp -s "$work/now" "$other"; then
        with "$n" "$kernel" "$work/first" "$work/counted" >"$work/next"
        mv "$work/next" "$work/counted"
        [ "$what" = write ] ||
            echo "# counted as in $other: $n $kernel" >&2
    elif [ "$what" = write ] && ! cmp -s "$work/now" "$work/first"; then
        echo "$n $kernel counts what neither $n.tsv nor $other has:" >&2
        echo "remove the latter if there is no other set any more" >&2
        exit 1
    fi
done

case $what in
differ)
    for n; do
        [ ! -f "$folder/$n.tsv" ] || cat "$folder/$n.tsv"
    done | diff - "$work/counted"
    ;;
write)
    mkdir -p "$folder"
    awk -F '\t' -v folder="$folder" '
        { print >(folder "/" $1 ".tsv") }' "$work/counted"
    ;;
esac
