/* SPDX-License-Identifier: MIT
 * One function for each instruction class: translates the instruction at the current position and returns true, or returns
 * false where the opcode is not of its class. */
#pragma once

#include "compiler/spirv/memory/spirv_pointer.h"

bool spirv_alu(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_conversion(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_composite(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_matrix(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_memory(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_copy(struct spirv_ctx *t, const struct spirv_instr *in); /* of memory: spirv_bytes.c */
bool spirv_access_chain(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_atomic(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_image(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_processing(struct spirv_ctx *t, const struct spirv_instr *in); /* SPV_QCOM_image_processing */
bool spirv_texel_pointer(struct spirv_ctx *t, const struct spirv_instr *in); /* spirv_image.c */
bool spirv_derivative(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_cooperative(struct spirv_ctx *t, const struct spirv_instr *in); /* before the others: takes their instructions of matrices */
bool spirv_cooperative_vector(struct spirv_ctx *t, const struct spirv_instr *in); /* but for what is done component by component */
bool spirv_group(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_emission(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_ray_query(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_mesh(struct spirv_ctx *t, const struct spirv_instr *in);
/* OpEmitMeshTasksEXT without its end of the invocation. */
void spirv_emit_mesh_tasks(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_node(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_trace(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_hit_object(struct spirv_ctx *t, const struct spirv_instr *in); /* in shaders of ray pipelines */
/* What an any-hit shader that ends here says of its candidate; fails in other shaders. */
void spirv_store_verdict(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_ext_inst(struct spirv_ctx *t, const struct spirv_instr *in);
/* GLSL.std.450 (spirv_glsl.c); fails on what it does not know. */
void spirv_glsl(struct spirv_ctx *t, const struct spirv_instr *in);
bool spirv_pack(struct spirv_ctx *t, const struct spirv_instr *in); /* of that set: vectors in words of 32 bits */

/* NonSemantic.DebugPrintf (spirv_print.c); nothing unless it is asked for. */
void spirv_debug_printf(struct spirv_ctx *t, const struct spirv_instr *in);
/* VK_SWRAST_TRACE (spirv_follow.c), behind an instruction: what it gave to whom. */
void spirv_follow(struct spirv_ctx *t, const struct spirv_instr *in);
/* Sets of AMD's (spirv_amd.c); the same. */
void spirv_amd_trinary(struct spirv_ctx *t, const struct spirv_instr *in);
void spirv_amd_gcn(struct spirv_ctx *t, const struct spirv_instr *in);
/* OpAbortKHR without its end of the invocation (spirv_abort.c). */
void spirv_abort(struct spirv_ctx *t, const struct spirv_instr *in);
/* SPV_INTEL_shader_integer_functions2. */
bool spirv_integer(struct spirv_ctx *t, const struct spirv_instr *in);

/* Every instruction of a function but control flow. */
void spirv_instruction(struct spirv_ctx *t, const struct spirv_instr *in);
/* Sets the floating-point environment of what is emitted for the instruction. */
void spirv_set_fp(struct spirv_ctx *t, const struct spirv_instr *in);
void spirv_set_line(struct spirv_ctx *t, const char *file, uint32_t line, uint32_t column);

/* Shared by several classes. */
struct ir_instr *spirv_dot(struct spirv_ctx *t, uint32_t count, struct ir_instr *const *x, struct ir_instr *const *y);
/* Between narrow floats (SPIRV_TYPE_NARROW) and other numbers: the op is one of the conversions, either type narrow (spirv_narrow.c); of one component. */
void spirv_narrow_convert(struct spirv_ctx *t, const struct spirv_instr *in);
void spirv_bitcast_extract(struct spirv_ctx *t, const struct spirv_instr *in);
struct ir_instr *spirv_narrow_convert_one(struct spirv_ctx *t, uint32_t op, const struct spirv_type *to, const struct spirv_type *from, struct ir_instr *x,
                                          bool saturates);
/* A float of at most 32 bits, narrow or not, as one of 32; a float rounded once to a narrow one. What is too large becomes the largest if it saturates. */
struct ir_instr *spirv_to_float32(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x);
struct ir_instr *spirv_to_narrow(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *x, bool saturates);
/* A dot product of narrow floats, rounded once. */
void spirv_narrow_dot(struct spirv_ctx *t, const struct spirv_instr *in);
/* A dot product of halves or narrow floats, added to an accumulator: in 32 bits; a narrower result is rounded once. */
void spirv_mixed_dot(struct spirv_ctx *t, const struct spirv_instr *in);
/* Columns of the product and such (spirv_matrix.c). */
struct spirv_val *spirv_matrix_inverse(struct spirv_ctx *t, struct spirv_val *matrix);
struct ir_instr *spirv_determinant(struct spirv_ctx *t, struct spirv_val *matrix);
/* An atomic of the memory that the pointer is to (spirv_atomic.c); what no atomic may cross two lines of a cache for is aligned first. */
struct ir_instr *spirv_emit_atomic(struct spirv_ctx *t, const struct spirv_pointer *pointer, enum abi_atomic atomic, uint32_t bits, uint32_t num_data,
                                   struct ir_instr *const *data);
struct spirv_pointer spirv_aligned_pointer(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t bytes);
/* Texel atomics: image_atomic, or load/store of one texel (spirv_image.c). */
struct ir_instr *spirv_texel_atomic(struct spirv_ctx *t, const struct spirv_pointer *pointer, enum abi_atomic atomic,
                                    uint32_t bits, uint32_t num_data, struct ir_instr *const *data);
struct ir_instr *spirv_texel_load(struct spirv_ctx *t, const struct spirv_pointer *pointer);
void spirv_texel_store(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct ir_instr *value);
