#!/bin/sh
# SPDX-License-Identifier: MIT
# Tricks that would pass a careless checker. `run.sh gpu` needs a GPU.
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../handins.sh" "$here" "$@"
