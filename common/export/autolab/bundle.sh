# SPDX-License-Identifier: MIT
# A lab of Autolab's; sourced by export.sh.
# shellcheck shell=sh disable=SC2154
image '' /usr/bin/autodriver
cat >>"$part/Dockerfile" <<'END'
# Tango's job is the user autograde's; the grader is root's.
RUN apt-get install -y --no-install-recommends sudo && \
    echo "autograde ALL=(root) NOPASSWD:" \
    "/bin/sh /opt/warpbook/common/export/one.sh autolab handin" \
    >/etc/sudoers.d/warpbook && chmod 440 /etc/sudoers.d/warpbook
END
files autolab/autograde-Makefile
tar -C common/export/autolab --owner=0 --group=0 -cf "$part/autograde.tar" \
    run.sh
