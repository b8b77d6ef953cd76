/* SPDX-License-Identifier: MIT
 * The type tree and its memory layouts. */
#include "compiler/spirv/memory/spirv_values.h"
#include "compiler/spirv/spirv_node.h"

#include "util/spirv_numbers.h"

#include <string.h>

#define UINT_TYPE(width)                                                                                               \
   {.class = SPIRV_TYPE_INT, .bits = width, .size = {UTIL_MAX(width / 8, 4), width / 8}, .align = {UTIL_MAX(width / 8, 4), width / 8}}
const struct spirv_type spirv_type_u8 = UINT_TYPE(8), spirv_type_u16 = UINT_TYPE(16), spirv_type_u32 = UINT_TYPE(32),
                        spirv_type_u64 = UINT_TYPE(64);

struct spirv_type *spirv_type(struct spirv_ctx *t, uint32_t id)
{
   struct spirv_id *record = spirv_id(t, id);
   if (record->class != SPIRV_ID_TYPE)
      spirv_fail(t, "id %u is not a type", id);
   return record->type;
}

static struct spirv_type *new_type(struct spirv_ctx *t, uint32_t id, enum spirv_type_class class)
{
   struct spirv_id *record = spirv_id(t, id);
   struct spirv_type *type;
   if (record->class == SPIRV_ID_TYPE && record->type->class == SPIRV_TYPE_POINTER && class == SPIRV_TYPE_POINTER) {
      type = record->type; /* declared by OpTypeForwardPointer */
   } else {
      type = UTIL_ARENA_NEW(t->arena, struct spirv_type);
   }
   type->class = class;
   type->id = id;
   type->num_parts = 1;
   type->num_leaves = class != SPIRV_TYPE_RAY_QUERY && class != SPIRV_TYPE_HIT_OBJECT;
   record->class = SPIRV_ID_TYPE;
   record->type = type;
   return type;
}

static void set_size(struct spirv_type *type, uint32_t layout, uint64_t size, uint32_t align)
{
   /* Saturates: whoever makes a variable of it checks the size. */
   type->size[layout] = size > INT32_MAX ? INT32_MAX : (uint32_t)size;
   type->align[layout] = align;
}

static void add_child(struct spirv_ctx *t, struct spirv_type *type, const struct spirv_type *child)
{
   type->num_parts += child->num_parts; /* neither is above the limit */
   if (type->num_parts > SPIRV_MAX_TYPE_PARTS)
      spirv_fail(t, "type %u has more than %u parts", type->id, SPIRV_MAX_TYPE_PARTS);
   type->has_long_vector |= child->has_long_vector;
   if (child->depth + 1 > type->depth) {
      if (child->depth + 1 >= SPIRV_MAX_TYPE_DEPTH)
         spirv_fail(t, "type %u is nested too deeply", type->id);
      type->depth = child->depth + 1;
   }
}

static void scalar_layout(struct spirv_type *type)
{
   for (uint32_t layout = 0; layout < 2; layout++) {
      const uint32_t bytes = spirv_scalar_bytes(layout, type->bits);
      set_size(type, layout, bytes, bytes);
   }
}

/* Vectors, matrices, arrays: `count` packed elements. */
static void sequence_layout(struct spirv_ctx *t, struct spirv_type *type)
{
   for (uint32_t layout = 0; layout < 2; layout++)
      set_size(type, layout, (uint64_t)type->elem->size[layout] * type->count, UTIL_MAX(type->elem->align[layout], 1u));
   add_child(t, type, type->elem);
   if (type->class != SPIRV_TYPE_VECTOR)
      type->num_leaves = (uint32_t)UTIL_MIN((uint64_t)type->elem->num_leaves * type->count, (uint64_t)INT32_MAX);
}

