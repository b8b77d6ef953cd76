/* SPDX-License-Identifier: MIT
 * What the front end asks of nodes of execution graphs. Spec: SPV_AMDX_shader_enqueue. */
#pragma once

#include "compiler/spirv/memory/spirv_pointer.h"

enum { SPIRV_PAYLOAD_ALIGN = 16 }; /* of payloads, bytes */

/* ---- instructions/spirv_node.c ---- */

/* An execution mode, once all constants are read: what it says of the entry point as a node. */
void spirv_node_mode(struct spirv_ctx *t, const struct spirv_instr *in);
/* The same of the payload among the entry point's variables. */
void spirv_find_payload(struct spirv_ctx *t);

/* ---- memory/spirv_payload.c ---- */

/* Fails where the shader is no node. */
void spirv_require_node(struct spirv_ctx *t);
/* A field of the struct abi_node, the same for the whole workgroup. */
struct ir_instr *spirv_load_node(struct spirv_ctx *t, size_t field, uint32_t bits);
/* A variable of storage class NodePayloadAMDX. */
struct spirv_pointer spirv_payload_pointer(struct spirv_ctx *t, struct spirv_variable *variable);
/* ShaderIndexAMDX, RemainingRecursionLevelsAMDX. */
struct ir_instr *spirv_load_node_builtin(struct spirv_ctx *t, uint32_t builtin);
