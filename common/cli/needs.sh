# SPDX-License-Identifier: MIT
# The packages that the workbook needs, and whether they are installed; sourced.
#
#   missing GROUP      Debian names of GROUP's missing packages, one per line
#                      (groups: compile, build, test, docs, book, plot, ...)
#   cuda_version DIR   "13.0", from the toolkit's own header
#   cuda_is_old V      is CUDA V ("11.5", "11.8.89-5") too old?
#   names_for FAMILY   translates Debian names on stdin to fedora's or arch's
#
# SETUP_ROOT is a prefix for all paths examined (tests use it).
# shellcheck shell=sh disable=SC2034

TOOLKIT=nvidia-cuda-toolkit
CUDA_MIN=11.8 # the oldest release whose runtime is simulated

# group, package, a command or a header that it brings, Fedora's, Arch's name
needs_table()
{
    cat <<END
compile gcc                gcc             gcc                      gcc
compile g++                g++             gcc-c++                  gcc
compile libc6-dev          stdlib.h        glibc-devel              glibc
build   libjansson-dev     jansson.h       jansson-devel            jansson
build   libinih-dev        ini.h           inih-devel               libinih
build   libzstd-dev        zstd.h          libzstd-devel            zstd
build   liblz4-dev         lz4.h           lz4-devel                lz4
test    git                git             git                      git
test    libcmocka-dev      cmocka.h        libcmocka-devel          cmocka
test    bats               bats            bats                     bash-bats
test    patch              patch           patch                    patch
test    shellcheck         shellcheck      ShellCheck               shellcheck
test    jq                 jq              jq                       jq
test    python3-jsonschema jsonschema      python3-jsonschema  python-jsonschema
test    libxml2-utils      xmllint         libxml2                  libxml2
test    unzip              unzip           unzip                    unzip
grade   bubblewrap      bwrap           bubblewrap               bubblewrap
export  jq                 jq              jq                       jq
export  zip                zip             zip                      zip
slurm   slurm-wlm          sbatch          slurm                    slurm-llnl
slurm   munge              munged          munge                    munge
slurm   iproute2           ip              iproute                  iproute2
docs    doxygen            doxygen         doxygen                  doxygen
book    pandoc             pandoc          pandoc                   pandoc
book    lua-dkjson         dkjson.lua      lua-dkjson               lua-dkjson
plot    gnuplot-nox        gnuplot         gnuplot-minimal          gnuplot
pdf     texlive-xetex xelatex texlive-xetex texlive-xetex
pdf texlive-fonts-recommended pzdr.tfm texlive-zapfding texlive-fontsrecommended
pdf texlive-latex-recommended float.sty texlive-float texlive-latexrecommended
pdf     lmodern    lmodern.sty  texlive-lm   texlive-fontsrecommended
pdf     fonts-dejavu-core  DejaVuSerif.ttf dejavu-serif-fonts       ttf-dejavu
pdf     fonts-dejavu-extra DejaVuSerif-Italic.ttf dejavu-sans-fonts ttf-dejavu
pdf     librsvg2-bin       rsvg-convert    librsvg2-tools           librsvg
formats poppler-utils      pdftotext       poppler-utils            poppler
formats epubcheck          epubcheck       epubcheck                epubcheck
formats unzip              unzip           unzip                    unzip
browser chromium           chromium        chromium                 chromium
browser nodejs             node            nodejs                   nodejs
browser npm                npm             npm                      npm
portable emscripten        emcc            emscripten               emscripten
portable zopfli            zopfli          zopfli                   zopfli
portable nodejs            node            nodejs                   nodejs
cuda    $TOOLKIT nvcc      cuda-toolkit    cuda
END
}

has() # THING: is this header, font, TeX file or command installed?
{
    case $1 in
    *.h)
        [ -f "$SETUP_ROOT/usr/include/$1" ] && return
        [ -f "$SETUP_ROOT/usr/local/include/$1" ] && return
        # Elsewhere (Nix, Conda) only the compiler knows.
        [ -z "$SETUP_ROOT" ] &&
            echo "#include <$1>" | gcc -E -x c - >/dev/null 2>&1
        ;;
    *.tfm | *.sty | *.ttf) # a font or TeX file
        find "$SETUP_ROOT/usr/share/texlive" "$SETUP_ROOT/usr/share/texmf" \
            "$SETUP_ROOT/usr/share/fonts" -name "$1" 2>/dev/null | grep -q .
        ;;
    *.lua) # from 3.1.1 on, pandoc's Lua reads JSON by itself
        find "$SETUP_ROOT"/usr/share/lua "$SETUP_ROOT"/usr/local/share/lua \
            -name "$1" 2>/dev/null | grep -q . || pandoc_reads_json
        ;;
    *) command -v "$SETUP_ROOT${SETUP_ROOT:+/usr/bin/}$1" >/dev/null ;;
    esac
}

pandoc_reads_json()
{
    "$SETUP_ROOT${SETUP_ROOT:+/usr/bin/}pandoc" --version 2>/dev/null |
        awk 'NR == 1 { split($2, v, "."); n = (v[1] * 100 + v[2]) * 100 + v[3] }
            END { exit n < 30101 }'
}

missing()
{
    needs_table | while read -r group package thing _; do
        [ "$group" = "$1" ] || continue
        has "$thing" || echo "$package"
    done
}

names_for() # fedora|arch
{
    while read -r wanted; do
        needs_table | while read -r _ package _ fedora arch; do
            [ "$package" != "$wanted" ] && continue
            [ "$1" = fedora ] && echo "$fedora" || echo "$arch"
        done
    done
}

cuda_version()
{
    for header in "$1"/include/cuda_runtime_api.h \
        "$1"/targets/*/include/cuda_runtime_api.h \
        "$1"/lib/cuda/include/cuda_runtime_api.h; do
        [ -f "$header" ] || continue
        sed -n '/^#define CUDART_VERSION/{
            s/[^0-9]*\([0-9]*\)0\([0-9]\)0$/\1.\2/p
            q
        }' "$header"
        return
    done
}

cuda_is_old()
{
    echo "$1" | awk -F '[.]' -v min="$CUDA_MIN" '{
        split(min, m)
        exit !($1 + 0 < m[1] || ($1 + 0 == m[1] && $2 + 0 < m[2]))
    }'
}
