/* SPDX-License-Identifier: MIT
 * Variables of an invocation that stayed in memory because their offsets are not constant. Lanes are interleaved dword by dword: dword d
 * of lane l stands at (d * lanes + l) * 4, so that an access with one offset for all lanes is a plain vector, of dwords also if it is narrower. Offsets out
 * of bounds are held at the last element. */
#include "compiler/llvm/cg_memory.h"
#include "util/size.h"

#include <stddef.h>
#include <string.h>

enum {
   MAX_ALLOCA_BYTES = 16 * 1024,
   MAX_APART = 512, /* dwords that lanes read or write apart; beyond, each access is a call instead of some instructions a lane */
};

/* Of all lanes. */
static uint64_t vector_bytes(const struct cg *cg, const struct ir_var *var)
{
   return util_size_mul(util_align(var->size_bytes, 4), cg->lanes);
}

/* Of the caller's, or of the hit: memory that the arguments name. NULL: others. */
static LLVMValueRef outside_base(struct cg *cg, enum ir_var_class class)
{
   if (class == IR_VAR_INCOMING)
      return cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_ray_args, payload));
   if (class == IR_VAR_ATTRIBUTES)
      return cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_ray_args, attributes));
   if (class == IR_VAR_RAY)
      return cg_load_at(cg, cg->ptr, cg->args, offsetof(struct abi_ray_args, rays));
   return NULL;
}

/* Variables of shaders with barriers live as long as the workgroup, so in the frame; so do big ones. */
void cg_prepare_vars(struct cg *cg)
{
   UTIL_LIST_FOR_EACH(struct ir_var, var, &cg->ir->vars, link) {
      if (var->class == IR_VAR_PLAIN)
         cg->var_bytes = util_size_add(cg->var_bytes, vector_bytes(cg, var));
   }
   cg->var_alloca = UTIL_ARENA_ARRAY(cg->arena, LLVMValueRef, cg->ir->num_vars + 1);
   cg->var_slot = UTIL_ARENA_ARRAY(cg->arena, uint32_t, cg->ir->num_vars + 1);
   const bool in_frame = cg->num_segments > 1 || cg->var_bytes > MAX_ALLOCA_BYTES;
   UTIL_LIST_FOR_EACH(struct ir_var, var, &cg->ir->vars, link) {
      if (var->class == IR_VAR_TABLE)
         continue;
      const uint64_t bytes = vector_bytes(cg, var);
      cg->var_slot[var->index] = CG_NO_SLOT;
      cg->var_alloca[var->index] = outside_base(cg, var->class);
      if (cg->var_alloca[var->index])
         continue;
      if (in_frame || var->class != IR_VAR_PLAIN)
         cg->var_slot[var->index] = cg_frame_alloc(cg, bytes, 64);
      else
         cg->var_alloca[var->index] = cg_alloca(cg, LLVMArrayType2(cg->i32, bytes / 4), 64, var->name);
   }
}

LLVMValueRef cg_var_base(struct cg *cg, const struct ir_var *var)
{
   const uint32_t slot = cg->var_slot[var->index];
   return slot == CG_NO_SLOT ? cg->var_alloca[var->index] : cg_frame_ptr(cg, slot);
}

/* The offset of one component, held within the variable. */
static LLVMValueRef clamp_offset(struct cg *cg, uint32_t size_bytes, LLVMValueRef offset, uint32_t bytes)
{
   LLVMTypeRef type = LLVMTypeOf(offset);
   LLVMValueRef last = cg_const_like(type, size_bytes >= bytes ? size_bytes - bytes : 0);
   LLVMValueRef fits = LLVMBuildICmp(cg->b, LLVMIntULE, offset, last, "");
   return cg_select(cg, fits, offset, last);
}

struct location {
   LLVMValueRef base;
   LLVMValueRef scalar; /* i32 byte offset of lane 0's dword, where all lanes use one */
   LLVMValueRef shift;  /* i32, with `scalar`: the first bit in each dword; NULL: of whole ones */
   LLVMValueRef lanes;  /* <lanes x i32> byte offsets of each lane's */
};

/* Bytes of a dword (or part) from the variable's start, as a scalar or each lane's: where lane 0's dword stands, and, as `byte`, the part in it, which is NULL
 * of whole ones. */
