/* SPDX-License-Identifier: MIT
 * What transform feedback captures of the last stage before rasterization, as ranges of slots.
 * Spec: "Transform Feedback"; SPIR-V, decorations Offset, XfbBuffer, XfbStride, Stream. */
#include "compiler/spirv/memory/spirv_pointer.h"

/* Where the next component goes. */
struct cursor {
   uint32_t slot, stream, buffer, stride_bytes;
   uint32_t offset_bytes;
   bool is_captured;
};

/* The decoration of a member, else of its variable or of the block as a whole, which members inherit from. */
static uint32_t inherited(struct spirv_ctx *t, const struct spirv_variable *variable, const struct spirv_type *block, int32_t member,
                          uint32_t decoration)
{
   uint32_t value = spirv_decoration_operand(t, variable->id, -1, decoration, UINT32_MAX);
   if (block)
      value = spirv_decoration_operand(t, block->id, -1, decoration, value);
   return member >= 0 ? spirv_decoration_operand(t, block->id, member, decoration, value) : value;
}

static void add_range(struct spirv_ctx *t, const struct cursor *cursor, uint32_t slot, uint32_t count)
{
   struct abi_shader_info *info = &t->shader->info;
   struct abi_xfb_range *last = info->num_xfb_ranges ? &info->xfb_ranges[info->num_xfb_ranges - 1] : NULL;
   if (slot + count > ABI_NUM_SLOTS)
      spirv_fail(t, "a captured output passes the last location");
   if (last && last->stream == cursor->stream && last->buffer == cursor->buffer && last->slot + last->count == slot &&
       last->offset_bytes + last->count * 4u == cursor->offset_bytes) {
      last->count += count;
      return;
   }
   if (info->num_xfb_ranges == ABI_MAX_XFB_RANGES)
      spirv_fail(t, "too many outputs are captured");
   info->xfb_ranges[info->num_xfb_ranges++] = (struct abi_xfb_range){(uint8_t)slot, (uint8_t)count, (uint8_t)cursor->buffer,
                                                                     (uint8_t)cursor->stream, (uint16_t)cursor->offset_bytes};
}

static void align(struct cursor *cursor, uint32_t bytes)
{
   cursor->offset_bytes = (uint32_t)util_align(cursor->offset_bytes, bytes);
}

/* Components, tightly packed. What passes the stride is not captured: the next vertex stands there. */
static void add_components(struct spirv_ctx *t, struct cursor *cursor, uint32_t slot, uint32_t count, uint32_t bits)
{
   if (bits != 32 && bits != 64)
      spirv_fail(t, "components of %u bits cannot be captured", bits);
   for (uint32_t i = 0; i < count * (bits / 32); i++) {
      const uint32_t end_bytes = cursor->offset_bytes + 4;
      if (cursor->is_captured && end_bytes <= cursor->stride_bytes)
         add_range(t, cursor, slot + i, 1);
      cursor->offset_bytes = end_bytes;
   }
}

static bool holds_64(const struct spirv_type *type)
{
   if (type->class != SPIRV_TYPE_STRUCT)
      return type->class == SPIRV_TYPE_ARRAY ? holds_64(type->elem) : spirv_scalar_type(type)->bits == 64;
   for (uint32_t m = 0; m < type->count; m++) {
      if (holds_64(type->members[m].type))
         return true;
   }
   return false;
}

static const struct spirv_type *child_of(const struct spirv_type *type, uint32_t index)
{
   return type->class == SPIRV_TYPE_STRUCT ? type->members[index].type : type->elem;
}

/* A value whose first component is in `slot`. One with 64-bit components begins and ends at multiples of 8, as the shading
 * language has it. `is_packed`: arrays of built-in variables, whose elements take a slot each. */
static void add_value(struct spirv_ctx *t, struct cursor *cursor, const struct spirv_type *type, uint32_t slot, bool is_packed)
{
   const uint32_t alignment = holds_64(type) ? 8 : 4;
   align(cursor, alignment);
   if (spirv_is_scalar_or_vector(type)) {
      add_components(t, cursor, slot, spirv_leaf_count(t, type), spirv_scalar_type(type)->bits);
      return;
   }
   if (type->class != SPIRV_TYPE_MATRIX && type->class != SPIRV_TYPE_ARRAY && type->class != SPIRV_TYPE_STRUCT)
      spirv_fail(t, "type %u cannot be captured", type->id);
   const uint32_t count = spirv_num_children(t, type);
   for (uint32_t i = 0; i < count; i++)
      add_value(t, cursor, child_of(type, i), slot + (is_packed ? i : spirv_slot_of_child(t, type, i)), is_packed);
   align(cursor, alignment);
}

