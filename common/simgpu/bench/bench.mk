# SPDX-License-Identifier: MIT
# `make bench-sim`: the simulated GPU's own speed. The stages are built as
# learners' are; the program is their CUDA runtime, so LD_LIBRARY_PATH only
# satisfies the loader.
# `make bench-sim BASE=COMMIT`: that commit's speed beside; see compare.sh.

SIM_STAGES = $(wildcard solutions/0[4-7]-dwconv-*/forward.cu)
sim_so     = $(patsubst solutions/%/forward.cu,$(BUILD)/bench/%.so,$(1)) \
             $(BUILD)/bench/gemm.so $(BUILD)/bench/mma.so
sim_args   = $(foreach s,$(call sim_so,$(SIM_STAGES)),\
                 $(notdir $(basename $(s)))=$(s))
BENCH_SIM  = $(addprefix common/simgpu/bench/,sim.c measure_plain.c)
PLAIN_OBJ  = $(foreach i,$(ISAS),$(BUILD)/o/common/simgpu/bench/plain.$(i).o)

.PHONY: bench-sim
bench-sim: $(BUILD)/bench/sim $(call sim_so,$(SIM_STAGES)) $(CUDART) \
    $(BUILD)/bench/start programs
	@LD_LIBRARY_PATH=$(BUILD)/simgpu $(if $(BASE),\
	    BUILD='$(BUILD)' CC='$(CC)' PLAIN_OBJ='$(PLAIN_OBJ)' \
	    INC='$(addprefix -isystem ,$(CUDA_HOME:%=%/include))' \
	    sh common/simgpu/bench/compare.sh '$(BASE)',\
	    $< --start $(BUILD)/bin/simgpu $(BUILD)/bench/start) $(sim_args)

$(BUILD)/bench/sim: $(call obj,o,$(BENCH_SIM)) $(PLAIN_OBJ) $(call sim_obj,o)
	@mkdir -p $(@D)
	$(CC) -rdynamic -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/bench/start: common/simgpu/bench/start.cu
	@mkdir -p $(@D)
	$(NVCC) -cudart shared -gencode arch=compute_75,code=compute_75 -o $@ $<
$(BUILD)/bench/%.so: solutions/%/forward.cu
	$(build_sim_stage)
$(BUILD)/bench/%.so: common/simgpu/bench/%.cu common/simgpu/bench/gemm.h
	$(build_sim_stage)
$(BUILD)/bench/mma.so: solutions/16-gemm-tensor-core/fragments.cu
	$(build_sim_stage)
$(BUILD)/bench/mma.so: SIM_ARCH = compute_80
SIM_ARCH = compute_75
define build_sim_stage
	@mkdir -p $(@D)
	$(NVCC) -shared -cudart shared -lineinfo -Xcompiler -fPIC \
	    -Xcompiler -fvisibility=hidden -arch=$(SIM_ARCH) -Icommon -o $@ $<
endef
