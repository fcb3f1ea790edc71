# SPDX-License-Identifier: MIT
# Who types a command inside a chapter's folder gets what the workbook's own
# folder gives, for this chapter: `make check-chapter`, `make hint`, or any other.

.DEFAULT_GOAL := help
# A $ on the command line is no variable of make's: it goes on as it is.
$(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $v)),\
    $(eval override $v := $$(value $v))))
quote   = '$(subst ','\'',$1)'
HERE   := $(lastword $(subst /, ,$(CURDIR)))
NUMBER := $(firstword $(subst -, ,$(HERE)))
TOLD   := $(filter-out 0,$(shell echo \
            $(call quote,$(MAKECMDGOALS) $(N)) | tr -cd 0-9 | wc -c))
FIRST  := $(or $(firstword $(MAKECMDGOALS)),help)
PLAIN   = help list next update doctor docs test clean book
N_HERE  = $(if $(TOLD)$(filter $(PLAIN),$(FIRST)),,N=$(NUMBER))

.PHONY: help $(MAKECMDGOALS)
$(FIRST):
	@$(MAKE) --no-print-directory -C ../.. \
	    $(foreach g,$(MAKECMDGOALS),$(call quote,$g)) $(N_HERE)

$(filter-out $(FIRST),$(MAKECMDGOALS)): ;@:
