# SPDX-License-Identifier: MIT
load scratch

two_steps() # chapter 5: forward from chapter 4, then next from forward
{
    fake_chapters
    for folder in chapters solutions; do
        sed "s/05-second/next/" $folder/05-second/forward.cu \
            >$folder/05-second/next.cu
    done
    printf '[forward]\nop = x\n[next]\nprevious = forward\n' \
        >>chapters/05-second/chapter.conf
    cp solutions/05-second/forward.cu chapters/05-second/next.cu
}

@test "start puts the passed kernel of the step before into this step's hole" {
    two_steps
    fake_check 0
    make list
    edit chapters/04-first/forward.cu
    run make start 5
    [ "$status" -eq 0 ]
    says "checks chapters/04-first/forward.cu"
    says "chapters/05-second/forward.cu now holds your 04-first/forward.cu"
    grep -qx mine chapters/05-second/forward.cu
    diff .progress/backups/05-second-*/05-second/forward.cu \
        solutions/04-first/forward.cu || :
    [ -f .progress/backups/05-second-*/05-second/forward.cu ]
}

@test "start asks the checker for the kernel before, and for nothing else" {
    two_steps
    fake_check 0
    make list
    edit chapters/05-second/forward.cu
    run make start 5
    [ "$status" -eq 0 ]
    says "chapters/05-second/next.cu now holds your 05-second/forward.cu"
    grep -qx mine chapters/05-second/next.cu
}

@test "start leaves a step alone if the one before does not pass" {
    two_steps
    fake_check 17
    make list
    edit chapters/04-first/forward.cu
    before=$(cat chapters/05-second/forward.cu)
    run make start 5
    [ "$status" -ne 0 ]
    says "does not pass yet"
    [ "$before" = "$(cat chapters/05-second/forward.cu)" ]
}

@test "start says so if the step before is untouched" {
    two_steps
    fake_check 0
    make list
    run make start 5
    [ "$status" -ne 0 ]
    says "chapters/04-first/forward.cu is untouched"
}

@test "start does not point to the answer of a chapter's first step" {
    two_steps
    printf '[chapter]\ntitle = x\n[forward]\nop = x\n[next]\n%s\n' \
        "previous = forward" >chapters/05-second/chapter.conf
    fake_check 0
    make list
    run make start 5
    [ "$status" -ne 0 ]
    says "there is nothing to copy yet: fill the holes of chapters/05-second/forward.cu"
    says "make check-chapter 5 KERNEL=forward"
    ! says "holds already"
}

@test "start KERNEL= chooses, and names what does not exist" {
    two_steps
    fake_check 0
    make list
    edit chapters/05-second/forward.cu
    run make start 5 KERNEL=next
    [ "$status" -eq 0 ]
    grep -qx mine chapters/05-second/next.cu
    run make start 5 KERNEL=nothing
    [ "$status" -ne 0 ]
    says "there is no kernel nothing"
}

@test "start says the same of a ladder's first step with KERNEL= and without" {
    fake_chapters
    fake_check 0
    make list
    run make start 4
    [ "$status" -eq 0 ]
    says "There is nothing to copy: fill the holes of chapters/04-first/forward.cu"
    before=$output
    run make start 4 KERNEL=forward
    [ "$status" -eq 0 ]
    [ "$output" = "$before" ]
}

@test "start passes over an optional kernel whose step before was left out" {
    two_steps
    printf '[aside]\nop = x\noptional = yes\n[last]\nprevious = next\n' \
        >>chapters/05-second/chapter.conf
    for folder in chapters solutions; do
        for stage in aside last; do
            cp $folder/05-second/next.cu $folder/05-second/$stage.cu
        done
    done
    cp solutions/04-first/forward.cu solutions/04-first/aside.cu
    cp solutions/04-first/forward.cu chapters/04-first/aside.cu
    fake_check 0
    make list
    edit chapters/05-second/forward.cu
    edit chapters/05-second/next.cu
    run make start 5
    [ "$status" -eq 0 ]
    says "chapters/05-second/last.cu now holds your 05-second/next.cu"
}
