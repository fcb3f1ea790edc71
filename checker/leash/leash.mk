# SPDX-License-Identifier: MIT
# bin/leash, behind `make grade`.

programs: $(BUILD)/bin/leash
$(BUILD)/bin/leash: $(call obj,o,$(wildcard checker/leash/*.c))
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^
