#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of lean, the host compiler of hand-ins' suites, as TAP: what it leaves
# out of headers, and that nvcc makes the same of kernels with it and without.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
lean=${BUILD:-$PWD/build}/bin/lean
cuda=$(sh common/cli/find-cuda.sh)
quick=-D_GLIBCXX_BITS_SPECFUN_H=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kept=$work/kept/bin/lean # keeps headers where nobody else does
mkdir -p "$work/system" "$work/kept/bin"
cp "$lean" "$kept"
cat >"$work/system/header.h" <<'END'
namespace n {
struct kept_type { int member; };
struct left_type { kept_type of; };
struct __attribute__((aligned(8))) kept_aligned { int kept_in; };
typedef kept_type kept_alias;
typedef struct { int x; } left_alias;
typedef int (*kept_pointer)(left_but_here_t);
enum { KEPT_ONE, KEPT_TWO };
enum left_enum { LEFT_ONE };
template <int N, class T> struct kept_template { T t[N]; };
template <class T> struct kept_template<3, T> { T kept_special; };
template <class T> struct left_template : kept_template<(sizeof(T) > 4), T> {};
template <bool b = (1 >= 0)> inline bool kept_compares() { return b; }
struct left_compares : kept_template<int(-1) < int(0), int> {};
inline int kept_function(int x) { return x; }
inline int kept_function(float kept_overload) { return (int)kept_overload; }
inline int kept_by_another() { return 1; }
static inline int kept_calls() { return kept_by_another(); }
inline int left_function(kept_type x) { return x.member; }
inline kept_type operator+(kept_type kept_plus, kept_type) { return kept_plus; }
inline left_type operator+(left_type left_plus, left_type) { return left_plus; }
inline constexpr kept_type kept_value = {3};
inline constexpr kept_type left_value = {4};
extern "C" { int kept_c(void), left_or_kept; }
static_assert(sizeof(left_type) == 4, "left_assert");
#pragma nv_exec_check_disable
inline int left_behind_pragma() { return 0; }
}
using n::kept_function;
using left_using = n::kept_type;
END
sed -i 's/left_but_here_t/int/' "$work/system/header.h"
cat >"$work/source.cc" <<'END'
#include <header.h>
static const char raw[] = R"x(left_function( " )x";

n::kept_alias a = n::kept_value + n::kept_type();
n::kept_aligned b;
n::kept_template<3, int> c;
n::kept_pointer p = kept_function;
int own_function(int left_enough) { return n::KEPT_TWO + raw[left_enough]; }
    int here = __LINE__ + n::kept_calls() + n::kept_compares() + n::kept_c();
END

preprocess() # COMPILER OPTION...: into $work/out.ii
{
    "$@" -E -x c++ -std=c++17 -isystem "$work/system" "$work/source.cc" \
        -o "$work/out.ii"
}

names() # WHICH FILE...: kept_x or left_x, once each
{
    which=$1
    shift
    cat "$@" | grep -ow "${which}_[a-z_]*" | sort -u
}

leaves_out_what_nobody_names()
{
    preprocess "$lean" "$quick" || echo "exit code $?"
    names left "$work/out.ii" | grep -v 'left_enough\|left_or_kept\|left_func'
    grep 'left_function(kept_type' "$work/out.ii" # only quoted in the source
    names kept "$work/system/header.h" >"$work/had"
    names kept "$work/out.ii" | diff "$work/had" - | sed 's/^</lost:/'
    g++ -std=c++17 -fsyntax-only -x c++ "$work/out.ii"
}

lines_and_columns_stay()
{
    preprocess "$lean" "$quick"
    awk '/^# [0-9]+ "/ { line = $2; next }
        /int here/ { print line, match($0, /int here/) }
        { line++ }' "$work/out.ii" >"$work/at"
    echo "9 5" | diff - "$work/at"
}

is_gpp_otherwise()
{
    preprocess g++ && mv "$work/out.ii" "$work/plain.ii"
    preprocess "$lean" && cmp "$work/plain.ii" "$work/out.ii"
    "$lean" "$quick" -E "$work/none.cc" -o "$work/out.ii" 2>"$work/said" &&
        echo "a source that is not there is no error"
    grep -q 'none.cc' "$work/said" || cat "$work/said"
    echo 'int main() { return 7; }' >"$work/main.cc"
    "$lean" "$quick" -o "$work/main" "$work/main.cc" || echo "exit code $?"
    "$work/main"
    [ $? -eq 7 ] || echo "not 7"
}