static void parse_scalar(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op == SpvOpTypeBool) {
      struct spirv_type *type = new_type(t, spirv_word(t, in, 1), SPIRV_TYPE_BOOL);
      type->bits = 1;
      scalar_layout(type);
      return;
   }
   const uint32_t bits = spirv_word(t, in, 2);
   const bool is_int = in->op == SpvOpTypeInt, is_narrow = !is_int && in->count > 3;
   if (is_narrow && !spirv_narrow_bits(in->words[3]))
      spirv_fail(t, "floats of encoding %u are not supported", in->words[3]);
   if (is_narrow ? bits != spirv_narrow_bits(in->words[3]) : bits != 16 && bits != 32 && bits != 64 && !(is_int && bits == 8))
      spirv_fail(t, "%s of %u bits is not supported", spirv_op_name(in->op), bits);
   struct spirv_type *type = new_type(t, spirv_word(t, in, 1), is_int ? SPIRV_TYPE_INT : is_narrow ? SPIRV_TYPE_NARROW : SPIRV_TYPE_FLOAT);
   type->encoding = is_narrow ? (uint16_t)in->words[3] : 0;
   type->bits = UTIL_MAX(bits, 8);
   type->is_signed = is_int && spirv_word(t, in, 3);
   scalar_layout(type);
}

/* With SPV_EXT_long_vector a vector may have as few components as one. */
static void parse_vector(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t count, bool is_matrix)
{
   const struct spirv_type *elem = spirv_type(t, spirv_word(t, in, 2));
   const bool fits = is_matrix ? elem->class == SPIRV_TYPE_VECTOR && spirv_is_float(elem) && elem->count - 2 <= 2 && count - 2 <= 2
                               : spirv_is_scalar(elem) && count - 1 < UTIL_SPV_MAX_COMPONENTS;
   if (!fits)
      spirv_fail(t, "%s of this shape is not supported", spirv_op_name(in->op));
   struct spirv_type *type = new_type(t, spirv_word(t, in, 1), is_matrix ? SPIRV_TYPE_MATRIX : SPIRV_TYPE_VECTOR);
   type->elem = elem;
   type->count = count;
   type->bits = elem->bits;
   type->has_long_vector = count > 4;
   sequence_layout(t, type);
}

static void parse_array(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *elem = spirv_type(t, spirv_word(t, in, 2));
   const bool is_payloads = in->op == SpvOpTypeNodePayloadArrayAMDX, is_runtime = in->op == SpvOpTypeRuntimeArray || is_payloads;
   uint32_t count = 0;
   if (!is_runtime) {
      count = spirv_constant_u32(t, spirv_word(t, in, 3));
      if (count == 0)
         spirv_fail(t, "array type %u without elements", in->words[1]);
   }
   struct spirv_type *type =
      new_type(t, spirv_word(t, in, 1), is_runtime ? SPIRV_TYPE_RUNTIME_ARRAY : SPIRV_TYPE_ARRAY);
   type->elem = elem;
   type->count = count;
   type->array_stride = spirv_decoration_operand(t, type->id, -1, SpvDecorationArrayStride, 0);
   type->is_payload_array = is_payloads;
   if (is_payloads && !type->array_stride)
      type->array_stride = spirv_payload_stride(t, elem);
   sequence_layout(t, type);
}

/* Rays of an array stand as code generation knows, so there is nothing else beside them. */
static bool has_ray(const struct spirv_type *type)
{
   while (type->class == SPIRV_TYPE_ARRAY || type->class == SPIRV_TYPE_RUNTIME_ARRAY)
      type = type->elem;
   return spirv_is_ray(type);
}

static void parse_struct_member(struct spirv_ctx *t, struct spirv_type *type, uint32_t m)
{
   struct spirv_member *member = &type->members[m];
   for (uint32_t layout = 0; layout < 2; layout++) {
      const uint32_t align = UTIL_MAX(member->type->align[layout], 1u);
      const uint64_t offset = util_align(type->size[layout], align);
      member->offset[layout] = (uint32_t)offset;
      set_size(type, layout, offset + member->type->size[layout], UTIL_MAX(type->align[layout], align));
   }
   member->offset[SPIRV_LAYOUT_EXPLICIT] = member->offset[SPIRV_LAYOUT_TIGHT];

   for (const struct spirv_decoration *d = t->ids[type->id].decorations; d; d = d->next) {
      if (d->member != (int32_t)m)
         continue;
      switch (d->decoration) {
      case SpvDecorationOffset:
         if (d->num_operands)
            member->offset[SPIRV_LAYOUT_EXPLICIT] = d->operands[0];
         break;
      case SpvDecorationMatrixStride:
         if (d->num_operands)
            member->matrix_stride = d->operands[0];
         break;
      case SpvDecorationRowMajor: member->is_row_major = true; break;
      case SpvDecorationCoherent: member->access |= IR_ACCESS_COHERENT; break;
      case SpvDecorationVolatile: member->access |= IR_ACCESS_VOLATILE | IR_ACCESS_COHERENT; break;
      default: break;
      }
   }
}

