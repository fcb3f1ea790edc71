#!/bin/sh
# SPDX-License-Identifier: MIT
# Ordinary CUDA programs under build/bin/simgpu; prints TAP. Two folders:
#   ok/NAME.cu    must end with 0, print NAME.out if that exists, and have an
#                 empty report, or N findings if it has a line "// finds: N",
#                 or the remark of each line "// remarks: TEXT";
#                 under three seeds, with one worker and with two
#   bug/NAME.cu   must end with 99; the report must contain the KIND of each
#                 comment "// finds: KIND", with its file and line, and the text
#                 of each line "// says: TEXT"
# More lines: "// since: 12" (the oldest toolkit that can build it), "// arch:
# 80" (instead of compute_75), "// options: -G" (of nvcc), "// units: a.cu b.cu"
# (of units/, linked with it by -rdc=true) and "// library: c.cu" (of units/,
# too, linked from a library of nvcc -lib). Programs without such lines are
# compiled a dozen at a time, each in a namespace of its own, but for those with
# a line "// alone: WHY". There, main ends by a return.
# Also tested: the device ends when its program is killed, even in a kernel; and
# our runtime exports the same names and symbol versions as the toolkit's.
# run.sh [FOLDER/NAME...]: only those. BUILD: where the programs are. SEEDS="0 7
# 12345" WORKERS="1 2": all programs under each of these seeds, with so many
# workers.
# run.sh --build INTO [FOLDER/NAME...]: only compiles them, as INTO/NAME;
# REAL=90: to machine code of that compute capability, and not to PTX.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
WHOLE_HEADERS=1
. tests/nvcc.sh

build=${BUILD:-build}
nvcc=$(sh common/cli/find-cuda.sh)/bin/nvcc
toolkit=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\).*/\1/p')
into=
if [ "${1-}" = --build ]; then
    into=$2
    mkdir -p "$into"
    shift 2
fi
only=" $* "
folder=tests/simgpu-programs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The guard of <cmath>'s Bessel functions and their like: nobody calls one, and
# nvcc reads them for a third of its time (checker/check/compile/command.c).
quick=-D_GLIBCXX_BITS_SPECFUN_H=1
[ "$toolkit" -lt 13 ] || no_device_link=-nodlink

compile() # FILE
{
    arch=$(sed -n 's|^// arch: ||p' "$1")
    arch=${arch:-75}
    code=compute_$arch
    case ${REAL-}:$arch in
    :*) ;;
    *a) code=sm_$arch ;; # of that architecture alone
    *) code=sm_$REAL ;;
    esac
    arch=compute_$arch
    options=$(sed -n 's|^// options: ||p' "$1")
    options="${options:--lineinfo} $quick"
    units=$(sed -n "s|^// units: ||p" "$1")
    library=$(sed -n "s|^// library: ||p" "$1")
    if [ -n "$units$library" ]; then
        options="$options -rdc=true"
    else
        options="$options ${no_device_link-}"
    fi
    set -- "$1" -cudart shared -gencode "arch=$arch,code=$code"
    for unit in $units; do
        set -- "$@" "$folder/units/$unit"
    done
    if [ -n "$library" ]; then
        # shellcheck disable=SC2086 # options are words
        "$nvcc" -lib $options -gencode "arch=$arch,code=$code" \
            -o "$work/library.a" "$folder/units/$library" || return
        set -- "$@" "$work/library.a"
    fi
    # shellcheck disable=SC2086 # options are words
    "$nvcc" $options -o "$work/program" "$@"
}

# Most of nvcc's time goes into headers, so a dozen programs share them, each in
# a namespace of its own. The first argument says which one runs.
shared() # KIND/NAME...: the source
{
    for each; do
        cat "$folder/$each.cu"
    done | cat - "$folder"/*.h "$folder"/units/*.h |
        grep '^#include <' | cat - "$work/always" | sort -u
    for each; do
        printf 'namespace %s {\n#include "%s"\n}\n' "$(space "$each")" \
            "$PWD/$folder/$each.cu"
    done
    echo 'int main(int, char **argv) {'
    for each; do
        printf '    if (!strcmp(argv[1], "%s")) return %s::main();\n' \
            "$each" "$(space "$each")"
    done
    echo '    return 2;' '}'
}

space() # KIND/NAME: its namespace
{
    echo "in_${1%/*}_${1#*/}"
}

