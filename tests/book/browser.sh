#!/bin/sh
# SPDX-License-Identifier: MIT
# browser.sh: the built book in headless Chromium, as TAP: every page under
# axe-core and at phone width, search, dark, copy, keyboard, requests. Installs
# its two npm packages into $BUILD/book/node. SHOTS=dir keeps screenshots.
# Then the other formats, where their script is there.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac

for tool in node npm chromium; do
    command -v $tool >/dev/null && continue
    echo "test-book needs $tool. Install Debian's packages nodejs, npm and" \
        "chromium." >&2
    exit 1
done

. tests/npm.sh

profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
PROFILE=$profile node tests/book/browser.js "$BUILD/book/html"
status=$?
if [ -f tests/book/formats.sh ]; then
    BUILD=$BUILD sh tests/book/formats.sh || status=1
fi
exit $status
