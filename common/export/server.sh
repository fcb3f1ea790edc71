#!/bin/sh
# SPDX-License-Identifier: MIT
# server.sh: installs the grader of this bundle on the server that runs the
# jobs, as root: into /opt/warpbook-%NN%. Jobs there are another user's, so a
# hand-in can only be kept apart where users may make namespaces; where they may
# not, this fails. It cannot see what the platform adds, such as a chroot, in
# which nobody may.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
command -v make >/dev/null || {
    apt-get update && apt-get install -y --no-install-recommends make
}
mkdir -p /opt/warpbook-%NN%
tar -C /opt/warpbook-%NN% --strip-components=1 -xzf "$here/workbook.tar.gz"
sh /opt/warpbook-%NN%/common/export/image.sh server
