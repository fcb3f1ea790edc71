#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the C table of operator families: one row per common/op/NAME.c that
# defines op_family_NAME. Arguments: those files.
echo '#include "op/op.h"'
names=$(for f; do grep -l 'op_family_table op_family_' "$f"; done |
    sed 's|.*/||; s|\.c$||')
for n in $names; do
    echo "extern const struct op_family_table op_family_$n;"
done
echo 'const struct op_family_table *const op_families[] = {'
for n in $names; do echo "    &op_family_$n,"; done
echo '    NULL,'
echo '};'
