#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the solutions on this machine's GPU, and the last of each ladder
# against its peers (common/peers); writes book/results/GPU/. Arguments: build
# folder, toolkit.
#
#   N="5 7"               only these chapters
#   PEERS="ours pytorch"  only these peers (sh common/peers/peers.sh list)
#   FAMILIES="gemm"       of these families of operators alone (the same list)
#   ROOFS=missing         the ceilings of all arithmetic units, but for those
#                         that the results have (ROOFS=all: those, too)
#
# Without any: all chapters, all ceilings and all peers. Results not measured
# again are kept: each file records its own date, machine and commit. If
# chapter.conf has `measure = NAME: FILE.cu`, that program of the chapter's
# solution is built and run, and its output becomes NAME.json.
set -eu
. common/cli/lib.sh
build=$1
cuda_home=$2

# Words that name nothing cost no minutes.
chapters=
for word in ${N:-}; do
    case $word in *[!0-9]* | ???*) die "N=\"$N\": '$word' is no chapter" ;; esac
    n=$(pad "${word#0}")
    [ -n "$(chapter_dir solution "$n")" ] || die "there is no solutions/$n-*"
    chapters="$chapters $n"
done
for peer in ${PEERS:-}; do
    sh common/peers/peers.sh list | cut -d ' ' -f 2 | grep -qxF -- "$peer" ||
        die "no peer $peer. There are:" "$(sh common/peers/peers.sh list |
            cut -d ' ' -f 2 | sort -u)"
done
case ${ROOFS:-} in
"" | missing | all) ;;
*) die "ROOFS is missing (those that are) or all, not $ROOFS" ;;
esac
part=${N:-}${PEERS:-}${ROOFS:-}

gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null |
    head -n 1) || gpu=
if [ -z "$gpu" ]; then
    echo "make bench needs a GPU, and nvidia-smi finds none here." >&2
    echo "Without a GPU, make check-solution 5 shows counters." >&2
    exit 1
fi
folder=book/results/$(echo "$gpu" | tr 'A-Z ' 'a-z-')
roofs=$build/roofs/$(printf %s "$gpu" | tr -c 'A-Za-z0-9.-' _).json
mkdir -p "$folder"

driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader |
    head -n 1)
toolkit=$("$cuda_home/bin/nvcc" --version |
    sed -n 's/.*release \([0-9.]*\).*/\1/p')
commit=${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
command="make bench${N:+ N=\"$N\"}${PEERS:+ PEERS=\"$PEERS\"}"
command="$command${FAMILIES:+ FAMILIES=\"$FAMILIES\"}${ROOFS:+ ROOFS=$ROOFS}"
set -- "gpu=$gpu" "driver=$driver" "toolkit=$toolkit" \
    "date=$(date -u +%Y-%m-%d)" "commit=$commit" "command=$command"

failed=
keep() # NEW FILE PROVENANCE...: a JSON file into the results, with provenance
{
    new=$1
    file=$2
    shift 2
    "$build/bin/bench-results" stamp "$new" "$@" && mv "$new" "$folder/$file"
}

extra() # CHAPTER PROVENANCE...: the program that it measures besides
{
    solution=$(chapter_dir solution "$1")
    extra=$(chapter_conf "$(chapter_dir chapter "$1")" measure)
    shift
    [ -n "$extra" ] || return 0
    source=$solution/${extra#*: }
    fft="-DFFT -lcufft"
    if [ ! -f "$cuda_home/include/cufft.h" ]; then
        echo "no cufft.h in $cuda_home, so no FFT beside $source" >&2
        fft=
    fi
    # shellcheck disable=SC2086 # two words or none
    "$cuda_home/bin/nvcc" -O2 -cudart shared -Icommon -Icommon/op \
        -gencode arch=compute_80,code=compute_80 -o "$build/extra" "$source" \
        $fft &&
        LD_LIBRARY_PATH=$cuda_home/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
            timeout 100 "$build/extra" >"$build/extra.txt" &&
        "$build/bin/bench-results" values "$folder/${extra%%: *}.json" "$@" \
            <"$build/extra.txt"
}

solution() # NN PROVENANCE...
{
    n=$1
    shift
    "$build/bin/check" solution "$n" --device gpu --build "$build" \
        --json "$build/bench.json" || failed="$failed $n"
    keep "$build/bench.json" "solution-$n.json" "$@" || failed="$failed $n"
    extra "$n" "$@" || failed="$failed $n's program"
}

# All of it is measured now.
[ -n "$part" ] && [ "${ROOFS:-}" != all ] || rm -f "$roofs"
if [ -z "$part" ]; then
    for dir in solutions/[0-9][0-9]-*/; do
        dir=${dir#solutions/}
        chapters="$chapters ${dir%%-*}"
    done
fi
for n in $chapters; do
    solution "$n" "$@"
done
if [ -z "$part" ] || [ -n "${ROOFS:-}" ]; then
    "$build/bin/bench-roofs" "$build" || failed="$failed roofs"
fi
if [ -f "$roofs" ] && { [ -z "$part" ] || [ "${ROOFS:-}" = all ] ||
    [ ! -f "$folder/roofs.json" ]; }; then
    cp "$roofs" "$build/bench.json" && keep "$build/bench.json" roofs.json "$@"
elif [ -f "$roofs" ]; then # ceilings that no run needed before
    "$build/bin/bench-results" extend "$folder/roofs.json" "$@" <"$roofs" ||
        failed="$failed roofs"
fi
if [ -n "${PEERS:-}" ] || [ -z "$part" ]; then
    sh common/peers/peers.sh "$build" "$cuda_home" "$folder" "$@" ||
        failed="$failed peers"
fi
echo "Results: $folder"
if [ -n "$failed" ]; then
    echo "Not PASS (the reports say why):$failed" >&2
    exit 1
fi
