/* SPDX-License-Identifier: MIT
 * Nodes of execution graphs: what a shader says of itself as a node, the payload that it reads, and payloads that it allocates for other nodes, which
 * are buffers of a known size. Spec: SPV_AMDX_shader_enqueue. */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/spirv_node.h"
#include "util/hash.h"

#include <stddef.h>
#include <string.h>

enum { MAX_OUTPUT_TYPES = 4096 };

static const struct spirv_layout explicit_layout = {.class = SPIRV_LAYOUT_EXPLICIT};

/* ---- the module ---- */

static bool constant_bool(struct spirv_ctx *t, uint32_t id)
{
   uint64_t bits;
   if (!spirv_is_constant(spirv_value(t, id), &bits))
      spirv_fail(t, "id %u is not a constant", id);
   return bits != 0;
}

static struct abi_node_name name_of(struct spirv_ctx *t, uint32_t id)
{
   const struct spirv_id *record = spirv_id(t, id);
   if (record->class != SPIRV_ID_STRING)
      spirv_fail(t, "id %u is not a string", id);
   struct abi_node_name name;
   util_hash_text(name.hash, record->string);
   return name;
}

static void parse_grid(struct spirv_ctx *t, const struct spirv_instr *in)
{
   for (uint32_t i = 0; i < 3; i++)
      t->shader->info.node.grid[i] = spirv_constant_u32(t, spirv_word(t, in, 3 + i));
}

void spirv_node_mode(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct abi_node_info *node = &t->shader->info.node;
   if ((in->op != SpvOpExecutionModeId && in->op != SpvOpExecutionMode) || spirv_word(t, in, 1) != t->entry_id)
      return;
   switch (spirv_word(t, in, 2)) {
   case SpvExecutionModeCoalescingAMDX: node->grid_class = ABI_NODE_COALESCING; break;
   case SpvExecutionModeIsApiEntryAMDX: node->is_no_entry = !constant_bool(t, spirv_word(t, in, 3)); break;
   case SpvExecutionModeMaxNodeRecursionAMDX: node->max_recursion = spirv_constant_u32(t, spirv_word(t, in, 3)); break;
   case SpvExecutionModeShaderIndexAMDX: node->index = spirv_constant_u32(t, spirv_word(t, in, 3)); break;
   case SpvExecutionModeStaticNumWorkgroupsAMDX:
      node->grid_class = ABI_NODE_STATIC;
      parse_grid(t, in);
      break;
   case SpvExecutionModeMaxNumWorkgroupsAMDX: parse_grid(t, in); break;
   case SpvExecutionModeSharesInputWithAMDX:
      node->shares_input = 1;
      node->shares_name = name_of(t, spirv_word(t, in, 3));
      node->shares_index = spirv_constant_u32(t, spirv_word(t, in, 4));
      break;
   default: break;
   }
}

/* What a type is decorated with. */
static uint32_t decorated_constant(struct spirv_ctx *t, uint32_t id, uint32_t decoration, uint32_t fallback)
{
   const struct spirv_decoration *found = spirv_find_decoration(t, id, -1, decoration);
   return found && found->num_operands ? spirv_constant_u32(t, found->operands[0]) : fallback;
}

/* ---- the input ---- */

/* The member of the payload that is decorated, in structures within it too. False: none is. */
static bool find_grid(struct spirv_ctx *t, const struct spirv_type *type, uint32_t offset_bytes, uint32_t *offset, const struct spirv_type **grid)
{
   for (uint32_t m = 0; type->class == SPIRV_TYPE_STRUCT && m < type->count; m++) {
      const uint32_t at = offset_bytes + type->members[m].offset[SPIRV_LAYOUT_EXPLICIT];
      if (spirv_find_decoration(t, type->id, (int32_t)m, SpvDecorationPayloadDispatchIndirectAMDX)) {
         *offset = at;
         *grid = type->members[m].type;
         return true;
      }
      if (find_grid(t, type->members[m].type, at, offset, grid))
         return true;
   }
   return false;
}

/* Where the payload has the numbers of workgroups; in its first bytes if it does not say. */
static void note_grid(struct spirv_ctx *t, const struct spirv_type *payload)
{
   struct abi_node_info *node = &t->shader->info.node;
   const struct spirv_type *grid;
   node->grid_components = 3;
   node->grid_component_bytes = 4;
   spirv_take_apart(t, payload);
   if (!find_grid(t, payload, 0, &node->grid_offset, &grid))
      return;
   const bool is_vector = grid->class == SPIRV_TYPE_VECTOR;
   if (spirv_scalar_type(grid)->class != SPIRV_TYPE_INT || grid->bits > 32 || (is_vector && grid->count > 3) || (!is_vector && !spirv_is_scalar(grid)))
      spirv_fail(t, "numbers of workgroups of type %u", grid->id);
   node->grid_components = is_vector ? (uint8_t)grid->count : 1;
   node->grid_component_bytes = (uint8_t)(grid->bits / 8);
}

