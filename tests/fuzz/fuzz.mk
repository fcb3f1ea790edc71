# SPDX-License-Identifier: MIT
# Fuzzing of the readers of what nvcc embeds.
#
#   make fuzz READER=ptx|fatbin SECONDS=60   by coverage, with clang's libFuzzer
#   sh tests/fuzz/run.sh                     the inputs that once broke one
#
# build/fuzz/corpus/READER grows from run to run; an input that breaks the
# reader is left as build/fuzz/READER-crash-*: mend the reader, and keep the
# input (make it small: build/fuzz/READER -minimize_crash=1 FILE) under
# tests/fuzz/found/READER.

READER  ?= ptx
SECONDS ?= 60
FUZZ_CC  = clang
FUZZ_SAN = -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined

$(BUILD)/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CSTD) $(INC) -g -O1 -MMD -MP $(FUZZ_SAN),fuzzer-no-link \
	    -c -o $@ $<

FUZZ_LANES = $(foreach i,$(ISAS),$(patsubst %.c,$(BUILD)/fuzz/%.$(i).o,\
                                            $(LANES_SRC)))
define fuzz_isa
$(BUILD)/fuzz/%.$(1).o: %.c
	@mkdir -p $$(@D)
	$(FUZZ_CC) $(CSTD) $(INC) -g -O1 $(ISA_$(1)) -DLANES_ISA=$(1) -c -o $$@ $$<
endef
$(foreach i,$(ISAS),$(eval $(call fuzz_isa,$(i))))

$(addprefix $(BUILD)/fuzz/,ptx fatbin): $(BUILD)/fuzz/%: \
    $(BUILD)/fuzz/tests/fuzz/%.o $(call obj,fuzz,$(PTX_SRC) $(CORE_SRC) $(HOST_SRC)) \
    $(FUZZ_LANES)
	$(FUZZ_CC) $(FUZZ_SAN) -o $@ $^ $(LIBS)

$(addprefix $(BUILD)/fuzz/replay-,ptx fatbin): $(BUILD)/fuzz/replay-%: \
    tests/fuzz/replay.c tests/fuzz/%.c $(BUILD)/san/all.a
	@mkdir -p $(@D)
	@$(say)
	$(CC) $(ALL_CFLAGS) $(SAN) -o $@ $^ $(LIBS)

fuzz: fuzz-here $(BUILD)/fuzz/$(READER)
	@sh tests/fuzz/seeds.sh $(BUILD)/fuzz/corpus/$(READER) $(READER)
	cd $(BUILD)/fuzz && ./$(READER) -artifact_prefix=$(READER)- -timeout=20 \
	    -max_total_time=$(SECONDS) -print_final_stats=1 \
	    -dict=$(CURDIR)/tests/fuzz/$(READER).dict -max_len=16384 \
	    corpus/$(READER)
fuzz-here: # before anything is compiled with it
	@echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | \
	    $(FUZZ_CC) $(FUZZ_SAN) -x c -o /dev/null - 2>/dev/null || { echo \
	    "make fuzz: no libFuzzer: install clang and libclang-rt-14-dev" \
	    "(or set FUZZ_CC to a clang that has it)"; exit 1; }
.PHONY: fuzz fuzz-here