static void parse_struct(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t id = spirv_word(t, in, 1);
   const uint32_t count = in->count - 2;
   struct spirv_member *members = UTIL_ARENA_ARRAY(t->arena, struct spirv_member, count + 1);
   for (uint32_t m = 0; m < count; m++)
      members[m].type = spirv_type(t, in->words[2 + m]);

   struct spirv_type *type = new_type(t, id, SPIRV_TYPE_STRUCT);
   type->members = members;
   type->count = count;
   type->is_block = spirv_has_decoration(t, id, SpvDecorationBlock);
   type->is_buffer_block = spirv_has_decoration(t, id, SpvDecorationBufferBlock);
   type->num_leaves = 0;
   type->align[0] = type->align[1] = 1;
   for (uint32_t m = 0; m < count; m++) {
      if (has_ray(members[m].type))
         spirv_fail(t, "ray queries and hit objects within structures are not supported");
      add_child(t, type, members[m].type);
      type->num_leaves = UTIL_MIN(type->num_leaves + members[m].type->num_leaves, (uint32_t)INT32_MAX);
      parse_struct_member(t, type, m);
   }
   for (uint32_t layout = 0; layout < 2; layout++)
      set_size(type, layout, util_align(type->size[layout], type->align[layout]), type->align[layout]);
}

/* Structures of 32-bit numbers: spirv_tensor.c. */
static void parse_tensor(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool is_view = in->op == SpvOpTypeTensorViewNV;
   const uint32_t dims = spirv_constant_u32(t, spirv_word(t, in, 2)), third = spirv_constant_u32(t, spirv_word(t, in, 3));
   if (dims < 1 || dims > SPIRV_MAX_TENSOR_DIMS)
      spirv_fail(t, "tensors of %u dimensions are not supported", dims);
   struct spirv_type *type = new_type(t, in->words[1], SPIRV_TYPE_STRUCT);
   type->count = is_view ? 2 * dims + 4 : 5 * dims + 1;
   type->members = UTIL_ARENA_ARRAY(t->arena, struct spirv_member, type->count);
   type->align[0] = type->align[1] = 4;
   type->tensor.dims = (uint8_t)dims;
   type->tensor.is_view = is_view;
   type->tensor.has_dimensions = is_view && third;
   type->tensor.clamp_mode = is_view ? 0 : (uint8_t)third;
   uint32_t seen = 0;
   for (uint32_t d = 0; d < dims && is_view; d++) {
      const uint32_t p = spirv_constant_u32(t, spirv_word(t, in, 4 + d));
      seen |= p < dims ? 1u << p : 0;
      type->tensor.permutation[d] = (uint8_t)p;
   }
   if (is_view && seen != (1u << dims) - 1)
      spirv_fail(t, "a tensor's view that exchanges no dimensions");
   for (uint32_t m = 0; m < type->count; m++) {
      type->members[m].type = &spirv_type_u32;
      parse_struct_member(t, type, m);
   }
}

static void parse_cooperative(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *elem = spirv_type(t, spirv_word(t, in, 2));
   const uint32_t rows = spirv_constant_u32(t, spirv_word(t, in, 4)), columns = spirv_constant_u32(t, spirv_word(t, in, 5));
   const uint32_t lanes = t->shader->subgroup_size;
   if (spirv_constant_u32(t, spirv_word(t, in, 3)) != SpvScopeSubgroup)
      spirv_fail(t, "cooperative matrices of scopes other than Subgroup are not supported");
   const bool fits = rows - 1 < ABI_MATRIX_MAX_SIZE && columns - 1 < ABI_MATRIX_MAX_SIZE && rows % 8 == 0 && columns % 8 == 0 && rows * columns % lanes == 0;
   if (!spirv_is_scalar(elem) || elem->bits == 1 || elem->bits > 32 || !fits)
      spirv_fail(t, "cooperative matrices of %u x %u are not supported", rows, columns);
   struct spirv_type *type = new_type(t, in->words[1], SPIRV_TYPE_COOPERATIVE);
   type->elem = elem;
   type->bits = elem->bits;
   type->count = rows * columns / lanes;
   type->matrix.rows = rows;
   type->matrix.columns = columns;
   type->matrix.use = spirv_constant_u32(t, spirv_word(t, in, 6));
   sequence_layout(t, type);
   t->has_cooperative = true;
}