static LLVMValueRef dword_offset(struct cg *cg, LLVMValueRef offset, uint32_t bytes, LLVMValueRef *byte)
{
   LLVMTypeRef type = LLVMTypeOf(offset);
   *byte = bytes < 4 ? LLVMBuildAnd(cg->b, offset, cg_const_like(type, 3), "") : NULL;
   LLVMValueRef dword = *byte ? LLVMBuildAnd(cg->b, offset, cg_const_like(type, ~3u), "") : offset;
   return LLVMBuildMul(cg->b, dword, cg_const_like(type, cg->lanes), "");
}

/* Of lanes that go to different dwords, at `offset` within the variable. */
static struct location find_apart(struct cg *cg, LLVMValueRef base, LLVMValueRef offset, uint32_t bytes)
{
   LLVMValueRef byte, dword = dword_offset(cg, offset, bytes, &byte);
   return (struct location){.base = base, .lanes = LLVMBuildAdd(cg->b, byte ? LLVMBuildAdd(cg->b, dword, byte, "") : dword, cg_iota(cg, 32, 4), "")};
}

/* Of the dword (or part) at component offset `add`. */
static struct location find(struct cg *cg, struct ir_instr *instr, uint32_t add, uint32_t bytes)
{
   const struct ir_var *var = instr->imm.var.var;
   struct ir_instr *src = instr->srcs[0];
   const bool is_scalar = cg_is_uniform(cg, src, 0);
   /* Of lanes that are off nothing is known: only a gather spares them. */
   const bool spares_lanes = is_scalar || !cg->exec || (cg->target.level >= UTIL_CPU_V4 && bytes == 4);
   const bool fits = spares_lanes && src->below && src->below - 1 + add + bytes <= var->size_bytes;
   LLVMValueRef base = cg_var_base(cg, var), offset = cg_as_int(cg, is_scalar ? cg_scalar(cg, src, 0) : cg_vector(cg, src, 0));
   if (add)
      offset = LLVMBuildAdd(cg->b, offset, cg_const_like(LLVMTypeOf(offset), add), "");
   offset = fits ? offset : clamp_offset(cg, var->size_bytes, offset, bytes);
   if (!is_scalar)
      return find_apart(cg, base, offset, bytes);
   LLVMValueRef byte;
   struct location location = {.base = base, .scalar = dword_offset(cg, offset, bytes, &byte)};
   location.shift = byte ? LLVMBuildMul(cg->b, byte, cg_i32(cg, 8), "") : NULL;
   return location;
}

static LLVMValueRef lane_ptr(struct cg *cg, const struct location *location, uint32_t lane)
{
   LLVMValueRef offset = LLVMBuildExtractElement(cg->b, location->lanes, cg_i32(cg, lane), "");
   return cg_gep(cg, location->base, LLVMBuildZExt(cg->b, offset, cg->i64, ""));
}

static LLVMValueRef row_ptr(struct cg *cg, const struct location *location)
{
   return cg_gep(cg, location->base, LLVMBuildZExt(cg->b, location->scalar, cg->i64, ""));
}

/* The dwords of all lanes. */
static LLVMValueRef load_row(struct cg *cg, const struct location *location)
{
   return cg_load(cg, cg_vec_type(cg, cg->i32), row_ptr(cg, location), 4);
}

/* `bits` of each dword become those of `value`. */
static LLVMValueRef insert_part(struct cg *cg, const struct location *location, LLVMValueRef dwords, LLVMValueRef value, uint32_t bits)
{
   LLVMTypeRef type = LLVMTypeOf(dwords);
   LLVMValueRef shift = cg_splat(cg, location->shift), mask = LLVMBuildShl(cg->b, cg_const_like(type, (1u << bits) - 1), shift, "");
   value = LLVMBuildShl(cg->b, LLVMBuildZExt(cg->b, value, type, ""), shift, "");
   return LLVMBuildOr(cg->b, LLVMBuildAnd(cg->b, dwords, LLVMBuildNot(cg->b, mask, ""), ""), value, "");
}

/* Whether the machine has an instruction for lanes that load, or store, whole dwords apart. */
static bool has_instruction(const struct cg *cg, uint32_t bits, bool stores)
{
   return bits == 32 && (stores ? cg->target.level >= UTIL_CPU_V4 : cg_can_gather(cg));
}

