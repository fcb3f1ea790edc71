#!/bin/sh
# SPDX-License-Identifier: MIT
# Beginners' mistakes, each with the text that the report must contain.
here=$(cd "$(dirname "$0")" && pwd)
exec sh "$here/../handins.sh" "$here" "$@"
