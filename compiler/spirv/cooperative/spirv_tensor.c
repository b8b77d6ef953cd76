/* SPDX-License-Identifier: MIT
 * Tensor layouts and views, structures of 32-bit numbers, and cooperative matrices that are loaded and stored through them.
 * Spec: SPV_NV_tensor_addressing; SPV_NV_cooperative_matrix2, "Tensor Layout and View". */
#include "compiler/spirv/cooperative/spirv_cooperative.h"
#include "compiler/spirv/spirv_cfg.h"

enum { MAX_DIMS = SPIRV_MAX_TENSOR_DIMS };
/* Members of a layout, each once a dimension but the last; of a view. */
enum { BLOCK_SIZE, DIMENSION, STRIDE, OFFSET, SPAN, CLAMP_VALUE };
enum { VIEW_DIMENSION, VIEW_STRIDE, VIEW_CLIP };

static bool is_layout(const struct spirv_type *type)
{
   return type->class == SPIRV_TYPE_STRUCT && type->tensor.dims && !type->tensor.is_view;
}

static bool is_view(const struct spirv_type *type)
{
   return type->class == SPIRV_TYPE_STRUCT && type->tensor.dims && type->tensor.is_view;
}

static struct spirv_val *scalar_of(struct spirv_ctx *t, struct ir_instr *x)
{
   return spirv_new_scalar(t, &spirv_type_u32, x);
}

static struct ir_instr *get(struct spirv_ctx *t, struct spirv_val *tensor, uint32_t member, uint32_t dim)
{
   return spirv_comps(t, spirv_child(t, tensor, member * tensor->type->tensor.dims + dim))[0];
}

static struct ir_instr *operand(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index)
{
   return spirv_resize(t, spirv_scalar(t, spirv_word(t, in, index)), 32, false);
}

/* ---- layouts and views ---- */

static struct spirv_val *copy_of(struct spirv_ctx *t, const struct spirv_type *type, struct spirv_val *from)
{
   struct spirv_val *val = spirv_new_composite(t, type);
   if (from && from->type != type)
      spirv_fail(t, "a tensor's layout or view becomes one of another type");
   for (uint32_t i = 0; i < type->count; i++)
      spirv_put_child(t, val, i, from ? spirv_child(t, from, i) : scalar_of(t, spirv_u32(t, 0)));
   return val;
}

static void set(struct spirv_ctx *t, struct spirv_val *tensor, uint32_t member, uint32_t dim, struct ir_instr *x)
{
   spirv_put_child(t, tensor, member * tensor->type->tensor.dims + dim, scalar_of(t, x));
}

static struct spirv_val *create(struct spirv_ctx *t, const struct spirv_type *type)
{
   struct spirv_val *val = copy_of(t, type, NULL);
   for (uint32_t d = 0; d < type->tensor.dims && is_layout(type); d++)
      set(t, val, BLOCK_SIZE, d, spirv_u32(t, 1));
   for (uint32_t i = 0; i < 4 && is_view(type); i++) /* clip: offset and span of rows, of columns */
      spirv_put_child(t, val, VIEW_CLIP * type->tensor.dims + i, scalar_of(t, spirv_u32(t, i % 2 ? UINT32_MAX : 0)));
   return val;
}

/* How many blocks a dimension has. */
static struct ir_instr *num_blocks(struct spirv_ctx *t, struct spirv_val *layout, uint32_t dim)
{
   struct ir_instr *size = get(t, layout, BLOCK_SIZE, dim), *rounded = ir_alu2(&t->b, IR_isub, size, spirv_u32(t, 1));
   return ir_alu2(&t->b, IR_udiv, ir_alu2(&t->b, IR_iadd, get(t, layout, DIMENSION, dim), rounded), size);
}

static void set_dimensions(struct spirv_ctx *t, const struct spirv_instr *in, struct spirv_val *layout)
{
   struct ir_instr *stride = spirv_u32(t, 1);
   for (uint32_t d = layout->type->tensor.dims; d-- > 0;) {
      struct ir_instr *size = operand(t, in, 4 + d);
      set(t, layout, DIMENSION, d, size);
      set(t, layout, SPAN, d, size);
      set(t, layout, OFFSET, d, spirv_u32(t, 0));
      set(t, layout, STRIDE, d, stride);
      stride = ir_alu2(&t->b, IR_imul, stride, num_blocks(t, layout, d));
   }
}