/* `mask`: which lanes want it; NULL: all. */
static LLVMValueRef load_part(struct cg *cg, const struct location *location, uint32_t bits, LLVMValueRef mask)
{
   LLVMTypeRef type = cg_int_type(cg, bits);
   if (location->scalar) {
      LLVMValueRef row = load_row(cg, location);
      return !location->shift ? row : LLVMBuildTrunc(cg->b, LLVMBuildLShr(cg->b, row, cg_splat(cg, location->shift), ""), cg_vec_type(cg, type), "");
   }
   if (has_instruction(cg, bits, false))
      return cg_gather(cg, type, cg_gep(cg, location->base, location->lanes), mask, 4);
   return cg_load_apart(cg, type, cg->i8, location->base, location->lanes, bits / 8);
}

static void store_part(struct cg *cg, const struct location *location, LLVMValueRef value, uint32_t bits)
{
   if (location->scalar) {
      LLVMValueRef row = cg->exec || location->shift ? load_row(cg, location) : NULL;
      if (location->shift)
         value = insert_part(cg, location, row, value, bits);
      if (cg->exec)
         value = cg_merge(cg, cg->exec, value, row);
      cg_store(cg, value, row_ptr(cg, location), 4);
      return;
   }
   if (has_instruction(cg, bits, true)) {
      cg_scatter(cg, value, cg_gep(cg, location->base, location->lanes), cg->exec, 4);
      return;
   }
   /* each lane has memory of its own: one that is off writes back what is there */
   LLVMValueRef old = cg->exec ? load_part(cg, location, bits, NULL) : NULL;
   if (old)
      value = cg_select(cg, cg->exec, value, old);
   for (uint32_t lane = 0; lane < cg->lanes; lane++)
      cg_store(cg, LLVMBuildExtractElement(cg->b, value, cg_i32(cg, lane), ""), lane_ptr(cg, location, lane), bits / 8);
}

/* ---- calls ---- */

/* Functions of accesses to dwords in a row from offsets that differ: the variable's start, offsets, the lanes that are on as bits; of a store the values. A
 * load gives an array of vectors. The key: the variable's size, which dwords (at least one), whether it is a store. */
enum { MAX_DWORDS = 8 };

static LLVMTypeRef dwords_type(struct cg *cg, uint32_t num)
{
   return LLVMArrayType2(cg_vec_type(cg, cg->i32), num);
}

static LLVMValueRef make_call(struct cg *cg, uint32_t size_bytes, uint32_t dwords, bool stores)
{
   const uint32_t num = (uint32_t)__builtin_popcount(dwords);
   LLVMTypeRef words = cg_vec_type(cg, cg->i32), params[3 + MAX_DWORDS] = {cg->ptr, words, cg->i32};
   for (uint32_t i = 0; i < num; i++)
      params[3 + i] = words;
   LLVMTypeRef type = LLVMFunctionType(stores ? cg->void_type : dwords_type(cg, num), params, stores ? 3 + num : 3, false);
   struct cg_function around;
   LLVMValueRef fn = cg_function_begin(cg, &around, stores ? "store_var" : "load_var", type), loaded = LLVMGetPoison(dwords_type(cg, num));
   cg->exec = cg_mask_from_bits(cg, LLVMGetParam(fn, 2));
   for (uint32_t i = 0, left = dwords; left; i++, left &= left - 1) {
      LLVMValueRef offset = LLVMBuildAdd(cg->b, LLVMGetParam(fn, 1), cg_const_like(words, (uint32_t)__builtin_ctz(left) * 4), "");
      const struct location location = find_apart(cg, LLVMGetParam(fn, 0), clamp_offset(cg, size_bytes, offset, 4), 4);
      if (stores)
         store_part(cg, &location, LLVMGetParam(fn, 3 + i), 32);
      else
         loaded = LLVMBuildInsertValue(cg->b, loaded, load_part(cg, &location, 32, cg->exec), i, "");
   }
   if (stores)
      LLVMBuildRetVoid(cg->b);
   else
      LLVMBuildRet(cg->b, loaded);
   cg_function_end(cg, &around);
   return fn;
}

