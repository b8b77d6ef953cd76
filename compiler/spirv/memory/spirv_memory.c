/* SPDX-License-Identifier: MIT
 * Loads, stores, copies and variables of functions. Composites are taken apart; a vector in a buffer is one access.
 * Spec: SPIR-V, "Memory Instructions", "Memory Operands". */
#include "compiler/ir/ir_copy.h"
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/memory/spirv_heap.h"
#include "compiler/spirv/memory/spirv_spread.h"
#include "compiler/spirv/rays/spirv_ray.h"
#include "compiler/spirv/spirv_loop.h"

enum { MAX_ACCESS = 4 }; /* values of one access */

/* Arrays with more leaves are copied by loops, and are values without IR values of their own; so are all composites of more than a few leaves where the
 * shader would load and store too many one by one. Those of memory that does not become values anyway cost much. */
enum {
   MAX_LEAVES_IN_ROW = 256,
   MAX_EQUAL_IN_ROW = 8, /* elements that are one value */
   MAX_UNITS_IN_ROW = 2, /* words that are copied */
   MAX_SMALL_UNITS_IN_ROW = 2, /* half words or bytes, which lanes access one after the other */
   FEW_LEAVES = 2,
   VARIABLE_COST = 2, MEMORY_COST = 16,
   LOOP_OPERATIONS = 12, /* of a loop that a copy may become */
};

/* A leaf in memory: how many accesses of which shape. */
struct leaf_shape {
   uint32_t count, bits; /* IR values, bits of each in memory (booleans: 32) */
   uint32_t stride;      /* bytes */
   uint32_t step;        /* values of one access, but the last, which may have fewer */
};

static struct leaf_shape shape_of(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   const struct spirv_type *type = pointer->type;
   struct leaf_shape shape = {.count = 1, .bits = type->bits == 1 ? 32 : type->bits, .step = 1};
   if (type->class == SPIRV_TYPE_VECTOR) {
      shape.count = type->count;
      shape.stride = spirv_step_into(t, type, pointer->layout, 0).stride;
      shape.step = pointer->class != SPIRV_PTR_VAR && shape.stride == shape.bits / 8 ? MAX_ACCESS : 1;
   }
   return shape;
}

/* Scalars are aligned to their size wherever Vulkan lays them out; descriptors are aligned to 4 at least. */
static uint32_t access_align(const struct spirv_pointer *pointer, uint32_t more_bytes, uint32_t bits)
{
   const uint32_t align = spirv_pointer_align(pointer, more_bytes);
   return pointer->class == SPIRV_PTR_GLOBAL ? align : UTIL_MAX(align, UTIL_MIN(bits / 8, 4u));
}

static struct ir_instr *emit_load(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t more_bytes,
                                  uint32_t count, uint32_t bits)
{
   struct ir_instr *srcs[3], *load;
   const uint32_t num_srcs = spirv_access_operands(t, p, more_bytes, srcs);
   switch (p->class) {
   case SPIRV_PTR_VAR:
      return ir_load_var(&t->b, p->var, srcs[0], count, bits);
   case SPIRV_PTR_BUFFER:
      load = ir_emit(&t->b, IR_load_buffer, count, bits, num_srcs, srcs);
      break;
   case SPIRV_PTR_GLOBAL:
      load = ir_emit(&t->b, IR_load_global, count, bits, num_srcs, srcs);
      break;
   case SPIRV_PTR_SHARED:
      load = ir_emit(&t->b, IR_load_shared, count, bits, num_srcs, srcs);
      break;
   case SPIRV_PTR_PUSH:
      load = ir_emit(&t->b, IR_load_push, count, bits, num_srcs, srcs);
      load->imm.u[0] = access_align(p, more_bytes, bits);
      return load;
   default:
      spirv_fail(t, "load from a pointer of class %u", p->class);
   }
   load->imm.u[0] = p->access | (p->is_of_floats && p->class != SPIRV_PTR_SHARED ? IR_ACCESS_FLOATS : 0);
   load->imm.u[1] = access_align(p, more_bytes, bits);
   return load;
}

static void emit_store(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t more_bytes, struct ir_instr *value)
{
   struct ir_instr *srcs[4], *store;
   const uint32_t num_srcs = spirv_access_operands(t, p, more_bytes, srcs) + 1;
   srcs[num_srcs - 1] = value;
   const uint32_t mask = (1u << value->num_components) - 1;
   switch (p->class) {
   case SPIRV_PTR_VAR:
      ir_store_var(&t->b, p->var, srcs[0], value, mask);
      return;
   case SPIRV_PTR_BUFFER:
      store = ir_emit(&t->b, IR_store_buffer, 0, 0, num_srcs, srcs);
      break;
   case SPIRV_PTR_GLOBAL:
      store = ir_emit(&t->b, IR_store_global, 0, 0, num_srcs, srcs);
      break;
   case SPIRV_PTR_SHARED:
      store = ir_emit(&t->b, IR_store_shared, 0, 0, num_srcs, srcs);
      break;
   default:
      spirv_fail(t, "store to a pointer of class %u", p->class);
   }
   store->imm.u[0] = p->access & ~(uint32_t)IR_ACCESS_READ_ONLY;
   store->imm.u[1] = access_align(p, more_bytes, value->bit_size);
   store->imm.u[2] = mask;
}

/* ---- loads ---- */

