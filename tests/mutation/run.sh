#!/bin/sh
# SPDX-License-Identifier: MIT
# The script that makes mutants, and the one that counts them, as TAP; no
# mutant of the engine is run here: `make mutation` does.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/sample.c" <<'END'
/* a < b && c, in a comment
 * that == goes on */
#define TWICE(x) ((x) + (x))
static int count(struct bag *b, int n)
{
    int left = n - 1; // a > b
    const char *text = "a == b \" + c";
    bool any = false;
    for (int k = 0; k < n && !b->full; k++)
        if (b->at[k] == left)
            b->found |= 1u << k;
    put(b, left,
        any);
    put(b, "a; b");
    *b->last = left & 7;
    return left;
}
END

cat >"$work/expected" <<'END'
6: - > + 
8:false>true
9: < > <= 
9: && > || 
9:++>--
9:!>
10: == > != 
11: |= > &= 
11:b->found |= 1u << k;>;
14:put(b, "a; b");>;
15: & > | 
15:*b->last = left & 7;>;
END

mutants()
{
    awk -f tests/mutation/mutate.awk "$work/sample.c" |
        awk -F '\t' '{ print $1 ":" $3 ">" $4 }' >"$work/mutants"
    diff "$work/expected" "$work/mutants"
}

# Each mutant is the file with one line changed, and no two are alike.
one_change()
{
    tab=$(printf '\t')
    awk -f tests/mutation/mutate.awk "$work/sample.c" >"$work/list"
    while IFS=$tab read -r line column old new; do
        awk -v line="$line" -v column="$column" -v old="$old" -v new="$new" \
            -f tests/mutation/mutate.awk "$work/sample.c" >"$work/mutant.c"
        changed=$(diff "$work/sample.c" "$work/mutant.c" | grep -c '^>')
        [ "$changed" -eq 1 ] || echo "line $line, $old: $changed lines differ"
        cksum <"$work/mutant.c"
    done <"$work/list" >"$work/sums"
    grep -v '^[0-9]' "$work/sums"
    sort "$work/sums" | uniq -d
}

refuses_another_file()
{
    awk -v line=6 -v column=3 -v old='<=' -v new='<' \
        -f tests/mutation/mutate.awk "$work/sample.c" >"$work/out" 2>&1 &&
        echo "a change that does not fit was made"
    grep -q 'line 6 has no <=' "$work/out" || cat "$work/out"
}

results() # NOTICED SURVIVED
{
    for n in $(seq "$1"); do
        printf 'noticed\ta/x.c\t%d\t < ->  <= \tif (a < b)\tsome_test\n' "$n"
    done
    for n in $(seq "$2"); do
        printf 'survived\ta/y.c\t%d\t! -> \tif (!a)\t\n' "$n"
    done
}

score_is() # NOTICED SURVIVED STATUS TEXT
{
    results "$1" "$2" >"$work/results"
    printf '# explained\ny.c :: if (!a) :: ! -> :: nobody asks\n' >"$work/why"
    awk -f tests/mutation/score.awk "$work/why" "$work/results" >"$work/out"
    status=$?
    [ "$status" -eq "$3" ] || echo "exit code $status, not $3"
    grep -q "$4" "$work/out" || cat "$work/out"
}

explains()
{
    score_is 20 1 0 'nobody asks'
    grep -q '1 of the others cannot be noticed' "$work/out" || cat "$work/out"
    echo 'y.c :: if (!a) :: no reason' >"$work/why"
    awk -f tests/mutation/score.awk "$work/why" "$work/results" >"$work/out" &&
        echo "an explanation without a reason was taken"
}

quiet "the mutants of a sample, and none in comments or strings" mutants
quiet "each changes one line, and each differently" one_change
quiet "a change that does not fit is refused" refuses_another_file
quiet "18 of 20 are enough" score_is 18 2 0 '18 of 20 mutants noticed: 90.0'
quiet "17 of 20 are not" score_is 17 3 1 '17 of 20 mutants noticed: 85.0'
quiet "no mutant is no success" score_is 0 0 1 '0 of 0'
quiet "a survivor is explained, with a reason" explains
plan
