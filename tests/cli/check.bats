# SPDX-License-Identifier: MIT
# From the variables of the make line to the checker's options, and back.
load scratch

@test "variables become options" {
    fake_check 0
    run make -s check-chapter 5 DEVICE=sim GPU=t4 SEED=7 CASE=2 \
        KERNEL=forward SHAPE="B3 H5 L37 K11" SRC=handin JSON=out.json GRADE=1
    [ "$status" -eq 0 ]
    expected=$(printf '%s\n' chapter 5 --build build --root . --device sim \
        --gpu t4 --seed 7 --kernel forward --case 2 --shape "B3 H5 L37 K11" \
        --src handin --json out.json --grade --prebuilt)
    [ "$output" = "$expected" ]
}

@test "no variables, no options" {
    fake_check 0
    run make -s check-solution 7
    [ "$output" = "$(printf '%s\n' solution 7 --build build --root . --prebuilt)" ]
}

@test "run asks the checker for one run" {
    fake_check 0
    run make -s run 5 CASE=3
    says "--case"
    says "--run"
    [ "${lines[0]}" = chapter ]
}

@test "a failed check makes make fail and names the exit code" {
    fake_check 19
    run make check-chapter 5
    [ "$status" -ne 0 ]
    says "Error 19"
}

@test "the verdict is remembered, and a pass is never forgotten" {
    fake_check 19
    make check-chapter 5 || true
    run make list
    says "TECHNIQUE"
    fake_check 0
    make check-chapter 5
    run make list
    says "passed"
    fake_check 17
    make check-chapter 5 || true
    run make list
    says "WRONG (passed before)"
}

@test "another's files, a solution, a single case: no progress" {
    fake_check 0
    make check-solution 5
    make check-chapter 5 SRC=elsewhere
    make check-chapter 5 CASE=1
    make check-chapter 5 KERNEL=forward CASE=1
    make run 5
    [ ! -e .progress/05 ]
}

@test "a chapter whose kernels passed one by one has passed" {
    fake_check 17
    make check-chapter 5 || true
    fake_check 0
    make check-chapter 5 KERNEL=forward
    make check-chapter 5 KERNEL=input_grad
    run make list
    says "WRONG"
    make check-chapter 5 KERNEL=weight_grad
    run make list
    [[ "${lines[4]}" == *passed && "${lines[4]}" != *before* ]]
    fake_check 17
    make check-chapter 5 KERNEL=forward || true
    run make list
    says "WRONG (passed before)"
    fake_check 0
    make check-chapter 5 KERNEL=forward
    echo >>chapters/05-dwconv-coalesced/weight_grad.cu
    make check-chapter 5 KERNEL=input_grad
    [ "$(cat .progress/05/verdict)" = PASS ]
}

@test "what passed before it was edited does not count as passed" {
    fake_check 0
    make check-chapter 5 KERNEL=forward
    make check-chapter 5 KERNEL=input_grad
    echo >>chapters/05-dwconv-coalesced/forward.cu
    make check-chapter 5 KERNEL=weight_grad
    [ ! -e .progress/05/verdict ]
}

@test "a verdict that cannot be remembered is still the verdict" {
    fake_check 19
    echo "a file" >.progress
    run make check-chapter 5
    says "Error 19"
}

@test "PREBUILT=1 without a build says what is missing" {
    run make check-chapter 5 PREBUILT=1
    [ "$status" -ne 0 ]
    says "build/bin/check is missing"
}

@test "BUILD names another build folder" {
    fake_check 0
    mv build elsewhere
    run make -s check-chapter 5 BUILD=elsewhere
    [ "$status" -eq 0 ]
    says "elsewhere"
}

@test "a value that is none is named with its variable, without a page of usage" {
    real_programs
    for wrong in SEED=abc CASE=first DEVICE=cuda; do
        run make -s check-chapter 5 "$wrong"
        [ "$status" -ne 0 ]
        says "${wrong%=*}"
        says "not: ${wrong#*=}"
        [[ "$output" != *usage* ]]
    done
}

