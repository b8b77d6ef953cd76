/* SPDX-License-Identifier: MIT
 * Mesh shaders: workgroups of a grid, each of which makes vertices and primitives; packets are made of those of several workgroups, in
 * order. What a workgroup makes stands in the worker's shared memory (abi_mesh_output) until it is in the packet.
 * Counts beyond what the shader declares are cut to that; primitives with a vertex that there is not are dropped.
 * Spec: Mesh Shading. Threads: one worker at a time. */
#pragma once

#include "runtime/geometry/packet.h"

struct rt_piece;

/* What a worker needs of a draw's task and mesh shaders, bytes. */
size_t rt_mesh_shared_bytes(const struct rt_context *context);

/* Fills the packet with what workgroups of the piece make, from number `next` on; returns the number of the first that did not run.
 * The worker must have reserved its memory. */
uint32_t rt_mesh_run(const struct rt_piece *piece, struct rt_packet *packet, uint32_t next, struct rt_worker *worker);
