/* SPDX-License-Identifier: MIT
 * A vertex attribute as a draw has it: what is read for one location of the vertex shader, and how.
 * Spec: Fixed-Function Vertex Processing. */
#pragma once

#include "runtime/format/format.h"

enum rt_fetch_class {
   RT_FETCH_GENERIC, /* rt_format_info.unpack */
   RT_FETCH_RECORD,  /* at most four words, each channel in one of them: sixteen vertices at a time */
   RT_FETCH_64,      /* 64-bit components, two a location, as pairs of 32 bits */
   RT_FETCH_ZERO,    /* no buffer, no attribute */
};

/* One location that the vertex shader reads. */
struct rt_fetch {
   uint8_t class; /* enum rt_fetch_class */
   uint8_t first; /* RT_FETCH_64: the first component, 0 or 2 */
   bool is_instanced;
   bool leads; /* the first of its buffer's: it brings records into the cache for the others too */
   uint32_t divisor; /* is_instanced: 0: always the first instance's */
   int16_t row[4];   /* input rows of the components; -1: not read */
   uint32_t one;     /* what an absent fourth component reads */
   const struct rt_format_info *info; /* NULL: there is no attribute */
   const uint8_t *data; /* with the attribute's offset */
   uint64_t size_bytes; /* from data to the buffer's end */
   uint32_t stride_bytes;
   uint32_t location, offset_bytes; /* of the attribute in its buffer; no more than the buffer has */
   const uint8_t *buffer;
   bool is_followed;      /* `uninit`: a row says which components somebody wrote */
   uint8_t written_shift; /* of their bits in it, ABI_SLOT_WRITTEN */
   int16_t written_row;
};

/* What the vertex shader of a draw reads. */
struct rt_inputs {
   uint32_t num_fetches;
   struct rt_fetch fetches[]; /* by location */
};
