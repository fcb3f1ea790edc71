# SPDX-License-Identifier: MIT
# doctor tells what is here, on a good machine and on a bare one.
load scratch

fake_tool() # NAME; stdin: its script
{
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    { echo '#!/bin/sh'; cat; } >"$BATS_TEST_TMPDIR/bin/$1"
    chmod +x "$BATS_TEST_TMPDIR/bin/$1"
}

toolkit_of() # VERSION-NUMBER: a folder that looks like that toolkit
{
    CUDA_HOME=$BATS_TEST_TMPDIR/cuda
    mkdir -p "$CUDA_HOME/bin" "$CUDA_HOME/include"
    printf '#!/bin/sh\n' >"$CUDA_HOME/bin/nvcc"
    chmod +x "$CUDA_HOME/bin/nvcc"
    echo "#define CUDART_VERSION  $1" \
        >"$CUDA_HOME/include/cuda_runtime_api.h"
    export CUDA_HOME
}

@test "doctor names the toolkit and its version" {
    toolkit_of 12040
    run make -s doctor
    [ "$status" -eq 0 ]
    says "CUDA 12.4 in $CUDA_HOME"
    says "yes  check a kernel on the simulated GPU"
}

@test "doctor says that an old toolkit does not do" {
    toolkit_of 11050
    run make -s doctor
    [ "$status" -eq 0 ]
    says "CUDA 11.5"
    says "not supported"
    says "no   check a kernel on the simulated GPU"
}

@test "doctor says that a toolkit does not take this host's compiler" {
    toolkit_of 11080
    cat >"$CUDA_HOME/bin/nvcc" <<'END'
#!/bin/sh
echo 'In file included from cuda_runtime.h:83,' >&2
echo 'host_config.h:132: #error -- unsupported GNU version!' >&2
exit 1
END
    run make -s doctor
    [ "$status" -eq 0 ]
    says "CUDA 11.8 in $CUDA_HOME: it does not compile"
    says "unsupported GNU version"
    says "no   check a kernel on the simulated GPU"
}

@test "doctor on a bare machine: nothing fails, nothing is installed" {
    unset CUDA_HOME CUDA_PATH
    export SETUP_ROOT=$BATS_TEST_TMPDIR/bare
    mkdir -p "$SETUP_ROOT"
    for tool in apt-get sudo; do
        echo "touch '$BATS_TEST_TMPDIR/touched'" | fake_tool $tool
    done
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run make -s doctor
    [ "$status" -eq 0 ]
    says "none in"
    says "libjansson-dev"
    says "make check-solution 5 installs it"
    says "no   check a kernel on the simulated GPU"
    [ ! -e "$BATS_TEST_TMPDIR/touched" ]
    [ ! -e build ]
}

@test "doctor shows a GPU, its memory and clocks" {
    toolkit_of 13000
    fake_tool nvidia-smi <<'END'
case $1 in
*index,name*) echo "0, NVIDIA T4, 7.5, 15360 MiB, 15000 MiB" ;;
*clocks*) echo "300 MHz, 1590 MHz, 405 MHz" ;;
*driver_version*) echo "580.1" ;;
esac
END
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run make -s doctor
    [ "$status" -eq 0 ]
    says "580.1"
    says "NVIDIA T4, sm_7.5, 15360 MiB, 15000 MiB free"
    says "300 MHz, 1590 MHz, 405 MHz"
    says "yes  run and time it on a GPU"
}

@test "doctor with a driver but no GPU says what to look at" {
    fake_tool nvidia-smi </dev/null
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run make -s doctor
    [ "$status" -eq 0 ]
    says "shows no GPU"
    says "nvidia-smi"
}

@test "doctor says that a hand-out has no solutions" {
    rm -r solutions
    run make -s doctor
    [ "$status" -eq 0 ]
    says "check-solution and diff do not work"
}
