# SPDX-License-Identifier: MIT
# The files of a VPL activity in Moodle; sourced by export.sh.
# shellcheck shell=sh disable=SC2154
files server.sh vpl/vpl_run.sh vpl/vpl_evaluate.sh
