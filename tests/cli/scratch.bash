# SPDX-License-Identifier: MIT
# A scratch copy of the workbook for each test, in $TREE, the current folder,
# with no tests but what `make test` and `make test-toolkit` start. It is removed
# when its test ends: 150 of them are 450,000 files.
#
#   fake_check CODE    build/bin/check becomes a script that prints its
#                      arguments, one per line, and exits with CODE; the
#                      facts are the real one's
#   fake_chapters      four tiny chapters in place of the real ones
#   fake_git           the tree becomes a clone: the starters by someone else
#   real_programs      build/bin and build/simgpu are the real ones, else skip;
#                      so are the solutions' stages, built once for all suites
#   needs_terminal     skips where script(1) can make none
#   says TEXT          the output of `run` holds it
#   edit FILE          writes a line into its first hole
# shellcheck shell=bash disable=SC2034,SC2154

REPO=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
unset BUILD_DIR DEVICE SEED CASE SHAPE SRC GRADE JSON PREBUILT FROM YES N \
    MAKEFLAGS MFLAGS MAKELEVEL NO_COLOR
# bats reads this once more for each test, in a child.
export REAL_BUILD=${REAL_BUILD:-${BUILD:-$REPO/build}}
unset BUILD

setup()
{
    TREE=$BATS_TEST_TMPDIR/tree
    mkdir "$TREE"
    cd "$REPO" || return 1
    tar cf - --exclude=./build --exclude=./.git --exclude=./.progress \
        --exclude='./tests/*' . |
        tar xf - -C "$TREE"
    cp -R tests/run.sh tests/toolkits "$TREE/tests/"
    cd "$TREE" || return 1
}

teardown()
{
    cd / && rm -rf "$TREE"
    hash -r # a test may have had its own rm
}

fake_check()
{
    mkdir -p build/bin
    cat >build/bin/check <<END
#!/bin/sh
[ "\$1" != --facts ] || exec "$REAL_BUILD/bin/check" "\$@"
printf '%s\n' "\$@"
exit $1
END
    chmod +x build/bin/check
    export PREBUILT=1
}

fake_kernel() # TEXT-IN-HOLE OUTSIDE
{
    printf '%s\n' "// $2" '//> todo kernel (about 1 line)' "$1" '//< todo' \
        'between' '    //> todo launch (about 1 line)' '    go();' \
        '    //< todo' 'end'
}

fake_chapters()
{
    rm -rf chapters solutions .progress
    for slug in 04-first 05-second 06-third; do
        mkdir -p "chapters/$slug" "solutions/$slug"
        fake_kernel "before $slug" "stage" >"chapters/$slug/forward.cu"
        fake_kernel "solved $slug" "stage" >"solutions/$slug/forward.cu"
        printf '[chapter]\ntitle = The %s one\nkind = kernel\n' "$slug" \
            >"chapters/$slug/chapter.conf"
        printf '# Hints\n\n## Hint 1\n\nfirst\n\n## Hint 2\n\nsecond\n' \
            >"chapters/$slug/hints.md"
    done
    sed -i 's/^kind/previous = 04\nkind/' chapters/05-second/chapter.conf
}

fake_git()
{
    git init -q -b main .
    git config user.name learner
    git config user.email learner@localhost
    git add -f Makefile common chapters solutions
    git -c user.name=author -c user.email=author@localhost \
        commit -q -m "The workbook"
}

real_programs()
{
    [ -x "$REAL_BUILD/bin/check" ] || skip "the programs are not built"
    mkdir -p build/stage "$REAL_BUILD/stage/solution"
    ln -s "$REAL_BUILD/bin" build/bin
    ln -s "$REAL_BUILD/simgpu" build/simgpu
    ln -s "$REAL_BUILD/stage/solution" build/stage/solution
    export PREBUILT=1
}

needs_terminal()
{
    script -qec true /dev/null </dev/null >/dev/null 2>&1 ||
        skip "no terminal can be made here"
}

says()
{
    case $output in
    *"$1"*) return ;;
    esac
    printf 'expected: %s\noutput: %s\n' "$1" "$output"
    return 1
}

edit()
{
    sed -i '0,/todo kernel/s/.*todo kernel.*/&\nmine/' "$1"
}
