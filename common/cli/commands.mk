# SPDX-License-Identifier: MIT
# The learner's commands.

.DEFAULT_GOAL := help
help:
	@echo "see README.md"
