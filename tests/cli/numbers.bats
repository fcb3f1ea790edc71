# SPDX-License-Identifier: MIT
# Which command and which chapter a make line means.
load scratch

@test "make alone prints the commands, within 80 columns" {
    run make
    [ "$status" -eq 0 ]
    says "make check-chapter 5"
    says "make doctor"
    ! printf '%s\n' "$output" | grep -E '.{81}'
}

@test "every command that help names exists" {
    for command in $(awk '$1 == "make" { print $2 }' common/cli/help.txt); do
        run make -n "$command" 5 PREBUILT=1
        [[ "$output" != *unknown.sh\ *"$command"* ]]
        [[ "$output" != *"No rule"* ]]
    done
}

@test "5, N=5, 05, check-chapter-5 and the folder are the same" {
    fake_check 0
    for words in "check-chapter 5" "check-chapter N=5" "check-chapter 05" \
        check-chapter-5 "check-chapter 05-dwconv-coalesced" \
        "check-chapter chapters/05-dwconv-coalesced/"; do
        run make -s $words
        [ "$status" -eq 0 ]
        [ "${lines[0]}" = chapter ]
        [ "${lines[1]}" = 5 ]
    done
}

@test "check-solution asks for the solution" {
    fake_check 0
    run make -s check-solution 5
    [ "${lines[0]}" = solution ]
    [ "${lines[1]}" = 5 ]
}

@test "two numbers: an error, nothing built" {
    run make check-chapter 5 6
    [ "$status" -ne 0 ]
    says "one chapter, not two: 5 and"
    [ ! -e build ]
}

@test "the same number twice is one" {
    fake_check 0
    run make -s check-chapter 5 N=05
    [ "$status" -eq 0 ]
}

@test "no number: an error that lists the chapters, nothing built" {
    run make check-chapter
    [ "$status" -ne 0 ]
    says "needs a chapter: make check-chapter 5"
    says "05  Coalesced"
    [ ! -e build ]
}

@test "no such chapter: an error that lists those there are" {
    run make check-chapter 99
    [ "$status" -ne 0 ]
    says "there is no chapter 99"
    says "04  "
    [ ! -e build ]
}

@test "no number but a word: an error" {
    run make check-chapter five
    [ "$status" -ne 0 ]
    says "'five' is not a chapter number"
    [ ! -e build ]
}

@test "clean may stand before another command" {
    fake_check 0
    unset PREBUILT
    run make -n clean check-chapter 5
    says "rm -rf build"
    says "check.sh check-chapter 05"
}

@test "two commands at a time: an error" {
    run make check-chapter check-solution 5
    [ "$status" -ne 0 ]
    says "one command at a time"
}

@test "without solutions/, check-solution says so, nothing built" {
    rm -r solutions
    run make check-solution 5
    [ "$status" -ne 0 ]
    says "there is no solutions/05-*"
    says "make check-chapter 5"
    [ ! -e build ]
}

@test "a misspelt command: what was meant, nothing built" {
    run make chek-chapter 5
    [ "$status" -ne 0 ]
    says "there is no command 'chek-chapter'. Did you mean: make check-chapter?"
    [ ! -e build ]
}

@test "a command like no other: make prints the list" {
    run make zzzzzz
    [ "$status" -ne 0 ]
    says "there is no command 'zzzzzz'."
    [[ "$output" != *"Did you mean"* ]]
    says "make prints all commands"
}

@test "a number alone: which command" {
    run make 5
    [ "$status" -ne 0 ]
    says "make check-chapter 5"
}

@test "a misspelt option is named, and nothing is done" {
    fake_check 0
    run make check-chapter 5 SEDE=1
    [ "$status" -ne 0 ]
    says "no such option: SEDE"
    says "SEED"
}

@test "inside a chapter's folder, commands are about that chapter" {
    fake_check 0
    cd chapters/05-*
    run make -s check-chapter
    [ "$status" -eq 0 ]
    [ "${lines[0]} ${lines[1]}" = "chapter 5" ]
    run make -s check-chapter 4 SEED=7
    [ "${lines[0]} ${lines[1]}" = "chapter 4" ]
    says 7
    run make -s check-chapter-6
    [ "${lines[0]} ${lines[1]}" = "chapter 6" ]
    run make
    says "make check-chapter 5"
}

@test "the first command says that it builds, and only the first" {
    run make -n check-chapter 5
    says "a few minutes, once"
    run make -n hint 5 # builds nothing
    [[ "$output" != *"a few minutes"* ]]
    mkdir -p build/bin
    touch build/bin/check
    run make -n check-chapter 5
    [[ "$output" != *"a few minutes"* ]]
}
