# SPDX-License-Identifier: MIT
# A class of four hundred, graded: half an hour of two cores.

.PHONY: test-class
test-class: programs
	sh tests/grade/big.sh
