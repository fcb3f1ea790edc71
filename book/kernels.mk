# SPDX-License-Identifier: MIT
# book/kernels/NN.js: the kernels that pages run, compiled to PTX. They are
# committed, so that the book needs no nvcc; tests/page holds them to their
# sources.

$(BUILD)/bin/page-record: $(call obj,o,book/kernels/record.c \
    common/simgpu/page/text.c) \
    $(call op_obj,o) $(call sim_obj,o) | $(CUDART)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -rdynamic -o $@ $^ -Wl,--no-as-needed $(CUDART) $(LIBS)

page-kernels: programs $(BUILD)/bin/page-record
	@BUILD=$(abspath $(BUILD)) sh book/kernels/make.sh $(BUILD)/page/kernels
.PHONY: page-kernels