static struct spirv_val *load_leaf(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   const struct leaf_shape shape = shape_of(t, p);
   struct ir_instr **comps = spirv_new_comps(t, shape.count);
   for (uint32_t i = 0; i < shape.count; i += shape.step) {
      const uint32_t n = UTIL_MIN(shape.count - i, shape.step);
      struct ir_instr *value = emit_load(t, p, i * shape.stride, n, shape.bits);
      if (n == 1)
         comps[i] = value;
      else
         spirv_split(t, value, n, comps + i);
   }
   if (p->type->bits == 1) {
      for (uint32_t i = 0; i < shape.count; i++)
         comps[i] = spirv_u32_to_bool(t, comps[i]);
   }
   return spirv_new_leaf(t, p->type, comps);
}

/* A matrix whose rows stand together, each of which is one access; its columns have gaps. */
static bool is_of_rows(const struct spirv_pointer *p)
{
   return p->type->class == SPIRV_TYPE_MATRIX && p->layout.class == SPIRV_LAYOUT_EXPLICIT && p->layout.is_row_major && p->layout.matrix_stride &&
          p->class != SPIRV_PTR_VAR;
}

static struct spirv_val *load_rows(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   const uint32_t num_columns = p->type->count, num_rows = p->type->elem->count;
   struct ir_instr *comps[MAX_ACCESS][MAX_ACCESS], *row[MAX_ACCESS]; /* by column */
   struct spirv_val *val = spirv_new_composite(t, p->type);
   for (uint32_t r = 0; r < num_rows; r++) {
      spirv_split(t, emit_load(t, p, r * p->layout.matrix_stride, num_columns, p->type->bits), num_columns, row);
      for (uint32_t c = 0; c < num_columns; c++)
         comps[c][r] = row[c];
   }
   for (uint32_t c = 0; c < num_columns; c++)
      spirv_put_child(t, val, c, spirv_new_leaf(t, p->type->elem, comps[c]));
   return val;
}

/* Handles and pointers: several values of different sizes, one after the other. */
static struct spirv_val *load_handle(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   struct ir_instr *comps[4];
   const uint32_t count = spirv_leaf_count(t, p->type);
   uint32_t offset = 0;
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t bits = spirv_leaf_bits(t, p->type, i);
      comps[i] = emit_load(t, p, offset, 1, bits);
      offset += bits / 8;
   }
   return spirv_new_leaf(t, p->type, comps);
}

static struct spirv_val *load_descriptor(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   struct ir_instr *comps[2];
   uint32_t count = 0;
   if (spirv_has_heaps(t) && p->variable->storage != SpvStorageClassTileImageEXT)
      return spirv_load_mapped(t, p);
   struct ir_instr *index = p->index ? p->index : spirv_u32(t, 0);
   if (p->variable->storage == SpvStorageClassTileImageEXT && p->type->class == SPIRV_TYPE_IMAGE) {
      comps[0] = ir_emit(&t->b, IR_attachment_desc, 1, 64, 1, &index);
      comps[0]->imm.u[0] = spirv_decoration_operand(t, p->variable->id, -1, SpvDecorationLocation, 0);
      return spirv_new_leaf(t, p->type, comps);
   }
   if (p->type->class == SPIRV_TYPE_IMAGE || p->type->class == SPIRV_TYPE_SAMPLED_IMAGE)
      comps[count++] = ir_emit(&t->b, IR_image_desc, 1, 64, 1, &index);
   if (p->type->class == SPIRV_TYPE_SAMPLER || p->type->class == SPIRV_TYPE_SAMPLED_IMAGE)
      comps[count++] = ir_emit(&t->b, IR_sampler_desc, 1, 64, 1, &index);
   if (p->type->class == SPIRV_TYPE_ACCELERATION)
      comps[count++] = ir_emit(&t->b, IR_structure_desc, 1, 64, 1, &index);
   if (!count)
      spirv_fail(t, "descriptors of type %u cannot be loaded", p->type->id);
   for (uint32_t i = 0; i < count; i++) {
      comps[i]->imm.u[0] = p->variable->set;
      comps[i]->imm.u[1] = p->variable->binding;
      if (p->is_nonuniform)
         spirv_set_nonuniform(comps[i]);
   }
   return spirv_new_leaf(t, p->type, comps);
}

static struct spirv_val *load_input(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   const uint32_t count = spirv_leaf_count(t, p->type);
   struct ir_instr **comps = spirv_new_comps(t, count);
   const struct spirv_type *scalar = spirv_scalar_type(p->type);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t slots = p->type->class == SPIRV_TYPE_VECTOR ? spirv_slot_of_child(t, p->type, i) : 0;
      comps[i] = spirv_load_input(t, p, slots, i * spirv_scalar_bytes(SPIRV_LAYOUT_CELLS, scalar->bits), scalar);
   }
   return spirv_new_leaf(t, p->type, comps);
}

/* A long vector counts as what it is accessed by. */
static void count_leaf(struct spirv_ctx *t, const struct spirv_type *type, uint32_t *num_leaves)
{
   *num_leaves += type->class == SPIRV_TYPE_VECTOR ? (type->count + MAX_ACCESS - 1) / MAX_ACCESS : 1;
   if (*num_leaves > SPIRV_MAX_LEAVES)
      spirv_fail(t, "a value is too large to load, store or copy");
}

/* The value of a ray is a copy of it. */
static struct spirv_val *load_ray(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   const struct spirv_pointer copy = spirv_temp_pointer(t, p->type, "ray");
   spirv_copy_ray(t, &copy, p);
   return spirv_new_pointer(t, p->type, &copy);
}

