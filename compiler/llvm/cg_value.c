/* SPDX-License-Identifier: MIT
 * IR values as LLVM values: lane 0's scalar or the vector of all lanes, each made from the other on demand; and the variables
 * through which jumps hand values to params and results. */
#include "compiler/llvm/cg.h"

#include <string.h>

struct cg_value *cg_value(struct cg *cg, const struct ir_instr *instr)
{
   struct cg_value *v = &cg->values[instr->index];
   const uint32_t count = instr->num_components;
   if (count && !v->comp) {
      v->comp = UTIL_ARENA_ARRAY(cg->arena, struct cg_comp, count);
      v->slot = UTIL_ARENA_ARRAY(cg->arena, uint32_t, count);
      v->cross = UTIL_ARENA_ARRAY(cg->arena, LLVMValueRef, count);
      v->variable = UTIL_ARENA_ARRAY(cg->arena, LLVMValueRef, count);
   }
   return v;
}

bool cg_is_hoisted(struct cg *cg, const struct ir_instr *instr)
{
   return cg_value(cg, instr)->level > CG_LEVEL_WORKGROUP;
}

static void set_comp(struct cg *cg, struct ir_instr *instr, uint32_t comp, struct cg_comp value)
{
   struct cg_value *v = cg_value(cg, instr);
   v->comp[comp] = value;
   v->segment = cg->segment;
}

void cg_set_scalar(struct cg *cg, struct ir_instr *instr, uint32_t comp, LLVMValueRef value, int64_t stride)
{
   set_comp(cg, instr, comp, (struct cg_comp){.scalar = value, .stride = stride, .is_scalar = true});
}

void cg_set_vector(struct cg *cg, struct ir_instr *instr, uint32_t comp, LLVMValueRef value)
{
   set_comp(cg, instr, comp, (struct cg_comp){.vector = value});
}

void cg_set_row(struct cg *cg, struct ir_instr *call, uint32_t comp, const struct cg_rows *rows)
{
   set_comp(cg, call, comp, (struct cg_comp){.rows = rows, .row = comp, .is_scalar = call->divergence != IR_VARYING});
}

void cg_set_comp(struct cg *cg, struct ir_instr *instr, uint32_t comp, const struct cg_comp *value)
{
   set_comp(cg, instr, comp, *value);
}

static LLVMValueRef splat_bool(struct cg *cg, LLVMValueRef scalar)
{
   if (LLVMIsConstant(scalar))
      return cg_splat(cg, scalar);
   if (cg->target.level >= UTIL_CPU_V4) {
      LLVMValueRef bits = LLVMBuildSExt(cg->b, scalar, cg_int_type(cg, cg->lanes), "");
      return LLVMBuildBitCast(cg->b, bits, cg->mask_type, "");
   }
   LLVMValueRef wide = cg_splat(cg, LLVMBuildSExt(cg->b, scalar, cg->i32, ""));
   return LLVMBuildICmp(cg->b, LLVMIntSLT, wide, LLVMConstNull(LLVMTypeOf(wide)), "");
}

static LLVMValueRef make_vector(struct cg *cg, const struct cg_comp *comp)
{
   if (comp->stride == 0)
      return cg_bits(comp->scalar) == 1 ? splat_bool(cg, comp->scalar) : cg_splat(cg, comp->scalar);
   LLVMValueRef base = comp->scalar;
   return LLVMBuildAdd(cg->b, cg_splat(cg, base), cg_iota(cg, cg_bits(base), (uint64_t)comp->stride), "");
}

/* Lane 0, or all lanes, of what a call gave: right below the call. */
static LLVMValueRef load_row(struct cg *cg, const struct cg_comp *comp, bool is_scalar)
{
   const struct cg_rows *rows = comp->rows;
   LLVMBasicBlockRef here = cg_go_below(cg, rows->call);
   LLVMValueRef value = (is_scalar ? cg_load_row_lane : cg_load_row)(cg, rows->memory, rows->bit_size, comp->row);
   cg_enter(cg, here);
   return value;
}

