#!/bin/sh
# SPDX-License-Identifier: MIT
# What `check --facts` prints and what scripts read without it, as TAP: the two
# readers of chapter.conf give the same lines, so do those of holes, and a
# difference is seen. And lessons say of what binds a kernel what the table
# says.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
. common/cli/lib.sh
check=${BUILD:-build}/bin/check
case $check in /*) ;; *) check=$PWD/$check ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

same_keys() # ROOT: both readers on its chapters
{
    "$check" --facts chapters --root "$1" >"$work/c" || echo "check failed"
    for dir in "$1"/chapters/[0-9]*/; do
        conf_lines "${dir%/}"
    done | diff "$work/c" -
    [ -s "$work/c" ] || echo "no lines"
}

same_holes()
{
    "$check" --facts holes | sort >"$work/c"
    for source in $(kernels 'chapters/[0-9]*') $(kernels 'solutions/[0-9]*'); do
        holes list "$source"
    done | sort | diff "$work/c" -
    [ -s "$work/c" ] || echo "no holes"
}

# Every way to write a line that inih takes.
odd_lines()
{
    mkdir -p "$work/odd/chapters/42-odd"
    cat >"$work/odd/chapters/42-odd/chapter.conf" <<'END'
; a comment
[chapter]
title: A title, with = and [brackets]   ; and a comment
kind=kernel
  # another comment
arch   =   compute_75

[forward] ; the first
op = dwconv_forward
sim_shapes = B1 H1 L1 K1; B2 H2 L2 K2
    B3 H3 L3 K3; B4 H4 L4 K4
	B5 H5 L5 K5
gate = flops >= 1
gate = barriers == 0
peer_shape = odd: B1 H2 L3 K4
END
    same_keys "$work/odd"
    grep -q '	B5 H5 L5 K5$' "$work/c" || cat "$work/c"
}

# The comparison must be able to fail: awk is handed another file.
sees_a_difference()
{
    cp "$work/odd/chapters/42-odd/chapter.conf" "$work/kept"
    "$check" --facts chapters --root "$work/odd" >"$work/c"
    sed -i 's/B3 H3/B3 H4/' "$work/odd/chapters/42-odd/chapter.conf"
    conf_lines "$work/odd/chapters/42-odd" | cmp -s "$work/c" - &&
        echo "another shape went unseen"
    cp "$work/kept" "$work/odd/chapters/42-odd/chapter.conf"
}

# A mistake in chapter.conf is an error of check, which then prints no chapter.
slips_are_errors()
{
    echo 'gates = flops >= 1' >>"$work/odd/chapters/42-odd/chapter.conf"
    "$check" --facts chapters --root "$work/odd" >"$work/out" 2>"$work/words" &&
        echo "a misspelt key went through"
    [ ! -s "$work/out" ] || cat "$work/out"
    grep -q 'chapter.conf:16: no key "gates"' "$work/words" || cat "$work/words"
}

# What is timed is held against the stage before it, or against the roof.
without_limit() # a file of keys
{
    awk -F '\t' '
        $2 == "chapter" && $3 == "previous" { before[$1 + 0] = $4 + 0 }
        { has[$1 + 0, $2] = 1 }
        $3 == "time_shape" { timed[$1 + 0, $2] = $1 " " $2 }
        $3 == "previous" || $3 == "min_percent_of_roof" { known[$1 + 0, $2] }
        END {
            for (kernel in timed) {
                split(kernel, at, SUBSEP)
                if (!(kernel in known) && !((before[at[1]], at[2]) in has))
                    print timed[kernel] ": neither a stage before it nor " \
                        "min_percent_of_roof"
            }
        }' "$1"
}

limits()
{
    "$check" --facts chapters >"$work/keys" || echo "check failed"
    without_limit "$work/keys"
    grep -v '^18	sigmoid	min_percent' "$work/keys" >"$work/fewer"
    without_limit "$work/fewer" | grep -q '^18 sigmoid: neither' ||
        echo "a kernel without a limit went unseen"
}

verdicts()
{
    "$check" --facts verdicts >"$work/out" || echo "check failed"
    [ "$(head -n 1 "$work/out")" = "PASS	0	right" ] ||
        echo "PASS is not the first"
    awk -F '\t' 'NR > 1 && $2 != NR + 8 { print "not in order: " $0 }
        $1 !~ /^[A-Z]+$/' "$work/out"
    [ "$(wc -l <"$work/out")" -gt 10 ] || echo "too few verdicts"
    awk -F '\t' '$3 == "right" { printf "%s ", $1 }
        $3 !~ /^(right|wrong)$/' "$work/out" >"$work/right"
    [ "$(cat "$work/right")" = "PASS TECHNIQUE SLOW " ] || cat "$work/right"
}

leaves()
{
    cat >"$work/a.json" <<'END'
{"verdict": "PASS", "none": null, "kernels": [{"name": "add",
 "runs": [{"device": {"kind": "gpu"}}, {"cases": 82, "time": 0.25}]}]}
END
    "$check" --facts "$work/a.json" >"$work/out" || echo "check failed"
    printf '%s\t%s\n' verdict PASS kernels/add/name add \
        kernels/add/runs/1/device/kind gpu kernels/add/runs/2/cases 82 \
        kernels/add/runs/2/time 0.25 | diff - "$work/out"
    echo '{"verdict": ' >"$work/bad.json"
    "$check" --facts "$work/bad.json" 2>"$work/words" &&
        echo "half a file passed"
    grep -q 'bad.json:' "$work/words" || cat "$work/words"
}

# What binds a kernel: the lesson of each that was counted names it as a result,
# which `make book` holds to the table.
binding_is_named()
{
    grep -v '^#' tests/hardware/busy-h200.csv | sed 1d | cut -d , -f 1 |
        sort -u | while read -r number; do
        grep -q "<!-- result: busy/$number/[a-z_0-9]*/binds " \
            "chapters/$number-"*/README.md ||
            echo "lesson $number does not say what binds its kernels"
        awk -f tests/facts/binds.awk "chapters/$number-"*/README.md
    done
}

sees_a_claim()
{
    printf 'So it is bound by\nthe L1 cache.\n' >"$work/page"
    awk -f tests/facts/binds.awk "$work/page" | grep -q 'bound by the L1' ||
        echo "a claim went unseen"
    printf 'L2, which\nbinds it, is busy.\n' >"$work/page"
    awk -f tests/facts/binds.awk "$work/page" | grep -q 'L2, which binds' ||
        echo "a claim in other words went unseen"
    marker='<!-- result: busy/04/forward/binds %s -->L1<!-- /result -->'
    echo "Bound by $marker." >"$work/page"
    awk -f tests/facts/binds.awk "$work/page"
}

quiet "both readers of chapter.conf agree on every chapter" same_keys .
quiet "and on every way to write a line" odd_lines
quiet "a difference is seen" sees_a_difference
quiet "a slip in a chapter.conf is an error" slips_are_errors
quiet "what is timed has a stage before it, or a share of the roof" limits
quiet "both readers of holes agree" same_holes
quiet "verdicts come in order, with their exit codes" verdicts
quiet "a report's leaves are printed, and half a report is not" leaves
quiet "lessons take what binds a kernel from the table" binding_is_named
quiet "a claim that is no result is seen" sees_a_claim
plan
