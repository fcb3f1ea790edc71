#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the conformance rows of the simulated GPU; prints TAP.
#   BUILD=dir   where to build, as for make
set -eu

cd "$(dirname "$0")/../.."
build=${BUILD:-build}
if ! make --no-print-directory -s BUILD="$build" \
    "$build/bin/simgpu-conformance" "$build/bin/simgpu-audit" >&2; then
    echo "Bail out! The conformance programs do not build (see above)."
    exit 1
fi
exec "$build/bin/simgpu-conformance"