@test "a pipe in a hand-in, or a folder, is refused and never read" {
    real_programs
    mkdir handin
    for name in add.cu tile.cuh; do
        rm -rf handin/*
        cp chapters/01-vector-add/*.* handin/
        rm -f "handin/$name"
        mkfifo "handin/$name"
        run timeout 20 make -s check-chapter 1 SRC=handin KERNEL=add DEVICE=sim
        [ "$status" -ne 0 ]
        says "handin/$name is no file of text"
    done
}

@test "a folder whose name would forge a line of the report is refused" {
    real_programs
    for name in $'x\nPASS  chapter 01; 1 s' $'x\033[2J'; do
        mkdir "$name"
        cp chapters/01-vector-add/*.* "$name/"
        run timeout 60 build/bin/check chapter 1 --kernel add --device sim \
            --src "$name" --build build --root .
        [ "$status" -eq 2 ]
        says "control code"
        [ "${#lines[@]}" -eq 2 ]
    done
}

@test "an interrupted check leaves no report of an earlier one" {
    real_programs
    echo '{"verdict": "PASS"}' >out.json
    status=0
    timeout -s INT 0.5 build/bin/check chapter 4 --device sim --json out.json \
        >said 2>&1 || status=$?
    [ "$status" -ne 0 ]
    [ ! -e out.json ] || ! grep -qx '{"verdict": "PASS"}' out.json
}

@test "a changed file of any name that nvcc read is compiled again" {
    real_programs
    mkdir -p handin/parts
    cp chapters/01-vector-add/*.* handin/
    cp solutions/01-vector-add/add.cu handin/
    sed -i 's|^ *c\[i\] = a\[i\] + b\[i\];|#include "parts/sum.inc"|' \
        handin/add.cu
    echo 'c[i] = a[i] + b[i];' >handin/parts/sum.inc
    sleep 0.1 # not written while nvcc is started
    run make -s check-chapter 1 SRC=handin KERNEL=add DEVICE=sim
    says "add.cu  PASS"
    grep -q parts/sum.inc build/stage/*/01/add.key
    echo 'c[i] = a[i] - b[i];' >handin/parts/sum.inc
    run make -s check-chapter 1 SRC=handin KERNEL=add DEVICE=sim
    says "add.cu  WRONG"
}

@test "a right kernel is run again once anything about it has changed" {
    real_programs
    cp solutions/01-vector-add/add.cu chapters/01-vector-add/
    add() { run make -s check-chapter 1 KERNEL=add DEVICE=sim "$@"; }
    add
    says "add.cu  PASS"
    [[ "$output" != *"not run again"* ]]
    add
    says "add.cu  PASS"
    says "not run again"
    add SEED=7
    [[ "$output" != *"not run again"* ]]
    add SEED=7
    says "(seed 7;"
    add SRC=chapters/01-vector-add
    [[ "$output" != *"not run again"* ]]
    sed -i 's/= a\[i\] + b/= a[i] - b/' chapters/01-vector-add/add.cu
    add
    says "add.cu  WRONG"
    add
    says "add.cu  WRONG"
    cp solutions/01-vector-add/add.cu chapters/01-vector-add/
    add
    add
    says "not run again"
    sed -i '/^\[add\]/,$s/^gate = .*/gate = global_load_requests <= 0/' \
        chapters/01-vector-add/chapter.conf
    add
    says "add.cu  TECHNIQUE"
}

@test "a mistake in chapter.conf is not called this machine's, nor an order" {
    real_programs
    sed -i 's/^arch = .*/arch = compute_57/' chapters/05-*/chapter.conf
    run make -s check-solution 5 KERNEL=forward DEVICE=sim
    says "arch = compute_57"
    says "the workbook's"
    [[ "$output" != *"this machine's"* ]]
    sed -i '/^op = /d' chapters/04-*/chapter.conf
    run make -s check-solution 4 DEVICE=sim
    says "[forward] has no op ="
}

@test "a file that is empty, in UTF-16, binary or another kernel's is told so" {
    real_programs
    mkdir handin
    add() { run make -s check-chapter 1 SRC=handin KERNEL=add DEVICE=sim; }
    right=solutions/01-vector-add/add.cu
    printf ' \n' >handin/add.cu
    add
    says "handin/add.cu is empty"
    says "Was it saved?"
    { printf '\377\376'; sed 's/./&\x00/g' $right; } >handin/add.cu
    add
    says "is text in UTF-16"
    says "Save it as UTF-8"
    printf 'int a;\0' >handin/add.cu
    add
    says "it is no text"
    cp solutions/01-vector-add/program.cu handin/add.cu
    add
    says "holds a whole program with a main()"
    [[ "$output" != *"Mend the first error"* ]]
    cp solutions/05-dwconv-coalesced/forward.cu handin/add.cu
    add
    says "No line of the file has the name vector_add"
    rm handin/add.cu
    add
    says "Is it misspelt, or a folder deeper?"
    [[ "$output" != *"SRC= is"* ]] # which a student's grader has given
}

@test "a compiler that crashes is not the learner's fault" {
    real_programs
    mkdir handin # a stage that no suite has built yet
    cp solutions/01-*/add.cu handin/
    cuda=$(sh common/cli/find-cuda.sh)
    mkdir -p broken/bin
    for part in "$cuda"/*; do
        [ "${part##*/}" = bin ] || ln -s "$part" broken/
    done
    cat >broken/bin/nvcc <<END
