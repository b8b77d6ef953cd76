/* SPDX-License-Identifier: MIT
 * Pointers: variables, access chains, variable pointers. */
#include "compiler/spirv/memory/spirv_pointer.h"

#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/memory/spirv_heap.h"
#include "compiler/spirv/spirv_node.h"

enum {
   BUFFER_ALIGN = 4,  /* of a descriptor's address: the least that any layout gives */
   SHARED_ALIGN = 16,
   MAX_ALIGN = 64,
};

static const struct spirv_layout cells = {.class = SPIRV_LAYOUT_CELLS};
static const struct spirv_layout tight = {.class = SPIRV_LAYOUT_TIGHT};
static const struct spirv_layout explicit_layout = {.class = SPIRV_LAYOUT_EXPLICIT};

struct spirv_val *spirv_new_pointer(struct spirv_ctx *t, const struct spirv_type *pointer_type,
                                    const struct spirv_pointer *pointer)
{
   struct spirv_val *val = spirv_new_simple(t, pointer_type, SPIRV_VAL_POINTER);
   val->pointer = util_arena_dup(t->arena, pointer, sizeof(*pointer));
   return val;
}

/* What arrays are of: of descriptors the block's structure type. */
static const struct spirv_type *without_arrays(const struct spirv_type *type)
{
   while (type->class == SPIRV_TYPE_ARRAY || type->class == SPIRV_TYPE_RUNTIME_ARRAY)
      type = type->elem;
   return type;
}

static struct ir_var *new_var(struct spirv_ctx *t, const struct spirv_type *type, const char *name)
{
   if (type->size[SPIRV_LAYOUT_CELLS] > SPIRV_MAX_VAR_BYTES)
      spirv_fail(t, "variable %s is too large", name ? name : "");
   struct ir_var *var = ir_var_create(t->shader, UTIL_MAX(util_align(type->size[SPIRV_LAYOUT_CELLS], 4), 4), name ? name : "");
   if (spirv_is_ray(without_arrays(type))) {
      var->class = IR_VAR_QUERY;
      ir_emit(&t->b, IR_ray_clear, 0, 0, 0, NULL)->imm.var.var = var;
   }
   return var;
}

struct spirv_pointer spirv_temp_pointer(struct spirv_ctx *t, const struct spirv_type *type, const char *name)
{
   return (struct spirv_pointer){
      .class = SPIRV_PTR_VAR, .type = type, .layout = cells, .align = 4, .var = new_var(t, type, name)};
}

/* ---- variables of the module ---- */

static bool is_aliased(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   return variable->type->is_block && spirv_has_decoration(t, variable->id, SpvDecorationAliased);
}

/* Where a block of its own may begin: behind those which alias each other, and all that there is so far. */
static uint32_t behind_aliased(struct spirv_ctx *t)
{
   const uint32_t first = abi_first_variable(&t->shader->info);
   uint64_t bytes = 0;
   for (uint32_t i = 0; i < t->num_interface_ids; i++) {
      const struct spirv_id *id = spirv_id(t, t->interface_ids[i]);
      if (id->class == SPIRV_ID_VARIABLE && id->variable->storage == SpvStorageClassWorkgroup && is_aliased(t, id->variable))
         bytes = UTIL_MAX(bytes, spirv_type_bytes(t, id->variable->type, explicit_layout));
   }
   bytes = UTIL_MAX(first + UTIL_MIN(bytes, (uint64_t)SPIRV_MAX_VAR_BYTES), (uint64_t)t->shader->info.shared_bytes);
   return (uint32_t)util_align(bytes, SHARED_ALIGN);
}

