# SPDX-License-Identifier: MIT
# The simulated GPU without an operating system: its reader and engine with
# host/plain. Replayed here is what the conformance program recorded.
#
#   make test-portable   built by this compiler, and as WebAssembly by emcc,
#                        run by node: 32 bits, one thread, no signals

PLAIN_SRC  = $(filter-out %/fatbin.c,$(wildcard common/simgpu/ptx/*.c)) \
             $(wildcard common/simgpu/gpu*.c) common/simgpu/tensor_map.c \
             $(CORE_SRC) \
             $(wildcard common/simgpu/host/plain/*.c) \
             tests/simgpu/replay.c tests/simgpu/digest.c
WASM_OBJ   = $(patsubst %.c,$(BUILD)/wasm/%.o,$(PLAIN_SRC) $(LANES_SRC))
# What gcc does not warn of either: "GCC ivdep" is unknown to clang, and code
# without branches joins truth values by &.
WASM_FLAGS = $(CSTD) $(WARN) -Wno-unknown-pragmas \
             -Wno-bitwise-instead-of-logical -O2 -Icommon -MMD -MP

$(BUILD)/wasm/%.o: %.c
	@mkdir -p $(@D)
	@$(say)
	emcc $(WASM_FLAGS) $(if $(filter $<,$(LANES_SRC)),\
	    -O3 -DLANES_ISA=base) -c -o $@ $<

# -O1: Debian's emscripten has no acorn for its optimiser of JavaScript. Node
# reads the module as a file: its own fetch knows no files.
$(BUILD)/wasm/replay.js: $(WASM_OBJ)
	@$(say)
	emcc -O1 -s ALLOW_MEMORY_GROWTH=1 -s NODERAWFS=1 -s EXIT_RUNTIME=1 \
	    -s WASM_ASYNC_COMPILATION=0 -o $@ $^

$(BUILD)/bin/simgpu-replay: $(call obj,o,$(PLAIN_SRC)) $(call lanes_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ -lm

test-portable: $(BUILD)/bin/simgpu-conformance $(BUILD)/bin/simgpu-replay \
               $(BUILD)/wasm/replay.js
	@exec sh tests/portable/replay.sh
.PHONY: test-portable
