/* SPDX-License-Identifier: MIT
 * X servers without a screen, for tests and benchmarks. A server ends with the program that started it. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct xvfb {
   pid_t pid;
   char name[32], tcp_name[48]; /* what DISPLAY may be */
};

/* `screen` is WIDTHxHEIGHTxDEPTH. Waits until the server answers; false if there is no Xvfb. */
bool xvfb_start(struct xvfb *server, const char *screen);
void xvfb_stop(struct xvfb *server);