void spirv_find_payload(struct spirv_ctx *t)
{
   struct abi_node_info *node = &t->shader->info.node;
   for (uint32_t i = 0; i < t->num_interface_ids; i++) {
      const struct spirv_id *id = spirv_id(t, t->interface_ids[i]);
      if (id->class != SPIRV_ID_VARIABLE || id->variable->storage != SpvStorageClassNodePayloadAMDX)
         continue;
      const struct spirv_type *type = id->variable->type, *payload = type->is_payload_array ? type->elem : type;
      spirv_require_node(t);
      if (node->payload_bytes)
         spirv_fail(t, "a shader with two payloads");
      node->payload_bytes = UTIL_MAX((uint32_t)spirv_type_bytes(t, payload, explicit_layout), 1u);
      node->stride_bytes = type->is_payload_array ? type->array_stride : spirv_payload_stride(t, payload);
      node->max_payloads = decorated_constant(t, type->id, SpvDecorationNodeMaxPayloadsAMDX, 1);
      if (node->grid_class == ABI_NODE_DYNAMIC)
         note_grid(t, payload);
   }
   if (node->max_payloads > ABI_MAX_NODE_PAYLOADS)
      spirv_fail(t, "a workgroup that takes %u payloads", node->max_payloads);
   node->max_payloads = UTIL_MAX(node->max_payloads, 1u);
}

/* ---- outputs ---- */

static struct abi_node_output make_output(struct spirv_ctx *t, const struct spirv_type *type)
{
   const struct spirv_decoration *name = spirv_find_decoration(t, type->id, -1, SpvDecorationPayloadNodeNameAMDX);
   if (!name || !name->num_operands)
      spirv_fail(t, "payload array type %u does not say for which node", type->id);
   const uint32_t max = decorated_constant(t, type->id, SpvDecorationNodeMaxPayloadsAMDX, 0);
   if (!max || max > ABI_MAX_NODE_PAYLOADS)
      spirv_fail(t, "payload array type %u of %u payloads", type->id, max);
   return (struct abi_node_output){.name = name_of(t, name->operands[0]),
                                   .base_index = decorated_constant(t, type->id, SpvDecorationPayloadNodeBaseIndexAMDX, 0),
                                   .max_payloads = max,
                                   .payload_bytes = UTIL_MAX((uint32_t)spirv_type_bytes(t, type->elem, explicit_layout), 1u),
                                   .stride_bytes = type->array_stride};
}

/* Its number in ir_shader.node_outputs. Equal ones are one. */
static uint32_t output_of(struct spirv_ctx *t, const struct spirv_type *type)
{
   struct ir_shader *shader = t->shader;
   if (!type->is_payload_array)
      spirv_fail(t, "type %u is not a payload array", type->id);
   const struct abi_node_output output = make_output(t, type);
   for (uint32_t i = 0; i < shader->num_node_outputs; i++) {
      if (!memcmp(&shader->node_outputs[i], &output, sizeof(output)))
         return i;
   }
   if (shader->num_node_outputs == MAX_OUTPUT_TYPES)
      spirv_fail(t, "payloads of more than %u types", MAX_OUTPUT_TYPES);
   if (!(shader->num_node_outputs & (shader->num_node_outputs - 1))) { /* a power of two, or none */
      struct abi_node_output *more = UTIL_ARENA_ARRAY(t->arena, struct abi_node_output, UTIL_MAX(2 * shader->num_node_outputs, 1u));
      if (shader->num_node_outputs)
         memcpy(more, shader->node_outputs, shader->num_node_outputs * sizeof(*more));
      shader->node_outputs = more;
   }
   shader->node_outputs[shader->num_node_outputs] = output;
   return shader->num_node_outputs++;
}

/* ---- instructions ---- */

static struct ir_instr *node_call(struct spirv_ctx *t, enum abi_node_op op, uint32_t output, bool is_shared, uint32_t num_srcs, struct ir_instr **srcs)
{
   spirv_require_node(t);
   t->shader->info.node.calls = 1;
   struct ir_instr *call = ir_emit(&t->b, IR_node_call, 2, 64, num_srcs, srcs);
   call->imm.u[0] = op;
   call->imm.u[1] = output;
   call->imm.u[2] = is_shared;
   return call;
}