/* Whether an access of these dwords is a call, as many before it stand in line already. */
static bool is_call(struct cg *cg, struct ir_instr *instr, uint32_t dwords, bool stores)
{
   if (!dwords || dwords >= 1u << MAX_DWORDS || cg_is_uniform(cg, instr->srcs[0], 0) || has_instruction(cg, 32, stores))
      return false;
   cg->num_vars_apart += (uint32_t)__builtin_popcount(dwords);
   return cg->num_vars_apart > MAX_APART;
}

/* `values` of a store; of a load they are filled. */
static void call(struct cg *cg, struct ir_instr *instr, uint32_t dwords, bool stores, LLVMValueRef *values)
{
   const struct ir_var *var = instr->imm.var.var;
   const uint32_t num = (uint32_t)__builtin_popcount(dwords);
   const uint64_t key = (uint64_t)var->size_bytes << 16 | dwords << 1 | stores;
   LLVMValueRef fn = ir_map_find(&cg->var_calls, key);
   if (!fn) {
      fn = make_call(cg, var->size_bytes, dwords, stores);
      ir_map_add(&cg->var_calls, key, fn);
   }
   LLVMValueRef args[3 + MAX_DWORDS] = {cg_var_base(cg, var), cg_as_int(cg, cg_vector(cg, instr->srcs[0], 0)), cg_mask_bits(cg, cg->exec)};
   if (stores)
      memcpy(args + 3, values, num * sizeof(*values));
   LLVMValueRef result = cg_call_own(cg, fn, args, stores ? 3 + num : 3);
   for (uint32_t i = 0; i < num && !stores; i++)
      values[i] = LLVMBuildExtractValue(cg->b, result, i, "");
}

/* ---- instructions ---- */

static LLVMValueRef join_dwords(struct cg *cg, LLVMValueRef low, LLVMValueRef high)
{
   LLVMTypeRef type = cg_vec_type(cg, cg->i64);
   high = LLVMBuildShl(cg->b, LLVMBuildZExt(cg->b, high, type, ""), cg_const_like(type, 32), "");
   return LLVMBuildOr(cg->b, LLVMBuildZExt(cg->b, low, type, ""), high, "");
}

void cg_emit_load_var(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t bits = instr->bit_size, part_bits = UTIL_MIN(bits, 32), parts = bits == 64 ? 2 : 1, num = instr->num_components * parts;
   const uint32_t set = (1u << num) - 1;
   LLVMValueRef values[MAX_DWORDS];
   if (bits >= 32 && is_call(cg, instr, set, false)) {
      call(cg, instr, set, false, values);
   } else {
      for (uint32_t i = 0; i < num; i++) {
         const struct location location = find(cg, instr, i * part_bits / 8, part_bits / 8);
         values[i] = load_part(cg, &location, part_bits, cg->exec);
      }
   }
   for (uint32_t c = 0; c < instr->num_components; c++)
      cg_set_vector(cg, instr, c, parts == 2 ? join_dwords(cg, values[2 * c], values[2 * c + 1]) : values[c]);
}

void cg_emit_store_var(struct cg *cg, struct ir_instr *instr)
{
   struct ir_instr *source = instr->srcs[1];
   const uint32_t bits = source->bit_size, part_bits = UTIL_MIN(bits, 32), parts = bits == 64 ? 2 : 1;
   LLVMTypeRef type = cg_vec_type(cg, cg->i32);
   LLVMValueRef values[2 * IR_MAX_COMPONENTS];
   uint32_t num = 0, set = 0; /* which parts there are values for */
   for (uint32_t c = 0; c < source->num_components; c++) {
      if (!(instr->imm.var.mask >> c & 1))
         continue;
      LLVMValueRef value = cg_as_int(cg, cg_vector(cg, source, c));
      for (uint32_t part = 0; part < parts; part++) {
         LLVMValueRef shifted = part ? LLVMBuildLShr(cg->b, value, cg_const_like(LLVMTypeOf(value), 32), "") : value;
         values[num++] = parts == 2 ? LLVMBuildTrunc(cg->b, shifted, type, "") : value;
         set |= 1u << (c * parts + part);
      }
   }
   if (bits >= 32 && is_call(cg, instr, set, true)) {
      call(cg, instr, set, true, values);
      return;
   }
   for (uint32_t i = 0, left = set; left; i++, left &= left - 1) {
      const struct location location = find(cg, instr, (uint32_t)__builtin_ctz(left) * part_bits / 8, part_bits / 8);
      store_part(cg, &location, values[i], part_bits);
   }
}
