# SPDX-License-Identifier: MIT
# Counters of the solutions: a GPU's own against the simulated one's.

$(BUILD)/hardware/launch: tests/hardware/launch.c $(call op_obj,o) | $(CUDART)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(CUDART) -ldl -lm

$(BUILD)/hardware/compare: tests/hardware/compare.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $< -l:libjansson.a

# A chapter's virtual architecture stands in its chapter.conf.
hardware_arch = $(shell . common/cli/lib.sh; chapter_conf chapters/$(*D)-* arch)
# Its machine code for an H200; an `a` in it binds it to this very architecture.
hardware_code = $(if $(filter compute_90a,$(hardware_arch)),sm_90a,sm_90)

# Chapter and name from build/hardware/stage/05/forward.so. The guard of
# <cmath>'s Bessel functions leaves them out, as check does. Those of
# build/hardware/ptx/ are for the simulated GPU, which takes PTX alone.
define hardware_stage
$(BUILD)/hardware/$(1)/%.so: $(wildcard solutions/*/*.cu common/op/*.h)
	@mkdir -p $$(@D)
	$(NVCC) -shared -cudart shared -lineinfo -Icommon -Icommon/op \
	    -D_GLIBCXX_BITS_SPECFUN_H=1 -Xcompiler -fPIC,-fvisibility=hidden \
	    -gencode arch=$$(hardware_arch),code=[$$($(2))] \
	    -o $$@ $$(wildcard solutions/$$(*D)-*/$$(*F).cu)
endef
hardware_codes = $(hardware_arch),$(hardware_code)
$(eval $(call hardware_stage,stage,hardware_codes))
$(eval $(call hardware_stage,ptx,hardware_arch))

HARDWARE_STAGES = $(sort $(shell awk '!/^\#/ && NF { print \
    "$(BUILD)/hardware/stage/" $$1 "/" $$2 ".so" }' tests/hardware/cases))
HARDWARE_TOOLS  = $(addprefix $(BUILD)/hardware/,launch compare)
hardware: $(HARDWARE_STAGES) $(HARDWARE_TOOLS)
hardware-ptx: $(subst /hardware/stage/,/hardware/ptx/,$(HARDWARE_STAGES)) \
              $(HARDWARE_TOOLS)