# Sets $work/program: alone, if it does not compile with others.
compile_shared() # KIND/NAME
{
    batch=$(grep -lx "$1" "$work"/batch-?? 2>/dev/null)
    if [ -n "$batch" ] && [ ! -f "$batch.said" ]; then
        # shellcheck disable=SC2046 # names are words
        shared $(cat "$batch") >"$batch.cu"
        compile "$batch.cu" >"$batch.said" 2>&1
        [ -s "$batch.said" ] || mv "$work/program" "$batch.program"
    fi
    rm -f "$work/program"
    if [ -f "$batch.program" ]; then
        ln "$batch.program" "$work/program"
    else
        compile "$folder/$1.cu"
    fi
}

# Runs the program: its output goes to $work/out, simgpu's report to $work/log.
expect_status() # STATUS
{
    "$build/bin/simgpu" "$work/program" "$name" >"$work/out" 2>"$work/log"
    status=$?
    sed -i "s/$(space "$name"):://g" "$work/out" "$work/log"
    [ "$status" -eq "$1" ] && return
    echo "exit code $status, not $1"
    cat "$work/out" "$work/log"
}

expect_reported() # TEXT
{
    grep -qF -- "$1" "$work/log" && return
    echo "the report does not say: $1"
    cat "$work/log"
}

# A line "// notes: KIND" allows notes of that kind, and asks for one;
# "// remarks: TEXT" allows remarks on failed calls, and asks for the text.
notes() # FILE
{
    if grep -q '^// remarks: ' "$1"; then
        sed -n 's|^// remarks: ||p' "$1" >"$work/texts"
        while read -r text; do
            expect_reported "$text"
        done <"$work/texts"
        grep -v '^=========' "$work/log"
        return
    fi
    kind=$(sed -n 's|^// notes: ||p' "$1")
    if [ -n "$kind" ]; then
        expect_reported "= $kind in "
        grep -v '^=========' "$work/log"
        grep ' in .*, block ' "$work/log" | grep -v "^========= $kind in "
    else
        cat "$work/log"
    fi
}

run_ok() # FILE
{
    wanted=$(sed -n 's|^// finds: ||p' "$1")
    expected=${1%.cu}.out
    if [ -n "$wanted" ]; then
        expect_status 99
        expect_reported ": $wanted finding"
    else
        expect_status 0
        notes "$1"
    fi
    [ ! -f "$expected" ] || diff "$expected" "$work/out"
}

# Runs of SEED:WORKERS.
runs() # KIND
{
    if [ -z "${SEEDS-}${WORKERS-}" ]; then
        [ "$1" = ok ] && echo 0:2 7:1 12345:2 || echo :
        return
    fi
    for seed in ${SEEDS:-0}; do
        for workers in ${WORKERS:-0}; do
            echo "$seed:$workers"
        done
    done
}

program() # KIND FILE
{
    compile_shared "$name" || return
    for run in $(runs "$1"); do
        export SIMGPU_SEED="${run%:*}" SIMGPU_WORKERS="${run#*:}"
        "run_$1" "$2" >"$work/wrong"
        [ ! -s "$work/wrong" ] || { echo "seed:workers $run" &&
            cat "$work/wrong" && break; }
    done
    unset SIMGPU_SEED SIMGPU_WORKERS
}

run_bug() # FILE
{
    expect_status 99
    grep ': not so: ' "$work/out" # of CHECK: findings hide its exit code
    sed -n 's|.*// finds: ||p; s|^// says: ||p' "$1" >"$work/texts"
    grep -n '// finds: ' "$1" | sed "s|:.*|,|; s|^|$(basename "$1"):|" \
        >>"$work/texts"
    while read -r text; do
        expect_reported "$text"
    done <"$work/texts"
}

# The device holds descriptor 3 open for as long as it lives.
killed_program()
{
    compile "$folder/bug/endless.cu" || return
    # shellcheck disable=SC2016 # the inner shell expands it
    SIMGPU_BUDGET=0 SIMGPU_STATUS_FD=3 LD_LIBRARY_PATH=$build/simgpu \
        timeout 20 sh -c 'x=$(timeout -s KILL 1 "$1" 3>&1 >/dev/null 2>&1)
            case $x in begun*[0-9]) ;; *) echo "status of the device: $x" ;;
            esac' - \
        "$work/program" 2>/dev/null ||
        echo "the device is still there, 20 seconds on"
}