static void set_view_dimensions(struct spirv_ctx *t, const struct spirv_instr *in, struct spirv_val *view)
{
   struct ir_instr *stride = spirv_u32(t, 1);
   for (uint32_t d = view->type->tensor.dims; d-- > 0;) {
      set(t, view, VIEW_DIMENSION, d, operand(t, in, 4 + d));
      set(t, view, VIEW_STRIDE, d, stride);
      stride = ir_alu2(&t->b, IR_imul, stride, operand(t, in, 4 + d));
   }
}

static void slice(struct spirv_ctx *t, const struct spirv_instr *in, struct spirv_val *layout)
{
   for (uint32_t d = 0; d < layout->type->tensor.dims; d++) {
      set(t, layout, OFFSET, d, ir_alu2(&t->b, IR_iadd, get(t, layout, OFFSET, d), operand(t, in, 4 + 2 * d)));
      set(t, layout, SPAN, d, operand(t, in, 5 + 2 * d));
   }
}

static void set_each(struct spirv_ctx *t, const struct spirv_instr *in, struct spirv_val *tensor, uint32_t member)
{
   for (uint32_t d = 0; d < tensor->type->tensor.dims; d++)
      set(t, tensor, member, d, operand(t, in, 4 + d));
}

static void change(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   const bool is_of_view = in->op == SpvOpTensorViewSetDimensionNV || in->op == SpvOpTensorViewSetStrideNV || in->op == SpvOpTensorViewSetClipNV;
   if (is_of_view ? !is_view(type) : !is_layout(type))
      spirv_fail(t, "%s of something else", spirv_op_name(in->op));
   struct spirv_val *tensor = copy_of(t, type, spirv_value(t, spirv_word(t, in, 3)));
   switch (in->op) {
   case SpvOpTensorLayoutSetDimensionNV: set_dimensions(t, in, tensor); break;
   case SpvOpTensorLayoutSetStrideNV: set_each(t, in, tensor, STRIDE); break;
   case SpvOpTensorLayoutSetBlockSizeNV: set_each(t, in, tensor, BLOCK_SIZE); break;
   case SpvOpTensorLayoutSliceNV: slice(t, in, tensor); break;
   case SpvOpTensorLayoutSetClampValueNV: set(t, tensor, CLAMP_VALUE, 0, operand(t, in, 4)); break;
   case SpvOpTensorViewSetDimensionNV: set_view_dimensions(t, in, tensor); break;
   case SpvOpTensorViewSetStrideNV: set_each(t, in, tensor, VIEW_STRIDE); break;
   default:
      for (uint32_t i = 0; i < 4; i++)
         spirv_put_child(t, tensor, VIEW_CLIP * type->tensor.dims + i, scalar_of(t, operand(t, in, 4 + i)));
   }
   spirv_set_value(t, in->words[2], tensor);
}

/* ---- addresses ---- */

struct address {
   struct ir_instr *index;         /* in the tensor, elements or blocks; of index_bits() */
   struct ir_instr *is_inside;     /* 1 bit: neither clamped to a constant nor discarded; NULL: always */
   struct ir_instr *is_clipped;    /* 1 bit: not touched; NULL: never */
   struct ir_instr *block[MAX_DIMS], *in_block[MAX_DIMS];
};

static struct ir_instr *both(struct spirv_ctx *t, struct ir_instr *x, struct ir_instr *y)
{
   return x && y ? ir_alu2(&t->b, IR_iand, x, y) : x ? x : y;
}

/* Within the clip region; *row and *column are then counted from its corner. Returns the width of that. */
static struct ir_instr *clip(struct spirv_ctx *t, struct spirv_val *view, const struct spirv_type *type, struct spirv_coord *coord, struct address *a)
{
   struct ir_instr *clips[4], *outside[2], **at[2] = {&coord->row, &coord->column};
   for (uint32_t i = 0; i < 4; i++)
      clips[i] = spirv_comps(t, spirv_child(t, view, VIEW_CLIP * view->type->tensor.dims + i))[0];
   for (uint32_t i = 0; i < 2; i++) { /* below the offset it wraps to what is past any span but the greatest */
      struct ir_instr *is_below = ir_alu2(&t->b, IR_ult, *at[i], clips[2 * i]);
      *at[i] = ir_alu2(&t->b, IR_isub, *at[i], clips[2 * i]);
      outside[i] = ir_alu2(&t->b, IR_ior, is_below, ir_alu2(&t->b, IR_uge, *at[i], clips[2 * i + 1]));
   }
   a->is_clipped = ir_alu2(&t->b, IR_ior, outside[0], outside[1]);
   return ir_alu2(&t->b, IR_umin, spirv_u32(t, type->matrix.columns), clips[3]);
}