/* Shared variables stand one after the other; blocks that say so alias each other, in front of all others. */
static struct spirv_pointer shared_pointer(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   struct spirv_pointer pointer = {.class = SPIRV_PTR_SHARED,
                                   .type = variable->type,
                                   .layout = tight,
                                   .align = SHARED_ALIGN,
                                   .access = variable->access,
                                   .variable = (struct spirv_variable *)variable};
   uint32_t *shared_bytes = &t->shader->info.shared_bytes;
   uint64_t end;
   if (variable->storage == SpvStorageClassTaskPayloadWorkgroupEXT) {
      return pointer; /* the one that there is stands first: spirv_begin_workgroup() */
   } else if (variable->type->is_block) {
      pointer.layout = explicit_layout;
      pointer.offset = is_aliased(t, variable) ? abi_first_variable(&t->shader->info) : behind_aliased(t);
      end = pointer.offset + spirv_type_bytes(t, variable->type, explicit_layout);
   } else {
      pointer.offset = (uint32_t)util_align(*shared_bytes, UTIL_MAX(variable->type->align[SPIRV_LAYOUT_TIGHT], 4u));
      end = (uint64_t)pointer.offset + variable->type->size[SPIRV_LAYOUT_TIGHT];
   }
   if (end > SPIRV_MAX_VAR_BYTES)
      spirv_fail(t, "too much shared memory");
   *shared_bytes = UTIL_MAX(*shared_bytes, (uint32_t)util_align(end, 4));
   if (variable->initializer) {
      if (spirv_value(t, variable->initializer)->class != SPIRV_VAL_NULL)
         spirv_fail(t, "initializers of shared variables must be null");
      t->shader->info.zero_shared = 1;
   }
   return pointer;
}

static struct spirv_pointer private_pointer(struct spirv_ctx *t, struct spirv_variable *variable)
{
   const struct ir_builder saved = t->b;
   t->b = t->prologue;
   const struct spirv_pointer pointer = spirv_temp_pointer(t, variable->type, t->ids[variable->id].name);
   if (variable->initializer)
      spirv_store(t, &pointer, spirv_value(t, variable->initializer));
   t->b = saved;
   return pointer;
}

static struct ir_instr *resource(struct spirv_ctx *t, enum ir_op op, uint32_t bits,
                                 const struct spirv_variable *variable, struct ir_instr *index)
{
   struct ir_instr *handle = ir_emit(&t->b, op, 1, bits, 1, &index);
   handle->imm.u[0] = variable->set;
   handle->imm.u[1] = variable->binding;
   return handle;
}

/* The buffer behind one descriptor. That of a variable that is no array is fetched once, in the prologue. With heaps it may be other memory. */
static struct spirv_pointer buffer_pointer(struct spirv_ctx *t, struct spirv_variable *variable, struct ir_instr *index,
                                           uint8_t access)
{
   const struct spirv_type *block = without_arrays(variable->type);
   struct spirv_pointer pointer = {.class = SPIRV_PTR_BUFFER,
                                   .type = block,
                                   .layout = explicit_layout,
                                   .align = BUFFER_ALIGN,
                                   .access = access,
                                   .variable = variable};
   const uint32_t size_bits = spirv_is_indexed_by_64_bits(t, variable->storage) ? 64 : 32;
   pointer.is_uniform_block = variable->storage == SpvStorageClassUniform && !block->is_buffer_block;
   if (pointer.is_uniform_block)
      pointer.access |= IR_ACCESS_READ_ONLY;

   if (spirv_has_heaps(t)) {
      const struct ir_builder saved = t->b;
      if (!index)
         t->b = t->prologue;
      spirv_mapped_buffer(t, index, &pointer);
      t->b = saved;
      return pointer;
   }
   if (index) {
      pointer.addr = resource(t, IR_buffer_addr, 64, variable, index);
      pointer.size = resource(t, IR_buffer_size, size_bits, variable, index);
      return pointer;
   }
   if (!variable->addr) {
      const struct ir_builder saved = t->b;
      t->b = t->prologue;
      struct ir_instr *zero = spirv_u32(t, 0);
      variable->addr = resource(t, IR_buffer_addr, 64, variable, zero);
      variable->size = resource(t, IR_buffer_size, size_bits, variable, zero);
      t->b = saved;
   }
   pointer.addr = variable->addr;
   pointer.size = variable->size;
   return pointer;
}

static void check_binding(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   if (variable->set >= ABI_MAX_SETS && !spirv_has_heaps(t))
      spirv_fail(t, "descriptor set %u of variable %u", variable->set, variable->id);
   spirv_name_resource(t, variable);
}

