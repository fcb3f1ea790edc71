# SPDX-License-Identifier: MIT
# bin/train, and the solutions' stages that it trains with: build/train/NN.

TRAIN_SRC = $(wildcard common/train/*.c)
TRAIN_CONVS = 04 05 06 07 09
TRAIN_STAGES = $(foreach n,$(TRAIN_CONVS),$(addprefix $n/,forward input_grad weight_grad)) \
    08/weight_grad $(addprefix 22/,kernels evonorm_b0 evonorm_b0_eval gradient evonorm_b0_backward) \
    $(addprefix 24/,adam swish_backward rms_backward)
TRAIN_LIBS = $(patsubst %,$(BUILD)/train/%.so,$(TRAIN_STAGES) kernels)

$(BUILD)/bin/train: $(call obj,o,$(TRAIN_SRC)) | $(CUDART)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -rdynamic -o $@ $^ $(CUDART) -ldl -lm -pthread
$(call obj,o,$(TRAIN_SRC)): $(TOOLKIT)

programs: $(BUILD)/bin/train

# The guard of <cmath>'s Bessel functions leaves them out, as check does.
TRAIN_NVCC = $(NVCC) -O3 -Icommon -shared -cudart shared -lineinfo \
    -D_GLIBCXX_BITS_SPECFUN_H=1 -Xcompiler -fPIC,-fvisibility=hidden

# A stage of the solutions (of the chapters, where a course keeps solutions to
# itself), for the architecture that its chapter names.
train_source = $(firstword $(foreach d,solutions chapters,\
    $(wildcard $d/$(firstword $(subst /, ,$(1)))-*/$(notdir $(1)).cu)))
define train_stage
$(BUILD)/train/$(1).so: $(call train_source,$(1)) \
                        $(wildcard common/op/*.h common/op/*.cuh)
	@mkdir -p $$(@D)
	@$$(say)
	arch=$$$$(sed -n 's/^arch *= *//p' chapters/$(firstword $(subst /, ,$(1)))-*/chapter.conf) && \
	    $(TRAIN_NVCC) -gencode arch=$$$$arch,code=$$$$arch -o $$@ $$<
endef
$(foreach s,$(TRAIN_STAGES),$(eval $(call train_stage,$s)))

$(BUILD)/train/kernels.so: $(wildcard common/train/kernels_*.cu) \
                           $(wildcard common/train/*.h common/train/*.cuh common/op/*.h)
	@mkdir -p $(@D)
	@$(say)
	$(TRAIN_NVCC) -gencode arch=compute_75,code=compute_75 -o $@ $(filter %.cu,$^)

.PHONY: train train-stages
train-stages: $(TRAIN_LIBS)
train: $(if $(PREBUILT),,programs train-stages)
	@$(said)
	@exec sh common/cli/train.sh

$(BUILD)/unit/train_test $(BUILD)/unit/block_test: $(patsubst %.c,$(BUILD)/san/%.o,\
    $(filter-out %/main.c %/device.c,$(TRAIN_SRC)))