static uint32_t index_bits(const struct spirv_ctx *t)
{
   return t->has_64bit_indices ? 64 : 32;
}

/* Through the view's dimensions, in its order, and back to one number. */
static struct ir_instr *through_view(struct spirv_ctx *t, struct spirv_val *view, struct spirv_val *layout, struct ir_instr *index)
{
   const uint32_t dims = view->type->tensor.dims;
   struct ir_instr *coordinates[MAX_DIMS], *result = spirv_u32(t, 0), *stride = spirv_u32(t, 1);
   const bool has_own = view->type->tensor.has_dimensions;
   if (!has_own && dims != layout->type->tensor.dims)
      spirv_fail(t, "a tensor's view has other dimensions than its layout");
   for (uint32_t d = dims; d-- > 0;) {
      const uint32_t p = view->type->tensor.permutation[d];
      struct ir_instr *size = has_own ? get(t, view, VIEW_DIMENSION, p) : get(t, layout, SPAN, p);
      coordinates[p] = ir_alu2(&t->b, IR_umod, index, size);
      index = ir_alu2(&t->b, IR_udiv, index, size);
   }
   for (uint32_t d = dims; d-- > 0;) {
      struct ir_instr *step = has_own ? get(t, view, VIEW_STRIDE, d) : stride;
      result = ir_alu2(&t->b, IR_iadd, result, ir_alu2(&t->b, IR_imul, coordinates[d], step));
      if (!has_own)
         stride = ir_alu2(&t->b, IR_imul, stride, get(t, layout, SPAN, d));
   }
   return result;
}

/* A coordinate as the layout's clamp mode has it. */
static struct ir_instr *clamped(struct spirv_ctx *t, struct spirv_val *layout, uint32_t d, bool is_store, struct ir_instr *c, struct address *a)
{
   const uint32_t mode = layout->type->tensor.clamp_mode;
   struct ir_instr *size = get(t, layout, DIMENSION, d), *zero = spirv_u32(t, 0), *one = spirv_u32(t, 1);
   if (mode == SpvTensorClampModeUndefined)
      return c;
   if (is_store || mode == SpvTensorClampModeConstant) { /* as an unsigned number what is below 0 is too large, too */
      struct ir_instr *is_inside = ir_alu2(&t->b, IR_ult, c, size);
      a->is_inside = both(t, a->is_inside, is_inside);
      return ir_select(&t->b, is_inside, c, zero);
   }
   struct ir_instr *last = ir_alu2(&t->b, IR_isub, size, one);
   if (mode == SpvTensorClampModeClampToEdge)
      return ir_alu2(&t->b, IR_imin, ir_alu2(&t->b, IR_imax, c, zero), last);
   if (mode == SpvTensorClampModeRepeat)
      return ir_alu2(&t->b, IR_imod, c, size);
   if (mode != SpvTensorClampModeRepeatMirrored)
      spirv_fail(t, "clamp mode %u of a tensor", mode);
   struct ir_instr *period = ir_alu2(&t->b, IR_imax, ir_alu2(&t->b, IR_iadd, last, last), one); /* of one element it is none */
   c = ir_alu2(&t->b, IR_imod, c, period);
   return ir_select(&t->b, ir_alu2(&t->b, IR_uge, c, size), ir_alu2(&t->b, IR_isub, period, c), c);
}