/* False: it has no buffer, or is captured nowhere. */
static bool begin_cursor(struct spirv_ctx *t, struct cursor *cursor, const struct spirv_variable *variable, const struct spirv_type *block,
                        int32_t member, uint32_t more_buffers)
{
   struct abi_shader_info *info = &t->shader->info;
   const uint32_t offset = inherited(t, variable, block, member, SpvDecorationOffset);
   const uint32_t own = member >= 0 ? spirv_decoration_operand(t, block->id, member, SpvDecorationOffset, UINT32_MAX) : offset;
   const uint32_t buffer = inherited(t, variable, block, member, SpvDecorationXfbBuffer);
   const uint32_t stride = inherited(t, variable, block, member, SpvDecorationXfbStride);
   const uint32_t stream = inherited(t, variable, block, member, SpvDecorationStream);
   cursor->is_captured = offset != UINT32_MAX && buffer != UINT32_MAX && stride != UINT32_MAX;
   if (!cursor->is_captured)
      return false;
   cursor->stream = stream == UINT32_MAX ? 0 : stream;
   if (own != UINT32_MAX)
      cursor->offset_bytes = own;
   cursor->buffer = buffer;
   if (buffer >= ABI_MAX_XFB_BUFFERS || more_buffers >= ABI_MAX_XFB_BUFFERS - buffer || cursor->stream >= ABI_MAX_STREAMS)
      spirv_fail(t, "output %u is captured in a buffer or from a stream above the limit", variable->id);
   if (stride > ABI_MAX_XFB_BYTES || cursor->offset_bytes >= ABI_MAX_XFB_BYTES || stride % 4 || cursor->offset_bytes % 4)
      spirv_fail(t, "output %u is captured at offset %u, stride %u", variable->id, cursor->offset_bytes, stride);
   cursor->buffer += more_buffers;
   cursor->stride_bytes = stride;
   info->xfb_strides[cursor->buffer] = (uint16_t)stride;
   return true;
}

/* A block, or an element of an array of blocks: each next one is captured in the next buffer. */
static void add_block(struct spirv_ctx *t, const struct spirv_variable *variable, const struct spirv_type *block, uint32_t slot,
                      uint32_t element)
{
   struct cursor cursor = {.offset_bytes = 0};
   const uint32_t first = spirv_decoration_operand(t, variable->id, -1, SpvDecorationOffset, UINT32_MAX);
   if (first != UINT32_MAX)
      cursor.offset_bytes = first;
   for (uint32_t m = 0; m < block->count; m++) {
      if (!begin_cursor(t, &cursor, variable, block, (int32_t)m, element))
         continue;
      if (variable->is_iface_block)
         add_value(t, &cursor, block->members[m].type, spirv_output_slot(t, &variable->parts[m]), variable->parts[m].is_builtin);
      else
         add_value(t, &cursor, block->members[m].type, slot + spirv_slot_of_child(t, block, m), false);
   }
}

static void add_blocks(struct spirv_ctx *t, const struct spirv_variable *variable, const struct spirv_type *type, uint32_t slot,
                       uint32_t *element)
{
   if (type->class != SPIRV_TYPE_ARRAY) {
      add_block(t, variable, type, slot, (*element)++);
      return;
   }
   for (uint32_t i = 0; i < type->count; i++)
      add_blocks(t, variable, type->elem, slot + spirv_slot_of_child(t, type, i), element);
}

static bool holds_blocks(const struct spirv_type *type)
{
   while (type->class == SPIRV_TYPE_ARRAY)
      type = type->elem;
   return type->class == SPIRV_TYPE_STRUCT && type->is_block;
}

void spirv_find_captures(struct spirv_ctx *t)
{
   for (uint32_t i = 0; t->is_captured && i < t->num_interface_ids; i++) {
      struct spirv_variable *variable = t->ids[t->interface_ids[i]].variable;
      struct cursor cursor = {.offset_bytes = 0};
      uint32_t element = 0;
      if (variable->storage != SpvStorageClassOutput)
         continue;
      spirv_make_parts(t, variable);
      if (holds_blocks(variable->value_type))
         add_blocks(t, variable, variable->value_type, variable->is_iface_block ? 0 : variable->parts[0].slot, &element);
      else if (begin_cursor(t, &cursor, variable, NULL, -1, 0))
         add_value(t, &cursor, variable->value_type, spirv_output_slot(t, &variable->parts[0]), variable->parts[0].is_builtin);
   }
}