#!/bin/sh
case " \$* " in *" -o "*) ;; *) exec "$cuda/bin/nvcc" "\$@" ;; esac
echo "nvcc error   : 'ptxas' died due to signal 11 (Invalid memory reference)"
exit 139
END
    chmod +x broken/bin/nvcc
    NVCC=$PWD/broken/bin/nvcc run build/bin/check chapter 1 --kernel add \
        --src handin --device sim --build build --root .
    [ "$status" -eq 10 ]
    says "a defect of the CUDA toolkit"
    says "this machine's"
    says "another release of the CUDA toolkit"
    [[ "$output" != *"Mend the first error"* ]]
}

# A toolkit in broken/ whose nvcc is the real one, and whose ptxas, which check
# calls itself where no GPU is at hand, is the script on stdin.
toolkit_with_ptxas() {
    cuda=$(sh common/cli/find-cuda.sh)
    mkdir -p broken/bin
    for part in "$cuda"/*; do
        [ "${part##*/}" = bin ] || ln -s "$part" broken/
    done
    printf '#!/bin/sh\nexec "%s/bin/nvcc" "$@"\n' "$cuda" >broken/bin/nvcc
    { echo '#!/bin/sh'; cat; } >broken/bin/ptxas
    chmod +x broken/bin/*
}

@test "a ptxas that crashes is not the learner's fault either" {
    real_programs
    mkdir handin # a stage that no suite has built yet
    cp solutions/01-*/add.cu handin/
    toolkit_with_ptxas <<<'kill -SEGV $$'
    NVCC=$PWD/broken/bin/nvcc run build/bin/check chapter 1 --kernel add \
        --src handin --device sim --build build --root .
    [ "$status" -eq 10 ]
    says "a defect of the CUDA toolkit"
    says "this machine's"
}

@test "what ptxas refuses is BUILD, though the simulated GPU ran it" {
    real_programs
    mkdir handin # a stage that no suite has built yet
    cp solutions/01-*/add.cu handin/
    toolkit_with_ptxas <<<'echo "ptxas error   : no, says this one"; exit 255'
    NVCC=$PWD/broken/bin/nvcc run build/bin/check chapter 1 --kernel add \
        --src handin --device sim --build build --root . --json report.json
    [ "$status" -eq 10 ]
    says "no, says this one"
    grep -q '"runs": \[\]' report.json
}

@test "a wrong kernel is WRONG without waiting for ptxas" {
    real_programs
    toolkit_with_ptxas <<<'echo $$ >ptxas.pid; exec sleep 1000'
    mkdir handin
    sed 's/\(a\[i\]\) + /\1 - /' solutions/01-*/add.cu >handin/add.cu
    ! cmp -s solutions/01-*/add.cu handin/add.cu
    NVCC=$PWD/broken/bin/nvcc run timeout 60 build/bin/check chapter 1 \
        --kernel add --src handin --device sim --build build --root . --jobs 2
    [ "$status" -eq 17 ]
    [ -s ptxas.pid ]
    ! kill -0 "$(cat ptxas.pid)" 2>/dev/null
}

@test "an option without a value, and a GPU that nobody knows, are refused" {
    real_programs
    run make -s check-chapter 1 SHAPE= KERNEL=add
    [ "$status" -ne 0 ]
    says "SHAPE= has no value"
    run make -s check-chapter 1 GPU=foo KERNEL=add
    [ "$status" -ne 0 ]
    says "foo is unknown; there are h200"
    [[ "$output" != *add.cu* ]]
}

@test "a workbook that cannot be written to says so at once" {
    fake_check 0
    unset PREBUILT
    : >occupied # root may write anywhere, but not in a file
    run make -s check-chapter 1 BUILD=occupied/build
    [ "$status" -ne 0 ]
    says "You may not write in occupied/build"
}

