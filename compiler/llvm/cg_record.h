/* SPDX-License-Identifier: MIT
 * Vectors of components, words or narrower ones that fill words, which each lane has at an address of its own: an access a lane instead of a gather, a
 * scatter or a loop a component. */
#pragma once

#include "compiler/llvm/cg_memory.h"

enum { CG_RECORD_COMPONENTS = 4 };

/* True if components at such addresses may be loaded or stored at once, lane by lane. */
bool cg_can_be_record(const struct cg *cg, const struct ir_instr *value, const struct cg_mem *mem, uint32_t access);
/* True if a load of such components is made faster by cg_load_records(), where memory permits. */
bool cg_is_record(const struct cg *cg, const struct ir_instr *instr, const struct cg_mem *mem, uint32_t access);
/* What is loaded for a lane: 4, 8 or 16. */
uint32_t cg_record_bytes(const struct ir_instr *instr);
/* Memory of so many bytes that can be read for lanes that are off: the object, or zeros instead of one that is too short. */
LLVMValueRef cg_record_base(struct cg *cg, const struct cg_mem *mem, uint32_t bytes);
/* The components of the load, which stand at each lane's offset: zeros in lanes outside `mask` (NULL: none). Lanes of it must be in bounds with
 * cg_record_bytes(). */
void cg_load_records(struct cg *cg, const struct ir_instr *instr, const struct cg_mem *mem, LLVMValueRef mask, LLVMValueRef *results);
/* The one, two or four words of all lanes, <lanes x i32> each, at base + offsets (<lanes x i32>, in bytes, unsigned): all of it can be read. */
void cg_record_words(struct cg *cg, LLVMValueRef base, LLVMValueRef offsets, uint32_t bytes, uint32_t align, LLVMValueRef results[CG_RECORD_COMPONENTS]);
/* Stores all components of all lanes, which are on and in bounds. */
void cg_store_records(struct cg *cg, const struct cg_mem *mem, struct ir_instr *value);
