# SPDX-License-Identifier: MIT
# bin/alike, behind `make grade`.

programs: $(BUILD)/bin/alike
$(BUILD)/bin/alike: $(call obj,o,$(wildcard checker/alike/*.c))
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^
