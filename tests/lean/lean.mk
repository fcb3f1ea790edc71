# SPDX-License-Identifier: MIT
# A host compiler for nvcc that leaves out of headers what nobody names; for
# tests (tests/nvcc.sh).

$(BUILD)/bin/lean: $(call obj,o,$(wildcard tests/lean/*.c))
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^

unit: $(BUILD)/bin/lean