static struct address address_of(struct spirv_ctx *t, struct spirv_val *layout, struct spirv_val *view, const struct spirv_type *type, uint32_t i,
                                 bool is_store)
{
   struct address a = {0};
   struct spirv_coord coord = spirv_coord_of(t, type, i);
   const uint32_t dims = layout->type->tensor.dims;
   struct ir_instr *width = view ? clip(t, view, type, &coord, &a) : spirv_u32(t, type->matrix.columns);
   struct ir_instr *index = ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_imul, coord.row, width), coord.column);
   if (view)
      index = through_view(t, view, layout, index);
   const uint32_t bits = index_bits(t);
   a.index = ir_const(&t->b, bits, 0);
   for (uint32_t d = dims; d-- > 0;) {
      struct ir_instr *span = get(t, layout, SPAN, d), *size = get(t, layout, BLOCK_SIZE, d);
      struct ir_instr *c = ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_umod, index, span), get(t, layout, OFFSET, d));
      index = ir_alu2(&t->b, IR_udiv, index, span);
      c = clamped(t, layout, d, is_store, c, &a);
      a.in_block[d] = ir_alu2(&t->b, IR_umod, c, size);
      a.block[d] = ir_alu2(&t->b, IR_udiv, c, size);
      struct ir_instr *block = spirv_resize(t, a.block[d], bits, false), *stride = spirv_resize(t, get(t, layout, STRIDE, d), bits, false);
      a.index = ir_alu2(&t->b, IR_iadd, a.index, ir_alu2(&t->b, IR_imul, block, stride));
   }
   return a;
}

/* ---- loads and stores ---- */

struct operands {
   struct spirv_pointer base;
   struct spirv_val *layout, *view; /* view: NULL: none */
   uint32_t decode; /* a function; 0: none */
};

/* Those from the memory operands on, at word `index`. */
static struct operands read_operands(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t pointer, uint32_t layout, uint32_t index)
{
   struct operands o = {.base = spirv_pointer_to(t, spirv_word(t, in, pointer), &spirv_type_u8), .layout = spirv_value(t, spirv_word(t, in, layout))};
   index = spirv_memory_operands(t, in, index, &o.base);
   const uint32_t mask = index < in->count ? in->words[index++] : 0;
   if (mask & SpvTensorAddressingOperandsTensorViewMask)
      o.view = spirv_value(t, spirv_word(t, in, index++));
   if (mask & SpvTensorAddressingOperandsDecodeFuncMask)
      o.decode = spirv_word(t, in, index++);
   if (!is_layout(o.layout->type) || (o.view && !is_view(o.view->type)))
      spirv_fail(t, "%s without a layout", spirv_op_name(in->op));
   return o;
}

/* What a function makes of a block in memory. */
static struct spirv_val *decoded(struct spirv_ctx *t, const struct operands *o, const struct address *a)
{
   const struct spirv_id *id = spirv_id(t, o->decode);
   const struct spirv_type *type = id->class == SPIRV_ID_FUNCTION ? id->function->type : NULL;
   const uint32_t dims = o->layout->type->tensor.dims;
   if (!type || type->count != 3 || type->params[0]->class != SPIRV_TYPE_POINTER || !type->params[0]->elem ||
       type->params[0]->storage != SpvStorageClassPhysicalStorageBuffer)
      spirv_fail(t, "a function that decodes blocks takes no pointer");
   if (o->base.class != SPIRV_PTR_GLOBAL && o->base.class != SPIRV_PTR_BUFFER)
      spirv_fail(t, "blocks are decoded from buffers only");
   const struct spirv_type *block = type->params[0]->elem;
   const uint64_t bytes = spirv_type_bytes(t, block, (struct spirv_layout){.class = SPIRV_LAYOUT_EXPLICIT});
   struct ir_instr *offset = spirv_resize(t, ir_alu2(&t->b, IR_imul, a->index, ir_const(&t->b, index_bits(t), bytes)), 64, false);
   struct ir_instr *start = spirv_pointer_offset(t, &o->base, 0);
   if (o->base.class == SPIRV_PTR_BUFFER)
      start = ir_alu2(&t->b, IR_iadd, o->base.addr, spirv_resize(t, start, 64, false));
   const struct spirv_pointer pointer = {.class = SPIRV_PTR_GLOBAL, .type = block, .layout = {.class = SPIRV_LAYOUT_EXPLICIT}, .align = 1,
                                         .access = o->base.access, .addr = ir_alu2(&t->b, IR_iadd, start, offset)};
   struct spirv_val *args[3] = {spirv_new_pointer(t, type->params[0], &pointer)};
   for (uint32_t i = 1; i < 3; i++) {
      const struct spirv_type *array = type->params[i];
      if (array->class != SPIRV_TYPE_ARRAY || array->count != dims || array->elem->class != SPIRV_TYPE_INT || array->elem->bits != 32)
         spirv_fail(t, "a function that decodes blocks takes no coordinates");
      args[i] = spirv_new_composite(t, array);
      for (uint32_t d = 0; d < dims; d++)
         spirv_put_child(t, args[i], d, spirv_new_scalar(t, array->elem, i == 1 ? a->block[d] : a->in_block[d]));
   }
   return spirv_call_with(t, o->decode, 3, args);
}

