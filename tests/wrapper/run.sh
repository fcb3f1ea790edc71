#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests build/bin/simgpu, as TAP: its summary agrees with its JSON, findings set
# the exit code, and messages name a missing compiler flag.
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
build=${BUILD:-build}
nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
programs=tests/simgpu-programs
ptx=arch=compute_75,code=compute_75
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

run() # ARGUMENT...: out, log and status
{
    "$build/bin/simgpu" "$@" >"$work/out" 2>"$work/log"
    status=$?
}

says() # TEXT...
{
    for text; do
        grep -qF -- "$text" "$work/log" && continue
        echo "does not say: $text"
        cat "$work/log"
    done
}

exits() # STATUS
{
    [ "$status" -eq "$1" ] || echo "exit code $status, not $1"
}

compile() # NAME FLAG...: $work/program
{
    name=$1
    shift
    "$nvcc" -o "$work/program" "$@" "$programs/$name.cu"
}

number() # KEY: in the JSON, summed over the launches
{
    tr ',{}' '\n\n\n' <"$work/json" | awk -F : -v key="\"$1\"" '
        { gsub(/ /, "", $1) }
        $1 == key { sum += $2 }
        END { print sum + 0 }'
}

summary()
{
    compile ok/transpose -cudart shared -lineinfo -gencode $ptx
    run --summary --gpu t4 --registers 40 --report "$work/json" \
        "$work/program"
    exits 0
    says 'simgpu (Tesla T4): summary' 'ms PREDICTED; most of it:' \
        '40 registers' "instructions $(number instructions)," \
        "loads       $(number global_load_requests) requests" \
        "stores      $(number global_store_requests) requests" \
        "shared ld   $(number shared_load_requests) requests"
    grep -q 'assumed' "$work/log" && echo "assumes registers it was told"
}

no_summary_unasked()
{
    run "$work/program"
    exits 0
    [ ! -s "$work/log" ] || cat "$work/log"
}

json_on_stdout()
{
    run --report json "$work/program"
    exits 0
    sed -n '/^{/,$p' "$work/out" >"$work/json"
    [ "$(number global_load_requests)" -gt 0 ] || cat "$work/out"
    tail -n 1 "$work/out" | grep -qx '}' || tail -n 3 "$work/out"
}

findings_and_summary()
{
    compile bug/out_of_bounds -cudart shared -gencode $ptx
    run --summary "$work/program"
    exits 99
    says 'out_of_bounds in twice' 'build with -lineinfo' ': summary'
}

no_ptx()
{
    compile ok/vector_add -cudart shared -gencode arch=compute_75,code=sm_75 \
        2>/dev/null
    run "$work/program"
    says 'no PTX in this binary' 'code=compute_NN'
}

static_runtime()
{
    compile ok/vector_add -gencode $ptx
    run "$work/program"
    says 'was '"$work"'/program linked with -cudart shared?' \
        'DCMAKE_CUDA_RUNTIME_LIBRARY=Shared'
    [ "$status" -ne 0 ] || echo "a program that reached no GPU succeeds"
    printf 'int main(void) { return 0; }\n' >"$work/idle.cu"
    "$nvcc" -o "$work/idle" "$work/idle.cu"
    run "$work/idle"
    exits 2
    run true # has nothing to do with CUDA
    exits 0
}

other_toolkit() # a program that needs a runtime of another toolkit
{
    printf '#!/bin/sh\n# libcudart.so.7\n' >"$work/old"
    chmod +x "$work/old"
    run "$work/old"
    says 'asks for libcudart.so.7'
    exits 2
}

# A race, and the file that names it.
suppressed()
{
    compile bug/race -cudart shared -lineinfo -gencode $ptx
    line=$(sed -n '/finds: race/=' $programs/bug/race.cu | head -n 1)
    printf '%s\n' '# known' '' "race race.cu:$line # known to the test" \
        'race no_such_kernel # is never found' \
        'uninitialised reverse # what was not yet there' >"$work/known"
    run --suppress "$work/known" "$work/program"
    exits 0
    says "findings suppressed by $work/known" \
        "$work/known:4: nothing was found that this suppresses: race no_such"
    grep -q '^=' "$work/log" && cat "$work/log"
    run --suppress "$work/known" --report "$work/report.json" "$work/program"
    grep -q '"suppressed": true' "$work/report.json" ||
        echo "the JSON does not mark what is suppressed"
    grep '"suppressed": false' "$work/report.json"
    run --report "$work/report.json" "$work/program"
    grep '"suppressed": true' "$work/report.json"
    printf 'race race.cu:%s # another line\n' $((line + 1)) >"$work/known"
    run --suppress "$work/known" "$work/program"
    exits 99
    says 'race in' 'nothing was found that this suppresses'
    for bad in 'race here' 'rice here # no kind' 'race # no place'; do
        echo "$bad" >"$work/known"
        run --suppress "$work/known" "$work/program"
        says "$work/known:1: "
        [ "$status" -ne 0 ] || echo "accepts: $bad"
    done
}