/* Variable pointers are kept as (address, size, offset), addresses as 64 bits, offsets into shared memory as 32. */
static void pointer_layout(struct spirv_ctx *t, struct spirv_type *type)
{
   const uint32_t storage = type->storage;
   uint32_t bytes = 0;
   if (storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassUniform)
      bytes = spirv_is_indexed_by_64_bits(t, storage) ? 24 : 16;
   else if (storage == SpvStorageClassPhysicalStorageBuffer)
      bytes = 8;
   else if (storage == SpvStorageClassWorkgroup)
      bytes = 4;
   for (uint32_t layout = 0; layout < 2; layout++)
      set_size(type, layout, bytes, bytes >= 8 ? 8 : 4);
}

static void parse_pointer(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t id = spirv_word(t, in, 1);
   const struct spirv_type *elem = in->op == SpvOpTypePointer ? spirv_type(t, spirv_word(t, in, 3)) : NULL;
   struct spirv_type *type = new_type(t, id, SPIRV_TYPE_POINTER);
   type->storage = spirv_word(t, in, 2);
   type->is_untyped = in->op == SpvOpTypeUntypedPointerKHR;
   type->elem = elem;
   type->bits = 64;
   type->array_stride = spirv_decoration_operand(t, id, -1, SpvDecorationArrayStride, 0);
   pointer_layout(t, type);
}

static uint8_t dim_of_spirv(struct spirv_ctx *t, uint32_t dim)
{
   switch (dim) {
   case SpvDim1D: return ABI_DIM_1D;
   case SpvDim2D: return ABI_DIM_2D;
   case SpvDim3D: return ABI_DIM_3D;
   case SpvDimCube: return ABI_DIM_CUBE;
   case SpvDimBuffer: return ABI_DIM_BUFFER;
   case SpvDimSubpassData:
   case SpvDimTileImageDataEXT: return ABI_DIM_SUBPASS;
   default: spirv_fail(t, "image dimension %u is not supported", dim);
   }
}

static void parse_image(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *sampled_type = spirv_type(t, spirv_word(t, in, 2));
   const uint8_t dim = dim_of_spirv(t, spirv_word(t, in, 3));
   struct spirv_type *type = new_type(t, spirv_word(t, in, 1), SPIRV_TYPE_IMAGE);
   type->elem = sampled_type;
   type->image.dim = dim;
   type->image.is_depth = spirv_word(t, in, 4) == 1;
   type->image.is_arrayed = spirv_word(t, in, 5) != 0;
   type->image.is_ms = spirv_word(t, in, 6) != 0;
   type->image.sampled = (uint8_t)spirv_word(t, in, 7);
   type->image.format = spirv_word(t, in, 8);
   type->bits = 64;
   for (uint32_t layout = 0; layout < 2; layout++)
      set_size(type, layout, 8, 8);
}

static void parse_handle(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool is_combined = in->op == SpvOpTypeSampledImage;
   const struct spirv_type *image = is_combined ? spirv_type(t, spirv_word(t, in, 2)) : NULL;
   if (image && image->class != SPIRV_TYPE_IMAGE)
      spirv_fail(t, "type %u is not an image", image->id);
   struct spirv_type *type =
      new_type(t, spirv_word(t, in, 1), is_combined ? SPIRV_TYPE_SAMPLED_IMAGE : SPIRV_TYPE_SAMPLER);
   type->elem = image;
   type->bits = 64;
   for (uint32_t layout = 0; layout < 2; layout++)
      set_size(type, layout, is_combined ? 16 : 8, 8);
}