struct spirv_val *spirv_variable_pointer(struct spirv_ctx *t, struct spirv_variable *variable)
{
   if (variable->value)
      return variable->value;
   if (variable->is_being_made)
      spirv_fail(t, "variable %u is initialized with itself", variable->id);
   variable->is_being_made = true;
   struct spirv_pointer pointer;
   switch (variable->storage) {
   case SpvStorageClassInput:
   case SpvStorageClassOutput:
      return variable->value = spirv_interface_pointer(t, variable);
   case SpvStorageClassPrivate:
      pointer = private_pointer(t, variable);
      break;
   case SpvStorageClassWorkgroup:
   case SpvStorageClassTaskPayloadWorkgroupEXT:
      pointer = shared_pointer(t, variable);
      break;
   case SpvStorageClassPushConstant:
      pointer = (struct spirv_pointer){.class = SPIRV_PTR_PUSH,
                                       .type = variable->type,
                                       .layout = explicit_layout,
                                       .align = BUFFER_ALIGN,
                                       .variable = variable};
      break;
   case SpvStorageClassUniform:
   case SpvStorageClassStorageBuffer:
      check_binding(t, variable);
      if (without_arrays(variable->type) != variable->type)
         pointer = (struct spirv_pointer){
            .class = SPIRV_PTR_DESCRIPTOR, .type = variable->type, .access = variable->access, .variable = variable};
      else
         pointer = buffer_pointer(t, variable, NULL, variable->access);
      break;
   case SpvStorageClassUniformConstant:
      if (spirv_heap_variable(t, variable, &pointer))
         break;
      check_binding(t, variable);
      pointer = (struct spirv_pointer){.class = SPIRV_PTR_DESCRIPTOR, .type = variable->type, .access = variable->access,
                                       .variable = variable};
      break;
   case SpvStorageClassNodePayloadAMDX:
      pointer = spirv_payload_pointer(t, variable);
      break;
   case SpvStorageClassTileImageEXT:
      pointer = (struct spirv_pointer){.class = SPIRV_PTR_DESCRIPTOR, .type = variable->type, .variable = variable};
      break;
   default:
      if (!spirv_ray_variable(t, variable, &pointer))
         spirv_fail(t, "variables of storage class %u are not supported", variable->storage);
   }
   return variable->value = spirv_new_pointer(t, variable->pointer_type, &pointer);
}

/* ---- offsets ---- */

static uint32_t lowest_bit(uint32_t value)
{
   return value & -value;
}

uint32_t spirv_pointer_align(const struct spirv_pointer *pointer, uint32_t more_bytes)
{
   const uint32_t constant = pointer->offset + more_bytes;
   const uint32_t align = UTIL_MIN(pointer->align, (uint32_t)MAX_ALIGN);
   return constant ? UTIL_MIN(align, lowest_bit(constant)) : align;
}

/* Bytes past the end of any memory like this, whose offsets have 32 bits, with room for another index's behind; 0: an index may wrap around. */
static uint64_t end_of_any(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   if (spirv_offset_bits(pointer) != 32)
      return 0;
   switch (pointer->class) {
   case SPIRV_PTR_SHARED:
      return SPIRV_MAX_VAR_BYTES;
   case SPIRV_PTR_PUSH:
      return ABI_MAX_PUSH_BYTES;
   case SPIRV_PTR_BUFFER:
      return t->desc->robust2 & (pointer->is_uniform_block ? COMP_ROBUST2_UNIFORM : COMP_ROBUST2_STORAGE) ? ABI_MAX_BUFFER_BYTES >> (pointer->dyn != NULL) : 0;
   default:
      return 0;
   }
}

static struct ir_instr *number(struct spirv_ctx *t, uint32_t bits, uint64_t value)
{
   return bits == 32 ? spirv_u32(t, (uint32_t)value) : ir_const(&t->b, bits, value);
}

enum { HELD_MULTIPLE = 16 };

/* The index that stands for all larger ones: its offset is past the end, and fits. UINT64_MAX: they are as they are, as numbers of bytes from a buffer's
 * start fit. */
static uint64_t largest_index(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t stride)
{
   const bool is_offset = pointer->class == SPIRV_PTR_BUFFER && stride == 1 && !pointer->dyn && !pointer->offset;
   const uint64_t end = stride && !is_offset ? end_of_any(t, pointer) : 0;
   return end ? util_align((end + stride - 1) / stride, stride < UINT32_MAX / HELD_MULTIPLE / HELD_MULTIPLE ? HELD_MULTIPLE : 1) : UINT64_MAX;
}

