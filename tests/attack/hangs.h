/* SPDX-License-Identifier: MIT
 * For tests of work that takes for ever. */
#pragma once

#include "tests/client/client.h"

enum { HANGS_THREADS = 2, HANGS_TIMEOUT_S = 1 };

/* Before the first client. */
void hangs_environment(void);

/* Of all threads. */
double hangs_processor_s(void);

/* What the driver said of a lost device: client_options.on_message_data of hangs_listen(). */
struct hangs_heard {
   uint32_t count;
   char message[1024];
};
void hangs_listen(void *data, const char *id, const char *message);

/* Submits and waits. */
VkResult hangs_run(struct client *client, VkCommandBuffer cmd);

/* The device is lost, said once, and all threads together have worked for no longer than the time-out and a second each since `begin_s`. */
void hangs_check(VkResult result, const struct hangs_heard *heard, double begin_s);
