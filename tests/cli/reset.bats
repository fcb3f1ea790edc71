# SPDX-License-Identifier: MIT
# reset puts the starter back and loses nothing: with git and without.
load scratch

@test "reset of an untouched chapter does nothing" {
    fake_chapters
    run make reset 5
    [ "$status" -eq 0 ]
    says "nothing to reset"
    [ ! -e .progress/backups ]
}

@test "without git: the starter is back, yours is in the backup" {
    fake_chapters
    make list
    cp chapters/05-second/forward.cu before
    edit chapters/05-second/forward.cu
    cp chapters/05-second/forward.cu mine
    run make reset 5
    [ "$status" -eq 0 ]
    says "your files are in .progress/backups/05-second-"
    cmp before chapters/05-second/forward.cu
    cmp mine .progress/backups/05-second-*/05-second/forward.cu
}

@test "reset touches no other chapter" {
    fake_chapters
    make list
    edit chapters/05-second/forward.cu
    edit chapters/06-third/forward.cu
    make reset 5
    grep mine chapters/06-third/forward.cu
}

@test "two resets keep two backups" {
    fake_chapters
    make list
    edit chapters/05-second/forward.cu
    make reset 5
    edit chapters/05-second/forward.cu
    make reset 5
    [ "$(find .progress/backups -name forward.cu | wc -l)" -eq 2 ]
}

@test "a deleted file comes back" {
    fake_chapters
    make list
    rm chapters/05-second/forward.cu
    run make reset 5
    [ "$status" -eq 0 ]
    grep "before 05-second" chapters/05-second/forward.cu
}

@test "in a clone: edited before any command ran" {
    fake_chapters
    fake_git
    cp chapters/05-second/forward.cu before
    edit chapters/05-second/forward.cu
    make reset 5
    cmp before chapters/05-second/forward.cu
}

@test "in a clone: edited and committed by the learner" {
    fake_chapters
    fake_git
    cp chapters/05-second/forward.cu before
    edit chapters/05-second/forward.cu
    git commit -q -a -m "My chapter 5"
    make reset 5
    cmp before chapters/05-second/forward.cu
}

@test "unpacked inside another repository" {
    fake_chapters
    git init -q ..
    make list
    cp chapters/05-second/forward.cu before
    edit chapters/05-second/forward.cu
    make reset 5
    cmp before chapters/05-second/forward.cu
}

@test "a backup that cannot be written changes nothing" {
    fake_chapters
    make list
    edit chapters/05-second/forward.cu
    echo "a file" >.progress/backups
    run make reset 5
    [ "$status" -ne 0 ]
    says "nothing was changed"
    grep mine chapters/05-second/forward.cu
}
