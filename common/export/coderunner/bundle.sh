# SPDX-License-Identifier: MIT
# A CodeRunner question in Moodle; sourced by export.sh.
# shellcheck shell=sh disable=SC2154
files server.sh coderunner/template.py
