/* SPDX-License-Identifier: MIT
 * The payload that a node of an execution graph reads: a buffer, whose address and size are fields of what the workgroup is dispatched for.
 * Spec: SPV_AMDX_shader_enqueue. */
#include "compiler/spirv/spirv_node.h"

#include <stddef.h>

static const struct spirv_layout explicit_layout = {.class = SPIRV_LAYOUT_EXPLICIT};

_Static_assert(sizeof(struct abi_node) == 3 * sizeof(uint64_t), "the words of IR_SYSVAL_NODE");

struct ir_instr *spirv_load_node(struct spirv_ctx *t, size_t field, uint32_t bits)
{
   struct ir_instr *word = ir_extract(&t->b, ir_sysval(&t->b, IR_SYSVAL_NODE, 3, 64), (uint32_t)field / 8);
   if (field % 8)
      word = ir_alu2(&t->b, IR_ushr, word, ir_const(&t->b, 64, 32));
   return spirv_resize(t, word, bits, false);
}

void spirv_require_node(struct spirv_ctx *t)
{
   if (t->desc->stage != ABI_STAGE_COMPUTE || !t->shader->info.node.is_node)
      spirv_fail(t, "node payloads in a shader that is no node");
}

struct spirv_pointer spirv_payload_pointer(struct spirv_ctx *t, struct spirv_variable *variable)
{
   const struct spirv_type *type = variable->type;
   spirv_require_node(t);
   if (variable->initializer)
      spirv_fail(t, "variable %u, a payload, has an initializer", variable->id);
   if (!variable->addr) {
      const struct ir_builder saved = t->b;
      t->b = t->prologue;
      variable->addr = spirv_load_node(t, offsetof(struct abi_node, payloads), 64);
      variable->size = spirv_load_node(t, offsetof(struct abi_node, payload_bytes), 32);
      t->b = saved;
   }
   return (struct spirv_pointer){.class = SPIRV_PTR_BUFFER, .type = type, .layout = explicit_layout, .align = SPIRV_PAYLOAD_ALIGN, .access = variable->access,
                                 .variable = variable, .addr = variable->addr, .size = variable->size};
}

struct ir_instr *spirv_load_node_builtin(struct spirv_ctx *t, uint32_t builtin)
{
   spirv_require_node(t);
   return spirv_load_node(t, builtin == SpvBuiltInShaderIndexAMDX ? offsetof(struct abi_node, index) : offsetof(struct abi_node, remaining_recursion), 32);
}
