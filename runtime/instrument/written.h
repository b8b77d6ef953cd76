/* SPDX-License-Identifier: MIT
 * `uninit`: what of device memory has been written. Memory that is followed lies in one range of addresses with its shadow at a fixed distance
 * (abi/probe.h): a bit a bit, set where nobody wrote. Shaders keep the shadow themselves; here is what commands and the host do to it.
 * Threads: as the memory itself. */
#pragma once

#include "runtime/cmd/cmd.h"

/* Zeros that count as never written. NULL: there is no memory or no address; then plain memory will do, which counts as written. */
void *rt_followed_create(size_t size_bytes);
void rt_followed_destroy(void *data, size_t size_bytes);

/* Memory that is not followed is left alone. */
void rt_written(const void *data, uint64_t size_bytes);
/* Nobody has written it, or nothing of that is left. */
void rt_unwritten(const void *data, uint64_t size_bytes);
/* Where the first byte is that is not written as a whole; size_bytes: there is none. */
uint64_t rt_find_unwritten(const void *data, uint64_t size_bytes);
/* Of one byte. */
bool rt_is_written(const void *data);
/* All levels and layers of a view; of slices the whole image. */
void rt_written_view(const struct abi_image *view);
/* Nobody has written anything into the level that the view begins with, or into any other one, of that layer; UINT32_MAX: nor into any other layer. */
bool rt_is_unwritten_view(const struct abi_image *view, uint32_t layer);
/* Something was written into each level and layer. */
bool rt_is_written_view(const struct abi_image *view);
/* A level of some layers: they count as written altogether as soon as anything is written into them. Counts are resolved. */
void rt_written_layers(const struct rt_image *image, const VkImageSubresourceLayers *layers);
/* True if the command itself writes, or leaves nothing of what an image held. */
bool rt_command_writes(const struct rt_cmd *cmd);
/* Before such a command is executed, when no shader runs, since these change the shadow too: what it writes counts as written from then on; a copy
 * between buffers takes the shadow along. A level of a layer counts as written altogether as soon as
 * anything is written into it. */
void rt_written_by_command(const struct rt_cmd *cmd);
