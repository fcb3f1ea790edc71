#!/bin/sh
# SPDX-License-Identifier: MIT
# Gradescope runs this once, as root, when the bundle is uploaded. It needs a
# base image with CUDA 11.8 or newer among its packages: Ubuntu 24.04 or later.
set -eu
apt-get update
apt-get install -y --no-install-recommends make
tar -C /opt -xzf /autograder/source/workbook.tar.gz
sh /opt/warpbook/common/export/image.sh container
