/* SPDX-License-Identifier: MIT
 * What the passes of the instrument share: sites and the probes that stand for them (abi/probe.h).
 * A pass is bool ir_instrument_x(shader): it adds code that reports to the runtime and changes no value that the shader computes.
 * Memory: the shader's arena. Threads: one user at a time. */
#pragma once

#include "abi/probe.h"
#include "compiler/ir/ir.h"

struct ir_instrument {
   struct ir_shader *shader;
   struct ir_instr *words[ABI_MAX_INVOCATION_WORDS]; /* who it is: see instrument.c; NULL until asked for */
   struct ir_instr *local_index;                     /* of a compute shader */
   uint32_t granularity;       /* bytes: races.c, as is the next one */
   bool has_subgroup_barriers, has_atomics, has_fences, has_device_fences;
   bool has_reads, has_writes; /* of memory that others may write, and not atomic */
   const struct ir_conflicts *conflicts; /* of a shader with workgroups */
   bool is_interlocked;        /* the walk is in an interlocked section */
   uint32_t num_fences, num_passed; /* that may order accesses of draws and launches with what others do: of all, those that the walk has passed */
   bool has_changed;
};

/* A site for a check of `instr`, whose line and name it gets; `name`: of the variable, may be NULL. What else it says the caller fills
 * in. NULL: the shader has too many. */
struct abi_site *ir_site_create(struct ir_shader *shader, enum abi_probe probe, const struct ir_instr *instr, const char *name);
/* The same with a line of ir_shader.lines and an operation's name instead of an instruction. */
struct abi_site *ir_site_create_at(struct ir_shader *shader, enum abi_probe probe, uint32_t line, const char *operation, const char *name);

/* Emits the probe where the builder is; nothing for site NULL or a condition that is never true. Operands are single components. */
void ir_probe(struct ir_instrument *in, struct ir_builder *b, struct abi_site *site, struct ir_instr *condition, uint32_t num_operands,
              struct ir_instr *const *operands);
/* The same with an answer of `bits` bits. `site` is not NULL. */
struct ir_instr *ir_probe_value(struct ir_instrument *in, struct ir_builder *b, struct abi_site *site, uint32_t bits,
                                struct ir_instr *condition, uint32_t num_operands, struct ir_instr *const *operands);

/* 1 bit, made at the shader's beginning: it is the invocation at these coordinates: of the launch for rays, of the dispatch where there are workgroups
 * (those that are not given are 0); x and y, primitive of a fragment; vertex, instance; patch, invocation; primitive, invocation. */
struct ir_instr *ir_instrument_is_at(struct ir_instrument *in, uint32_t num_coordinates, const uint32_t *at);

/* gl_LocalInvocationIndex, once a pass. */
struct ir_instr *ir_instrument_local_index(struct ir_instrument *in);

/* What SPIR-V calls the variable; NULL: unknown. */
const char *ir_resource_name(const struct ir_shader *shader, uint32_t set, uint32_t binding);
/* Says which resource an instruction with set and binding stands for. */
void ir_site_resource(const struct ir_shader *shader, struct abi_site *site, const struct ir_instr *resource);

/* Calls visit() for each instruction that was there before, in program order. */
void ir_instrument_walk(struct ir_instrument *in, void (*visit)(struct ir_instrument *in, struct ir_instr *instr));

/* A memory operation, taken apart. */
enum ir_memory { IR_MEMORY_BUFFER, IR_MEMORY_GLOBAL, IR_MEMORY_SHARED, IR_MEMORY_NONE };
struct ir_memory_access {
   enum ir_memory memory;
   enum abi_probe_access access;
   uint32_t flags; /* enum ir_access */
   uint32_t bytes; /* of one invocation */
   struct ir_instr *addr, *size, *offset; /* BUFFER: all; GLOBAL: addr; SHARED: offset */
};
struct ir_memory_access ir_memory_access_of(const struct ir_instr *instr);
/* 1 bit: the access is not inside of the buffer. */
struct ir_instr *ir_is_outside(struct ir_builder *b, const struct ir_memory_access *access);
/* Of an access to a buffer or by an address: whether it is one (bounds.c reports the others), and where. */
struct ir_instr *ir_access_in_bounds(struct ir_builder *b, const struct ir_memory_access *access);
struct ir_instr *ir_access_address(struct ir_builder *b, const struct ir_memory_access *access);
/* Operands of a probe of a texel: descriptor, three coordinates, sample (NULL: 0). */
void ir_texel_operands(struct ir_builder *b, struct ir_instr *descriptor, struct ir_instr *coords, struct ir_instr *sample, struct ir_instr *operands[5]);
/* The sample that image_load, image_store or image_atomic names; NULL: none. */
struct ir_instr *ir_image_sample(const struct ir_instr *instr);
/* A site that names the resource which `resource`, a size or a descriptor, is of. NULL: there are too many sites. */
struct abi_site *ir_access_site(struct ir_instrument *in, enum abi_probe probe, const struct ir_instr *instr, const struct ir_instr *resource);

/* taken.c: what fixed functions take that nobody wrote. `line`: the last one, in ir_shader.lines; `stored`: bits of a fragment shader's colours. */
void ir_instrument_taken(struct ir_instrument *in, uint32_t line, uint32_t stored);