static bool is_memory(const struct spirv_pointer *p)
{
   return p->class == SPIRV_PTR_VAR || p->class == SPIRV_PTR_BUFFER || p->class == SPIRV_PTR_GLOBAL || p->class == SPIRV_PTR_SHARED ||
          p->class == SPIRV_PTR_PUSH;
}

static bool is_large(const struct spirv_ctx *t, const struct spirv_pointer *p)
{
   const bool is_composite = p->type->class == SPIRV_TYPE_ARRAY || (p->type->class == SPIRV_TYPE_STRUCT && t->copies_memory);
   return is_memory(p) && is_composite && p->type->num_leaves > (t->copies_memory ? FEW_LEAVES : MAX_LEAVES_IN_ROW);
}

/* Not written by anybody while the shader runs. */
static bool is_constant(const struct spirv_pointer *p)
{
   return p->class == SPIRV_PTR_PUSH || ((p->access & IR_ACCESS_READ_ONLY) && !(p->access & IR_ACCESS_VOLATILE));
}

static void copy_memory(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from);
static void copy_bytes(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from, uint64_t bytes);
static uint64_t dense_bytes(struct spirv_ctx *t, const struct spirv_type *to, struct spirv_layout to_layout, const struct spirv_type *from,
                            struct spirv_layout from_layout);

static bool is_of_words(const struct spirv_type *type)
{
   switch (type->class) {
   case SPIRV_TYPE_INT: case SPIRV_TYPE_FLOAT:
      return type->bits == 32;
   case SPIRV_TYPE_VECTOR: case SPIRV_TYPE_MATRIX: case SPIRV_TYPE_ARRAY:
      return is_of_words(type->elem);
   case SPIRV_TYPE_STRUCT:
      for (uint32_t i = 0; i < type->count; i++) {
         if (!is_of_words(type->members[i].type))
            return false;
      }
      return true;
   default:
      return false;
   }
}

/* Bytes of a value whose parts stand otherwise than in variables, but at words, so that a variable may have them as they stand, with the gaps; 0: of others. */
static uint64_t kept_bytes(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   const struct spirv_layout cells = {.class = SPIRV_LAYOUT_CELLS};
   const uint32_t size = p->type->size[SPIRV_LAYOUT_CELLS];
   if (!t->copies_memory || p->layout.class != SPIRV_LAYOUT_EXPLICIT || !is_of_words(p->type) || spirv_pointer_align(p, 0) < 4 ||
       dense_bytes(t, p->type, cells, p->type, p->layout))
      return 0;
   const uint64_t bytes = spirv_type_bytes(t, p->type, p->layout);
   return bytes % 4 == 0 && bytes / 2 <= size ? bytes : 0;
}

/* As it stands. */
static struct spirv_pointer keep(struct spirv_ctx *t, const struct spirv_pointer *p, uint64_t bytes)
{
   const struct spirv_pointer copy = {
      .class = SPIRV_PTR_VAR, .type = p->type, .layout = p->layout, .align = 4, .var = ir_var_create(t->shader, (uint32_t)bytes, "copy")};
   copy_bytes(t, &copy, p, bytes);
   return copy;
}

/* What stands in constant memory stays there; else, and if it is not `lent`, the value is a copy that nobody else has. If the instruction is executed
 * again, nobody asks any more for what it gave before. */
static struct spirv_val *load_large(struct spirv_ctx *t, const struct spirv_pointer *p, bool is_lent)
{
   struct spirv_pointer copy = *p;
   const uint64_t bytes = is_lent || is_constant(p) ? 0 : kept_bytes(t, p);
   if (bytes) {
      copy = keep(t, p, bytes);
   } else if (!is_lent && !is_constant(p)) {
      copy = spirv_temp_pointer(t, p->type, "copy");
      copy_memory(t, &copy, p);
   }
   struct spirv_val *val = spirv_new_pointer(t, p->type, &copy);
   val->class = SPIRV_VAL_MEMORY;
   return val;
}

static struct spirv_val *load(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t *num_leaves)
{
   if (p->class == SPIRV_PTR_VAR && spirv_is_ray(p->type)) {
      count_leaf(t, p->type, num_leaves);
      return load_ray(t, p);
   }
   if (p->class != SPIRV_PTR_BLOCK && p->class != SPIRV_PTR_VERTICES && spirv_is_leaf(p->type)) {
      count_leaf(t, p->type, num_leaves);
      if (p->class == SPIRV_PTR_DESCRIPTOR)
         return load_descriptor(t, p);
      if (p->class == SPIRV_PTR_INPUT)
         return load_input(t, p);
      if (p->class == SPIRV_PTR_ROWS)
         return spirv_load_rows(t, p);
      if (p->class == SPIRV_PTR_BUFFER && p->type->class >= SPIRV_TYPE_IMAGE)
         return spirv_load_from_heap(t, p);
      return spirv_is_scalar_or_vector(p->type) ? load_leaf(t, p) : load_handle(t, p);
   }
   if (p->type->class == SPIRV_TYPE_RUNTIME_ARRAY)
      spirv_fail(t, "a runtime array cannot be loaded");
   if (is_large(t, p))
      return load_large(t, p, false);
   if (is_of_rows(p)) {
      *num_leaves += p->type->elem->count;
      return load_rows(t, p);
   }
   struct spirv_val *val = spirv_new_composite(t, p->type);
   for (uint32_t i = 0; i < p->type->count; i++) {
      const struct spirv_pointer child = spirv_pointer_child(t, p, i);
      spirv_put_child(t, val, i, load(t, &child, num_leaves));
   }
   return val;
}

