# SPDX-License-Identifier: MIT
# The simulated GPU without an operating system: its reader and engine with
# host/plain. Replayed here is what the conformance program recorded.
#
#   make test-portable   built by this compiler, for 64 bits and for 32, and as
#                        WebAssembly by emcc, run by node: 32 bits, one thread,
#                        no signals

PLAIN_SRC = $(ENGINE_SRC) tests/simgpu/replay.c tests/simgpu/digest.c

# -O1: Debian's emscripten has no acorn for its optimiser of JavaScript. Node
# reads the module as a file: its own fetch knows no files.
$(BUILD)/wasm/replay.js: $(call wasm_obj,$(PLAIN_SRC))
	@$(say)
	emcc -O1 -s ALLOW_MEMORY_GROWTH=1 -s NODERAWFS=1 -s EXIT_RUNTIME=1 \
	    -s WASM_ASYNC_COMPILATION=0 -o $@ $^

$(BUILD)/bin/simgpu-replay: $(call obj,o,$(PLAIN_SRC)) $(call lanes_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ -lm

# A host of 32 bits without __int128. Not its old floating-point unit, which
# rounds twice. An address has 64 bits everywhere; the upper half of one is 0.
ISAS_m32 = base
M32      = -m32 -msse2 -mfpmath=sse -Wno-psabi -Wno-int-to-pointer-cast
M32_HERE = $(if $(filter test-portable,$(MAKECMDGOALS)),$(shell \
    echo 'int main(void) { return 0; }' | $(CC) $(M32) -x c -o /dev/null - \
    2>/dev/null && echo yes))
$(eval $(call compile,m32,$(M32)))
$(BUILD)/m32/replay: $(call obj,m32,$(PLAIN_SRC)) $(call lanes_obj,m32)
	@$(say)
	$(CC) $(M32) -o $@ $^ -lm

PORTABLE = $(BUILD)/bin/simgpu-conformance $(BUILD)/bin/simgpu-replay \
           $(BUILD)/wasm/replay.js $(if $(M32_HERE),$(BUILD)/m32/replay)
# Suites call make in the same folder: nothing is built there while they run.
test: | $(if $(filter test-portable,$(GOALS)),$(PORTABLE))
test-portable: $(PORTABLE)
	@M32='$(M32_HERE)' exec sh tests/portable/replay.sh
.PHONY: test-portable
