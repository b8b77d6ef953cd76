/* SPDX-License-Identifier: MIT
 * A fuzzer's program: LLVMFuzzerTestOneInput() takes any bytes, and the process ends abnormally where the driver breaks a promise. libFuzzer finds
 * such bytes, replay.c puts those that are kept in corpus/ through the same function. Here: how bytes are read as choices. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
   const uint8_t *at, *end;
};

/* 0 after the end. */
static inline uint32_t input_byte(struct input *input)
{
   return input->at < input->end ? *input->at++ : 0;
}

/* Below `count`, which is 1 to 65,536. */
static inline uint32_t input_pick(struct input *input, uint32_t count)
{
   const uint32_t low = input_byte(input);
   return count <= 256 ? low % count : (low | input_byte(input) << 8) % count;
}

/* Small numbers, edges and all others. */
static inline uint64_t input_number(struct input *input)
{
   const uint32_t form = input_byte(input), shift = input_byte(input) % 64;
   switch (form % 4) {
   case 0: return shift;
   case 1: return (UINT64_C(1) << shift) - (form >> 2 & 1);
   case 2: return ~UINT64_C(0) - shift;
   default: return (uint64_t)input_byte(input) << shift | form;
   }
}