/* The leaves of a composite that were loaded or stored one by one. */
static void count_moved(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t num_leaves)
{
   if (num_leaves > FEW_LEAVES)
      t->num_moved += num_leaves * (p->class == SPIRV_PTR_VAR && !p->dyn ? VARIABLE_COST : MEMORY_COST);
   if (t->num_moved > SPIRV_MAX_MOVED && !t->copies_memory)
      spirv_fail(t, "composites have too many parts"); /* spirv_to_ir() tries once more */
}

struct spirv_val *spirv_load(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   uint32_t num_leaves = 0;
   spirv_take_apart(t, pointer->type);
   struct spirv_val *val = load(t, pointer, &num_leaves);
   count_moved(t, pointer, num_leaves);
   return val;
}

/* ---- stores ---- */

static void store_leaf(struct spirv_ctx *t, const struct spirv_pointer *p, struct spirv_val *val)
{
   const struct leaf_shape shape = shape_of(t, p);
   if (spirv_leaf_count(t, val->type) != shape.count)
      spirv_fail(t, "store of a value that does not fit");
   struct ir_instr *const *source = spirv_comps(t, val);
   struct ir_instr **comps = spirv_new_comps(t, shape.count);
   for (uint32_t i = 0; i < shape.count; i++) {
      comps[i] = p->type->bits == 1 ? spirv_bool_to_u32(t, source[i]) : source[i];
      if (comps[i]->bit_size != shape.bits)
         spirv_fail(t, "store of a value that does not fit");
   }
   if (p->class == SPIRV_PTR_ROWS) {
      spirv_store_rows(t, p, source);
      return;
   }
   for (uint32_t i = 0; i < shape.count; i += shape.step) {
      const uint32_t n = UTIL_MIN(shape.count - i, shape.step);
      emit_store(t, p, i * shape.stride, n == 1 ? comps[i] : ir_vec(&t->b, n, comps + i));
   }
}

static void store_handle(struct spirv_ctx *t, const struct spirv_pointer *p, struct spirv_val *val)
{
   const uint32_t count = spirv_leaf_count(t, p->type);
   if (val->type->class != p->type->class || spirv_leaf_count(t, val->type) != count)
      spirv_fail(t, "store of a value that does not fit");
   struct ir_instr *const *comps = spirv_comps(t, val);
   uint32_t offset = 0;
   for (uint32_t i = 0; i < count; i++) {
      emit_store(t, p, offset, comps[i]);
      offset += comps[i]->bit_size / 8;
   }
}

static void store_rows(struct spirv_ctx *t, const struct spirv_pointer *p, struct spirv_val *val)
{
   const uint32_t num_columns = p->type->count, num_rows = p->type->elem->count;
   struct ir_instr **columns[MAX_ACCESS], *row[MAX_ACCESS];
   for (uint32_t c = 0; c < num_columns; c++) {
      struct spirv_val *column = spirv_child(t, val, c);
      if (column->type->class != SPIRV_TYPE_VECTOR || column->type->count != num_rows || column->type->bits != p->type->bits)
         spirv_fail(t, "store of a value that does not fit");
      columns[c] = spirv_comps(t, column);
   }
   for (uint32_t r = 0; r < num_rows; r++) {
      for (uint32_t c = 0; c < num_columns; c++)
         row[c] = columns[c][r];
      emit_store(t, p, r * p->layout.matrix_stride, ir_vec(&t->b, num_columns, row));
   }
}

/* False: it is stored child by child. */
static bool store_large(struct spirv_ctx *t, const struct spirv_pointer *p, struct spirv_val *val, uint32_t *num_leaves);

static void store(struct spirv_ctx *t, const struct spirv_pointer *p, struct spirv_val *val, uint32_t *num_leaves)
{
   if (val->class == SPIRV_VAL_UNDEF)
      return; /* whatever stands there is as good */
   if (p->class == SPIRV_PTR_VAR && spirv_is_ray(p->type)) {
      count_leaf(t, p->type, num_leaves);
      if (val->type->class != p->type->class || val->class != SPIRV_VAL_POINTER)
         spirv_fail(t, "store of a value that does not fit");
      spirv_copy_ray(t, p, val->pointer);
      return;
   }
   if (p->class != SPIRV_PTR_BLOCK && spirv_is_leaf(p->type)) {
      count_leaf(t, p->type, num_leaves);
      if (!spirv_is_leaf(val->type))
         spirv_fail(t, "store of a value that does not fit");
      if (spirv_is_scalar_or_vector(p->type))
         store_leaf(t, p, val);
      else
         store_handle(t, p, val);
      return;
   }
   if (spirv_num_children(t, p->type) != spirv_num_children(t, val->type))
      spirv_fail(t, "store of a value that does not fit");
   if (is_large(t, p) && store_large(t, p, val, num_leaves))
      return;
   if (is_of_rows(p)) {
      *num_leaves += p->type->elem->count;
      store_rows(t, p, val);
      return;
   }
   for (uint32_t i = 0; i < p->type->count; i++) {
      const struct spirv_pointer child = spirv_pointer_child(t, p, i);
      store(t, &child, spirv_child(t, val, i), num_leaves);
   }
}

void spirv_store(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct spirv_val *val)
{
   uint32_t num_leaves = 0;
   if (pointer->class == SPIRV_PTR_INPUT || pointer->is_input_copy)
      spirv_fail(t, "store to an input");
   spirv_take_apart(t, pointer->type);
   store(t, pointer, val, &num_leaves);
   count_moved(t, pointer, num_leaves);
}

/* ---- composites from memory to memory ---- */

