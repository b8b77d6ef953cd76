/* SPDX-License-Identifier: MIT
 * The instrument's checks of indices: only the front end knows how long an array is. An index that is too large is reported even if the access would
 * still hit the buffer, or shared memory, that the array lies in. And only the front end knows what is decorated NonUniform: handles say it to
 * compiler/instrument/bounds.c. */
#include "compiler/instrument/instrument.h"
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/memory/spirv_pointer.h"

static const char *name_of(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   if (pointer->variable)
      return t->ids[pointer->variable->id].name;
   return pointer->var ? pointer->var->name : NULL;
}

void spirv_check_index(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct spirv_val *index)
{
   uint64_t bits;
   const struct spirv_type *type = pointer->type;
   const bool is_known = spirv_is_constant(index, &bits);
   if (!(t->shader->checks & ABI_CHECK_BOUNDS) || !type->count || type->class == SPIRV_TYPE_STRUCT || (is_known && bits < type->count))
      return;
   struct ir_instr *value = spirv_resize(t, spirv_comps(t, index)[0], 32, index->type->is_signed);
   struct abi_site *site = ir_site_create_at(t->shader, ABI_PROBE_INDEX_BOUNDS, t->b.line, "access chain", name_of(t, pointer));
   if (!site)
      return;
   site->limit = type->count;
   if (pointer->class == SPIRV_PTR_BUFFER || pointer->class == SPIRV_PTR_DESCRIPTOR) {
      site->set = pointer->variable ? pointer->variable->set : ABI_NO_SET;
      site->binding = pointer->variable ? pointer->variable->binding : 0;
   }
   struct ir_instr *is_outside = ir_alu2(&t->b, IR_uge, value, ir_const(&t->b, 32, type->count));
   ir_probe(&t->instrument, &t->b, site, is_outside, 1, &value);
}

void spirv_name_resource(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   if (!t->shader->checks)
      return;
   const char *name = t->ids[variable->id].name;
   const struct spirv_type *type = variable->type;
   while (type->class == SPIRV_TYPE_ARRAY || type->class == SPIRV_TYPE_RUNTIME_ARRAY)
      type = type->elem;
   if (!name || !*name) /* a block without a name for its instance */
      name = t->ids[type->id].name;
   if (!name || ir_resource_name(t->shader, variable->set, variable->binding))
      return;
   struct ir_resource_name *resource = UTIL_ARENA_NEW(t->arena, struct ir_resource_name);
   *resource = (struct ir_resource_name){t->shader->resource_names, variable->set, variable->binding, name};
   t->shader->resource_names = resource;
}

void spirv_set_nonuniform(struct ir_instr *handle)
{
   if (handle && ir_is_handle(handle) && !ir_is_const(handle->srcs[0]))
      handle->imm.u[2] = 1;
}

static void set_pointer(struct spirv_pointer *pointer)
{
   pointer->is_nonuniform = true;
   if (pointer->class == SPIRV_PTR_TEXEL)
      spirv_set_nonuniform(pointer->texel.desc);
   if (pointer->class != SPIRV_PTR_BUFFER)
      return;
   spirv_set_nonuniform(pointer->addr);
   spirv_set_nonuniform(pointer->size);
}

void spirv_note_nonuniform(struct spirv_ctx *t, const struct spirv_instr *in)
{
   bool has_result = false, has_type = false;
   spirv_op_shape(in->op, &has_result, &has_type);
   if (!(t->shader->checks & ABI_CHECK_BOUNDS) || !has_result || !has_type || in->count < 3 || !spirv_has_decoration(t, in->words[2], SpvDecorationNonUniform))
      return;
   const struct spirv_id *id = spirv_id(t, in->words[2]);
   if (id->class != SPIRV_ID_VALUE)
      return;
   struct spirv_val *val = id->value;
   if (val->class == SPIRV_VAL_POINTER)
      set_pointer(val->pointer);
   else if (val->class == SPIRV_VAL_SSA && val->type->class >= SPIRV_TYPE_IMAGE && spirv_is_leaf(val->type)) {
      for (uint32_t i = 0, count = spirv_leaf_count(t, val->type); i < count; i++)
         spirv_set_nonuniform(val->comps[i]);
   }
}