static struct ir_instr *u32_operand(struct spirv_ctx *t, uint32_t id)
{
   return spirv_resize(t, spirv_scalar(t, id), 32, false);
}

static void allocate(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   if (type->class != SPIRV_TYPE_POINTER || !type->elem)
      spirv_fail(t, "%s: the result is no pointer", spirv_op_name(in->op));
   const uint32_t scope = spirv_constant_u32(t, spirv_word(t, in, 3));
   if (scope != SpvScopeWorkgroup && scope != SpvScopeInvocation)
      spirv_fail(t, "payloads for scope %u", scope);
   struct ir_instr *srcs[2] = {u32_operand(t, spirv_word(t, in, 4)), u32_operand(t, spirv_word(t, in, 5))};
   struct ir_instr *call = node_call(t, ABI_NODE_ALLOCATE, output_of(t, type->elem), scope == SpvScopeWorkgroup, 2, srcs);
   const struct spirv_pointer pointer = {.class = SPIRV_PTR_BUFFER, .type = type->elem, .layout = explicit_layout, .align = SPIRV_PAYLOAD_ALIGN,
                                         .addr = ir_extract(&t->b, call, 0), .size = spirv_resize(t, ir_extract(&t->b, call, 1), 32, false)};
   spirv_set_value(t, spirv_word(t, in, 2), spirv_new_pointer(t, type, &pointer));
}

/* The whole of an array that was allocated. */
static bool is_allocated(const struct spirv_pointer *pointer)
{
   const struct ir_instr *addr = pointer->class == SPIRV_PTR_BUFFER ? pointer->addr : NULL;
   return addr && addr->op == IR_extract && addr->srcs[0]->op == IR_node_call && addr->srcs[0]->imm.u[0] == ABI_NODE_ALLOCATE && !pointer->offset &&
          !pointer->dyn && pointer->type->is_payload_array;
}

static bool is_input(const struct spirv_pointer *pointer)
{
   return pointer->class == SPIRV_PTR_BUFFER && pointer->variable && pointer->variable->storage == SpvStorageClassNodePayloadAMDX;
}

static void enqueue(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer *pointer = spirv_pointer(t, spirv_word(t, in, 1));
   if (!is_allocated(pointer))
      spirv_fail(t, "%s: no payloads that were allocated here", spirv_op_name(in->op));
   node_call(t, ABI_NODE_ENQUEUE, 0, false, 1, &pointer->addr);
}

static void array_length(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_pointer *pointer = spirv_pointer(t, spirv_word(t, in, 3));
   struct ir_instr *count;
   if (is_input(pointer))
      count = spirv_load_node(t, offsetof(struct abi_node, num_payloads), 32);
   else if (is_allocated(pointer))
      count = ir_alu2(&t->b, IR_udiv, pointer->size, spirv_u32(t, pointer->type->array_stride));
   else
      spirv_fail(t, "%s: no payload array", spirv_op_name(in->op));
   spirv_set_result(t, in, 1, &count);
}

static void set_truth(struct spirv_ctx *t, const struct spirv_instr *in, struct ir_instr *call)
{
   struct ir_instr *is_true = ir_alu2(&t->b, IR_ine, ir_extract(&t->b, call, 0), ir_const(&t->b, 64, 0));
   spirv_set_result(t, in, 1, &is_true);
}

bool spirv_node(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *index;
   switch (in->op) {
   case SpvOpAllocateNodePayloadsAMDX: allocate(t, in); return true;
   case SpvOpEnqueueNodePayloadsAMDX: enqueue(t, in); return true;
   case SpvOpNodePayloadArrayLengthAMDX: array_length(t, in); return true;
   case SpvOpIsNodePayloadValidAMDX:
      index = u32_operand(t, spirv_word(t, in, 4));
      set_truth(t, in, node_call(t, ABI_NODE_IS_VALID, output_of(t, spirv_type(t, spirv_word(t, in, 3))), false, 1, &index));
      return true;
   case SpvOpFinishWritingNodePayloadAMDX:
      if (!is_input(spirv_pointer(t, spirv_word(t, in, 3))))
         spirv_fail(t, "%s: not the payload that the shader reads", spirv_op_name(in->op));
      set_truth(t, in, node_call(t, ABI_NODE_FINISH, 0, true, 0, NULL));
      return true;
   default: return false;
   }
}
