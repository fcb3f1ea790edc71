# SPDX-License-Identifier: MIT
# What is uploaded to Gradescope; sourced by export.sh.
# shellcheck shell=sh disable=SC2154
image gradescope/autograder-base:ubuntu-24.04
cat >>"$part/Dockerfile" <<'END'
COPY run_autograder /autograder/run_autograder
RUN chmod 755 /autograder/run_autograder
END
files gradescope/setup.sh gradescope/run_autograder
(cd "$part" && zip -q -X autograder.zip setup.sh run_autograder workbook.tar.gz)
