/* SPDX-License-Identifier: MIT
 * Buffers that devices share (dma-buf of Linux), as memory of this process. Threads: functions are thread-safe for different objects. */
#pragma once

#include "util/shared_memory.h"

/* Whole pages of a dma-buf, or of a file whose size is sealed, which is what software passes around in its stead; 0 for all other descriptors. */
size_t util_dma_buf_bytes(int fd);
/* Maps it, followed by at least `slack_bytes` of private memory. Takes the descriptor on success only. False with errno EINVAL if util_dma_buf_bytes()
 * is less than `min_bytes`, else if the system has no resources or the device does not let the processor look. To be ended as shared memory. */
UTIL_MUST_CHECK bool util_dma_buf_import(struct util_shared_memory *memory, int fd, size_t min_bytes, size_t slack_bytes);

/* True if the system makes dma-bufs of a process's memory (/dev/udmabuf) for us. Found out once. */
bool util_dma_buf_can_create(void);
/* A dma-buf of the same pages, -1 with errno if the system does not make one. */
int util_dma_buf_create(const struct util_shared_memory *memory);
