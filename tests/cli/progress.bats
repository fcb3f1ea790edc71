# SPDX-License-Identifier: MIT
# list, next and hint.
load scratch

setup_chapters()
{
    fake_chapters
    fake_check 0
}

@test "list shows every chapter as not started" {
    setup_chapters
    run make list
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 3 ]
    says "The 04-first one"
    [[ "${lines[0]}" == *"not started" ]]
}

@test "every chapter's title fits into its column" {
    root=$BATS_TEST_DIRNAME/../..
    wide=$(sed -n 's/.*%-\([0-9]*\)s .*title.*/\1/p' "$root/common/cli/list.sh")
    [ "$wide" -gt 0 ]
    run awk -v wide="$wide" '/^title = / && length($0) - 8 > wide' \
        "$root"/chapters/*/chapter.conf
    [ -z "$output" ]
}

@test "list shows what was edited as started" {
    setup_chapters
    make list
    edit chapters/05-second/forward.cu
    run make list
    [[ "${lines[1]}" == *" started" ]]
    [[ "${lines[2]}" == *"not started" ]]
}

@test "in a clone, list knows an edit and a commit of one's own" {
    setup_chapters
    fake_git
    run make list
    [[ "${lines[1]}" == *"not started" ]]
    edit chapters/05-second/forward.cu
    run make list
    [[ "${lines[0]}" == *"not started" ]]
    [[ "${lines[1]}" == *" started" && "${lines[1]}" != *"not started" ]]
    [[ "${lines[2]}" == *"not started" ]]
    git add chapters/05-second && git commit -qm "My forward"
    run make list
    [[ "${lines[1]}" == *" started" && "${lines[1]}" != *"not started" ]]
}

@test "list and next say that they take no KERNEL=" {
    setup_chapters
    for command in list next; do
        run make "$command" KERNEL=forward
        [ "$status" -eq 0 ]
        says "make $command is about whole chapters: KERNEL= changes nothing"
        says "04-first one"
        run make "$command"
        [[ "$output" != *KERNEL* ]]
    done
}

@test "next is the first chapter that is not passed" {
    setup_chapters
    run make next
    says "next: chapter 4"
    says "chapters/04-first/forward.cu"
    make check-chapter 4
    run make next
    says "next: chapter 5"
}

@test "next after the last chapter" {
    setup_chapters
    make check-chapter 4
    make check-chapter 5
    make check-chapter 6
    run make next
    [ "$status" -eq 0 ]
    says "passed all chapters"
}

@test "hints come one at a time, then the solution is named" {
    setup_chapters
    run make hint 5
    [ "$status" -eq 0 ]
    says "hint 1 of 2"
    says "first"
    [[ "$output" != *second* ]]
    run make hint 5
    says "hint 2 of 2"
    says "second"
    run make hint 5
    [ "$status" -eq 0 ]
    says "seen all 2 hints"
    says "make diff 5"
}

@test "a hint is for the first kernel that did not pass, once one has" {
    setup_chapters
    cp chapters/05-second/forward.cu chapters/05-second/next.cu
    printf '%s\n' '## Hint 1' '`forward.cu`: one' '## Hint 2' \
        '`next.cu`: two' >chapters/05-second/hints.md
    make check-chapter 5 KERNEL=forward
    run make hint 5
    says "hint 1 of 1 for next"
    says "two"
    run make hint 5
    says "you have seen the only hint for next: chapters/"
}

@test "hints of one kernel: its own, and those for all" {
    setup_chapters
    cp chapters/05-second/forward.cu chapters/05-second/next.cu
    cat >chapters/05-second/hints.md <<'END'
# Hints

## Hint 1

for all

## Hint 2

`forward.cu`: one

## Hint 3

on with forward, not `next`

## Hint 4

In `next.cu`, do this
END
    run make hint 5 KERNEL=next
    [ "$status" -eq 0 ]
    says "hint 1 of 2 for next"
    says "for all"
    run make hint 5 KERNEL=next
    says "In \`next.cu\`, do this"
    run make hint 5 KERNEL=next
    says "seen all 2 hints for next"
    run make hint 5 KERNEL=forward
    says "hint 2 of 3 for forward" # the first was shown for next
    run make hint 5
    says "hint 3 of 4"
    run make hint 5
    says "seen all 4 hints"
    sed -i 's/^for all/`other.cu`: of another/' chapters/05-second/hints.md
    cp chapters/05-second/forward.cu chapters/05-second/last.cu
    rm .progress/05/seen-hints
    run make hint 5 KERNEL=last
    [ "$status" -eq 0 ]
    says "chapter 5 has no hint for last"
    says "chapters/05-second/README.md"
    [ ! -e .progress/05/seen-hints ] # another kernel's is not shown for it
    run make hint 5 KERNEL=nothing
    [ "$status" -ne 0 ]
    says "there is no kernel nothing"
}

@test "a hint for several kernels is each one's, and nobody else's" {
    setup_chapters
    for name in next wide last; do
        cp chapters/05-second/forward.cu "chapters/05-second/$name.cu"
    done
    printf '%s\n' '## Hint 1' '`forward.cu`: one' '## Hint 2' \
        '`next.cu`, `wide.cu`,' '`other.cu`: more than `last.cu`' \
        >chapters/05-second/hints.md
    run make hint 5 KERNEL=wide
    says "hint 1 of 1 for wide"
    says "more than"
    run make hint 5 KERNEL=next
    says "seen the only hint for next"
    run make hint 5 KERNEL=last
    says "no hint for last"
}

@test "each kernel of the workbook has a hint that is not another's" {
    for source in chapters/[0-9][0-9]-*/*.c chapters/[0-9][0-9]-*/*.cu; do
        folder=${source%/*}
        name=${source##*/}
        number=${folder#chapters/}
        rm -rf .progress
        output=$(KERNEL=${name%.*} sh common/cli/hint.sh hint "${number%%-*}")
        says "hint 1 of "
        says " for ${name%.*}"
        own=$(echo "$output" | sed -n '3,/:/p' | grep -o '`[a-z0-9_]*\.cu*`') ||
            continue # it names no kernel: it is for all
        printf '%s\n' "$own" | grep -qxF "\`$name\`" ||
            { echo "$source: $output"; false; }
    done
}

@test "a chapter without hints says so" {
    setup_chapters
    rm chapters/05-second/hints.md
    run make hint 5
    [ "$status" -ne 0 ]
    says "has no hints"
}

@test "progress that cannot be written is an error" {
    setup_chapters
    echo "a file" >.progress
    run make hint 5
    [ "$status" -ne 0 ]
    says "cannot write"
}

@test "clean keeps the progress" {
    setup_chapters
    make hint 5
    make clean
    [ ! -e build ]
    run make hint 5
    says "hint 2"
}

@test "two folders of one number are named, and no hint is used up" {
    fake_chapters
    cp -r chapters/05-second chapters/05-again
    run make hint 5
    [ "$status" -ne 0 ]
    says "Two folders have one number"
    [ ! -e .progress/05/seen-hints ]
}
