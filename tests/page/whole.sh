#!/bin/sh
# SPDX-License-Identifier: MIT
# whole.sh: the page's engine against the native one, and the pages in a
# browser. Ends with the line `N passed, N failed`; for make test-page.
# Where npm reaches no registry, the browser's part is skipped, and a line says
# so.
#   SHOTS=dir keeps screenshots
set -u
cd "$(dirname "$0")/../.." || exit
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
out=$BUILD/page/tests.tap
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

in_browser()
{
    . tests/npm.sh
    PROFILE=$profile node tests/page/browser.js "$BUILD/book/html" \
        "$BUILD/bin/page-native"
}

: >"$out"
node tests/page/equal.js "$BUILD/page/engine.js" "$BUILD/bin/page-native" \
    >>"$out" 2>&1 || echo "not ok - equal.js ends with an error" >>"$out"
plans=1
if (. tests/npm.sh) 2>"$profile.npm"; then
    plans=2
    (in_browser) >>"$out" 2>&1 ||
        echo "not ok - browser.js ends with an error" >>"$out"
else
    echo "skipped: the pages in a browser: $(cat "$profile.npm")"
fi
rm -f "$profile.npm"

awk -v plans="$plans" '
    /^ok/ { passed++ }
    /^not ok/ { failed++ }
    /^1\.\./ { planned += substr($1, 4); plans-- }
    !/^ok/ && !/^1\.\./
    END {
        if ((plans || planned != passed + failed) && !failed) failed = 1
        print passed + 0 " passed, " failed + 0 " failed"
        exit failed > 0 || !passed
    }' "$out"