/* A power of two, up to HELD_MULTIPLE, that the value is a multiple of. */
static uint32_t known_multiple(const struct ir_instr *value)
{
   const bool by_const = (value->op == IR_imul || value->op == IR_ishl) && ir_is_const(value->srcs[1]);
   const uint32_t number = by_const ? (uint32_t)value->srcs[1]->imm.c[0] : 0;
   return !by_const ? 1 : value->op == IR_imul ? lowest_bit(number | HELD_MULTIPLE) : UTIL_MIN(1u << (number & 31), (uint32_t)HELD_MULTIPLE);
}

/* No more than `max`. */
static struct ir_instr *hold(struct spirv_ctx *t, struct ir_instr *index, uint64_t max)
{
   t->shader->holds_indices = true;
   return ir_alu2(&t->b, IR_umin, index, number(t, index->bit_size, max));
}

/* The size for an access at the index: nothing from `max` on. Unlike a minimum it leaves the lanes' offsets at one distance. Neighbours in an aligned block of
 * elements have the same: of 4 i + 1 it asks what it asks of 4 i. */
static struct ir_instr *guarded_size(struct spirv_ctx *t, struct ir_instr *size, struct ir_instr *index, uint64_t max)
{
   if (max % HELD_MULTIPLE == 0 && index->op == IR_iadd && ir_is_const(index->srcs[1]) && index->srcs[1]->imm.c[0] < known_multiple(index->srcs[0]))
      index = index->srcs[0];
   struct ir_instr *is_small = ir_alu2(&t->b, IR_ult, index, number(t, index->bit_size, max));
   t->shader->holds_indices = true;
   return ir_select(&t->b, is_small, size, spirv_u32(t, 0));
}

static void add_scaled(struct spirv_ctx *t, struct spirv_pointer *pointer, struct ir_instr *index, uint32_t stride)
{
   const uint32_t width = spirv_offset_bits(pointer);
   index = spirv_resize(t, index, width, true);
   if (stride != 1)
      index = ir_alu2(&t->b, IR_imul, index, number(t, width, stride));
   spirv_add_offset(t, pointer, index);
   if (stride)
      pointer->align = UTIL_MIN(pointer->align, lowest_bit(stride));
}

/* True if the offset's constant part could take it. */
static bool add_constant(struct spirv_pointer *pointer, int64_t index, uint32_t stride)
{
   const int64_t bytes = (int64_t)((uint64_t)index * stride + pointer->offset);
   if (spirv_offset_bits(pointer) == 64 && bytes != (int32_t)bytes)
      return false;
   pointer->offset = (uint32_t)bytes;
   return true;
}

static int64_t signed_index(const struct spirv_val *index, uint64_t bits)
{
   return (int64_t)(bits << (64 - index->type->bits)) >> (64 - index->type->bits);
}

/* From one pointer to another of the same array: forwards or back. */
static void add_elements(struct spirv_ctx *t, struct spirv_pointer *pointer, struct spirv_val *count, uint32_t stride)
{
   uint64_t bits;
   if (!spirv_is_constant(count, &bits) || !add_constant(pointer, signed_index(count, bits), stride))
      add_scaled(t, pointer, spirv_comps(t, count)[0], stride);
}

void spirv_add_index(struct spirv_ctx *t, struct spirv_pointer *pointer, struct spirv_val *index, uint32_t stride)
{
   const uint64_t max = largest_index(t, pointer, stride);
   uint64_t bits;
   if (spirv_is_constant(index, &bits)) {
      const int64_t value = signed_index(index, bits);
      if (add_constant(pointer, (uint64_t)value < max ? value : (int64_t)max, stride))
         return;
   }
   struct ir_instr *value = spirv_comps(t, index)[0];
   if (max != UINT64_MAX && value->bit_size < 32)
      value = spirv_resize(t, value, 32, true);
   if (max != UINT64_MAX && pointer->class == SPIRV_PTR_BUFFER)
      pointer->size = guarded_size(t, pointer->size, value, max);
   else if (max != UINT64_MAX)
      value = hold(t, value, max);
   add_scaled(t, pointer, value, stride);
}

/* ---- one step of an access chain ---- */

