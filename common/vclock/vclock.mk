# SPDX-License-Identifier: MIT
# The virtual clock, and the program that runs timers on traps.

VCLOCK     = $(BUILD)/vclock/$(CUDART_SO)
VCLOCK_SRC = $(wildcard common/vclock/*.c)
STOPWATCH_SRC = $(wildcard checker/stopwatch/*.c) common/vclock/trap.c
$(call obj,o,$(VCLOCK_SRC) $(STOPWATCH_SRC)): $(TOOLKIT)

programs: $(VCLOCK) $(BUILD)/bin/stopwatch

$(VCLOCK): $(call obj,o,$(VCLOCK_SRC)) $(BUILD)/o/vclock.map
	@mkdir -p $(@D)
	@$(say)
	$(CC) -shared -o $@ $(filter %.o,$^) -Wl,-soname,$(@F) \
	    -Wl,--version-script=$(BUILD)/o/vclock.map -lm

$(BUILD)/o/vclock.map: common/vclock/vclock.map.in $(TOOLKIT)
	@mkdir -p $(@D)
	@$(say)
	sed 's/@SONAME@/$(CUDART_SO)/g' $< >$@

# -rdynamic: a timer must find the program's clock_gettime, not libc's.
$(BUILD)/bin/stopwatch: $(call obj,o,$(STOPWATCH_SRC)) | $(VCLOCK)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -rdynamic -o $@ $^ $(VCLOCK) -ldl -lm

ifneq ($(NVCC),)
programs: $(BUILD)/harness/spin.so
endif

$(BUILD)/harness/spin.so: checker/stopwatch/spin.cu checker/stopwatch/spin.h \
                          $(TOOLKIT)
	@mkdir -p $(@D)
	@$(say)
	$(NVCC) -O3 -Ichecker -shared -cudart shared \
	    -Xcompiler -fPIC,-fvisibility=hidden \
	    -gencode arch=compute_75,code=[compute_75,sm_75,sm_80,sm_90] \
	    -o $@ $<

$(BUILD)/unit/trap_test: $(BUILD)/san/common/vclock/trap.o