static void parse_ray_type(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const bool is_address = in->op == SpvOpTypeAccelerationStructureKHR;
   struct spirv_type *type = new_type(t, spirv_word(t, in, 1), is_address                         ? SPIRV_TYPE_ACCELERATION
                                                               : in->op == SpvOpTypeRayQueryKHR ? SPIRV_TYPE_RAY_QUERY
                                                                                                : SPIRV_TYPE_HIT_OBJECT);
   type->bits = is_address ? 64 : 0;
   for (uint32_t layout = 0; layout < 2; layout++)
      set_size(type, layout, is_address ? 8 : sizeof(struct abi_ray), is_address ? 8 : 4);
}

static void parse_buffer_type(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_type *type = new_type(t, spirv_word(t, in, 1), SPIRV_TYPE_BUFFER);
   type->storage = spirv_word(t, in, 2);
   for (uint32_t layout = 0; layout < 2; layout++)
      set_size(type, layout, ABI_DESCRIPTOR_BYTES, ABI_DESCRIPTOR_BYTES);
}

/* Their constants may stand behind the types that they lay out. */
void spirv_resolve_layouts(struct spirv_ctx *t)
{
   for (uint32_t id = 1; id < t->bound; id++) {
      if (t->ids[id].class != SPIRV_ID_TYPE)
         continue;
      struct spirv_type *type = t->ids[id].type;
      for (const struct spirv_decoration *d = t->ids[id].decorations; d; d = d->next) {
         if (!d->num_operands)
            continue;
         if (d->decoration == UTIL_SPV_DECORATION_ARRAY_STRIDE_ID)
            type->array_stride = spirv_constant_u32(t, d->operands[0]);
         else if (d->decoration == UTIL_SPV_DECORATION_OFFSET_ID && type->class == SPIRV_TYPE_STRUCT && (uint32_t)d->member < type->count)
            type->members[d->member].offset[SPIRV_LAYOUT_EXPLICIT] = spirv_constant_u32(t, d->operands[0]);
      }
   }
}

static void parse_function_type(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *returned = spirv_type(t, spirv_word(t, in, 2));
   struct spirv_type *type = new_type(t, in->words[1], SPIRV_TYPE_FUNCTION);
   type->elem = returned;
   type->count = in->count - 3;
   type->params = UTIL_ARENA_ARRAY(t->arena, const struct spirv_type *, type->count + 1);
   for (uint32_t i = 0; i < type->count; i++)
      type->params[i] = spirv_type(t, in->words[3 + i]);
}

bool spirv_parse_type(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpTypeVoid: new_type(t, spirv_word(t, in, 1), SPIRV_TYPE_VOID); return true;
   case SpvOpTypeBool:
   case SpvOpTypeInt:
   case SpvOpTypeFloat: parse_scalar(t, in); return true;
   case SpvOpTypeVector: parse_vector(t, in, spirv_word(t, in, 3), false); return true;
   case SpvOpTypeMatrix: parse_vector(t, in, spirv_word(t, in, 3), true); return true;
   case SpvOpTypeArray:
   case SpvOpTypeRuntimeArray:
   case SpvOpTypeNodePayloadArrayAMDX: parse_array(t, in); return true;
   case SpvOpTypeStruct: parse_struct(t, in); return true;
   case SpvOpTypeCooperativeMatrixKHR: parse_cooperative(t, in); return true;
   case SpvOpTypeTensorLayoutNV:
   case SpvOpTypeTensorViewNV: parse_tensor(t, in); return true;
   case SpvOpTypePointer:
   case SpvOpTypeUntypedPointerKHR:
   case SpvOpTypeForwardPointer: parse_pointer(t, in); return true;
   case SpvOpTypeImage: parse_image(t, in); return true;
   case SpvOpTypeSampler:
   case SpvOpTypeSampledImage: parse_handle(t, in); return true;
   case SpvOpTypeRayQueryKHR:
   case SpvOpTypeAccelerationStructureKHR: parse_ray_type(t, in); return true;
   case SpvOpTypeFunction: parse_function_type(t, in); return true;
   case SpvOpTypeHitObjectNV: parse_ray_type(t, in); return true;
   default:
      if ((uint32_t)in->op == UTIL_SPV_OP_TYPE_HIT_OBJECT)
         parse_ray_type(t, in);
      else if ((uint32_t)in->op == UTIL_SPV_OP_TYPE_BUFFER)
         parse_buffer_type(t, in);
      else if ((uint32_t)in->op == UTIL_SPV_OP_TYPE_VECTOR_ID)
         parse_vector(t, in, spirv_constant_u32(t, spirv_word(t, in, 3)), false);
      else
         return false;
      return true;
   }
}