static struct spirv_pointer element_pointer(struct spirv_ctx *t, const struct operands *o, const struct spirv_type *type, const struct address *a)
{
   return spirv_component_pointer(t, &o->base, type, ir_alu2(&t->b, IR_imul, a->index, ir_const(&t->b, index_bits(t), type->bits / 8)));
}

static void load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_matrix_type(t, spirv_result_type(t, in));
   struct spirv_val *object = spirv_value(t, spirv_word(t, in, 4)), *val = spirv_new_composite(t, type);
   const struct operands o = read_operands(t, in, 3, 5, 6);
   if (o.decode)
      spirv_check_calls(t, o.decode, type->count);
   for (uint32_t i = 0; i < type->count; i++) {
      struct address a = address_of(t, o.layout, o.view, type, i, false);
      if (a.is_clipped) /* what is not asked for is read where something is */
         a.index = ir_select(&t->b, a.is_clipped, ir_const(&t->b, index_bits(t), 0), a.index);
      const struct spirv_pointer pointer = o.decode ? (struct spirv_pointer){0} : element_pointer(t, &o, type, &a);
      struct ir_instr *x = spirv_comps(t, o.decode ? decoded(t, &o, &a) : spirv_load(t, &pointer))[0];
      if (a.is_inside)
         x = ir_select(&t->b, a.is_inside, x, spirv_resize(t, get(t, o.layout, CLAMP_VALUE, 0), type->bits, false));
      if (a.is_clipped)
         x = ir_select(&t->b, a.is_clipped, spirv_comps(t, spirv_child(t, object, i))[0], x);
      spirv_put_child(t, val, i, spirv_new_scalar(t, type->elem, x));
   }
   spirv_set_value(t, in->words[2], val);
}

static void store(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *object = spirv_value(t, spirv_word(t, in, 2));
   const struct spirv_type *type = spirv_matrix_type(t, object->type);
   const struct operands o = read_operands(t, in, 1, 3, 4);
   for (uint32_t i = 0; i < type->count; i++) {
      const struct address a = address_of(t, o.layout, o.view, type, i, true);
      struct ir_instr *is_stored = a.is_clipped ? ir_alu1(&t->b, IR_inot, a.is_clipped) : NULL;
      is_stored = both(t, is_stored, a.is_inside);
      const struct spirv_pointer pointer = element_pointer(t, &o, type, &a);
      if (!is_stored) {
         spirv_store(t, &pointer, spirv_child(t, object, i));
         continue;
      }
      struct ir_instr *branch = ir_if(&t->b, is_stored);
      const struct ir_builder behind = t->b;
      t->b = ir_builder_at_end(t->shader, branch->imm.cf.regions[0]);
      t->b.line = behind.line;
      spirv_store(t, &pointer, spirv_child(t, object, i));
      ir_jump(&t->b, IR_yield, NULL, 0, NULL);
      t->b = ir_builder_at_end(t->shader, branch->imm.cf.regions[1]);
      ir_jump(&t->b, IR_yield, NULL, 0, NULL);
      t->b = behind;
   }
}

bool spirv_tensor(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpCreateTensorLayoutNV:
   case SpvOpCreateTensorViewNV: {
      const struct spirv_type *type = spirv_result_type(t, in);
      if (in->op == SpvOpCreateTensorViewNV ? !is_view(type) : !is_layout(type))
         spirv_fail(t, "%s of something else", spirv_op_name(in->op));
      spirv_set_value(t, spirv_word(t, in, 2), create(t, type));
      return true;
   }
   case SpvOpTensorLayoutSetDimensionNV:
   case SpvOpTensorLayoutSetStrideNV:
   case SpvOpTensorLayoutSliceNV:
   case SpvOpTensorLayoutSetClampValueNV:
   case SpvOpTensorLayoutSetBlockSizeNV:
   case SpvOpTensorViewSetDimensionNV:
   case SpvOpTensorViewSetStrideNV:
   case SpvOpTensorViewSetClipNV: change(t, in); return true;
   case SpvOpCooperativeMatrixLoadTensorNV: load(t, in); return true;
   case SpvOpCooperativeMatrixStoreTensorNV: store(t, in); return true;
   default: return false;
   }
}
