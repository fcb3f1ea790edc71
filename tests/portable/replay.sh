#!/bin/sh
# SPDX-License-Identifier: MIT
# Records the conformance rows, replays them with the engine built for a host
# without an operating system: natively and as WebAssembly under node. Ends
# with the line `N passed, N failed`.
#   BUILD=dir   the build folder
#   M32=yes     build/m32/replay is there, too
set -eu
build=${BUILD:-build}
record=$build/wasm/conformance.rec
trap 'rm -f "$record" "$record.false"' EXIT

"$build/bin/simgpu-conformance" "$record" >"$build/wasm/record.tap" || {
    echo "The conformance rows fail here already; see make test."
    echo "0 passed, 1 failed"
    exit 1
}

# Large memory comes by malloc here, up to 350 MB per launch, and is cleared by
# hand. What is freed stays with the process: otherwise Linux clears it, too.
GLIBC_TUNABLES=glibc.malloc.mmap_max=0:glibc.malloc.top_pad=67108864
GLIBC_TUNABLES=$GLIBC_TUNABLES:glibc.malloc.trim_threshold=2147483648
export GLIBC_TUNABLES

replay() # NAME COMMAND...: into NAME.tap and NAME.end
{
    name=$1
    shift
    code=0
    "$@" "$record" >"$build/wasm/$name.tap" 2>&1 || code=$?
    echo "$code" >"$build/wasm/$name.end"
}
replay plain "$build/bin/simgpu-replay" &
replay wasm node "$build/wasm/replay.js"
wait
names="plain wasm"
if [ "${M32-}" = yes ]; then
    replay m32 "$build/m32/replay"
    names="$names m32"
else
    echo "m32: skipped, since this compiler builds nothing for 32 bits"
    echo "(Debian: gcc-multilib)"
fi

# A record of other instructions must not pass.
head -c 3000000 "$record" |
    LC_ALL=C sed 's/%d, %a, %b;/%d, %b, %b;/' >"$record.false"
if "$build/bin/simgpu-replay" "$record.false" >"$build/wasm/false.tap" 2>&1 ||
    ! grep -q '^not ok' "$build/wasm/false.tap"; then
    echo "A false record passed."
    echo "0 passed, 1 failed"
    exit 1
fi

# As many rows as were recorded must have come back: silence is no success.
for name in $names; do
    awk -v name="$name" -v code="$(cat "$build/wasm/$name.end")" '
        /^not ok/ { failed++; if (failed <= 20) print "text\t" name ": " $0 }
        /^# / && failed < 20 { print "text\t    " $0 }
        /^ok/ { passed++ }
        /^1\.\./ { planned = substr($1, 4) }
        END {
            if (passed + failed < 7000 || planned != passed + failed ||
                (code && !failed)) {
                print "text\t" name ": " passed + failed " rows of " \
                    planned + 0 ", exit code " code
                failed++
            }
            print "sum\t" name "\t" passed + 0 "\t" failed + 0
        }' "$build/wasm/$name.tap"
done | awk -F '\t' '
    $1 == "text" { print $2 }
    $1 == "sum" {
        printf "%-18s %4d passed, %d failed\n", $2, $3, $4
        passed += $3
        failed += $4
    }
    END {
        print passed + 0 " passed, " failed + 0 " failed"
        exit failed > 0 || passed == 0
    }'
