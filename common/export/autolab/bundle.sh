# SPDX-License-Identifier: MIT
# A lab of Autolab's; sourced by export.sh.
# shellcheck shell=sh disable=SC2154
image '' /usr/bin/autodriver
files autolab/autograde-Makefile
tar -C common/export/autolab --owner=0 --group=0 -cf "$part/autograde.tar" \
    run.sh