static uint32_t constant_index(struct spirv_ctx *t, struct spirv_val *index, uint32_t count)
{
   uint64_t bits;
   if (!spirv_is_constant(index, &bits))
      spirv_fail(t, "a structure's member must be chosen by a constant");
   if (bits >= count)
      spirv_fail(t, "member %llu of %u", (unsigned long long)bits, count);
   return (uint32_t)bits;
}

static bool is_buffer(const struct spirv_variable *variable)
{
   return variable->storage != SpvStorageClassUniformConstant && variable->storage != SpvStorageClassTileImageEXT;
}

/* Into an array of descriptors; reaching the block of a buffer, it becomes a pointer into that buffer. */
static struct spirv_pointer descriptor_step(struct spirv_ctx *t, const struct spirv_pointer *from,
                                            struct spirv_val *index)
{
   struct spirv_pointer pointer = *from;
   if (from->type->class != SPIRV_TYPE_ARRAY && from->type->class != SPIRV_TYPE_RUNTIME_ARRAY)
      spirv_fail(t, "type %u has no parts", from->type->id);
   spirv_check_index(t, from, index);
   pointer.type = from->type->elem;

   struct ir_instr *position = spirv_resize(t, spirv_comps(t, index)[0], 32, false);
   if (from->index) { /* arrays of arrays count row by row */
      if (!from->type->count)
         spirv_fail(t, "runtime array of descriptors within an array");
      position =
         ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_imul, from->index, spirv_u32(t, from->type->count)), position);
   }
   pointer.index = position;
   if (is_buffer(from->variable) && pointer.type->class == SPIRV_TYPE_STRUCT) {
      const struct spirv_pointer buffer = buffer_pointer(t, from->variable, position, from->access);
      if (from->is_nonuniform) {
         spirv_set_nonuniform(buffer.addr);
         spirv_set_nonuniform(buffer.size);
      }
      return buffer;
   }
   return pointer;
}

static struct spirv_pointer step(struct spirv_ctx *t, const struct spirv_pointer *from, struct spirv_val *index);

static struct spirv_pointer input_step(struct spirv_ctx *t, const struct spirv_pointer *from, struct spirv_val *index)
{
   uint64_t bits;
   if (!spirv_is_constant(index, &bits) || bits >= spirv_num_children(t, from->type)) {
      const struct spirv_pointer copy = spirv_input_copy(t, from);
      return step(t, &copy, index);
   }
   struct spirv_pointer pointer = *from;
   const struct spirv_step s = spirv_step_into(t, from->type, from->layout, (uint32_t)bits);
   pointer.type = s.type;
   pointer.offset += s.offset;
   pointer.slot += spirv_slot_of_child(t, from->type, (uint32_t)bits);
   return pointer;
}

/* To the values at one vertex. */
static struct spirv_pointer vertices_step(struct spirv_ctx *t, const struct spirv_pointer *from, struct spirv_val *index)
{
   struct spirv_pointer pointer = *from;
   const bool is_input = from->variable->storage == SpvStorageClassInput;
   pointer.class = from->variable->is_iface_block ? SPIRV_PTR_BLOCK : is_input ? SPIRV_PTR_INPUT : SPIRV_PTR_ROWS;
   pointer.type = from->variable->value_type;
   pointer.iface = from->variable->is_iface_block ? NULL : &from->variable->parts[0];
   pointer.vertex = spirv_resize(t, spirv_comps(t, index)[0], 32, false);
   return pointer;
}

static struct spirv_pointer block_step(struct spirv_ctx *t, const struct spirv_pointer *from, struct spirv_val *index)
{
   struct spirv_iface *part = &from->variable->parts[constant_index(t, index, from->variable->num_parts)];
   if (part->is_input)
      return (struct spirv_pointer){.class = SPIRV_PTR_INPUT, .type = part->type, .layout = cells, .align = 4,
                                    .iface = part, .vertex = from->vertex};
   if (spirv_has_rows(t))
      return (struct spirv_pointer){.class = SPIRV_PTR_ROWS, .type = part->type, .layout = cells, .align = 4, .iface = part,
                                    .vertex = from->vertex, .only_if = from->only_if};
   part->is_touched = true;
   if (!part->var)
      part->var = new_var(t, part->type, t->ids[from->variable->id].name);
   return (struct spirv_pointer){
      .class = SPIRV_PTR_VAR, .type = part->type, .layout = cells, .align = 4, .var = part->var};
}

