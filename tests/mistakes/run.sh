#!/bin/sh
# SPDX-License-Identifier: MIT
# What beginners get wrong, each with the words it must be answered with.
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../handins.sh" "$here" "$@"
