#!/bin/sh
# SPDX-License-Identifier: MIT
# pack.sh GLUE WASM WORKER: one script that holds the engine as data, so that a
# page opened from a file can start it in a worker: `simEngine = {source,
# packed}`, the worker's text and the module, compressed, in base64.
# pack.sh size WASM: says how large it is compressed, and fails above the limit.
set -eu

LIMIT=250000 # bytes: what the book allows

if [ "$1" = size ]; then
    bytes=$(gzip -9nc "$2" | wc -c)
    echo "The engine: $(wc -c <"$2") bytes, $bytes compressed."
    [ "$bytes" -le $LIMIT ]
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
gzip -9nc "$2" | base64 | tr -d '\n'
printf '" };\n'