/* ---- leaves ---- */

bool spirv_is_indexed_by_64_bits(const struct spirv_ctx *t, uint32_t storage)
{
   return t->has_64bit_indices && (storage == SpvStorageClassStorageBuffer || (storage == SpvStorageClassUniform && t->has_buffer_blocks));
}

static bool is_buffer_pointer(const struct spirv_type *type)
{
   return type->storage == SpvStorageClassStorageBuffer || type->storage == SpvStorageClassUniform;
}

uint32_t spirv_leaf_count(struct spirv_ctx *t, const struct spirv_type *type)
{
   switch (type->class) {
   case SPIRV_TYPE_BOOL:
   case SPIRV_TYPE_INT:
   case SPIRV_TYPE_FLOAT:
   case SPIRV_TYPE_NARROW:
   case SPIRV_TYPE_IMAGE:
   case SPIRV_TYPE_SAMPLER:
   case SPIRV_TYPE_ACCELERATION:
      return 1;
   case SPIRV_TYPE_VECTOR:
      return type->count;
   case SPIRV_TYPE_SAMPLED_IMAGE:
      return 2;
   case SPIRV_TYPE_POINTER:
      if (!type->size[0])
         spirv_fail(t, "a pointer to storage class %u cannot be a variable pointer", type->storage);
      return is_buffer_pointer(type) ? 3 : 1;
   default:
      spirv_fail(t, "type %u is neither scalar nor vector", type->id);
   }
}

uint32_t spirv_leaf_bits(struct spirv_ctx *t, const struct spirv_type *type, uint32_t index)
{
   if (type->class == SPIRV_TYPE_POINTER) {
      if (is_buffer_pointer(type))
         return index == 0 || spirv_is_indexed_by_64_bits(t, type->storage) ? 64 : 32;
      return type->storage == SpvStorageClassWorkgroup ? 32 : 64;
   }
   return type->bits;
}

uint32_t spirv_num_children(struct spirv_ctx *t, const struct spirv_type *type)
{
   switch (type->class) {
   case SPIRV_TYPE_VECTOR:
   case SPIRV_TYPE_MATRIX:
   case SPIRV_TYPE_ARRAY:
   case SPIRV_TYPE_STRUCT:
   case SPIRV_TYPE_COOPERATIVE:
      return type->count;
   default:
      spirv_fail(t, "type %u is not a composite", type->id);
   }
}

/* ---- layouts ---- */

static uint32_t element_size(const struct spirv_type *type, uint32_t class)
{
   return type->size[class == SPIRV_LAYOUT_CELLS ? SPIRV_LAYOUT_CELLS : SPIRV_LAYOUT_TIGHT];
}

struct spirv_step spirv_step_into(struct spirv_ctx *t, const struct spirv_type *type, struct spirv_layout layout,
                                  uint32_t index)
{
   struct spirv_step step = {.type = type->elem, .layout = layout};
   step.layout.vector_stride = 0;
   switch (type->class) {
   case SPIRV_TYPE_STRUCT: {
      if (index >= type->count)
         spirv_fail(t, "member %u of struct type %u", index, type->id);
      const struct spirv_member *member = &type->members[index];
      step.type = member->type;
      step.offset = member->offset[layout.class];
      step.access = member->access;
      if (layout.class == SPIRV_LAYOUT_EXPLICIT) {
         step.layout.matrix_stride = member->matrix_stride;
         step.layout.is_row_major = member->is_row_major;
      }
      return step;
   }
   case SPIRV_TYPE_ARRAY:
   case SPIRV_TYPE_RUNTIME_ARRAY:
      step.stride = layout.class == SPIRV_LAYOUT_EXPLICIT && type->array_stride ? type->array_stride
                                                                               : element_size(type->elem, layout.class);
      break;
   case SPIRV_TYPE_MATRIX:
      if (layout.is_row_major && layout.matrix_stride) {
         step.stride = spirv_scalar_bytes(layout.class, type->bits);
         step.layout.vector_stride = layout.matrix_stride;
      } else {
         step.stride = layout.matrix_stride ? layout.matrix_stride : element_size(type->elem, layout.class);
      }
      break;
   case SPIRV_TYPE_COOPERATIVE:
      step.stride = element_size(type->elem, layout.class);
      break;
   case SPIRV_TYPE_VECTOR:
      step.stride = layout.vector_stride ? layout.vector_stride : spirv_scalar_bytes(layout.class, type->bits);
      break;
   default:
      spirv_fail(t, "type %u has no parts", type->id);
   }
   step.offset = step.stride * index;
   return step;
}

