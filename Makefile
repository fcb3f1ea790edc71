# SPDX-License-Identifier: MIT
# All commands; `make` without arguments prints them.

BUILD ?= build
include common/cli/commands.mk

CC    = gcc
AR    = ar

CUDA_HOME := $(shell sh common/cli/find-cuda.sh)
NVCC      := $(if $(CUDA_HOME),$(CUDA_HOME)/bin/nvcc)
CUDA_RELEASE := $(if $(NVCC),$(shell $(NVCC) --version | \
                  sed -n 's/.*release \([0-9.]*\).*/\1/p'))
CUDA_MAJOR   := $(firstword $(subst ., ,$(CUDA_RELEASE)))
# The soname of the CUDA runtime, which is also the version of its symbols.
CUDART_SO    := libcudart.so.$(patsubst 11,11.0,$(CUDA_MAJOR))
export CUDA_HOME NVCC

# -g1: lines for backtraces. -g takes a third longer.
# A product is rounded before it is added, unless the source asks for an fma.
CSTD   = -std=c11 -D_GNU_SOURCE -ffp-contract=off
WARN   = -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror
CFLAGS = -O2 -g1
INC    = -Icommon -Ichecker $(if $(CUDA_HOME),-isystem $(CUDA_HOME)/include)
ALL_CFLAGS = $(CSTD) $(WARN) $(CFLAGS) $(INC) $(DEPENDS) -fPIC -pthread
# BUILD may be relative or, in tests, absolute: dependencies are recorded for
# both names of a file.
empty      =
other_name = $(if $(findstring $(empty) $(empty),$(CURDIR)),,$(filter-out $(1),\
    $(if $(filter /%,$(1)),$(patsubst $(CURDIR)/%,%,$(1)),$(CURDIR)/$(1))))
DEPENDS    = -MMD -MP -MT $@ $(addprefix -MT ,$(call other_name,$@))
# -O1: with sanitizers, -O3 of the vector code takes gcc ten times as long. It is
# one source for all vector widths: what a sanitizer finds, it finds in one.
SAN    = -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined

# Static libraries if they exist, so that a build also runs on machines without
# these libraries.
static = $(if $(wildcard /usr/lib*/lib$1.a /usr/lib/*/lib$1.a),\
           -l:lib$1.a,-l$1)
# The C++ runtime lies with the compiler; of it the demangler is used.
CXX_LIB := $(if $(filter /%,$(shell $(CC) -print-file-name=libstdc++.a 2>/dev/null)),\
             -l:libstdc++.a,-lstdc++)
LIBS := $(foreach l,jansson inih zstd lz4,$(call static,$l)) $(CXX_LIB) \
        -ldl -lm -pthread

OP_SRC      = $(wildcard common/op/*.c)
HARNESS_SRC = $(wildcard common/harness/*.c)
PTX_SRC     = $(wildcard common/simgpu/ptx/*.c common/simgpu/*.c)
CORE_SRC    = $(filter-out $(LANES_SRC),$(wildcard common/simgpu/core/*.c common/simgpu/core/*/*.c))
HOST_SRC    = $(wildcard common/simgpu/host/linux/*.c)
DEVICE_SRC  = $(wildcard common/simgpu/device/*.c)
CUDART_SRC  = $(wildcard common/simgpu/cudart/*.c)
CHECK_SRC   = $(wildcard checker/check/*.c checker/check/*/*.c)
RUNNER_SRC  = $(wildcard checker/runner/*.c)
SHARED_SRC  = $(wildcard checker/*.c common/sweep/*.c)

# The handlers for 32 lanes: compiled per vector width, chosen at run time.
LANES_SRC = $(wildcard common/simgpu/core/lanes/lanes*.c)
ISAS     := base $(if $(filter x86_64,$(shell uname -m)),avx2 avx512)
ISA_base   =
ISA_avx2   = -march=x86-64-v3
ISA_avx512 = -march=x86-64-v4 -mprefer-vector-width=512

obj = $(patsubst %.c,$(BUILD)/$(1)/%.o,$(2))
ISAS_san  = base
lanes_obj = $(foreach i,$(or $(ISAS_$(1)),$(ISAS)),$(patsubst %.c,$(BUILD)/$(1)/%.$(i).o,$(LANES_SRC)))
sim_obj = $(call obj,$(1),$(PTX_SRC) $(CORE_SRC) $(HOST_SRC)) $(call lanes_obj,$(1))
op_obj  = $(call obj,$(1),$(OP_SRC)) $(BUILD)/$(1)/op_table.o
PROGRAMS = $(addprefix $(BUILD)/bin/,check runner simgpu-device simgpu)
CUDART   = $(BUILD)/simgpu/$(CUDART_SO)
TOOLKIT  = $(BUILD)/o/cuda-$(CUDA_RELEASE)

.SECONDARY:
.DELETE_ON_ERROR:

programs: $(PROGRAMS) $(CUDART)
	@$(said)

$(BUILD)/bin/check: $(call obj,o,$(CHECK_SRC) $(SHARED_SRC) $(HARNESS_SRC)) \
                    $(call op_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

$(BUILD)/bin/runner: $(call obj,o,$(RUNNER_SRC) $(SHARED_SRC) $(HARNESS_SRC)) \
                     $(call op_obj,o) | $(CUDART)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(CUDART) -ldl -lm -pthread

$(BUILD)/bin/simgpu-device: $(call obj,o,$(DEVICE_SRC)) $(call sim_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

$(BUILD)/bin/simgpu: common/simgpu/simgpu.sh
	@mkdir -p $(@D)
	@$(say)
	install -m 755 $< $@

# Objects that depend on CUDA's headers are rebuilt for another toolkit.
$(TOOLKIT):
	@mkdir -p $(@D)
	rm -f $(BUILD)/o/cuda-* && touch $@
$(call obj,o,$(CUDART_SRC) $(RUNNER_SRC) $(HARNESS_SRC)) $(call op_obj,o) \
    $(BUILD)/o/cudart.map: $(TOOLKIT)

# NVIDIA's soname and symbol versions, so that nvcc's output binds to it.
$(CUDART): $(call obj,o,$(CUDART_SRC) $(wildcard common/simgpu/*.c)) $(BUILD)/o/cudart.map
	@mkdir -p $(@D)
	@$(say)
	$(CC) -shared -o $@ $(filter %.o,$^) -Wl,-soname,$(@F) \
	    -Wl,--version-script=$(BUILD)/o/cudart.map -ldl -pthread

$(BUILD)/o/cudart.map: common/simgpu/cudart/cudart.map.in
	@mkdir -p $(@D)
	@$(say)
	sed 's/@SONAME@/$(CUDART_SO)/g' $< >$@

# One row per common/op/NAME.c, which exports op_family_NAME.
$(BUILD)/gen/op_table.c: $(OP_SRC) common/cli/op-table.sh
	@mkdir -p $(@D)
	@$(say)
	sh common/cli/op-table.sh $(OP_SRC) >$@

define compile
$(BUILD)/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@$$(say)
	$(CC) $$(ALL_CFLAGS) $(2) -c -o $$@ $$<
$(BUILD)/$(1)/op_table.o: $(BUILD)/gen/op_table.c
	@mkdir -p $$(@D)
	@$$(say)
	$(CC) $$(ALL_CFLAGS) $(2) -c -o $$@ $$<
$(foreach i,$(ISAS),
$(BUILD)/$(1)/%.$(i).o: %.c
	@mkdir -p $$(@D)
	@$$(say)
	$(CC) $$(ALL_CFLAGS) $(or $(2),-O3) $(ISA_$(i)) -DLANES_ISA=$(i) -c -o $$@ $$<
)
endef
$(eval $(call compile,o,))
$(eval $(call compile,san,$(SAN) -DLANES_BASE_ALONE))

# An archive: a test links only what it calls.
$(BUILD)/san/all.a: $(call obj,san,$(SHARED_SRC) $(HARNESS_SRC)) \
    $(call obj,san,$(filter-out %/main.c,$(CHECK_SRC) $(DEVICE_SRC))) \
    $(call op_obj,san) $(call sim_obj,san)
	@$(say)
	rm -f $@ && $(AR) rcs $@ $^

# Unit tests, with sanitizers: one program per file, which calls code that is
# optimised, and itself runs but once: -O0 compiles in a third of the time.
UNIT = $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/*_test.c))
unit: $(UNIT)
	@$(said)
$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/san/all.a
	@mkdir -p $(@D)
	@$(say)
	$(CC) $(ALL_CFLAGS) $(SAN) -O0 -o $@ $(filter %.c %.o,$^) $(filter %.a,$^) -lcmocka $(LIBS)

# Rules of the parts: kernels of the harness, benchmarks, tables.
-include $(filter-out common/cli/commands.mk,$(wildcard common/*/*.mk common/*/*/*.mk checker/*/*.mk tests/*/*.mk book/*.mk))
# Not those of stages, which check and the study write while make reads. Nothing
# makes them: without this rule, make tries all others for each of 870.
$(BUILD)/%.d: ;
-include $(shell find $(BUILD) -name '*.tmp.d' -o -path $(BUILD)/stage -prune -o -name '*.d' -print 2>/dev/null)