# What the wrapper says of a device that began, and told of no end.
wrapped() # STATUS COMMANDS
{
    "$build/bin/simgpu" sh -c "$2" 2>"$work/log"
    status=$?
    [ "$status" -eq "$1" ] || echo "exit code $status, not $1: $2"
}

device_crashed()
{
    wrapped 5 'echo begun >&3; exit 5'
    expect_reported "the simulated GPU ended before its report"
    wrapped 1 'echo begun >&3'
    wrapped 0 'printf "begun\n0\n" >&3'
    [ ! -s "$work/log" ] || cat "$work/log"
    wrapped 99 'printf "begun\n2\nbegun\n0\n" >&3'
}

# A device of another build: what follows, with the program's socket as 4.
other_device() # COMMANDS
{
    mkdir -p "$work/other/simgpu" "$work/other/bin"
    cp "$build"/simgpu/libcudart.so.* "$work/other/simgpu/"
    printf '#!/bin/sh\neval "exec 4>&$2"\n%s\n' "$1" \
        >"$work/other/bin/simgpu-device"
    chmod +x "$work/other/bin/simgpu-device"
    LD_LIBRARY_PATH=$work/other/simgpu timeout -s KILL 10 "$work/program" \
        >"$work/out" 2>"$work/log" && echo "the program met no error"
    expect_reported "make programs"
}

# One that knows no option --wire; and one that answers, with a prefix of its
# own and nothing more.
other_build()
{
    compile "$folder/ok/vector_add.cu" || return
    other_device 'exit 2'
    other_device 'printf "GRWS\001\000\000\000" >&4; cat <&4 >/dev/null'
    "$build/bin/simgpu-device" --client-fd 0 --wire 1 2>"$work/log" &&
        echo "a libcudart of another build was welcome"
    expect_reported "make programs"
}

exports() # LIBRARY: name@@version, one per line
{
    nm -D --defined-only "$1" | awk '$2 ~ /[TW]/ { print $3 }' | sort
}

toolkit_library() # where nvcc finds its shared runtime
{
    "$nvcc" --dryrun "$folder/bug/endless.cu" 2>&1 |
        sed -n 's/.*LIBRARIES=//p' | tr -d '"' | tr ' ' '\n' |
        sed -n 's|^-L\(.*\)|\1/libcudart.so|p' |
        while read -r library; do
            [ ! -f "$library" ] || echo "$library"
        done | head -n 1
}

same_exports()
{
    library=$(toolkit_library)
    [ -n "$library" ] || { echo "nvcc names no libcudart.so" && return; }
    exports "$library" >"$work/theirs"
    soname=$(objdump -p "$library" | awk '/SONAME/ { print $2 }')
    exports "$build/simgpu/$soname" >"$work/ours"
    comm -23 "$work/theirs" "$work/ours" | sed 's/^/missing: /'
    [ -s "$work/theirs" ] || echo "$library exports nothing"
}

# Names, a dozen per file.
batches()
{
    echo '#include <string.h>' >"$work/always"
    for kind in ok bug; do
        for file in "$folder/$kind"/*.cu; do
            name=$kind/$(basename "$file" .cu)
            [ "$only" = "  " ] ||
                case $only in *" $name "*) ;; *) continue ;; esac
            grep -qE '^// (arch|options|units|library|since|alone): ' "$file" ||
                echo "$name"
        done
    done | split -l 12 - "$work/batch-"
}

[ -n "$into" ] || batches
for kind in ok bug; do
    for file in "$folder/$kind"/*.cu; do
        name=$kind/$(basename "$file" .cu)
        [ "$only" = "  " ] || case $only in *" $name "*) ;; *) continue ;; esac
        since=$(sed -n 's|^// since: ||p' "$file")
        if [ -n "$into" ]; then
            [ "${since:-0}" -gt "$toolkit" ] || { compile "$file" &&
                mv "$work/program" "$into/${name#*/}"; }
        elif [ "${since:-0}" -le "$toolkit" ]; then
            quiet "$name" program "$kind" "$file"
        else
            skip "$name" "of CUDA $since and later"
        fi
    done
done
[ -z "$into" ] || exit 0
if [ "$only" = "  " ]; then
    quiet "programs compile a dozen at a time" cat "$work"/batch-*.said
    quiet "the device goes with its program" killed_program
    quiet "a device that crashed is told from none" device_crashed
    quiet "a device of another build is told apart at once" other_build
    quiet "every name of the toolkit's runtime is exported" same_exports
fi
plan
