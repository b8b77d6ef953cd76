/* SPDX-License-Identifier: MIT
 * Buffers with device addresses, of any usage of 64 bits. Freed by client_buffer_destroy(). */
#pragma once

#include "tests/client/client.h"

struct client_buffer addressed_buffer(struct client *client, size_t size, VkBufferUsageFlags2 usage);
VkDeviceAddress address_of(struct client *client, const struct client_buffer *buffer);
