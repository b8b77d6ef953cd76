/* SPDX-License-Identifier: MIT
 * Copies of structures and of micromaps, their serialized form, their sizes. Spec: Acceleration Structures, "Copying Acceleration
 * Structures". Threads: one call a target. */
#pragma once

#include "runtime/accel/input.h"

/* A structure's memory, whatever it holds. */
struct rt_accel_memory {
   void *data;
   uint64_t size_bytes;
};

/* What a serialized structure begins with, so that no other build reads it: the driver's UUID, and one of the format.
 */
struct rt_accel_identity {
   uint8_t driver[VK_UUID_SIZE], format[VK_UUID_SIZE];
};

/* A property by its query type: compacted size, serialization size, size, bottom level pointers; 0 of memory without a
 * structure. */
uint64_t rt_accel_property(struct rt_accel_memory structure, VkQueryType type);
/* False, and a target without anything, if there is no structure or it does not fit. Clones and compacted copies are
 * the same bytes. */
UTIL_MUST_CHECK bool rt_accel_copy(struct rt_accel_memory from, struct rt_accel_memory to);
/* To as many bytes as the property says; the addresses of the instances' structures stand behind the header. */
void rt_accel_serialize(struct rt_accel_memory from, const struct rt_accel_identity *identity, uint8_t *to);
/* How many bytes that wrote, as they say, whatever they hold. */
uint64_t rt_accel_serialized_bytes(const uint8_t *serialized);
/* From what rt_accel_serialize() gave, with other addresses perhaps. False, and a target without anything, for data of
 * another identity, that is inconsistent, whose nodes are no tree, or does not fit. No more than the size that stands in it is read. */
UTIL_MUST_CHECK bool rt_accel_deserialize(const uint8_t *from, const struct rt_accel_identity *identity,
                                          struct rt_accel_memory to);
