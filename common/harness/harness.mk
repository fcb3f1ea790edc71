# SPDX-License-Identifier: MIT
# The kernels that measure a device's ceilings, and what timing links with.

# check holds times against datasheets.
$(BUILD)/bin/check: $(BUILD)/o/common/simgpu/gpu.o

ROOF_STAGES = $(BUILD)/harness/roofs.so $(BUILD)/harness/tensor_roofs.so
ifneq ($(NVCC),)
programs: $(ROOF_STAGES)
endif

# Tensor cores: mma.sync from sm_80 on, with fp8 from sm_89 on; wgmma on sm_90,
# in an architecture of its own that CUDA 11 lacks. PTX of the second for what
# is newer.
ROOF_ARCHS = -gencode arch=compute_75,code=[compute_75,sm_75] \
             -gencode arch=compute_80,code=[compute_80,sm_80] \
             -gencode arch=compute_90,code=sm_90
HOPPER = $(if $(filter 11,$(CUDA_MAJOR)),90,90a)
TENSOR_ARCHS = -gencode arch=compute_75,code=sm_75 \
               -gencode arch=compute_80,code=sm_80 \
               -gencode arch=compute_89,code=[compute_89,sm_89] \
               -gencode arch=compute_$(HOPPER),code=sm_$(HOPPER)
$(BUILD)/harness/roofs.so: ARCHS = $(ROOF_ARCHS)
$(BUILD)/harness/tensor_roofs.so: ARCHS = $(TENSOR_ARCHS)

$(ROOF_STAGES): $(BUILD)/harness/%.so: common/harness/%.cu \
                            common/harness/loaded.cuh common/op/roof.h \
                            common/op/stage.h $(TOOLKIT)
	@mkdir -p $(@D)
	@$(say)
	$(NVCC) -O3 -Icommon -shared -cudart shared -lineinfo \
	    -Xcompiler -fPIC,-fvisibility=hidden $(ARCHS) -o $@ $< >$@.log 2>&1 || \
	    { cat $@.log >&2; exit 1; }
	grep -v 'ptxas info.*warpgroup' $@.log >&2 || : # what ptxas adds itself

$(BUILD)/unit/roofs_test: | $(PROGRAMS) $(CUDART) $(ROOF_STAGES)