static struct spirv_pointer step(struct spirv_ctx *t, const struct spirv_pointer *from, struct spirv_val *index)
{
   switch (from->class) {
   case SPIRV_PTR_DESCRIPTOR: return descriptor_step(t, from, index);
   case SPIRV_PTR_VERTICES: return vertices_step(t, from, index);
   case SPIRV_PTR_BLOCK: return block_step(t, from, index);
   case SPIRV_PTR_INPUT: return input_step(t, from, index);
   case SPIRV_PTR_ROWS: return spirv_rows_step(t, from, index);
   case SPIRV_PTR_TEXEL: spirv_fail(t, "a texel has no parts");
   default: break;
   }
   struct spirv_pointer pointer = *from;
   if (from->type->class == SPIRV_TYPE_STRUCT) {
      const struct spirv_step s =
         spirv_step_into(t, from->type, from->layout, constant_index(t, index, from->type->count));
      pointer.type = s.type;
      pointer.layout = s.layout;
      pointer.offset += s.offset;
      pointer.access |= s.access;
      return pointer;
   }
   const struct spirv_step s = spirv_step_into(t, from->type, from->layout, 0);
   const bool is_array = from->type->class == SPIRV_TYPE_ARRAY || from->type->class == SPIRV_TYPE_RUNTIME_ARRAY;
   spirv_check_index(t, from, index);
   pointer.type = s.type;
   pointer.is_of_floats = is_array && s.type->class == SPIRV_TYPE_FLOAT;
   pointer.layout = s.layout;
   spirv_add_index(t, &pointer, index, s.stride);
   return pointer;
}

struct spirv_pointer spirv_pointer_child(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t index)
{
   uint64_t bits = index;
   struct spirv_val val = {.type = &spirv_type_u32, .class = SPIRV_VAL_CONST, .bits = &bits};
   return step(t, pointer, &val);
}

/* ---- pointers that are values ---- */

struct spirv_pointer *spirv_val_pointer(struct spirv_ctx *t, struct spirv_val *val)
{
   if (val->class == SPIRV_VAL_POINTER)
      return val->pointer;
   const struct spirv_type *type = val->type;
   if (type->class != SPIRV_TYPE_POINTER || (!type->elem && !type->is_untyped))
      spirv_fail(t, "a value that is no pointer is used as one");

   struct ir_instr **comps = spirv_comps(t, val);
   struct spirv_pointer *pointer = UTIL_ARENA_NEW(t->arena, struct spirv_pointer);
   pointer->type = type->is_untyped ? &spirv_type_u8 : type->elem;
   pointer->layout = explicit_layout;
   pointer->align = 1;
   switch (type->storage) {
   case SpvStorageClassUniform:
   case SpvStorageClassStorageBuffer:
      pointer->class = SPIRV_PTR_BUFFER;
      pointer->addr = comps[0];
      pointer->size = comps[1];
      pointer->dyn = comps[2];
      break;
   case SpvStorageClassPhysicalStorageBuffer:
      pointer->class = SPIRV_PTR_GLOBAL;
      pointer->addr = comps[0];
      break;
   default: /* Workgroup, by spirv_leaf_count() */
      pointer->class = SPIRV_PTR_SHARED;
      pointer->layout = pointer->type->is_block || type->array_stride || type->is_untyped ? explicit_layout : tight;
      pointer->dyn = comps[0];
      break;
   }
   return pointer;
}

struct spirv_pointer *spirv_pointer(struct spirv_ctx *t, uint32_t id)
{
   return spirv_val_pointer(t, spirv_value(t, id));
}

void spirv_retype(struct spirv_ctx *t, struct spirv_pointer *pointer, const struct spirv_type *type)
{
   if (pointer->type == type && pointer->layout.class == SPIRV_LAYOUT_EXPLICIT)
      return; /* a column of a row-major matrix stays one */
   switch (pointer->class) {
   case SPIRV_PTR_DESCRIPTOR:
      if (is_buffer(pointer->variable) && !without_arrays(type)->is_block) /* what is behind the descriptor, no descriptor */
         *pointer = buffer_pointer(t, pointer->variable, pointer->index ? pointer->index : spirv_u32(t, 0), pointer->access);
      break;
   case SPIRV_PTR_BUFFER:
   case SPIRV_PTR_GLOBAL:
   case SPIRV_PTR_SHARED:
   case SPIRV_PTR_PUSH:
      pointer->layout = explicit_layout;
      break;
   case SPIRV_PTR_TEXEL:
      break;
   default:
      spirv_fail(t, "an untyped pointer into memory without an explicit layout");
   }
   pointer->type = type;
   pointer->is_of_floats = false;
}

