// SPDX-License-Identifier: MIT
// honest: eight elements in an array, one by one
// chapter: 18 swish_bf16
// expect: PASS
//> todo values
    elementwise_bf16_t element[VECTOR];

    memcpy(element, &v, sizeof v);
    for (int e = 0; e < VECTOR; e++)
        element[e] = __float2bfloat16(value(__bfloat162float(element[e])));
    memcpy(&v, element, sizeof v);
//< todo
