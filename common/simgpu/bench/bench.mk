# SPDX-License-Identifier: MIT
# `make bench-sim`: the simulated GPU's own speed. The stages are built as
# learners' are; the program is their CUDA runtime, so LD_LIBRARY_PATH only
# satisfies the loader. before.txt is what the same command printed (`sim`
# without --before and --start) for the simulator of commit 8a84c85, with
# which the figures are compared; its launches were a quarter as long.

SIM_STAGES = $(wildcard solutions/0[4-7]-dwconv-*/forward.cu)
sim_so     = $(patsubst solutions/%/forward.cu,$(BUILD)/bench/%.so,$(1)) \
             $(BUILD)/bench/gemm.so

.PHONY: bench-sim
bench-sim: $(BUILD)/bench/sim $(call sim_so,$(SIM_STAGES)) $(CUDART) \
    $(BUILD)/bench/start programs
	@LD_LIBRARY_PATH=$(BUILD)/simgpu $< \
	    --before common/simgpu/bench/before.txt \
	    --start $(BUILD)/bin/simgpu $(BUILD)/bench/start \
	    $(foreach s,$(call sim_so,$(SIM_STAGES)),$(notdir $(basename $(s)))=$(s))

$(BUILD)/bench/sim: common/simgpu/bench/sim.c $(call sim_obj,o)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -rdynamic -o $@ $^ $(LIBS)

$(BUILD)/bench/start: common/simgpu/bench/start.cu
	@mkdir -p $(@D)
	$(NVCC) -cudart shared -gencode arch=compute_75,code=compute_75 -o $@ $<
$(BUILD)/bench/%.so: solutions/%/forward.cu
	$(build_sim_stage)
$(BUILD)/bench/%.so: common/simgpu/bench/%.cu common/simgpu/bench/gemm.h
	$(build_sim_stage)
define build_sim_stage
	@mkdir -p $(@D)
	$(NVCC) -shared -cudart shared -lineinfo -Xcompiler -fPIC \
	    -Xcompiler -fvisibility=hidden -arch=compute_75 -Icommon -o $@ $<
endef
