# SPDX-License-Identifier: MIT
# update: the new text around the holes, the learner's within them.
load scratch

news() # DIR: a newer workbook there, with other text and a new chapter
{
    cp -a . "$1"
    rm -rf "$1/.progress" "$1/.git"
    sed -i 's/^between$/between, but newer/' "$1"/chapters/05-second/*.cu
    cp -a "$1/chapters/06-third" "$1/chapters/08-fresh"
    echo "new words" >"$1/chapters/05-second/hints.md"
}

@test "from a folder: new text, old holes, a backup" {
    fake_chapters
    make list
    news ../new
    edit chapters/05-second/forward.cu
    run make update FROM=../new
    [ "$status" -eq 0 ]
    says "kept what you wrote in chapters/05-second/forward.cu"
    says "backup of your files: .progress/backups/update-"
    grep -x mine chapters/05-second/forward.cu
    grep "between, but newer" chapters/05-second/forward.cu
    grep "new words" chapters/05-second/hints.md
    [ -f chapters/08-fresh/forward.cu ]
    grep -x between .progress/backups/update-*/05-second/forward.cu
}

@test "a starter that was not touched becomes the new one" {
    fake_chapters
    make list
    news ../new
    make update FROM=../new
    cmp ../new/chapters/05-second/forward.cu chapters/05-second/forward.cu
}

@test "a hole that was not touched becomes the new one" {
    fake_chapters
    make list
    news ../new
    sed -i 's/go();/go_faster();/' ../new/chapters/05-second/forward.cu
    edit chapters/05-second/forward.cu
    make update FROM=../new
    grep go_faster chapters/05-second/forward.cu
    grep -x mine chapters/05-second/forward.cu
}

@test "what cannot be kept is named" {
    fake_chapters
    make list
    news ../new
    edit chapters/05-second/forward.cu
    sed -i 's/todo kernel/todo body/' ../new/chapters/05-second/forward.cu
    sed -i 's/^between$/newer/' ../new/chapters/06-third/forward.cu
    sed -i 's/^end$/my end/' chapters/06-third/forward.cu
    run make update FROM=../new
    [ "$status" -ne 0 ]
    says "chapters/05-second/forward.cu: hole kernel no longer exists"
    says "chapters/06-third/forward.cu: your changes outside the holes"
    grep mine .progress/backups/update-*/05-second/forward.cu
}

@test "after an update, reset puts the new starter back" {
    fake_chapters
    make list
    news ../new
    edit chapters/05-second/forward.cu
    make update FROM=../new
    make reset 5
    cmp ../new/chapters/05-second/forward.cu chapters/05-second/forward.cu
}

@test "in a clone: from where it was cloned" {
    fake_chapters
    fake_git
    git clone -q . ../learner
    news ../new
    cp -a ../new/chapters .
    git add chapters
    git -c user.email=author@localhost commit -q -m "News"
    cd ../learner
    git config user.email learner@localhost
    edit chapters/05-second/forward.cu
    run make update
    [ "$status" -eq 0 ]
    grep -x mine chapters/05-second/forward.cu
    grep "between, but newer" chapters/05-second/forward.cu
    [ -f chapters/08-fresh/forward.cu ]
}

@test "in a clone where git cannot merge: nothing changes" {
    fake_chapters
    fake_git
    git clone -q . ../learner
    echo "# theirs" >>Makefile
    git -c user.email=author@localhost commit -q -a -m "News"
    cd ../learner
    git config user.name learner
    git config user.email learner@localhost
    echo "# mine" >>Makefile
    git commit -q -a -m "My makefile"
    edit chapters/05-second/forward.cu
    cp chapters/05-second/forward.cu ../mine
    run make update
    [ "$status" -ne 0 ]
    says "could not merge"
    cmp ../mine chapters/05-second/forward.cu
    grep "# mine" Makefile
}

@test "without git and without FROM: what to do" {
    fake_chapters
    run make update
    [ "$status" -ne 0 ]
    says "FROM="
}

@test "FROM a folder that is no workbook" {
    fake_chapters
    mkdir ../empty
    run make update FROM=../empty
    [ "$status" -ne 0 ]
    says "has no chapters"
}

@test "where there is no news, a file stays as it is, outside the holes too" {
    fake_chapters
    make list
    cp -a . ../same
    rm -rf ../same/.progress ../same/.git
    edit chapters/05-second/forward.cu
    sed -i '1i #include <stdio.h>' chapters/05-second/forward.cu
    run make update FROM=../same
    [ "$status" -eq 0 ]
    grep -x '#include <stdio.h>' chapters/05-second/forward.cu
    grep -x mine chapters/05-second/forward.cu
}

@test "what an object depends on holds for both names of its folder" {
    near=none/o/checker/check/report/why.o
    far=$PWD/$near
    run make -n BUILD=none "$near"
    [ "$status" -eq 0 ]
    says "-MT $near -MT $far"
    run make -n BUILD="$PWD/none" "$far"
    [ "$status" -eq 0 ]
    says "-MT $far -MT $near"
}

@test "make looks for nothing that would make a list of headers" {
    mkdir -p none/o
    echo 'none/o/some.o: some.h' >none/o/some.d
    run make -d BUILD=none help
    [ "$status" -eq 0 ]
    says "none/o/some.d"
    [[ $output != *none/o/some.d.c* && $output != *some.d.o* ]]
}