/* Bytes of a value that both memories have without gaps, each part at the same offset; 0: of others, and of those that are too many. */
static uint64_t dense_bytes(struct spirv_ctx *t, const struct spirv_type *to, struct spirv_layout to_layout, const struct spirv_type *from,
                            struct spirv_layout from_layout)
{
   if (spirv_is_scalar(to)) {
      const uint32_t bytes = spirv_scalar_bytes(to_layout.class, to->bits);
      return bytes == spirv_scalar_bytes(from_layout.class, from->bits) ? bytes : 0;
   }
   if (to->class < SPIRV_TYPE_VECTOR || to->class > SPIRV_TYPE_STRUCT || to->class == SPIRV_TYPE_RUNTIME_ARRAY)
      return 0;
   const bool is_struct = to->class == SPIRV_TYPE_STRUCT;
   uint64_t end = 0;
   if (to->class == SPIRV_TYPE_MATRIX && to_layout.is_row_major) {
      const bool is_same = from_layout.is_row_major && from_layout.matrix_stride == to_layout.matrix_stride;
      const uint32_t row_bytes = to->count * spirv_scalar_bytes(to_layout.class, to->bits);
      return is_same && to_layout.matrix_stride == row_bytes ? (uint64_t)row_bytes * to->elem->count : 0;
   }
   for (uint32_t i = 0; i < (is_struct ? to->count : 1); i++) {
      const struct spirv_step x = spirv_step_into(t, to, to_layout, i), y = spirv_step_into(t, from, from_layout, i);
      const uint64_t bytes = x.offset == end && y.offset == end ? dense_bytes(t, x.type, x.layout, y.type, y.layout) : 0;
      if (!bytes || (!is_struct && (x.stride != bytes || y.stride != bytes)))
         return 0;
      end += is_struct ? bytes : bytes * to->count;
   }
   return end <= INT32_MAX ? end : 0;
}

static struct spirv_pointer as_unit(const struct spirv_pointer *pointer, const struct spirv_type *unit)
{
   struct spirv_pointer copy = *pointer;
   copy.type = unit;
   copy.is_of_floats = false;
   return copy;
}

static void copy_unit(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from, const struct spirv_type *unit,
                      struct spirv_val *index)
{
   struct spirv_pointer target = as_unit(to, unit), source = as_unit(from ? from : to, unit);
   spirv_add_index(t, &target, index, unit->bits / 8);
   spirv_add_index(t, &source, index, unit->bits / 8);
   spirv_store(t, &target, from ? spirv_load(t, &source) : spirv_new_simple(t, unit, SPIRV_VAL_NULL));
}

static enum ir_op copying_op(struct spirv_ctx *t, enum spirv_pointer_class class, bool stores)
{
   switch (class) {
   case SPIRV_PTR_VAR: return stores ? IR_store_var : IR_load_var;
   case SPIRV_PTR_BUFFER: return stores ? IR_store_buffer : IR_load_buffer;
   case SPIRV_PTR_GLOBAL: return stores ? IR_store_global : IR_load_global;
   case SPIRV_PTR_SHARED: return stores ? IR_store_shared : IR_load_shared;
   case SPIRV_PTR_PUSH:
      if (!stores)
         return IR_load_push;
      spirv_fail(t, "store to a push constant");
   default: spirv_fail(t, "copy %s a pointer of class %u", stores ? "to" : "from", class);
   }
}

/* What is copied, the target first, and by which units. */
struct copied {
   const struct spirv_pointer *pointers[2]; /* the source may be NULL, for zeros */
   struct ir_var *offsets[2]; /* NULL: a unit every `stride` bytes */
   uint32_t strides[2];
   const struct spirv_type *unit;
   uint32_t count;
};

static void copy_units(struct spirv_ctx *t, const struct copied *copied)
{
   struct ir_copy_form form = {.count = copied->count, .bit_size = copied->unit->bits, .sides[1].op = IR_undef};
   struct ir_instr *srcs[IR_MAX_COPY_SRCS];
   struct ir_var *vars[2] = {NULL, NULL};
   uint32_t num_srcs = 0;
   for (uint32_t s = 0; s < 2 && copied->pointers[s]; s++) {
      struct spirv_pointer pointer = as_unit(copied->pointers[s], copied->unit);
      pointer.align = UTIL_MIN(pointer.align, copied->unit->bits / 8);
      struct ir_copy_side *side = &form.sides[s];
      side->op = copying_op(t, pointer.class, s == 0);
      side->access = s == 0 ? pointer.access & ~(uint32_t)IR_ACCESS_READ_ONLY : pointer.access;
      side->align = access_align(&pointer, 0, copied->unit->bits);
      side->offsets = copied->offsets[s];
      side->stride = copied->strides[s];
      num_srcs += spirv_access_operands(t, &pointer, 0, srcs + num_srcs);
      vars[s] = pointer.class == SPIRV_PTR_VAR ? pointer.var : NULL;
   }
   ir_copy(&t->b, &form, srcs, vars);
   t->copied_operations += LOOP_OPERATIONS;
}

static uint32_t align_of(const struct spirv_pointer *pointer)
{
   return pointer->class == SPIRV_PTR_VAR ? 4 : spirv_pointer_align(pointer, 0);
}

