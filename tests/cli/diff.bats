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
