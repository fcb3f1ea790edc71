# SPDX-License-Identifier: MIT
load scratch

@test "diff shows the step from the previous solution" {
    fake_chapters
    run make diff 5
    [ "$status" -eq 0 ]
    says "This shows the solution of chapter 5"
    says "-solved 04-first"
    says "+solved 05-second"
    [ "$(printf '%s\n' "$output" | grep -c '^[-+][a-z]')" -eq 2 ]
}

@test "diff of a chapter that begins a ladder starts from the starter" {
    fake_chapters
    run make diff 4
    [ "$status" -eq 0 ]
    says "-before 04-first"
    says "+solved 04-first"
}

@test "diff goes by the kernels' own order and their own previous ones" {
    fake_chapters
    for folder in chapters solutions; do
        sed "s/04-first/last/" $folder/04-first/forward.cu \
            >$folder/04-first/alast.cu
        sed "s/05-second/next/" $folder/05-second/forward.cu \
            >$folder/05-second/next.cu
    done
    printf '[forward]\nop = x\n[alast]\nprevious = forward\n' \
        >>chapters/04-first/chapter.conf
    printf '[next]\nprevious = 04/alast\n' >>chapters/05-second/chapter.conf
    run make diff 4
    says "+++ solutions/04-first/forward.cu"
    says "--- solutions/04-first/forward.cu
+++ solutions/04-first/alast.cu"
    [[ "$output" == *"+solved 04-first"*"+solved last"* ]]
    run make diff 5
    says "--- solutions/04-first/alast.cu
+++ solutions/05-second/next.cu"
    says "-solved last"
    says "+solved next"
}

@test "diff starts from the starter, not from what you wrote" {
    fake_chapters
    make list
    edit chapters/04-first/forward.cu
    run make diff 4
    [[ "$output" != *mine* ]]
}

@test "diff without solutions/ says so" {
    fake_chapters
    rm -r solutions
    run make diff 5
    [ "$status" -ne 0 ]
    says "hand-out without solutions"
}

@test "on a terminal diff asks first" {
    fake_chapters
    needs_terminal
    run script -qec "make diff 5" /dev/null < <(echo n)
    says "Go on? [y/N]"
    [[ "$output" != *solved* ]]
    run script -qec "make diff 5" /dev/null < <(echo y)
    says "solved 05-second"
    run script -qec "make diff 5 YES=1" /dev/null </dev/null
    says "solved 05-second"
}
