# SPDX-License-Identifier: MIT
# grade-keys.sh: what all checks of a class depend on; sourced by grade.sh.
#
#   own_build       a build folder of the class's own: BUILD is $CLASS/build
#   make_keys       writes $CLASS/key and points-key. If the key is another one
#                   than before, the solution has to pass first (try_reference),
#                   and leaves the stages before it, built
#   set_limits      sets LIMIT, WAIT and STAGES, as graded.sh wants them
#   try_starters    checks the starters, unless that is known: starter-facts
#   keep FILE       standard input becomes $CLASS/FILE
#   cannot_write    ends the command
#
# grade-one.sh describes the files; grade.sh sets CLASS, SEED, DEVICE, POINTS,
# number, chapter and one_gpu.
#
# The hard idea: the key is moved into place last, when all that was made under
# it is on the disk. Whatever ends the command before that, the next one makes
# everything again.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # grade.sh's

# A hand-in may take so many times as long as the solution, and at least that
# many seconds. A launcher may take as long as all of the solution's check takes
# of a processor, within these limits in seconds of a clock.
PATIENCE=${PATIENCE:-20}
LEAST=${LEAST:-120}
STEP_LEAST=20
STEP_MOST=60

# In one rename, or not at all, and for nobody else to read; FILE's text is
# standard input.
keep() # FILE
{
    (umask 077 && cat >"$CLASS/$1.new") && sync "$CLASS/$1.new" &&
        mv "$CLASS/$1.new" "$CLASS/$1" || cannot_write
}

cannot_write()
{
    die "cannot write to TO=$TO: is the disk full?"
}

# Programs by links: the workbook's own build may be read only, and its stages
# are not these.
own_build()
{
    case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
    roofs=$BUILD/roofs
    for part in bin simgpu harness vclock; do
        ln -sfn "$BUILD/$part" "$CLASS/build/$part"
    done
    [ ! -d "$roofs" ] || cp -R "$roofs" "$CLASS/build/"
    BUILD=$CLASS/build
}

# The reference must pass with this seed here: no hand-in is blamed for what is
# wrong with the machine. It leaves the stage before it built, and its time
# predicted, for all.
try_reference()
{
    ls -d "solutions/$number"-* >/dev/null 2>&1 || die \
        "There is no solution of chapter ${number#0} here, which has to pass" \
        "first. Grade in the whole workbook, not in a hand-out; an export's" \
        "image has to be as it was made."
    echo "The solution first, with the seed of this class." >&2
    TMPDIR=$CLASS/work ${ON:+sh common/cli/$ON.sh --run} \
        $one_gpu sh common/cli/measured.sh \
        "$BUILD/bin/check" solution "${number#0}" --build "$BUILD" --root . \
        --grade --device "$DEVICE" --remember "$BUILD/predicted" --seed - \
        <"$CLASS/seed" >"$CLASS/measured" 2>"$CLASS/reference.txt" &&
        is_number "$(head -n 1 "$CLASS/measured")" && {
        head -n 1 "$CLASS/measured" >"$CLASS/reference" &&
            tail -n +2 "$CLASS/measured" >"$CLASS/times" || # line 2: of check
            cannot_write
        return
    }
    cat "$CLASS/reference.txt" >&2
    die "" "The solution itself does not pass here: nothing was graded."
}

digests() # FOLDER...
{
    find -L "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
}

# Of the workbook's files that a check depends on, those that are there.
files_of_checks()
{
    for file in common/op "$chapter" chapters/*/chapter.conf chapters/*/*.tsv \
        common/cli/sandbox.sh common/cli/graded.sh; do
        [ ! -e "$file" ] || echo "$file"
    done
}

# The solution is the reference, and stages before it are what is timed against.
# An export deletes them when it has been made, and keeps what they were.
keep_solutions()
{
    [ -d solutions ] || return 0
    {
        echo "solutions/${chapter#*/}"
        solutions_before "$chapter" | sed 's|/[^/]*$||'
    } | sort -u >"$CLASS/folders" || cannot_write
    # shellcheck disable=SC2046 # paths without blanks
    found=$(digests $(cat "$CLASS/folders")) || die "solutions/ is not whole"
    printf '%s\n' "$found" | keep solutions || exit
}

