/* SPDX-License-Identifier: MIT
 * A SPIR-V module as the rules see it: words behind accessors that never leave them, whatever they hold. It is read before
 * SPIRV-Tools has looked, so every answer about a damaged module is defined (0, NULL, false).
 * Source: SPIR-V specification, "Physical Layout of a SPIR-V Module and Instruction". */
#pragma once

#include "util/macros.h"

#include <vulkan/vulkan_core.h>

#include <spirv/unified1/spirv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct icd_spirv_inst {
   const uint32_t *words;
   SpvOp op;
   uint32_t count; /* of words, itself included; 0: there is none */
};

struct icd_spirv_decoration {
   uint32_t target, member; /* member: UINT32_MAX for the whole */
   uint32_t name, offset;   /* SpvDecoration; offset of its first operand word in the module */
   uint32_t num_operands;
};

struct icd_spirv_function {
   uint32_t id, begin, end; /* words of the module: OpFunction .. behind OpFunctionEnd */
   VkShaderStageFlags stages; /* of the entry points that reach it */
   VkShaderStageFlags entry_stages; /* of those that it is itself */
   uint32_t first_call, num_calls;
};

struct icd_spirv_entry {
   struct icd_spirv_inst inst;
   SpvExecutionModel model;
   VkShaderStageFlags stage; /* 0: a model that has none */
   uint32_t function;        /* id */
   const char *name;         /* ends inside of the instruction */
   uint32_t first_interface; /* index of words of inst */
};

enum {
   ICD_TYPE_HAS_8 = 1,        /* 8-bit integers or floats */
   ICD_TYPE_HAS_16 = 2,       /* 16-bit integers or floats */
   ICD_TYPE_HAS_ADDRESS = 4,  /* pointers to PhysicalStorageBuffer */
   ICD_TYPE_HAS_SPEC = 8,     /* arrays sized by specialization constants; of a constant: specialization decides its value */
   /* members with an Offset, at any depth, that do not say themselves what they are captured in */
   ICD_TYPE_HAS_OFFSET_WITHOUT_BUFFER = 16,
   ICD_TYPE_HAS_OFFSET_WITHOUT_STRIDE = 32,
   ICD_TYPE_HAS_LAYOUT = 64,  /* an Offset, ArrayStride or MatrixStride, at any depth */
};

enum { ICD_SPIRV_MAX_CAPABILITY = 8192 }; /* no public one is greater */

struct comp_shader_desc;

struct icd_spirv_module {
   const uint32_t *words;
   size_t num_words;
   uint32_t version, bound;
   uint32_t *definitions; /* [bound]: offset of the instruction that makes the id; 0: none */
   uint8_t *type_flags;   /* [bound]: ICD_TYPE_* */
   uint8_t *scalar_bytes; /* [bound]: of the largest scalar in a type; 0: none */
   uint32_t num_decorations, num_functions, num_entries, num_calls;
   struct icd_spirv_decoration *decorations; /* by target, member, name */
   struct icd_spirv_function *functions;
   struct icd_spirv_entry *entries;
   uint32_t *calls; /* indices of functions */
   uint64_t capabilities[ICD_SPIRV_MAX_CAPABILITY / 64]; /* by bit */
   const struct comp_shader_desc *specialization; /* its spec_* fields; NULL: constants that it decides have no known value */
};

enum icd_spirv_parse { ICD_SPIRV_PARSED, ICD_SPIRV_DAMAGED, ICD_SPIRV_OUT_OF_MEMORY };

/* Indexes the words, which must outlive *module and have the header's five. DAMAGED: instructions do not fit the words, or the
 * bound of ids is absurd; *broken says it. Time is linear (times the logarithm in decorations). */
enum icd_spirv_parse icd_spirv_parse(struct icd_spirv_module *module, const uint32_t *words, size_t num_words, const char **broken);
void icd_spirv_finish(struct icd_spirv_module *module);

/* Forgets all entry points but one: entries[0] is that one, functions[].stages says what it reaches. False: out of memory. */
UTIL_MUST_CHECK bool icd_spirv_select(struct icd_spirv_module *module, const struct icd_spirv_entry *entry);

/* The instruction at that word; count 0 past the end. */
struct icd_spirv_inst icd_spirv_at(const struct icd_spirv_module *module, size_t offset);

/* All instructions from word `begin` to `end`. */
#define ICD_SPIRV_EACH(module, inst, begin, end)                                                                       \
   for (struct icd_spirv_inst inst = icd_spirv_at(module, begin);                                                      \
        inst.count && inst.words < (module)->words + (end);                                                            \
        inst = icd_spirv_at(module, (size_t)(inst.words - (module)->words) + inst.count))

/* Operand word `index` (0 is the instruction's own); 0 past its end. */
static inline uint32_t icd_spirv_word(const struct icd_spirv_inst *inst, uint32_t index)
{
   return index < inst->count ? inst->words[index] : 0;
}

const char *icd_spirv_op_name(SpvOp op);
const char *icd_spirv_capability_name(uint32_t capability);
const char *icd_spirv_model_name(SpvExecutionModel model);
const char *icd_spirv_dim_name(uint32_t dim);
const char *icd_spirv_image_format_name(uint32_t format);
/* The ids that an instruction makes and its type; 0: none. */
uint32_t icd_spirv_result(const struct icd_spirv_inst *inst);
uint32_t icd_spirv_result_type(const struct icd_spirv_inst *inst);

