#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests make trace and make lines, as TAP: they show what check counts, for the
# learner's file and for a solution, and say what they cannot show.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
unset MAKEFLAGS MFLAGS MAKELEVEL
build=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
small='B3 H5 L37 K11'

command() # NAME NN VARIABLE=...: the learner's command, without make's set-up
{
    name=$1
    number=$2
    shift 2
    env BUILD="$build" SRC= KERNEL= SHAPE="$small" SEED=1 PREBUILT= "$@" \
        sh common/cli/trace.sh "$name" "$number"
}


# The sums over "lines" must equal the counters in "counters".
lines_add_up()
{
    "$build/bin/check" solution 6 --build "$build" --root . --shape "$small" \
        --kernel forward --inspect "$work/06.json" >"$work/said" 2>&1 ||
        cat "$work/said"
    tr ',{}' '\n\n\n' <"$work/06.json" | awk -F : '
        { gsub(/[" ]/, "", $1) }
        $1 == "global_requests" { requests += $2 }
        $1 == "global_sectors" { sectors += $2 }
        $1 == "shared_wavefronts" { waves += $2 }
        $1 ~ /^global_(load|store)_requests$/ { requests -= $2 }
        $1 ~ /^global_(load|store)_sectors$/ { sectors -= $2 }
        $1 ~ /^shared_(load|store)_wavefronts$/ { waves -= $2; seen++ }
        END { if (!seen || requests || sectors || waves)
                  print "lines and counters differ by", requests, sectors,
                      waves }'
}

# Chapter 04's loads access one sector per lane; 05's do not.
tells_04_from_05()
{
    for chapter in 04-dwconv-naive 05-dwconv-coalesced; do
        command lines "${chapter%%-*}" SRC="solutions/$chapter" \
            KERNEL=forward SHAPE='B2 H128 L48 K48' >"$work/$chapter" 2>&1 ||
            cat "$work/$chapter"
        awk '/part \+= w\[h/ { print $3 }' "$work/$chapter"
    done >"$work/sectors"
    printf '32.0\n2.0\n' | diff - "$work/sectors"
    for word in $(grep ' line source$' "$work/05-dwconv-coalesced"); do
        case $word in line | source) continue ;; esac
        grep -qE "(^|; )${word}[ :]" "$work/05-dwconv-coalesced" ||
            echo "no word on the column $word"
    done
}

draws()
{
    command trace 5 SRC=solutions/05-dwconv-coalesced KERNEL=forward \
        SHAPE='B2 H128 L48 K48' >"$work/said" 2>&1 || cat "$work/said"
    page=$(sed -n 's/^open //p' "$work/said")
    for text in '4 sectors of 32 bytes, 128 of their 128 bytes used' \
        'tabindex="0"' 'prefers-color-scheme: dark' 'class="lane"' \
        'class="global"' 'part += w[h * s.K + k]'; do
        grep -qF -- "$text" "$page" || echo "$page has no: $text"
    done
    for svg in "${page%.html}"-*.svg; do
        grep -q '<title' "$svg" && grep -q '</svg>' "$svg" ||
            echo "$svg: not whole"
    done
}

# The HTML must be well-formed.
nests()
{
    page=$(sed -n 's/^open //p' "$work/said")
    awk -v RS='<' '
        NR == 1 || /^(meta|!DOCTYPE)/ { next }
        { tag = $0; sub(/^\//, "", tag); sub(/[^a-zA-Z0-9].*/, "", tag) }
        /^\// { if (stack[n] != tag) { print "closes " tag " in " stack[n]
                                      exit }
                n--; next }
        stack[n] == "script" { next }
        !/^[^>]*\/>/ { stack[++n] = tag }
        END { if (n) print n " left open: " stack[n] }' "$page"
}

no_such_kernel()
{
    command trace 5 KERNEL=backward >"$work/said" 2>&1 && echo "exit code 0"
    grep -q 'no such kernel' "$work/said" || cat "$work/said"
}

# The starter of a ladder's first stage is empty: trace must not crash.
nothing_to_show()
{
    command lines 4 KERNEL=forward >"$work/said" 2>&1
    code=$?
    [ $code -eq 0 ] || [ $code -eq 2 ] || echo "exit code $code"
    grep -qi 'segmentation\|abort' "$work/said" && cat "$work/said"
}

# What the book's predictions are made of, whatever shape was watched.
predicts()
{
    "$build/bin/check" solution 4 --build "$build" --root . --shape "$small" \
        --kernel forward --inspect "$work/04.json" >"$work/said" 2>&1 ||
        cat "$work/said"
    "$build/bin/trace" predicted "$work/04.json" |
        grep -q '^predicted/04/forward/ms.[0-9.]' || echo "no time"
}

quiet "a watched kernel has a predicted time" predicts
quiet "the lines of a source add up to its counters" lines_add_up
quiet "make lines tells chapter 04 from 05" tells_04_from_05
quiet "make trace draws accesses with their lines" draws
quiet "its page nests" nests
quiet "a kernel that is not there is said" no_such_kernel
quiet "an empty hole is no crash" nothing_to_show
plan
