#!/bin/sh
# SPDX-License-Identifier: MIT
# whole.sh: the page's engine against the native one, its speed, and the pages
# in a browser. Ends with the line `N passed, N failed`; for make test-page.
#   SHOTS=dir keeps screenshots
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
. tests/npm.sh
out=$BUILD/page/tests.tap
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
node tests/page/speed.js "$BUILD/page/engine.js"
{
    node tests/page/equal.js "$BUILD/page/engine.js" \
        "$BUILD/bin/page-native" || echo "not ok - equal.js failed"
    PROFILE=$profile node tests/page/browser.js "$BUILD/book/html" \
        "$BUILD/bin/page-native" || echo "not ok - browser.js failed"
} >"$out" 2>&1
awk '
    /^ok/ { passed++ }
    /^not ok/ { failed++ }
    /^1\.\./ { planned += substr($1, 4); plans++ }
    !/^ok/ && !/^1\.\./
    END {
        if ((plans != 2 || planned != passed + failed) && !failed) failed = 1
        print passed + 0 " passed, " failed + 0 " failed"
        exit failed > 0 || !passed
    }' "$out"