/* The instruction that makes `id`. */
struct icd_spirv_inst icd_spirv_definition(const struct icd_spirv_module *module, uint32_t id);
/* The type of a value. */
uint32_t icd_spirv_type_of(const struct icd_spirv_module *module, uint32_t id);
/* What a pointer of type `type` points to; 0: not a pointer. *storage_class is set if it is one. */
uint32_t icd_spirv_pointee(const struct icd_spirv_module *module, uint32_t type, SpvStorageClass *storage_class);
/* OpVariable or OpUntypedVariableKHR. */
bool icd_spirv_is_variable(SpvOp op);
/* What a variable, typed or untyped, holds; 0: it does not say, or is none. *storage_class is set if it is one. */
uint32_t icd_spirv_variable_type(const struct icd_spirv_module *module, const struct icd_spirv_inst *variable, SpvStorageClass *storage_class);
/* What an instruction takes the memory behind its operand `pointer` for: what that points to, or if it is untyped its own result, or what it
 * stores; 0: unknown. *storage_class is the pointer's. */
uint32_t icd_spirv_accessed_type(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, uint32_t pointer,
                                 SpvStorageClass *storage_class);
/* Through arrays, runtime arrays too, to what they hold. *levels (may be NULL) counts them. */
uint32_t icd_spirv_strip_arrays(const struct icd_spirv_module *module, uint32_t type, uint32_t *levels);
/* The type of a descriptor that is nowhere in memory: an image, a sampler or an acceleration structure. */
static inline bool icd_spirv_is_opaque(SpvOp op)
{
   return op == SpvOpTypeImage || op == SpvOpTypeSampler || op == SpvOpTypeSampledImage || op == SpvOpTypeAccelerationStructureKHR;
}
/* The scalar of a scalar, vector or matrix; else `type`. */
struct icd_spirv_inst icd_spirv_scalar(const struct icd_spirv_module *module, uint32_t type);
/* OpTypeVector, or OpTypeVectorIdEXT, whose components a constant counts. */
bool icd_spirv_is_vector(SpvOp op);
/* Components of the vector type that the instruction declares; 0: it declares none, or nothing says how many. */
uint32_t icd_spirv_components(const struct icd_spirv_module *module, const struct icd_spirv_inst *type);
/* ICD_TYPE_* of a type. */
uint32_t icd_spirv_type_flags(const struct icd_spirv_module *module, uint32_t type);
/* Bytes of the largest scalar or address in a type; 0: none. */
uint32_t icd_spirv_scalar_bytes(const struct icd_spirv_module *module, uint32_t type);
/* The function of that id; NULL: none. */
const struct icd_spirv_function *icd_spirv_find_function(const struct icd_spirv_module *module, uint32_t id);

/* The integer value of a constant, of 32 bits; false: not a constant, or one that is not known yet. */
bool icd_spirv_constant(const struct icd_spirv_module *module, uint32_t id, uint32_t *value);
/* True for all constants, specialization constants and operations on them too. */
bool icd_spirv_is_constant(const struct icd_spirv_module *module, uint32_t id);

/* The first decoration of that name; NULL: none. */
const struct icd_spirv_decoration *icd_spirv_find(const struct icd_spirv_module *module, uint32_t target, uint32_t member,
                                                  SpvDecoration name);
/* Its first operand, or `otherwise`. */
uint32_t icd_spirv_decorated(const struct icd_spirv_module *module, uint32_t target, uint32_t member, SpvDecoration name,
                             uint32_t otherwise);

bool icd_spirv_has_capability(const struct icd_spirv_module *module, SpvCapability capability);

/* ---- access.c ---- */

enum { ICD_USED = 1, ICD_WRITTEN = 2 };

/* By id of variables, what the functions do to them that an entry point reaches: ICD_USED: one names it; ICD_WRITTEN: one writes it.
 * Of util_malloc(); NULL: out of memory. */
uint8_t *icd_spirv_used(const struct icd_spirv_module *module, const struct icd_spirv_entry *entry);

/* The first instruction of a function that uses what an instruction outside of functions makes: a variable, a type, a capability.
 * Count 0: none is known. */
struct icd_spirv_inst icd_spirv_first_use(const struct icd_spirv_module *module, const struct icd_spirv_inst *global);

bool icd_spirv_is_atomic(SpvOp op);
/* Access chains whose base says what it points to, in word 3: its pointer is word 4. */
bool icd_spirv_is_untyped_chain(SpvOp op);
/* True if that operand word of the instruction is a pointer, or may be one. */
bool icd_spirv_takes_pointer(const struct icd_spirv_inst *inst, uint32_t word);
/* The id of the pointer or image that an instruction writes to; 0: none. */
uint32_t icd_spirv_written(const struct icd_spirv_inst *inst);

/* A pointer and the memory operands that go with it. */
struct icd_spirv_access {
   uint32_t pointer, alignment; /* alignment 0: none given */
   uint32_t available, visible; /* ids of scopes; 0: none */
   uint32_t end;                /* word behind the operands */
};

/* What an instruction with memory operands accesses: how many of *accesses are filled. */
uint32_t icd_spirv_accesses(const struct icd_spirv_inst *inst, struct icd_spirv_access accesses[2]);

/* True of an interface variable that has one element a vertex: the outer array does not count. */
bool icd_spirv_is_arrayed(const struct icd_spirv_module *module, uint32_t variable, VkShaderStageFlags stage, bool is_input);

/* The variable that a pointer comes from, through access chains and copies; 0: unknown. */
uint32_t icd_spirv_base_variable(const struct icd_spirv_module *module, uint32_t pointer);

struct icd_spirv_line {
   const char *file;
   uint32_t line;
};

/* The source line that OpLine gives to an instruction. */
bool icd_spirv_find_line(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, struct icd_spirv_line *line);
