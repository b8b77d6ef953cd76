/* SPDX-License-Identifier: MIT
 * GDeflate 1.0: DEFLATE's blocks, with the lengths and distances of DEFLATE64, whose symbols are dealt out to 32 streams of bits. A stream takes the next word
 * of the data when it has 32 bits or less left. A stream that had the length of a match has its distance in the next round.
 * Source: RFC 1951; the description of the stream that goes with the GDeflate reference (DirectStorage). */
#pragma once

#include "runtime/pool.h"

/* Returns how many bytes of dst are written: less than dst_bytes if the data ends or is malformed, or the device is lost meanwhile, as blocks may be empty and
 * follow each other for as long as there is data. Reads and writes nothing else whatever the data is. `worker`: who works; NULL: nobody asks it to stop. */
size_t rt_gdeflate_decompress(void *dst, size_t dst_bytes, const void *src, size_t src_bytes, const struct rt_worker *worker);