static void copy_bytes(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from, uint64_t bytes)
{
   const uint32_t align = UTIL_MIN((uint32_t)(bytes & -bytes), UTIL_MIN(align_of(to), from ? align_of(from) : 4));
   const struct spirv_type *unit = align >= 4 ? &spirv_type_u32 : align == 2 ? &spirv_type_u16 : &spirv_type_u8;
   const uint64_t count = bytes / (unit->bits / 8);
   if (count > (align >= 4 ? MAX_UNITS_IN_ROW : MAX_SMALL_UNITS_IN_ROW)) {
      copy_units(t, &(struct copied){{to, from}, {NULL, NULL}, {unit->bits / 8, unit->bits / 8}, unit, (uint32_t)count});
      return;
   }
   for (uint64_t i = 0; i < count; i++)
      copy_unit(t, to, from, unit, &(struct spirv_val){.type = &spirv_type_u32, .class = SPIRV_VAL_CONST, .bits = &i});
}

/* Members that follow each other without gaps are copied together where there are many of them. */
static void copy_struct(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from)
{
   const uint32_t count = to->type->count;
   for (uint32_t i = 0, n; i < count; i += n) {
      const struct spirv_pointer target = spirv_pointer_child(t, to, i), source = from ? spirv_pointer_child(t, from, i) : target;
      uint64_t bytes = t->copies_memory ? dense_bytes(t, target.type, target.layout, source.type, source.layout) : 0, more = bytes;
      for (n = 1; more && i + n < count; n++, bytes += more) {
         const struct spirv_pointer x = spirv_pointer_child(t, to, i + n), y = from ? spirv_pointer_child(t, from, i + n) : x;
         const bool is_behind = bytes <= INT32_MAX && x.offset - target.offset == bytes && y.offset - source.offset == bytes;
         const bool is_next = is_behind && x.access == target.access && y.access == source.access;
         more = is_next ? dense_bytes(t, x.type, x.layout, y.type, y.layout) : 0;
         if (!more)
            break;
      }
      if (bytes)
         copy_bytes(t, &target, from ? &source : NULL, bytes);
      else
         copy_memory(t, &target, from ? &source : NULL);
   }
}

static struct spirv_pointer element(struct spirv_ctx *t, const struct spirv_pointer *array, struct ir_instr *index)
{
   struct spirv_pointer pointer = *array;
   const struct spirv_step step = spirv_step_into(t, array->type, array->layout, 0);
   pointer.type = step.type;
   pointer.layout = step.layout;
   pointer.is_of_floats = step.type->class == SPIRV_TYPE_FLOAT;
   spirv_add_index(t, &pointer, spirv_new_scalar(t, &spirv_type_u32, index), step.stride);
   return pointer;
}

static void copy_array(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from)
{
   const struct spirv_loop loop = spirv_loop_begin(t, spirv_u32(t, to->type->count));
   const struct spirv_pointer target = element(t, to, loop.index), source = from ? element(t, from, loop.index) : target;
   copy_memory(t, &target, from ? &source : NULL);
   spirv_loop_end(t, &loop);
}

/* Unit by unit. False: they are copied otherwise. */
static bool copy_spread(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from)
{
   if (spirv_is_leaf(to->type) || !is_memory(to) || (from && !is_memory(from)))
      return false;
   const struct spirv_spread *spread = spirv_find_spread(t, to, from ? from : to);
   if (!spread->unit)
      return false;
   copy_units(t, &(struct copied){{to, from}, {spread->tables[0], spread->tables[1]}, {spread->strides[0], spread->strides[1]}, spread->unit, spread->count});
   return true;
}

/* From memory to memory, which may be the same, or zeros if `from` is NULL. Bytes that belong to no part are not written. */
static void copy_memory(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from)
{
   const struct spirv_type *type = to->type;
   if (from && !spirv_is_leaf(type) && spirv_num_children(t, from->type) != spirv_num_children(t, type))
      spirv_fail(t, "store of a value that does not fit");
   spirv_take_apart(t, type);
   const struct spirv_pointer *source = from ? from : to;
   const uint64_t bytes = t->copies_memory && is_large(t, to) ? dense_bytes(t, type, to->layout, source->type, source->layout) : 0;
   if (bytes)
      copy_bytes(t, to, from, bytes);
   else if (t->copies_memory && copy_spread(t, to, from))
      return;
   else if (type->class == SPIRV_TYPE_STRUCT)
      copy_struct(t, to, from);
   else if (is_large(t, to)) /* an array */
      copy_array(t, to, from);
   else
      spirv_store(t, to, from ? spirv_load(t, from) : spirv_new_simple(t, type, SPIRV_VAL_NULL));
}

/* ---- stores of large composites ---- */

/* The same value in `count` elements from `first` on. */
static void fill(struct spirv_ctx *t, const struct spirv_pointer *array, struct spirv_val *val, uint32_t first, uint32_t count, uint32_t *num_leaves)
{
   const struct spirv_loop loop = spirv_loop_begin(t, spirv_u32(t, count));
   const struct spirv_pointer target = element(t, array, ir_alu2(&t->b, IR_iadd, loop.index, spirv_u32(t, first)));
   store(t, &target, val, num_leaves);
   spirv_loop_end(t, &loop);
}

static struct spirv_val *origin_of(struct spirv_val *val)
{
   return val && val->class == SPIRV_VAL_COMPOSITE && val->origin ? val->origin : val;
}

/* What of a value is not as in its origin, which stands there. */
static void store_changes(struct spirv_ctx *t, const struct spirv_pointer *p, struct spirv_val *val, struct spirv_val *origin, uint32_t *num_leaves)
{
   const bool has_comps = val->class == SPIRV_VAL_SSA && origin->class == SPIRV_VAL_SSA && val->type->class == SPIRV_TYPE_VECTOR;
   if (val == origin)
      return;
   if (!has_comps && (val->class != SPIRV_VAL_COMPOSITE || origin->class != SPIRV_VAL_COMPOSITE)) {
      store(t, p, val, num_leaves);
      return;
   }
   for (uint32_t i = 0; i < p->type->count; i++) {
      if (has_comps && val->comps[i] == origin->comps[i])
         continue;
      const struct spirv_pointer child = spirv_pointer_child(t, p, i);
      if (has_comps)
         store(t, &child, spirv_child(t, val, i), num_leaves);
      else
         store_changes(t, &child, spirv_child(t, val, i), spirv_child(t, origin, i), num_leaves);
   }
}

