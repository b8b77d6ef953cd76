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
/* A box of texels of a level of some layers. Layers' count is resolved. */
void rt_written_box(const struct rt_image *image, const VkImageSubresourceLayers *layers, VkOffset3D offset, VkExtent3D extent);
/* Of the first level of a view what a rendering of that area, and of so many layers or views, reaches; NULL: nothing. */
void rt_unwritten_area(const struct abi_image *view, const VkRect2D *area, uint32_t num_layers, uint32_t view_mask);
/* How often something that was written has become unwritten, or may have: by rt_unwritten(), or by whoever changes the shadow and notes of which memory. */
uint64_t rt_unwritten_epoch(void);
void rt_unwritten_note(uint64_t begin, uint64_t end);
/* Some of these bytes since then, or it has been too often to know. */
bool rt_is_unwritten_since(uint64_t epoch, uint64_t begin, uint64_t end);
/* True if the command itself writes, or leaves nothing of what an image held. */
bool rt_command_writes(const struct rt_cmd *cmd);
/* Before such a command is executed, when no shader runs, since these change the shadow too: what it writes counts as written from then on; a copy
 * between buffers takes the shadow along. Those of images do so where they can: queue/carry.c. */
void rt_written_by_command(const struct rt_cmd *cmd);
