#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh SECONDS FOLDER: grades a few hand-ins on this machine's GPU, in the
# sandbox and without it; see README. DEVICE=sim for a dry run.
set -u
limit=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$PWD
BUILD=${BUILD:-$root/build}
DEVICE=${DEVICE:-gpu}
CUDA_HOME=${CUDA_HOME:-/usr/local/cuda}
export BUILD DEVICE CUDA_HOME
begun=$(date +%s)
command -v bwrap >/dev/null || PATH=$BUILD/bwrap:$PATH
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT

left() { echo $((limit - $(date +%s) + begun)); }
say() { echo "[$(($(date +%s) - begun)) s] $*" | tee -a "$out/log.txt"; }

# What the machine allows, in a word each.
allows() # NAME COMMAND...
{
    name=$1
    shift
    if "$@" >"$work/words" 2>&1; then
        say "yes: $name"
    else
        say "NO: $name: $(tail -n 1 "$work/words")"
    fi
}

machine()
{
    say "$(uname -sr), $(id -un); GPU: $(nvidia-smi --format=csv,noheader \
        --query-gpu=name,driver_version 2>&1 | head -n 1)"
    for program in bwrap setpriv prlimit flock timeout xargs sha256sum find; do
        command -v $program >/dev/null || say "NO: program $program"
    done
    allows "namespaces as root" bwrap --unshare-pid --unshare-net \
        --unshare-ipc --unshare-uts --ro-bind / / true
    allows "namespaces of a user" setpriv --reuid 65533 --regid 65533 \
        --clear-groups unshare --user --map-root-user true
    allows "the sandbox" sh common/cli/sandbox.sh "$work" true
    allows "nvcc in the sandbox" sh common/cli/sandbox.sh "$work" nvcc --version
    [ "$DEVICE" = sim ] ||
        allows "the driver's devices in the sandbox" sh common/cli/sandbox.sh \
            "$work" sh -c 'ls -l /dev/nvidiactl && : 3<>/dev/nvidiactl &&
            : 3<>/dev/nvidia-uvm'
}

# A tree whose chapter 05 has one kernel.
make_tree()
{
    tree=$work/tree
    mkdir -p "$tree/chapters" "$tree/solutions" "$tree/checker"
    cp -R common "$tree/"
    cp checker/report.schema.json "$tree/checker/"
    for folder in chapters/0[45]-* solutions/0[45]-*; do
        cp -R "$folder" "$tree/${folder%/*}/"
    done
    rm -f "$tree"/*/05-*/*_grad.cu
    conf=$(echo "$tree"/chapters/05-*/chapter.conf)
    awk '/^\[/ { keeps = $0 == "[chapter]" || $0 == "[forward]" } keeps' \
        chapters/05-*/chapter.conf >"$conf"
    chmod -R a+rX "$tree"
}

hand_in() # NAME: its forward.cu is standard input
{
    mkdir -p "$work/class/$1"
    cat >"$work/class/$1/forward.cu"
}

make_class()
{
    solution=$(echo solutions/05-*/forward.cu)
    hand_in a-right <"$solution"
    hand_in b-starter <"$(echo chapters/05-*/forward.cu)"
    sed 's/part += /part -= /' "$solution" | hand_in c-wrong
    hand_in d-side <tests/cheats/gpu_side_stream.cu
    hand_in e-deferred <tests/cheats/gpu_deferred.cu
    awk '/^cudaError_t dwconv_forward/ {
            print "static void mischief(void)"
            print "{ for (volatile int i = 0;; i++); }"
            seen = 1
        }
        { print }
        /^{/ && seen { print "    mischief();"; seen = 0 }' "$solution" |
        hand_in f-hangs
    chmod -R a+rX "$work/class"
}

grade() # NAME SANDBOX FROM
{
    [ "$(left)" -gt 15 ] || { say "no time for: $1"; return; }
    say "$1"
    (
        cd "$tree" && FROM=$3 TO=$work/$1 SANDBOX=$2 SEED=11 JOBS=1 STEP=8 \
            LEAST=40 ROUNDS=2 timeout -k 5 "$(($(left) - 8))" \
            sh common/cli/grade.sh grade 05
    ) >"$out/$1.txt" 2>&1
    say "$1: exit code $?"
    tail -n 25 "$out/$1.txt"
    cp "$work/$1/gradebook.csv" "$out/$1.csv" 2>/dev/null
    for folder in "$work/$1"/reports/*; do
        [ -d "$folder" ] || continue
        name=$1-$(basename "$folder")
        printf '%s: %s s of a processor; ' "$name" "$(cat "$work/$1/.class/\
checked/$(sed -n 's/^checked	//p' "$folder/result")/cpu" 2>/dev/null)"
        "$BUILD/bin/check" --facts "$folder/report.json" 2>/dev/null |
            awk -F '\t' '
            $1 ~ /(time_ms.this|time_ms.previous|speedup).(median|low|high)$/ {
                n = split($1, part, "/")
                printf "%s %s %.4g; ", part[n - 1], part[n], $2
            }
            END { print "" }'
        { echo "== $name"; cat "$folder/report.txt"; } >>"$out/reports.txt" 2>&1
    done
    [ -s "$work/$1/.class/reference.txt" ] && {
        echo "== $1: the solution"
        cat "$work/$1/.class/reference.txt"
    } >>"$out/reports.txt"
}

say "machine"
machine
make_tree
make_class
grade sandboxed common/cli/sandbox.sh "$work/class"
mkdir "$work/few"
cp -R "$work/class/a-right" "$work/class/d-side" "$work/few"
if grep -q 'NO: the sandbox' "$out/log.txt"; then
    say "No sandbox can be made here: CUDA IPC behind bwrap stays unproven."
    grade bare "$here/bare.sh" "$work/class"
else
    grade bare "$here/bare.sh" "$work/few"
fi
say end