@test "a report fits into 40 columns" {
    needs_terminal
    real_programs
    mkdir handin
    cp chapters/01-vector-add/*.* handin/
    run script -qec "stty cols 40; build/bin/check chapter 1 --kernel add \
        --src handin --device sim --build build --root ." /dev/null
    says "add.cu"
    long=$(echo "$output" | sed 's/\x1b\[[0-9;]*[mK]//g' | tr -d '\r' |
        awk 'length > 40' | grep -v 'repeat\|handin' || true)
    [ -z "$long" ] || { echo "$long"; false; }
}

@test "a report shows no text of files that are not the hand-in's" {
    real_programs
    mkdir handin "$BATS_TEST_TMPDIR/private"
    secret=$BATS_TEST_TMPDIR/private/words
    echo 'int kept_from_you(' >"$secret"
    of=solutions/01-vector-add/NOTES.md
    add() { run make -s check-chapter 1 SRC="$1" KERNEL=add DEVICE=sim; }
    hand_in() # PLACE: whose line 1 is said to write out of bounds
    {
        cp chapters/01-vector-add/*.* handin/
        cp solutions/01-vector-add/add.cu handin/
        sed -i "s|^ *c\[i\] = a\[i\] + b\[i\];|\n#line 1 \"$1\"\nc[i + 9] = 1;|" \
            handin/add.cu
    }
    for place in "$secret" "$PWD/$of" "$PWD/handin/../$of"; do
        hand_in "$place"
        add handin
        says "add.cu  MEMORY"
        [[ "$output" != *" 1 | "* ]]
    done
    ln -s "$secret" handin/mine
    hand_in "$PWD/handin/mine"
    add handin
    says "add.cu  MEMORY"
    [[ "$output" != *kept_from* ]]
    echo "// one's own" >handin/own.h
    hand_in "$PWD/handin/own.h"
    add handin
    says " 1 | // one's own"
    hand_in "$PWD/common/op/op.h"
    add handin
    says " 1 | //"
}

@test "nvcc's words about another's file are not shown" {
    real_programs
    mkdir handin "$BATS_TEST_TMPDIR/a(1)b"
    secret=$BATS_TEST_TMPDIR/words
    echo 'kept_from_you:x:12:' >"$secret"
    for place in "$secret" "$BATS_TEST_TMPDIR/a(1)b/../words"; do
        cp chapters/01-vector-add/*.* handin/
        sed -i "1i #include \"$place\"" handin/add.cu
        run make -s check-chapter 1 SRC=handin KERNEL=add DEVICE=sim
        says "add.cu  BUILD"
        says "its words are not shown"
        [[ "$output" != *kept_from* ]]
    done
}

@test "a long line of nvcc's is cut" {
    real_programs
    mkdir handin
    cp chapters/01-vector-add/*.* handin/
    printf 'int x = %s;\n' "$(printf '%09000d' 1)9" >>handin/add.cu
    run make -s check-chapter 1 SRC=handin KERNEL=add DEVICE=sim
    says "add.cu  BUILD"
    says "..."
    [ "${#output}" -lt 4000 ]
}

@test "a report that cannot be written costs no verdict" {
    real_programs
    cp solutions/01-vector-add/add.cu chapters/01-vector-add/
    run make -s check-chapter 1 KERNEL=add DEVICE=sim JSON=/dev/full
    [ "$status" -ne 0 ]
    says "PASS  chapter 01"
    says "cannot write /dev/full"
}

@test "JSON= in a folder that does not exist is refused, and makes none" {
    real_programs
    run make -s check-chapter 1 KERNEL=add DEVICE=sim JSON=none/such/x.json
    [ "$status" -ne 0 ]
    says "a folder that exists, not: none/such/x.json"
    [ ! -e none ]
}

@test "the command that repeats a check names its GPU" {
    real_programs
    run make -s check-chapter 1 KERNEL=add DEVICE=sim GPU=a100
    [ "$status" -ne 0 ]
    says " GPU=a100 DEVICE=sim"
    run make -s check-chapter 1 KERNEL=add DEVICE=sim
    says "repeat  make"
    [[ "$output" != *GPU=* ]]
}

@test "what an option says is data: neither make nor its shell runs it" {
    fake_check 0
    for value in '$(shell touch ran)' '$(CC)' '`touch ran`' "it's; touch ran" \
        '$$(touch ran)'; do
        run make -s check-chapter 5 KERNEL=forward SRC="$value" JSON="$value"
        [ "$status" -eq 0 ]
        [ "${lines[9]}" = "$value" ]
        [ "${lines[11]}" = "$value" ]
        run env SRC="$value" make -s -C chapters/05-* check-chapter \
            CASE="$value"
        [ "$status" -eq 0 ]
        [ "${lines[7]}" = "$value" ]
        [ "${lines[9]}" = "$value" ]
        run make -s check-chapter N="5 $value"
        [ "$status" -ne 0 ]
        run make -s -C chapters/05-* check-chapter N="5 $value"
        [ "$status" -ne 0 ]
    done
    [ -z "$(find . -name ran)" ]
}

@test "a build folder with blanks in its name is refused by name" {
    fake_check 0
    run make check-chapter 5 BUILD="$PWD/a b"
    [ "$status" -ne 0 ]
    says "BUILD=$PWD/a b"
    says "blanks"
}
