#!/bin/sh
# SPDX-License-Identifier: MIT
# pack.sh GLUE WASM.GZ WORKER: one script that holds the engine as data, so that
# a page opened from a file can start it in a worker: `simEngine = {source,
# packed}`, the worker's text and the compressed module in base64.
# pack.sh size WASM.GZ: says how large it is, and fails above the limit.
set -eu

LIMIT=250000 # bytes: what the book allows

if [ "$1" = size ]; then
    bytes=$(wc -c <"$2")
    echo "The engine: $(gzip -dc "$2" | wc -c) bytes, $bytes compressed."
    [ "$bytes" -le $LIMIT ] || {
        echo "It may have $LIMIT compressed. WASM_SMALL in page.mk names" \
            "the files that are compiled for size: add some." >&2
        exit 1
    }
    exit
fi

text() # FILE...: as the inside of a template literal
{
    sed -e 's/\\/\\\\/g' -e 's/`/\\`/g' -e 's/\${/\\${/g' "$@"
}

echo "// SPDX-License-Identifier: MIT"
printf 'globalThis.simEngine = { source: `'
text "$1" "$3"
printf '`,\npacked: "'
base64 "$2" | tr -d '\n'
printf '" };\n'
