#!/bin/sh
# SPDX-License-Identifier: MIT
# Correct kernels written in unusual ways: none may be rejected.
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../handins.sh" "$here" "$@"