static LLVMValueRef comp_vector(struct cg *cg, struct cg_comp *comp)
{
   if (comp->vector)
      return comp->vector;
   if (comp->rows)
      return comp->vector = load_row(cg, comp, false);
   if (comp->stride)
      comp->scalar = cg_as_int(cg, comp->scalar);
   if (LLVMIsConstant(comp->scalar)) {
      LLVMValueRef vector = make_vector(cg, comp);
      if (LLVMIsConstant(vector)) /* else it is made here, and not seen from everywhere */
         comp->vector = vector;
      return vector;
   }
   LLVMBasicBlockRef here = cg_go_below(cg, comp->scalar);
   comp->vector = make_vector(cg, comp);
   LLVMPositionBuilderAtEnd(cg->b, here);
   return comp->vector;
}

static LLVMValueRef comp_scalar(struct cg *cg, struct cg_comp *comp)
{
   if (comp->scalar)
      return comp->scalar;
   if (comp->rows)
      return comp->scalar = load_row(cg, comp, true);
   LLVMValueRef vector = comp->vector;
   if (LLVMIsConstant(vector)) {
      comp->scalar = LLVMBuildExtractElement(cg->b, vector, cg_i32(cg, 0), "");
   } else {
      LLVMBasicBlockRef here = cg_go_below(cg, vector);
      comp->scalar = LLVMBuildExtractElement(cg->b, vector, cg_i32(cg, 0), "");
      LLVMPositionBuilderAtEnd(cg->b, here);
   }
   return comp->scalar;
}

/* ---- values of other segments ---- */

static bool slot_is_scalar(const struct ir_instr *instr)
{
   return instr->divergence != IR_VARYING;
}

/* Vectors of small types are smaller than a register; cg_level.c gives slots by the same rule. */
static uint32_t slot_align(struct cg *cg, const struct ir_instr *instr)
{
   return UTIL_MIN(cg->lanes * instr->bit_size / 8, 64);
}

static struct cg_comp frame_read(struct cg *cg, struct ir_instr *instr, uint32_t comp)
{
   struct cg_value *v = cg_value(cg, instr);
   if (v->cross[comp]) { /* one for the workgroup */
      LLVMValueRef value = cg_load(cg, cg_int_type(cg, instr->bit_size), v->cross[comp], 8);
      return (struct cg_comp){.scalar = value, .is_scalar = true};
   }
   LLVMValueRef ptr = cg_frame_ptr(cg, v->slot[comp]);
   if (slot_is_scalar(instr)) {
      LLVMTypeRef type = cg_int_type(cg, instr->bit_size == 1 ? 8 : instr->bit_size);
      LLVMValueRef value = cg_load(cg, type, ptr, instr->bit_size == 1 ? 1 : instr->bit_size / 8);
      if (instr->bit_size == 1)
         value = LLVMBuildTrunc(cg->b, value, cg->i1, "");
      return (struct cg_comp){.scalar = value, .is_scalar = true, .stride = instr->divergence == IR_STRIDED ? instr->stride : 0};
   }
   if (instr->bit_size == 1)
      return (struct cg_comp){.vector = cg_mask_from_bits(cg, cg_load(cg, cg->i32, ptr, 4))};
   return (struct cg_comp){.vector = cg_load(cg, cg_vec_type(cg, cg_int_type(cg, instr->bit_size)), ptr, slot_align(cg, instr))};
}

