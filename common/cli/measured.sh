#!/bin/sh
# SPDX-License-Identifier: MIT
# measured.sh COMMAND...: runs the command, and says how many seconds it took,
# then what the shell's `times` says. What the command says goes to stderr. It
# measures where the command runs: a queue before that does not count.
began=$(date +%s)
"$@" >&2 || exit
echo $(($(date +%s) - began))
times