# What every check depends on; and what points and feedback depend on besides.
make_keys()
{
    keep_solutions
    # shellcheck disable=SC2046 # paths without blanks
    {
        (cd "$BUILD" && digests bin simgpu harness vclock) &&
            digests $(files_of_checks) &&
            { [ ! -e "$CLASS/solutions" ] || cat "$CLASS/solutions"; } &&
            { [ "$DEVICE" = sim ] || [ ! -d "$roofs" ] ||
                (cd "$roofs" && digests .); } &&
            { "$CUDA_HOME/bin/nvcc" --version 2>/dev/null || echo none; } &&
            echo "$SEED $DEVICE"
    } >"$CLASS/key.new" || cannot_write
    if ! cmp -s "$CLASS/key.new" "$CLASS/key"; then
        try_reference
        stages_before >"$CLASS/stages" && known_texts 2>/dev/null &&
            rm -f "$CLASS/starter-facts" && sync "$CLASS/key.new" \
            "$CLASS/reference" "$CLASS/times" "$CLASS/stages" \
            "$CLASS"/known/*/* && mv "$CLASS/key.new" "$CLASS/key" ||
            cannot_write
    fi
    cat "$POINTS" common/cli/points.awk common/cli/feedback.sh \
        common/cli/grade-one.sh common/cli/hand-in.sh "$BUILD/bin/alike" |
        sha256sum >"$CLASS/points-key" || cannot_write
}

# The stages of other chapters that these kernels are timed against. Those of
# this one would be its solutions.
stages_before()
{
    for before in $(solutions_before "$chapter"); do
        case $before in "solutions/$number-"*) continue ;; esac
        before=${before#solutions/}
        stage=${before%%-*}/$(basename "${before%.*}").so
        [ ! -f "$BUILD/stage/solution/$stage" ] || echo "$stage"
    done | sort -u | paste -sd ' ' -
}

# Per kernel, what is worth nothing: its starter, those of the steps before it,
# and the solution that it starts from.
known_texts()
{
    rm -rf "$CLASS/known" || return
    earlier=
    for file in $(ordered "$chapter"); do
        kernel=$(basename "${file%.*}")
        mkdir -p "$CLASS/known/$kernel" || return
        earlier="$earlier $file"
        for other in $earlier; do
            given_out "$other" >"$CLASS/known/$kernel/${other##*/}" ||
                cp "$other" "$CLASS/known/$kernel/${other##*/}" || return
        done
        before=$(solution_before "$chapter" "${file##*/}")
        [ -z "$before" ] ||
            cp "$before" "$CLASS/known/$kernel/before-${before##*/}" || return
    done
}

# From what the reference took.
set_limits()
{
    spent=$(cat "$CLASS/reference")
    LIMIT=$(at_least $LEAST $((spent * PATIENCE)))
    WAIT=${STEP-} # a launcher's seconds; the tests know better
    [ -n "$WAIT" ] || [ "$DEVICE" != sim ] || WAIT=$(awk -F '[ms ]+' \
        -v least=$STEP_LEAST -v most=$STEP_MOST 'NR == 2 {
            n = int(60 * ($1 + $3) + $2 + $4)
            print (n < least ? least : (n > most ? most : n)) }' \
        "$CLASS/times")
    STAGES=$(cat "$CLASS/stages")
}

at_least() # A B: the larger
{
    [ "$1" -gt "$2" ] && echo "$1" || echo "$2"
}

# What the starters reach on the simulated GPU, which is nobody's merit. A grade
# on a GPU includes a run there.
try_starters()
{
    [ ! -s "$CLASS/starter-facts" ] || return 0
    export BUILD STAGES # the sandbox's
    rm -rf "$CLASS/starter" "$CLASS/starter.json"
    mkdir -p "$CLASS/starter"
    for file in $(ordered "$chapter"); do
        given_out "$file" >"$CLASS/starter/${file##*/}" ||
            cp "$file" "$CLASS/starter/" || exit
    done 2>/dev/null
    chmod -R a+rX "$CLASS/starter"
    (
        DEVICE=sim
        checked_in_sandbox "$CLASS/starter" "$CLASS/starter.json"
    ) >"$CLASS/starter.txt" 2>&1
    facts=$("$BUILD/bin/check" --facts "$CLASS/starter.json" 2>/dev/null)
    if [ -n "$facts" ]; then
        printf '%s' "$facts" | keep starter-facts || exit
    else
        echo "The starters could not be checked ($CLASS/starter.txt):" \
            "they are known by their text alone." >&2
    fi
}