# Plain writes of one value: said, and no finding.
equal_writes()
{
    compile ok/equal_writes -cudart shared -lineinfo -gencode $ptx
    run --report "$work/report.json" "$work/program"
    exits 0
    says '1 note, which is no finding' 'equal_writes in any_negative' \
        'PTX defines what is there then'
    grep -q '"note": true' "$work/report.json" || echo "no note in the JSON"
    grep -q '"races": 0' "$work/report.json" || echo "a race in the JSON"
    grep -q '"equal_writes": [1-9]' "$work/report.json" ||
        echo "the JSON does not count them"
}

# A loop that only the budget ends.
progress()
{
    compile bug/endless -cudart shared -lineinfo -gencode $ptx
    SIMGPU_BUDGET=60000000 SIMGPU_PROGRESS=1
    export SIMGPU_BUDGET SIMGPU_PROGRESS
    run "$work/program"
    unset SIMGPU_BUDGET SIMGPU_PROGRESS
    exits 99
    says 'simgpu: wait_for runs for ' ' of 1 blocks begun' \
        'of 60 million (SIMGPU_BUDGET)' 'SIMGPU_BUDGET allows more'
    SIMGPU_BUDGET=20000000000 SIMGPU_PROGRESS=1 timeout 5 \
        "$build/bin/simgpu" "$work/program" >"$work/out" 2>"$work/log"
    says 'of 20000 million (SIMGPU_BUDGET)'
}

# What the solutions launch is what a card has room for.
room_on() # GPU NAME ARCH
{
    "$nvcc" -o "$work/program" -cudart shared -lineinfo -Icommon -Isolutions \
        -gencode "arch=$3,code=$3" "tests/wrapper/$2.cu"
    run --gpu "$1" "$work/program"
    exits 0
    [ "$status" -eq 0 ] || cat "$work/log"
}

nonsense()
{
    compile ok/vector_add -cudart shared -gencode $ptx
    run --registers 300 "$work/program"
    says 'SIMGPU_REGISTERS is 1 to 255'
    run --gpu t5 "$work/program"
    exits 2
    says "no GPU 't5'"
    grep -v "no GPU 't5'" "$work/log" # and nothing else
    run --seed abc "$work/program"
    exits 2
    [ ! -s "$work/out" ] || echo "a wrong option runs the program"
    run --sumary "$work/program"
    exits 2
    says 'usage: simgpu' 'simgpu --help'
}

no_program()
{
    run --help
    exits 0
    grep -qF -- '--suppress FILE' "$work/out" || echo "no help"
    run $programs/ok/vector_add.cu
    exits 127
    says 'vector_add.cu is a source file: build it first'
    run no_such_program
    exits 127
    says 'no_such_program: no such program'
    simgpu=$(cd "$build" && pwd)/bin/simgpu
    printf '#!/bin/sh\n' >"$work/here"
    (cd "$work" && "$simgpu" here) 2>"$work/log"
    says 'here: not a program that can be run'
    chmod +x "$work/here"
    (cd "$work" && "$simgpu" here) 2>"$work/log"
    says 'did you mean ./here?'
}

quiet "--summary says what the JSON says" summary
quiet "without it nothing is said" no_summary_unasked
quiet "--report json writes to standard output" json_on_stdout
quiet "findings keep their exit code beside a summary" findings_and_summary
quiet "a binary without PTX: the flag is named" no_ptx
quiet "a static runtime: the flag is named" static_runtime
quiet "another toolkit's program: both are named" other_toolkit
quiet "known findings are suppressed, and unused lines are named" suppressed
quiet "writes of equal values are a note" equal_writes
quiet "a long kernel says how far it is" progress
quiet "rows that a smaller card cannot hold are read twice" \
    room_on rtx4090 long_rows compute_80
quiet "few rows have parts only where all blocks run at a time" \
    room_on rtx4090 few_rows compute_80
quiet "clusters of channels are as many as there is room for" \
    room_on h200 channels compute_90
quiet "nonsense is refused" nonsense
quiet "what cannot be run is told apart" no_program
plan