/* Where elements come from one value, that goes to all of them, by a loop, and then what is changed. Others may look at memory that is not the invocation's
 * own meanwhile: there only equal elements are stored by a loop. */
static void store_children(struct spirv_ctx *t, const struct spirv_pointer *p, struct spirv_val *val, uint32_t *num_leaves)
{
   const uint32_t count = p->type->count;
   const bool is_own = p->class == SPIRV_PTR_VAR;
   uint32_t equal;
   for (uint32_t i = spirv_next_own_child(val, 0); i < count; i = spirv_next_own_child(val, i + equal)) {
      struct spirv_val *child = spirv_own_child(val, i), *origin = is_own ? origin_of(child) : child;
      for (equal = 1; i + equal < count; equal++) {
         struct spirv_val *next = spirv_own_child(val, i + equal);
         if ((is_own ? origin_of(next) : next) != origin)
            break;
      }
      if (equal > MAX_EQUAL_IN_ROW && p->type->class == SPIRV_TYPE_ARRAY) {
         fill(t, p, origin, i, equal, num_leaves);
         for (uint32_t e = i; e < i + equal; e++) {
            const struct spirv_pointer changed = spirv_pointer_child(t, p, e);
            store_changes(t, &changed, spirv_own_child(val, e), origin, num_leaves);
         }
         continue;
      }
      equal = 1;
      const struct spirv_pointer pointer = spirv_pointer_child(t, p, i);
      store(t, &pointer, child, num_leaves);
   }
}

static bool store_large(struct spirv_ctx *t, const struct spirv_pointer *p, struct spirv_val *val, uint32_t *num_leaves)
{
   struct spirv_val *from = val->class == SPIRV_VAL_COMPOSITE ? val->rest : val;
   if (from && from->class == SPIRV_VAL_MEMORY)
      copy_memory(t, p, from->pointer);
   else if (from && from->class == SPIRV_VAL_NULL)
      copy_memory(t, p, NULL);
   else if (from && from->class != SPIRV_VAL_UNDEF)
      return false;
   if (val->class == SPIRV_VAL_COMPOSITE)
      store_children(t, p, val, num_leaves);
   return true;
}

/* What is of one type in one variable or buffer is the same memory or has none in common. So it is in shared memory, but for variables that may overlap. */
void spirv_copy_value(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from)
{
   const bool is_one_buffer = to->class == SPIRV_PTR_BUFFER && from->class == SPIRV_PTR_BUFFER && to->addr == from->addr && to->type == from->type;
   const bool is_tight = to->layout.class == SPIRV_LAYOUT_TIGHT && from->layout.class == SPIRV_LAYOUT_TIGHT;
   const bool is_shared = to->class == SPIRV_PTR_SHARED && from->class == SPIRV_PTR_SHARED && to->type == from->type && is_tight;
   const bool is_apart = is_one_buffer || is_shared || to->class == SPIRV_PTR_VAR || from->class == SPIRV_PTR_VAR;
   spirv_store(t, to, is_apart && is_large(t, from) ? load_large(t, from, true) : spirv_load(t, from));
}

/* ---- instructions ---- */

uint32_t spirv_memory_operands(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index,
                               struct spirv_pointer *pointer)
{
   if (index >= in->count)
      return index;
   const uint32_t operands = in->words[index++];
   if (operands & SpvMemoryAccessVolatileMask)
      pointer->access |= IR_ACCESS_VOLATILE;
   if (operands & SpvMemoryAccessAlignedMask) {
      const uint32_t align = spirv_word(t, in, index++);
      if (align && !(align & (align - 1)) && pointer->class == SPIRV_PTR_GLOBAL) {
         pointer->addr = spirv_pointer_offset(t, pointer, 0); /* the promise is for the address with its offset */
         pointer->dyn = NULL;
         pointer->offset = 0;
         pointer->align = align;
      }
   }
   if (operands & SpvMemoryAccessMakePointerAvailableMask) {
      index++;
      pointer->access |= IR_ACCESS_COHERENT;
   }
   if (operands & SpvMemoryAccessMakePointerVisibleMask) {
      index++;
      pointer->access |= IR_ACCESS_COHERENT;
   }
   if (operands & SpvMemoryAccessNonPrivatePointerMask)
      pointer->access |= IR_ACCESS_COHERENT;
   if (index > in->count)
      spirv_fail(t, "%s: a memory operand is missing", spirv_op_name(in->op));
   return index;
}

/* How often the id is a word of the module's functions, or of more: 0 to 3. */
static uint32_t count_mentions(struct spirv_ctx *t, uint32_t id)
{
   if (!t->mentions) {
      t->mentions = UTIL_ARENA_ARRAY(t->arena, uint8_t, t->bound);
      for (size_t i = 0; i < t->num_words; i++) {
         if (t->words[i] < t->bound && t->mentions[t->words[i]] < 3)
            t->mentions[t->words[i]]++;
      }
   }
   return t->mentions[id];
}