# Each line of code with its file and number, and whether it is a header's.
placed() # FILE
{
    awk '/^# [0-9]+ "/ { line = $2; split($0, part, "\""); next }
        /[^ \t]/ { print part[2] ":" line " " part[3] "|" $0 }
        { line++ }' "$1"
}

# A copy of lean with no room for headers reads them each time.
reads_each_time()
{
    mkdir -p "$work/none/bin"
    cp "$lean" "$work/none/bin/"
    echo >"$work/none/lean"
    "$work/none/bin/lean" "$@"
}

expanded() # COMPILER FILE
{
    "$1" -E -x c++ -D__CUDACC__ -D__NVCC__ -D__CUDA_ARCH__=900 "$quick" \
        -I common/op -I common -I "$cuda/include" -include cuda_runtime.h \
        "$2" -o "$work/out.ii" && placed "$work/out.ii"
}

kept_headers_are_the_same()
{
    for file in solutions/05-*/forward.cu solutions/15-*/few.cu \
        solutions/21-*/softmax_bf16.cu tests/honest/mma_by_wmma.cu; do
        expanded reads_each_time "$file" >"$work/each"
        [ "$(wc -l <"$work/each")" -gt 100 ] || echo "nothing of $file is left"
        for round in first second; do
            expanded "$kept" "$file" | cmp "$work/each" - ||
                echo "the $round time, $file"
        done
    done
}

# That headers are kept shows in what g++ reads: a shell's stand-in counts.
changed_headers_are_read()
{
    mkdir -p "$work/cuda" "$work/path"
    printf '#!/bin/sh\necho "$@" >>"%s"\nexec %s "$@"\n' "$work/ran" \
        "$(command -v g++)" >"$work/path/g++"
    chmod +x "$work/path/g++"
    echo 'int own = VALUE;' >"$work/own.cu"
    for value in 1 1 2; do
        echo "#define VALUE $value" >"$work/new.h"
        cmp -s "$work/new.h" "$work/cuda/cuda_runtime.h" ||
            cp "$work/new.h" "$work/cuda/cuda_runtime.h"
        PATH=$work/path:$PATH "$kept" -E -x c++ "$quick" -I "$work/cuda" \
            -include cuda_runtime.h "$work/own.cu" -o "$work/out.ii"
        grep -q "own = $value;" "$work/out.ii" || echo "not $value"
    done
    grep -c '/dev/null' "$work/ran" | grep -qx 2 || cat "$work/ran"
    wc -l <"$work/ran" | grep -qx 5 || cat "$work/ran"
}

same() # CC FILE: whether the PTX is the same, and nvcc takes the whole
{
    set -- "$2" -std=c++17 "$quick" -lineinfo -I common -I common/op \
        -gencode "arch=compute_$1,code=compute_$1" -Xcompiler -fPIC
    "$cuda/bin/nvcc" -ptx -o "$work/plain.ptx" "$@" || return
    "$cuda/bin/nvcc" -ccbin "$lean" -shared -cudart shared -keep -keep-dir \
        "$work" -o "$work/out.so" "$@" || return
    kernel=${1##*/}
    cmp "$work/plain.ptx" "$work/${kernel%.cu}.ptx"
    wc -c <"$work/${kernel%.cu}.cpp1.ii" | awk '$1 > 700000 {
        print "the source still has " $1 " bytes" }'
}

quiet "what nobody names is left out, and nothing else" \
    leaves_out_what_nobody_names
quiet "lines and columns stay" lines_and_columns_stay
quiet "it is g++ otherwise" is_gpp_otherwise
quiet "headers that are kept give the same" kept_headers_are_the_same
quiet "headers that changed are read again" changed_headers_are_read
quiet "05, in fp32: the same PTX" same 75 solutions/05-*/forward.cu
quiet "14, with vectors: the same PTX" same 75 solutions/14-*/gemm.cu
quiet "15, with copies: the same PTX" same 80 solutions/15-*/stages.cu
quiet "21, in bf16: the same PTX" same 90 solutions/21-*/softmax_bf16.cu
quiet "with wmma: the same PTX" same 80 tests/honest/mma_by_wmma.cu
plan