static void frame_write(struct cg *cg, struct ir_instr *instr, uint32_t comp, struct cg_comp *value, LLVMValueRef mask)
{
   struct cg_value *v = cg_value(cg, instr);
   if (v->cross[comp]) {
      cg_store(cg, cg_as_int(cg, comp_scalar(cg, value)), v->cross[comp], 8);
      return;
   }
   LLVMValueRef ptr = cg_frame_ptr(cg, v->slot[comp]);
   if (slot_is_scalar(instr)) {
      LLVMValueRef scalar = cg_as_int(cg, comp_scalar(cg, value));
      if (instr->bit_size == 1)
         scalar = LLVMBuildZExt(cg->b, scalar, cg->i8, "");
      cg_store(cg, scalar, ptr, instr->bit_size == 1 ? 1 : instr->bit_size / 8);
      return;
   }
   LLVMValueRef vector = cg_as_int(cg, comp_vector(cg, value));
   if (mask) {
      struct cg_comp old = frame_read(cg, instr, comp);
      vector = cg_merge(cg, mask, vector, old.vector);
   }
   if (instr->bit_size == 1)
      cg_store(cg, cg_mask_bits(cg, vector), ptr, 4);
   else
      cg_store(cg, vector, ptr, slot_align(cg, instr));
}

static struct cg_comp *comps(struct cg *cg, struct ir_instr *instr)
{
   struct cg_value *v = cg_value(cg, instr);
   if (v->segment == 0 || v->segment == cg->segment)
      return v->comp;
   if (cg->segment == 0) { /* read at workgroup level: not kept, it need not dominate the next reader */
      struct cg_comp *temporary = UTIL_ARENA_ARRAY(cg->arena, struct cg_comp, instr->num_components);
      for (uint32_t c = 0; c < instr->num_components; c++) {
         if (!v->cross[c])
            cg_fail(cg, "value %u of %s is not there at workgroup level", instr->index, ir_info(instr)->name);
         temporary[c] = frame_read(cg, instr, c);
      }
      return temporary;
   }
   LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->b);
   LLVMPositionBuilderAtEnd(cg->b, cg->body_block);
   if (v->is_cheap) {
      cg_emit_instr(cg, instr);
   } else {
      if (!v->crosses)
         cg_fail(cg, "value %u of %s is not there", instr->index, ir_info(instr)->name);
      struct cg_comp read[IR_MAX_COMPONENTS];
      for (uint32_t c = 0; c < instr->num_components; c++)
         read[c] = frame_read(cg, instr, c);
      memcpy(v->comp, read, instr->num_components * sizeof(*read));
      v->segment = cg->segment;
   }
   LLVMPositionBuilderAtEnd(cg->b, here);
   return v->comp;
}

const struct cg_comp *cg_comps(struct cg *cg, struct ir_instr *instr)
{
   return comps(cg, instr);
}

void cg_value_done(struct cg *cg, struct ir_instr *instr)
{
   struct cg_value *v = cg_value(cg, instr);
   if (!v->crosses || v->is_cheap || v->level != CG_LEVEL_SEGMENT)
      return;
   for (uint32_t c = 0; c < instr->num_components; c++)
      frame_write(cg, instr, c, &v->comp[c], NULL);
}

/* ---- reading ---- */

bool cg_is_strided(struct cg *cg, struct ir_instr *instr, uint32_t comp, int64_t *stride)
{
   const struct cg_comp *c = &comps(cg, instr)[comp];
   *stride = c->stride;
   return c->is_scalar;
}

bool cg_is_uniform(struct cg *cg, struct ir_instr *instr, uint32_t comp)
{
   const struct cg_comp *c = &comps(cg, instr)[comp];
   return c->is_scalar && c->stride == 0;
}

LLVMValueRef cg_scalar(struct cg *cg, struct ir_instr *instr, uint32_t comp)
{
   return comp_scalar(cg, &comps(cg, instr)[comp]);
}

LLVMValueRef cg_vector(struct cg *cg, struct ir_instr *instr, uint32_t comp)
{
   LLVMValueRef vector = comp_vector(cg, &comps(cg, instr)[comp]);
   return instr->bit_size == 1 ? cg_mask_here(cg, vector) : vector;
}

LLVMValueRef cg_first_active(struct cg *cg, struct ir_instr *instr, uint32_t comp)
{
   if (cg_is_uniform(cg, instr, comp) || !cg->exec)
      return cg_scalar(cg, instr, comp);
   LLVMValueRef args[2] = {cg_mask_bits(cg, cg->exec), LLVMConstInt(cg->i1, 0, false)};
   LLVMValueRef lane = cg_intrinsic(cg, "llvm.cttz", &cg->i32, 1, args, 2);
   lane = LLVMBuildAnd(cg->b, lane, cg_i32(cg, cg->lanes - 1), "");
   return LLVMBuildExtractElement(cg->b, cg_vector(cg, instr, comp), lane, "");
}

