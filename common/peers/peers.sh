#!/bin/sh
# SPDX-License-Identifier: MIT
# peers.sh BUILD CUDA_HOME [ABOUT]...: times the newest stages beside their
# peers on this machine's GPU, at the shapes below, and prints them as JSON
# (peers.schema.json). ABOUT is "KEY VALUE": when, where and of what. What is
# not here is named under "absent" with its reason; no peer can stop another.
set -u
build=$1
cuda_home=$2
shift 2
about=$(printf 'about %s\n' "$@")
here=$(dirname "$0")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
LIMIT=100 # seconds a peer, of all shapes

# name, shape: the study's; long kernels; short ones, two sizes
set -- study "B16384 H128 L48 K48" \
    long "B32 H768 L768 K768" \
    short "B16 H8192 L1024 K4" \
    small "B16 H768 L1024 K5"

run() # NAME COMMAND...: its lines; one more where it does not end well
{
    name=$1
    shift
    echo "peer $name" >&2
    timeout "$LIMIT" "$@" 2>"$work/words"
    code=$?
    case $code in
    0) ;;
    124) echo "absent $name the rest of it: took more than $LIMIT s" ;;
    *) echo "absent $name the rest of it: exit code $code:" \
        "$(tail -n 1 "$work/words")" ;;
    esac
}

# The folder that holds include/cudnn.h and lib/, of the system or of Python.
cudnn_home()
{
    python=$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0])' \
        2>/dev/null)
    for folder in "${CUDNN_HOME:-}" "$cuda_home" /usr/local/cudnn /usr \
        "$python"; do
        [ -n "$folder" ] && [ -f "$folder/include/cudnn.h" ] || continue
        echo "$folder"
        return
    done
}

build_cudnn() # HOME: says why not
{
    library=$(find "$1/lib" "$1/lib64" -name 'libcudnn.so*' 2>/dev/null |
        head -n 1)
    [ -n "$library" ] || { echo "cudnn.h is here, libcudnn.so is not"; return; }
    gcc -std=c11 -D_GNU_SOURCE -O2 -Wno-deprecated-declarations -Icommon \
        -isystem "$1/include" -isystem "$cuda_home/include" \
        -o "$work/cudnn" "$here/cudnn.c" common/harness/stats.c "$library" \
        "$cuda_home"/lib64/libcudart.so -lm \
        "-Wl,-rpath,${library%/*}:$cuda_home/lib64" >"$work/gcc" 2>&1 ||
        echo "gcc: $(grep -m 1 -e error -e undefined "$work/gcc")"
}

cudnn()
{
    home=$(cudnn_home)
    if [ -z "$home" ]; then
        echo "absent cudnn no cudnn.h in the system, CUDNN_HOME or Python"
        return
    fi
    why=$(build_cudnn "$home")
    [ -z "$why" ] || { echo "absent cudnn $why"; return; }
    run cudnn "$work/cudnn" "$@"
}

pytorch()
{
    if ! command -v python3 >/dev/null; then
        echo "absent pytorch there is no python3"
        return
    fi
    run pytorch python3 "$here/pytorch.py" "$@"
}

shapes() # NAME SHAPE...
{
    while [ $# -gt 1 ]; do
        echo "shape $1 $2"
        shift 2
    done
}

{
    echo "$about"
    shapes "$@"
    run chapters "$build/bin/bench-stages" "$build" "$@"
    pytorch "$@"
    cudnn "$@"
} | tee "$build/peers.txt" | awk -f "$here/json.awk"