/* The instruction behind those that store nothing from `offset` on: a copy under another type, as which the value goes on in *id, or what else comes. */
static struct spirv_instr next_use(struct spirv_ctx *t, size_t offset, uint32_t *id)
{
   enum { VALUE_AND_USE = 2 };
   for (;;) {
      const struct spirv_instr in = spirv_instr_at(t, offset);
      const bool is_copy = in.op == SpvOpCopyLogical && in.count > 3 && in.words[3] == *id && count_mentions(t, in.words[2]) == VALUE_AND_USE;
      if (is_copy)
         *id = in.words[2];
      else if (in.op != SpvOpAccessChain && in.op != SpvOpInBoundsAccessChain && in.op != SpvOpLine && in.op != SpvOpNoLine)
         return in;
      offset += in.count;
   }
}

/* Nothing is stored before what is loaded is, and nobody else asks for it: then it need not be copied twice. The two are the same memory or have none in
 * common, if one of them is a variable. */
static bool is_stored_next(struct spirv_ctx *t, const struct spirv_instr *load, const struct spirv_pointer *from)
{
   enum { LOAD_AND_STORE = 2 };
   uint32_t id = load->words[2];
   if (count_mentions(t, id) != LOAD_AND_STORE)
      return false;
   const struct spirv_instr in = next_use(t, (size_t)(load->words - t->words) + load->count, &id);
   if (in.op != SpvOpStore || in.count < 3 || in.words[2] != id)
      return false;
   const struct spirv_id *to = spirv_id(t, in.words[1]);
   const struct spirv_type *type = to->class == SPIRV_ID_VARIABLE ? to->variable->pointer_type : to->result_type ? spirv_type(t, to->result_type) : NULL;
   const bool is_variable = type && (type->storage == SpvStorageClassFunction || type->storage == SpvStorageClassPrivate);
   return from->class == SPIRV_PTR_VAR || is_variable;
}

static void translate_load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer pointer = spirv_pointer_to(t, spirv_word(t, in, 3), spirv_result_type(t, in));
   spirv_memory_operands(t, in, 4, &pointer);
   const bool is_lent = is_large(t, &pointer) && is_stored_next(t, in, &pointer);
   spirv_set_value(t, spirv_word(t, in, 2), is_lent ? load_large(t, &pointer, true) : spirv_load(t, &pointer));
}

/* What the id is, to be stored there. A large constant becomes memory before everything else, from which it is copied. */
static struct spirv_val *stored_value(struct spirv_ctx *t, const struct spirv_pointer *to, uint32_t id)
{
   struct spirv_val *val = spirv_value(t, id);
   const bool is_constant = !t->ids[id].result_type; /* not of a function's instruction */
   if (!t->copies_memory || !is_constant || val->class != SPIRV_VAL_COMPOSITE || !is_large(t, to))
      return val;
   const struct ir_builder saved = t->b;
   t->b = t->prologue;
   const struct spirv_pointer pointer = spirv_temp_pointer(t, val->type, "constant");
   spirv_store(t, &pointer, val);
   t->b = saved;
   val = spirv_new_pointer(t, val->type, &pointer);
   val->class = SPIRV_VAL_MEMORY;
   return t->ids[id].value = val;
}

/* The memory of the constant that stands for the variable; NULL: none does. Checks would miss that it is read before it is stored. */
static const struct spirv_pointer *memory_held(struct spirv_ctx *t, uint32_t variable, const struct spirv_type *type)
{
   const uint32_t constant = t->copies_memory && !t->shader->checks ? spirv_held_constant(t, variable) : 0;
   if (!constant || spirv_value_type(t, constant) != type)
      return NULL;
   const struct spirv_pointer to = {.class = SPIRV_PTR_VAR, .type = type};
   const struct spirv_val *val = stored_value(t, &to, constant);
   return val->class == SPIRV_VAL_MEMORY ? val->pointer : NULL;
}

static void translate_store(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (memory_held(t, spirv_word(t, in, 1), spirv_value_type(t, spirv_word(t, in, 2))))
      return; /* it is there */
   struct spirv_pointer pointer = spirv_pointer_to(t, spirv_word(t, in, 1), spirv_value_type(t, spirv_word(t, in, 2)));
   spirv_memory_operands(t, in, 3, &pointer);
   spirv_store(t, &pointer, stored_value(t, &pointer, in->words[2]));
}

/* The target's operands come first; if there is one set, it counts for both. */
static void translate_variable(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   const uint32_t id = spirv_word(t, in, 2);
   if (spirv_word(t, in, 3) != SpvStorageClassFunction || type->class != SPIRV_TYPE_POINTER || !type->elem)
      spirv_fail(t, "variable %u of a function has a wrong type", id);
   const struct spirv_pointer *held = memory_held(t, id, type->elem);
   if (held) {
      spirv_set_value(t, id, spirv_new_pointer(t, type, held));
      return;
   }
   struct spirv_pointer pointer = spirv_temp_pointer(t, type->elem, t->ids[id].name);
   struct spirv_val *val = in->count > 4 ? stored_value(t, &pointer, in->words[4]) : NULL;
   if (val && val->class == SPIRV_VAL_MEMORY && spirv_has_decoration(t, id, SpvDecorationNonWritable))
      pointer = *val->pointer;
   else if (val)
      spirv_store(t, &pointer, val);
   spirv_set_value(t, id, spirv_new_pointer(t, type, &pointer));
}

bool spirv_memory(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpLoad: translate_load(t, in); return true;
   case SpvOpStore: translate_store(t, in); return true;
   case SpvOpVariable: translate_variable(t, in); return true;
   default: return false;
   }
}