struct spirv_pointer spirv_pointer_to(struct spirv_ctx *t, uint32_t id, const struct spirv_type *type)
{
   struct spirv_val *val = spirv_value(t, id);
   struct spirv_pointer pointer = *spirv_val_pointer(t, val);
   if (val->type->is_untyped)
      spirv_retype(t, &pointer, type);
   return pointer;
}

/* ---- instructions ---- */

static bool is_untyped_chain(uint32_t op)
{
   return op == SpvOpUntypedAccessChainKHR || op == SpvOpUntypedInBoundsAccessChainKHR || op == SpvOpUntypedPtrAccessChainKHR ||
          op == SpvOpUntypedInBoundsPtrAccessChainKHR;
}

/* Untyped chains say what the base is a pointer to. */
static void access_chain(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool is_untyped = is_untyped_chain(in->op);
   const bool has_element = in->op == SpvOpPtrAccessChain || in->op == SpvOpInBoundsPtrAccessChain ||
                            in->op == SpvOpUntypedPtrAccessChainKHR || in->op == SpvOpUntypedInBoundsPtrAccessChainKHR;
   uint32_t i = is_untyped ? 4 : 3;
   struct spirv_val *base = spirv_value(t, spirv_word(t, in, i++));
   struct spirv_pointer pointer = *spirv_val_pointer(t, base);
   if (is_untyped)
      spirv_retype(t, &pointer, spirv_type(t, spirv_word(t, in, 3)));
   if (has_element) {
      struct spirv_val *element = spirv_value(t, spirv_word(t, in, i++));
      uint64_t bits;
      const bool is_zero = spirv_is_constant(element, &bits) && bits == 0;
      if (pointer.class == SPIRV_PTR_BUFFER || pointer.class == SPIRV_PTR_GLOBAL || pointer.class == SPIRV_PTR_SHARED ||
          pointer.class == SPIRV_PTR_VAR) {
         uint32_t stride = base->type->array_stride;
         if (!stride || pointer.layout.class != SPIRV_LAYOUT_EXPLICIT)
            stride =
               pointer.type->size[pointer.layout.class == SPIRV_LAYOUT_CELLS ? SPIRV_LAYOUT_CELLS : SPIRV_LAYOUT_TIGHT];
         add_elements(t, &pointer, element, stride);
      } else if (!is_zero) {
         spirv_fail(t, "%s into this storage class is not supported", spirv_op_name(in->op));
      }
   }
   for (; i < in->count; i++)
      pointer = step(t, &pointer, spirv_value(t, in->words[i]));

   const struct spirv_type *type = spirv_result_type(t, in);
   const bool fits = type->class == SPIRV_TYPE_POINTER &&
                     (is_untyped ? type->is_untyped
                                 : pointer.type == type->elem || (type->elem && spirv_types_match(t, pointer.type, type->elem)));
   if (!fits)
      spirv_fail(t, "%s: the result's type is not what the indices reach", spirv_op_name(in->op));
   spirv_set_value(t, spirv_word(t, in, 2), spirv_new_pointer(t, type, &pointer));
}

/* Base, stride in bytes, index and offset in bytes: the type of the base does not count. */
static void raw_access_chain(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer pointer = *spirv_pointer(t, spirv_word(t, in, 3));
   const struct spirv_type *type = spirv_result_type(t, in);
   if (type->class != SPIRV_TYPE_POINTER || !type->elem || (pointer.class != SPIRV_PTR_BUFFER && pointer.class != SPIRV_PTR_GLOBAL))
      spirv_fail(t, "OpRawAccessChainNV into this storage class is not supported");
   pointer.type = type->elem;
   pointer.layout = explicit_layout;
   spirv_add_index(t, &pointer, spirv_value(t, spirv_word(t, in, 5)), spirv_constant_u32(t, spirv_word(t, in, 4)));
   spirv_add_index(t, &pointer, spirv_value(t, spirv_word(t, in, 6)), 1);
   pointer.align = 1;
   spirv_set_value(t, spirv_word(t, in, 2), spirv_new_pointer(t, type, &pointer));
}

