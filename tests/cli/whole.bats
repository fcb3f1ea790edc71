# SPDX-License-Identifier: MIT
# The whole way, with the real programs: a learner's first minutes.
load scratch

@test "the untouched starter of 05: right, but not yet coalesced" {
    real_programs
    run make check-chapter 5 DEVICE=sim
    [ "$status" -ne 0 ]
    says "TECHNIQUE"
    says "global_load_bytes_over_asked"
    says "chapters/05-dwconv-coalesced"
    ! printf '%s\n' "$output" | grep -v '^make:' | grep -E '.{81}'
}

@test "the solution of 05 passes, and is never taken for the learner's" {
    real_programs
    run make check-solution 5 DEVICE=sim
    [ "$status" -eq 0 ]
    says "PASS"
    says "solutions/05-dwconv-coalesced"
    [ -f build/report/solution-05.json ]
    [ ! -e build/report/chapter-05.json ]
    [ ! -e .progress/05 ]
}

@test "the empty hole of 04 is named by file and line" {
    real_programs
    run make check-chapter 4 KERNEL=forward DEVICE=sim
    [ "$status" -ne 0 ]
    says "WRONG"
    says "unwritten"
    line=$(grep -n '//> todo' chapters/04-*/forward.cu | head -n 1)
    says "forward.cu:${line%%:*}"
}

@test "a solved chapter passes, and list and next know it" {
    real_programs
    cp solutions/01-vector-add/*.cu chapters/01-vector-add/
    run make check-chapter 1 DEVICE=sim
    [ "$status" -eq 0 ]
    run make list
    says "passed"
}

@test "a compile error is shown with the learner's file and line on top" {
    real_programs
    sed -i 's/return cudaGetLastError();/return cudaGetLastError()/' \
        chapters/01-vector-add/add.cu
    run make check-chapter 1 DEVICE=sim
    [ "$status" -ne 0 ]
    says "BUILD"
    says "chapters/01-vector-add/add.cu"
}

@test "with solutions/ deleted, chapters are checked all the same" {
    real_programs
    rm -r solutions build/stage/solution
    run make check-chapter 5 KERNEL=forward DEVICE=sim
    [ "$status" -ne 0 ]
    says "TECHNIQUE"
}

@test "run shows the kernel's own printf" {
    real_programs
    file=chapters/05-dwconv-coalesced/forward.cu
    sed -i 's/^\( *\)int t = .*/&\nif (i == 0) printf("hello from %d\\n", 42);/
        s/^#include "op.*/&\n#include <cstdio>/' "$file"
    run make run 5 KERNEL=forward DEVICE=sim
    says "hello from 42"
}

@test "a hand-in elsewhere is checked with SRC, its folder named" {
    real_programs
    cp -r solutions/01-vector-add ../handin
    run make check-chapter 1 SRC=../handin DEVICE=sim JSON=../grade.json
    [ "$status" -eq 0 ]
    says "handin"
    jsonschema -i ../grade.json checker/report.schema.json
    [ ! -e .progress/01 ]
}

@test "a shape and a seed of one's own" {
    real_programs
    run make check-solution 5 DEVICE=sim SEED=11 SHAPE="B1 H1 L5 K9"
    [ "$status" -eq 0 ]
    says "PASS"
    run make check-solution 5 DEVICE=sim SHAPE="B1 H1"
    [ "$status" -ne 0 ]
    says "SHAPE"
}

@test "one kernel alone is checked, and is no verdict on the chapter" {
    real_programs
    echo "not a kernel" >chapters/05-dwconv-coalesced/input_grad.cu
    cp solutions/05-*/forward.cu chapters/05-dwconv-coalesced/
    run make check-chapter 5 DEVICE=sim KERNEL=forward
    [ "$status" -eq 0 ]
    says "(forward alone)"
    [[ "$output" != *input_grad* ]]
    [ ! -e build/report/chapter-05.json ]
    [ ! -e .progress/05/verdict ]
    run make check-chapter 5 DEVICE=sim KERNEL=fwd
    [ "$status" -ne 0 ]
    says "no such kernel: fwd; the chapter has forward, input_grad, weight_grad"
}

@test "run launches once, and all that the kernel prints is shown" {
    real_programs
    sed 's/^    float sum = 0.0f;/&\n    printf("cell\\n");/' \
        solutions/04-dwconv-naive/forward.cu >chapters/04-*/forward.cu
    sed -i '1i #include <stdio.h>' chapters/04-*/forward.cu
    run make run 4 KERNEL=forward
    [ "$status" -eq 0 ]
    [ "$(printf '%s\n' "$output" | grep -c '| cell$')" -eq 24 ]
}

@test "a SHAPE that this machine has no room for is refused at once" {
    ! awk '/MemAvailable/ { exit $2 < 1.4e8 }' /proc/meminfo ||
        skip "a machine with room for 150 GB"
    real_programs
    run make check-solution 5 SHAPE="B1048576 H256 L7 K1" DEVICE=sim
    [ "$status" -ne 0 ]
    says "of memory to check"
}

@test "SRC= that is a file, or lacks one, is told so" {
    real_programs
    run make check-chapter 5 SRC=README.md
    says "names the folder that holds"
    mkdir empty
    run make check-chapter 5 SRC=empty
    says "has to hold that file"
}

@test "JSON= of a pipe is written to, not replaced" {
    real_programs
    mkfifo pipe
    cat pipe >got &
    make check-solution 5 KERNEL=forward DEVICE=sim JSON=pipe
    wait
    [ -p pipe ]
    grep '"PASS"' got
}

@test "a build folder that cannot be written is the machine's fault, and said so" {
    real_programs
    mkdir -p build/stage
    echo "a file" >build/stage/chapter
    run make check-chapter 5 DEVICE=sim
    [ "$status" -ne 0 ]
    says "this machine cannot do it"
    says "cannot write in build/stage/chapter/05: Not a directory"
    [[ "$output" != *"Mend the first error"* ]]
}

@test "the line that repeats can be pasted, whatever the folder's name" {
    real_programs
    cp -r chapters/04-dwconv-naive "d'Arc, Jeanne"
    run make check-chapter 4 SRC="d'Arc, Jeanne" KERNEL=forward CASE=0 DEVICE=sim
    again=$(printf '%s\n' "$output" | sed -n 's/^    repeat  //p')
    [[ "$again" == *"DEVICE=sim" ]]
    run sh -c "$again"
    says "d'Arc, Jeanne"
    says "WRONG: the result is wrong"
}

@test "an error in a file of the workbook is not looked for in the learner's" {
    real_programs
    sed -i 's/^struct dwconv_shape/strukt dwconv_shape/' common/op/dwconv.h
    run make check-chapter 4 KERNEL=forward DEVICE=sim
    says "common/op/dwconv.h:"
    says "That file is the workbook's"
    printf '%s\n' "$output" | tr -s ' \n' '  ' |
        grep -qF 'git checkout common/op/dwconv.h'
}

@test "a verdict is kept though nobody reads the report to its end" {
    real_programs
    make check-chapter 1 KERNEL=add DEVICE=sim 2>/dev/null | head -n 1
    [ "$(cat .progress/01/verdict)" = WRONG ]
}
