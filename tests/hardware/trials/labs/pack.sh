#!/bin/sh
# SPDX-License-Identifier: MIT
# pack.sh FOLDER: bubblewrap with the libraries that it needs, for a machine on
# which nothing can be installed. FOLDER/bwrap is a script that runs it.
set -eu
to=$1
program=$(command -v bwrap)
rm -rf "$to"
mkdir -p "$to/lib"
cp -L "$program" "$to/lib/bwrap"
ldd "$program" | grep -o '/[^ ]*' | while read -r file; do
    cp -L "$file" "$to/lib/"
done
cat >"$to/bwrap" <<'END'
#!/bin/sh
# With its own loader: the C library here may be another.
lib=$(cd "$(dirname "$0")" && pwd)/lib
exec "$lib"/ld-linux*.so* --library-path "$lib" "$lib/bwrap" "$@"
END
chmod +x "$to/bwrap"
"$to/bwrap" --version
