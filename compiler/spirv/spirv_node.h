/* SPDX-License-Identifier: MIT
 * What the front end asks of nodes of execution graphs (instructions/spirv_node.c). Spec: SPV_AMDX_shader_enqueue. */
#pragma once

#include "compiler/spirv/memory/spirv_pointer.h"

/* An execution mode, once all constants are read: what it says of the entry point as a node. */
void spirv_node_mode(struct spirv_ctx *t, const struct spirv_instr *in);
/* The same of the payload among the entry point's variables. */
void spirv_find_payload(struct spirv_ctx *t);
/* Bytes from payload to payload where the array does not say; fails where they are too large. */
uint32_t spirv_payload_stride(struct spirv_ctx *t, const struct spirv_type *payload);
/* A variable of storage class NodePayloadAMDX. */
struct spirv_pointer spirv_payload_pointer(struct spirv_ctx *t, struct spirv_variable *variable);
/* ShaderIndexAMDX, RemainingRecursionLevelsAMDX. */
struct ir_instr *spirv_load_node_builtin(struct spirv_ctx *t, uint32_t builtin);