void spirv_take_apart(struct spirv_ctx *t, const struct spirv_type *type)
{
   t->num_parts += type->num_parts;
   if (t->num_parts > SPIRV_MAX_PARTS)
      spirv_fail(t, "values with more than %u parts in all are taken apart", SPIRV_MAX_PARTS);
}

static uint64_t type_bytes(struct spirv_ctx *t, const struct spirv_type *type, struct spirv_layout layout)
{
   if (spirv_is_scalar(type) || type->class == SPIRV_TYPE_POINTER)
      return layout.class == SPIRV_LAYOUT_CELLS ? type->size[0] : spirv_is_scalar(type) ? type->size[1] : 8;
   if (type->class == SPIRV_TYPE_RUNTIME_ARRAY || type->count == 0 || type->class >= SPIRV_TYPE_IMAGE)
      return 0;
   uint64_t end = 0;
   for (uint32_t i = type->class == SPIRV_TYPE_STRUCT ? 0 : type->count - 1; i < type->count; i++) {
      const struct spirv_step step = spirv_step_into(t, type, layout, i);
      const uint64_t offset = type->class == SPIRV_TYPE_STRUCT ? step.offset : (uint64_t)step.stride * i;
      end = UTIL_MAX(end, offset + type_bytes(t, step.type, step.layout));
   }
   return end;
}

uint64_t spirv_type_bytes(struct spirv_ctx *t, const struct spirv_type *type, struct spirv_layout layout)
{
   spirv_take_apart(t, type);
   return type_bytes(t, type, layout);
}

uint32_t spirv_payload_stride(struct spirv_ctx *t, const struct spirv_type *payload)
{
   const struct spirv_layout layout = {.class = SPIRV_LAYOUT_EXPLICIT};
   const uint64_t bytes = spirv_type_bytes(t, payload, layout);
   if (bytes > ABI_MAX_NODE_PAYLOAD_BYTES)
      spirv_fail(t, "a payload of %llu bytes", (unsigned long long)bytes);
   return (uint32_t)util_align(UTIL_MAX(bytes, UINT64_C(1)), SPIRV_PAYLOAD_ALIGN);
}

static bool types_match(const struct spirv_type *a, const struct spirv_type *b)
{
   if (a == b)
      return true;
   if (a->class != b->class || a->count != b->count)
      return false;
   switch (a->class) {
   case SPIRV_TYPE_STRUCT:
      for (uint32_t i = 0; i < a->count; i++) {
         if (!types_match(a->members[i].type, b->members[i].type))
            return false;
      }
      return true;
   case SPIRV_TYPE_ARRAY:
   case SPIRV_TYPE_MATRIX:
   case SPIRV_TYPE_VECTOR:
      return types_match(a->elem, b->elem);
   case SPIRV_TYPE_COOPERATIVE:
      return a->elem == b->elem && a->matrix.rows == b->matrix.rows && a->matrix.columns == b->matrix.columns &&
             a->matrix.use == b->matrix.use;
   case SPIRV_TYPE_POINTER:
      return a->storage == b->storage;
   case SPIRV_TYPE_RUNTIME_ARRAY:
      return types_match(a->elem, b->elem);
   default:
      return a->bits == b->bits && a->encoding == b->encoding;
   }
}

bool spirv_types_match(struct spirv_ctx *t, const struct spirv_type *a, const struct spirv_type *b)
{
   if (a != b)
      spirv_take_apart(t, a);
   return types_match(a, b);
}
