# SPDX-License-Identifier: MIT
# bin/trace, behind `make trace` and `make lines`.

$(BUILD)/bin/trace: $(call obj,o,$(wildcard common/trace/*.c) \
                    common/svg/svg.c common/simgpu/core/memory/cost.c)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

programs: $(BUILD)/bin/trace

.PHONY: predictions
predictions: programs
	sh book/predicted.sh $(BUILD) >book/predicted.tsv.new
	mv book/predicted.tsv.new book/predicted.tsv
	sh book/predicted-changes.sh $(BUILD) >book/predicted-changes.tsv.new
	mv book/predicted-changes.tsv.new book/predicted-changes.tsv
	sh book/predicted-rates.sh $(BUILD) >book/predicted-rates.tsv.new
	mv book/predicted-rates.tsv.new book/predicted-rates.tsv
# What is asked for beside them reads what they have written.
ifneq ($(filter predictions,$(MAKECMDGOALS)),)
book/predicted.tsv book/predicted-changes.tsv book/predicted-rates.tsv: \
    predictions ;
endif