/* ---- variables ---- */

/* 1-bit vectors cross blocks in the form of masks. */
static LLVMTypeRef variable_type(struct cg *cg, const struct ir_instr *value, bool vector)
{
   if (!vector)
      return cg_int_type(cg, value->bit_size);
   return value->bit_size == 1 ? cg->mask_var_type : cg_vec_type(cg, cg_int_type(cg, value->bit_size));
}

static bool lives_in_frame(struct cg *cg, const struct ir_instr *value)
{
   return cg_value(cg, value)->is_placed && cg_value(cg, value)->level == CG_LEVEL_SEGMENT;
}

void cg_variable_init(struct cg *cg, struct ir_instr *value)
{
   struct cg_value *v = cg_value(cg, value);
   if (lives_in_frame(cg, value))
      return;
   v->variable_is_vector = value->divergence == IR_VARYING;
   LLVMTypeRef type = variable_type(cg, value, v->variable_is_vector);
   for (uint32_t c = 0; c < value->num_components; c++) {
      if (!v->variable[c])
         v->variable[c] = cg_take_var(cg, type, "var");
      cg_store(cg, LLVMGetUndef(type), v->variable[c], v->variable_is_vector ? 64 : 8);
   }
}

void cg_variable_finish(struct cg *cg, struct ir_instr *value)
{
   struct cg_value *v = cg_value(cg, value);
   if (v->is_placed)
      return; /* other segments read it */
   for (uint32_t c = 0; c < value->num_components; c++) {
      cg_give_var(cg, variable_type(cg, value, v->variable_is_vector), v->variable[c]);
      v->variable[c] = NULL;
   }
}

void cg_variable_write(struct cg *cg, struct ir_instr *value, struct ir_instr *from, LLVMValueRef mask)
{
   struct cg_value *v = cg_value(cg, value);
   struct cg_comp *source = comps(cg, from);
   for (uint32_t c = 0; c < value->num_components; c++) {
      if (lives_in_frame(cg, value)) {
         frame_write(cg, value, c, &source[c], mask);
      } else if (!v->variable_is_vector) {
         cg_store(cg, cg_as_int(cg, comp_scalar(cg, &source[c])), v->variable[c], 8);
      } else if (value->bit_size == 1) {
         LLVMValueRef bits = comp_vector(cg, &source[c]);
         if (mask)
            bits = cg_select(cg, mask, bits, cg_mask_load(cg, v->variable[c]));
         cg_mask_store(cg, v->variable[c], bits);
      } else {
         LLVMValueRef bits = cg_as_int(cg, comp_vector(cg, &source[c]));
         if (mask)
            bits = cg_merge(cg, mask, bits, cg_load(cg, LLVMTypeOf(bits), v->variable[c], 64));
         cg_store(cg, bits, v->variable[c], 64);
      }
   }
}

void cg_variable_read(struct cg *cg, struct ir_instr *value)
{
   struct cg_value *v = cg_value(cg, value);
   if (lives_in_frame(cg, value))
      return; /* read from the frame by whoever needs it */
   for (uint32_t c = 0; c < value->num_components; c++) {
      if (!v->variable_is_vector) {
         LLVMValueRef scalar = cg_load(cg, cg_int_type(cg, value->bit_size), v->variable[c], 8);
         cg_set_scalar(cg, value, c, scalar, value->divergence == IR_STRIDED ? value->stride : 0);
      } else if (value->bit_size == 1) {
         cg_set_vector(cg, value, c, cg_mask_load(cg, v->variable[c]));
      } else {
         LLVMTypeRef type = cg_vec_type(cg, cg_int_type(cg, value->bit_size));
         cg_set_vector(cg, value, c, cg_load(cg, type, v->variable[c], 64));
      }
   }
}
