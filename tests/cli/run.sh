#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands a learner types, each in a scratch copy of the tree, as TAP.
cd "$(dirname "$0")" || exit 1
exec bats --tap .
