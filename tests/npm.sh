# SPDX-License-Identifier: MIT
# The npm packages that tests in a browser need (tests/book/package.json), put
# into $BUILD/book/node; sourced. Fails, and says why, where npm does.
# shellcheck shell=sh
node=$BUILD/book/node

mkdir -p "$node"
if ! cmp -s tests/book/package.json "$node/package.json"; then
    cp tests/book/package.json "$node/package.json.new"
    (cd "$node" && cp package.json.new package.json &&
        npm install --no-audit --no-fund --ignore-scripts >npm.log 2>&1) || {
        rm -f "$node/package.json"
        echo "npm install failed: $node/npm.log" >&2
        exit 1
    }
fi
NODE_PATH=$node/node_modules
export NODE_PATH
