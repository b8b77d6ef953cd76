/* SPDX-License-Identifier: MIT
 * Shaders that end the device (SPV_KHR_abort). The first invocation that asks gets memory for its message, writes it there, and then the device is
 * lost; what others would say is dropped. Spec: Debugging, "Shader Abort Messages".
 * Owns: the message, until the pool is destroyed. Threads: everything is thread-safe. */
#pragma once

#include "abi/probe.h"
#include "util/macros.h"

struct rt_pool;
struct rt_worker;

struct rt_abort {
   _Atomic(const struct rt_worker *) owner; /* who has the message in hand; NULL: nobody has aborted */
   void *message;               /* the owner's, until it is complete; NULL: there is none, or no memory for it */
   uint64_t size_bytes;
   _Atomic bool is_complete;
};

/* Of probes ABORT and ABORTED. */
void rt_abort_probe(struct rt_worker *worker, const struct abi_probe_call *call);
/* The bytes are the message's: what instrumented code may write. */
bool rt_abort_has(const struct rt_worker *worker, uint64_t address, uint64_t bytes);
/* The message of the shader that ended the device, until the pool is destroyed; NULL: none did, or memory was out. */
const void *rt_abort_message(const struct rt_pool *pool, uint64_t *size_bytes);
