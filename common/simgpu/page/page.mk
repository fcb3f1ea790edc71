# SPDX-License-Identifier: MIT
# The simulated GPU without an operating system, as WebAssembly, and as the
# engine of the book's pages.
#
#   make page-engine   installs emscripten and builds $(PAGE)/engine.js; with
#                      it, `make book` makes pages that run kernels

ENGINE_SRC = $(filter-out %/fatbin.c %/link.c,$(wildcard common/simgpu/ptx/*.c)) \
             $(wildcard common/simgpu/gpu*.c) common/simgpu/tensor_map.c \
             common/simgpu/blocks.c \
             $(CORE_SRC) \
             $(wildcard common/simgpu/host/plain/*.c)
wasm_obj   = $(patsubst %.c,$(BUILD)/wasm/%.o,$(1) $(LANES_SRC))
# What gcc does not warn of either: "GCC ivdep" is unknown to clang, and code
# without branches joins truth values by &.
WASM_FLAGS = $(CSTD) $(WARN) -Wno-unknown-pragmas \
             -Wno-bitwise-instead-of-logical -Icommon -MMD -MP
# Fast is what runs per instruction; a page has to load the rest. Browsers that
# unpack the engine (DecompressionStream) have vectors of 128 bits.
WASM_SMALL = common/simgpu/ptx/% common/simgpu/page/% common/simgpu/gpu% \
             common/simgpu/tensor_map.c common/simgpu/blocks.c \
             $(addprefix common/simgpu/core/,decode/% launch/% \
             lanes/lanes_tile.c lanes/lanes_group.c \
             lanes/lanes_sums.c lanes/lanes_copy.c lanes/tensor.c \
             memory/pieces.c memory/mapped_pages.c memory/memory.c words.c \
             access/bulk.c access/transfer.c race/streams.c race/ledger.c \
             race/race_streams.c race/race_cluster.c race/race_proxy.c \
             race/race_flags.c race/race_graph.c race/race_fenced.c \
             race/race_waits.c race/race_constant.c race/race_objects.c \
             race/race_unfenced.c race/race_rules.c race/race_known.c race/race_blocks.c \
             race/race.c lanes/scalar_packed.c lanes/scalar_int.c \
             lanes/scalar_half.c lanes/scalar_single.c lanes/scalar_float.c \
             lanes/carry.c lanes/softfloat.c race/race_order.c \
             state/finding.c) \
             $(filter-out %/async.c %/control.c %/load_store.c %/move.c, \
             $(wildcard common/simgpu/core/exec/*.c))
WASM_LANES = -msimd128 -DLANES_ISA=base

$(BUILD)/wasm/%.o: %.c
	@mkdir -p $(@D)
	@$(say)
	emcc $(WASM_FLAGS) $(if $(filter $(WASM_SMALL),$<),-Oz,\
	    $(if $(filter $<,$(LANES_SRC)),-O3,-O2)) \
	    $(if $(filter $<,$(LANES_SRC)),$(WASM_LANES)) -c -o $@ $<

PAGE      = $(BUILD)/page
PAGE_SRC  = $(filter-out %/untimed.c,$(wildcard common/simgpu/page/*.c))
UNTIMED   = common/simgpu/page/untimed.c \
            $(filter-out common/simgpu/core/model/%,$(ENGINE_SRC))
# What a script calls: the functions of page.h.
PAGE_CALLS := $(shell sed -n '/^[a-z].*[;,]$$/s/^.*\<\(page_[a-z]*\).*/\1/p' \
                common/simgpu/page/page.h)
comma = ,
quoted_list = $(subst $(empty) $(empty),$(comma),$(strip $(1:%="_%")))

# Without files and threads. -O1: Debian's emscripten has no acorn for its
# optimiser of JavaScript.
$(PAGE)/glue.js: $(call wasm_obj,$(PAGE_SRC) $(UNTIMED)) \
                 common/simgpu/page/page.mk
	@mkdir -p $(@D)
	@$(say)
	emcc -O1 -s MODULARIZE=1 -s EXPORT_NAME=makeEngine -s FILESYSTEM=0 \
	    -s ENVIRONMENT=worker -s ALLOW_MEMORY_GROWTH=1 \
	    -s EXPORTED_FUNCTIONS='[$(call quoted_list,$(PAGE_CALLS))]' \
	    -s EXPORTED_RUNTIME_METHODS='["ccall"]' -o $@ $(filter %.o,$^)

# Functions that came out alike are one; zopfli compresses as gzip does, in 5 %
# less.
$(PAGE)/glue.wasm.gz: $(PAGE)/glue.js
	@$(say)
	wasm-opt --duplicate-function-elimination --all-features \
	    -o $(PAGE)/packed.wasm $(PAGE)/glue.wasm
	zopfli -c $(PAGE)/packed.wasm >$@.new
	mv $@.new $@

$(PAGE)/engine.js: $(PAGE)/glue.wasm.gz common/simgpu/page/worker.js \
                   common/simgpu/page/pack.sh
	@$(say)
	sh common/simgpu/page/pack.sh $(PAGE)/glue.js $(PAGE)/glue.wasm.gz \
	    common/simgpu/page/worker.js >$@.new
	mv $@.new $@

page-engine: $(PAGE)/engine.js
	@$(said)
	@sh common/simgpu/page/pack.sh size $(PAGE)/glue.wasm.gz
.PHONY: page-engine
