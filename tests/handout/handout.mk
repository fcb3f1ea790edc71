# SPDX-License-Identifier: MIT
# A hand-out on a Debian that `make test-toolkit` made.

.PHONY: test-handout
test-handout: programs
	sh tests/handout/bare.sh $(DEBIAN)
