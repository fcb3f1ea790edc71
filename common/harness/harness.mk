# SPDX-License-Identifier: MIT
# The kernels that measure a device's ceilings, and what timing links with.

# check holds times against datasheets.
$(BUILD)/bin/check: $(BUILD)/o/common/simgpu/gpu.o

ifneq ($(NVCC),)
ROOFS = $(BUILD)/harness/roofs.so
programs: $(ROOFS)
endif

$(BUILD)/harness/roofs.so: common/harness/roofs.cu common/op/roof.h \
                           common/op/stage.h $(TOOLKIT)
	@mkdir -p $(@D)
	@$(say)
	$(NVCC) -O3 -Icommon -shared -cudart shared -lineinfo \
	    -Xcompiler -fPIC,-fvisibility=hidden \
	    -gencode arch=compute_75,code=[compute_75,sm_75,sm_80,sm_90] \
	    -o $@ $<

$(BUILD)/unit/roofs_test: | $(PROGRAMS) $(CUDART) $(BUILD)/harness/roofs.so
