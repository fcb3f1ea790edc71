// SPDX-License-Identifier: MIT
// mistake: an #error whose words are those of a full disk
// chapter: 01 add
// expect: BUILD
// say: error_blames_disk|add.cu:8
#include "op/vector_add.h"

#error "No space left on device"
