/* SPDX-License-Identifier: MIT
 * The chain of stages from a piece of a draw to packets of primitives that can be rasterized. Each stage takes packets
 * from the one before and gives packets; a stage that the pipeline does not have is not there. All that a stage knows
 * lies in struct rt_chain and in the scratch memory behind it, so that a chain can be put aside between two packets.
 * Spec: Drawing, Vertex Processing. Threads: one worker at a time. */
#pragma once

#include "runtime/geometry/emit.h"
#include "runtime/geometry/gather.h"
#include "runtime/geometry/geometry_shader.h"
#include "runtime/geometry/mesh_shader.h"
#include "runtime/geometry/tessellation.h"

/* What the chain's scratch memory must hold: the largest of a chunk's pieces. */
struct rt_chain_size {
   uint32_t row_stride;
   uint32_t output_rows; /* of one call */
   uint32_t kept_rows;   /* of all calls of a packet */
   struct rt_tessellation_size tessellation;
   uint32_t evaluated_rows;      /* of one call */
   uint32_t kept_evaluated_rows; /* of all calls of a packet */
   struct rt_geometry_size geometry;
   bool has_extras, has_tessellation, has_geometry, has_mesh;
   uint32_t prim_values; /* of a primitive */
   size_t frame_bytes, shared_bytes; /* of the shaders */
};

struct rt_chain {
   struct rt_gather gather;
   struct rt_packet source; /* after the vertex shader, or the mesh shader */
   uint32_t gathered;       /* primitives, or workgroups, of the piece that it has given */
   struct rt_tessellation tessellation;
   struct rt_geometry_shader geometry;
   struct rt_emitter emitter;
   uint32_t emitted; /* primitives of the last packet that are set up */
   struct rt_xfb_store *xfb; /* the chunk's */
};

/* Adds what the draw needs. */
void rt_chain_measure(struct rt_chain_size *size, const struct rt_context *context);
/* Sets the chain's arrays to addresses from `base` on; returns how many bytes they take. */
size_t rt_chain_layout(struct rt_chain *chain, const struct rt_chain_size *size, uint8_t *base);
/* Before the first packet of a piece. */
void rt_chain_begin(struct rt_chain *chain);
/* The next packet, with no primitive set up, or NULL: the piece is done, or work is cancelled. */
struct rt_packet *rt_chain_next(struct rt_chain *chain, const struct rt_piece *piece, struct rt_worker *worker);
/* The packet in hand. */
struct rt_packet *rt_chain_packet(struct rt_chain *chain, const struct rt_context *context);