/* Elements of the runtime array at the block's end: what is left of the buffer. */
static void array_length(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool is_untyped = in->op == SpvOpUntypedArrayLengthKHR;
   struct spirv_pointer block = *spirv_pointer(t, spirv_word(t, in, is_untyped ? 4 : 3));
   if (is_untyped)
      spirv_retype(t, &block, spirv_type(t, spirv_word(t, in, 3)));
   if (block.class != SPIRV_PTR_BUFFER)
      spirv_fail(t, "%s of something that is no buffer", spirv_op_name(in->op));
   const struct spirv_pointer array = spirv_pointer_child(t, &block, spirv_word(t, in, is_untyped ? 5 : 4));
   if (array.type->class != SPIRV_TYPE_RUNTIME_ARRAY)
      spirv_fail(t, "%s of something that is no runtime array", spirv_op_name(in->op));
   const uint32_t stride = UTIL_MAX(spirv_step_into(t, array.type, array.layout, 0).stride, 1u);
   const uint32_t bits = array.size->bit_size;
   struct ir_instr *offset = spirv_pointer_offset(t, &array, 0);
   struct ir_instr *bytes = ir_alu2(&t->b, IR_isub, array.size, offset);
   struct ir_instr *count = ir_alu2(&t->b, IR_udiv, bytes, ir_const(&t->b, bits, stride));
   struct ir_instr *is_past = ir_alu2(&t->b, IR_ult, array.size, offset);
   count = spirv_resize(t, ir_select(&t->b, is_past, ir_const(&t->b, bits, 0), count), spirv_result_type(t, in)->bits, false);
   spirv_set_result(t, in, 1, &count);
}

/* Both pointers' positions as one 64-bit number. */
static struct ir_instr *position(struct spirv_ctx *t, uint32_t id)
{
   struct spirv_val *val = spirv_value(t, id);
   struct ir_instr **comps = spirv_comps(t, val);
   if (spirv_leaf_count(t, val->type) == 3)
      return ir_alu2(&t->b, IR_iadd, comps[0], spirv_resize(t, comps[2], 64, true));
   return spirv_resize(t, comps[0], 64, false);
}

static void compare_pointers(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *x = position(t, spirv_word(t, in, 3)), *y = position(t, spirv_word(t, in, 4));
   struct ir_instr *result;
   if (in->op == SpvOpPtrDiff) {
      const struct spirv_val *val = spirv_value(t, in->words[3]);
      uint32_t stride = val->type->is_untyped ? 1 : val->type->array_stride; /* untyped: bytes */
      if (!stride)
         stride = UTIL_MAX(val->type->elem ? val->type->elem->size[SPIRV_LAYOUT_TIGHT] : 1, 1u);
      struct ir_instr *bytes = ir_alu2(&t->b, IR_isub, x, y);
      result = spirv_resize(t, ir_alu2(&t->b, IR_idiv, bytes, ir_const(&t->b, 64, stride)),
                            spirv_result_type(t, in)->bits, true);
   } else {
      result = ir_alu2(&t->b, in->op == SpvOpPtrEqual ? IR_ieq : IR_ine, x, y);
   }
   spirv_set_result(t, in, 1, &result);
}

bool spirv_access_chain(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpAccessChain:
   case SpvOpInBoundsAccessChain:
   case SpvOpPtrAccessChain:
   case SpvOpInBoundsPtrAccessChain:
   case SpvOpUntypedAccessChainKHR:
   case SpvOpUntypedInBoundsAccessChainKHR:
   case SpvOpUntypedPtrAccessChainKHR:
   case SpvOpUntypedInBoundsPtrAccessChainKHR:
      access_chain(t, in);
      return true;
   case SpvOpRawAccessChainNV:
      raw_access_chain(t, in);
      return true;
   case SpvOpArrayLength:
   case SpvOpUntypedArrayLengthKHR:
      array_length(t, in);
      return true;
   case SpvOpPtrEqual:
   case SpvOpPtrNotEqual:
   case SpvOpPtrDiff:
      compare_pointers(t, in);
      return true;
   default:
      return false;
   }
}
