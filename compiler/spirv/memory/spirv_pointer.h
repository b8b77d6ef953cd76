/* SPDX-License-Identifier: MIT
 * Pointers: a class of memory, the handles that name it and a byte offset into it.
 * Spec: SPIR-V, "Memory Instructions"; Vulkan, "Shader Interfaces", "Variable pointers". */
#pragma once

#include "compiler/spirv/memory/spirv_values.h"

enum spirv_pointer_class {
   SPIRV_PTR_VAR,        /* variable of the invocation: var, offset */
   SPIRV_PTR_BUFFER,     /* descriptor's buffer: addr, size, offset */
   SPIRV_PTR_GLOBAL,     /* addr (64 bits), offset */
   SPIRV_PTR_SHARED,     /* offset */
   SPIRV_PTR_PUSH,       /* offset */
   SPIRV_PTR_DESCRIPTOR, /* descriptors themselves: variable, index */
   SPIRV_PTR_INPUT,      /* member of an input: iface, slot, offset */
   SPIRV_PTR_BLOCK,      /* whole block of the interface: variable */
   SPIRV_PTR_VERTICES,   /* array of an input's values at each vertex of the primitive, or of an output that invocations share: variable */
   SPIRV_PTR_ROWS,       /* member of an output that invocations share: iface, vertex, slot, dyn; dyn counts rows */
   SPIRV_PTR_TEXEL,      /* texel of a storage image */
};

/* A part of the interface: an input or output variable, or one member of an interface block. */
struct spirv_iface {
   const struct spirv_type *type;
   struct spirv_variable *variable;
   bool is_input;
   bool is_builtin;
   uint32_t builtin;   /* SpvBuiltIn */
   uint32_t slot;      /* of the first component, ABI_SLOT_USER included; fragment outputs: abi index */
   bool has_location;
   uint32_t index;     /* dual source */
   uint8_t interp, at; /* enum ir_interp, ir_interp_at */
   uint32_t num_args;  /* sources of interp: sample index or offset */
   struct ir_instr *args[2];
   struct ir_var *var; /* outputs: the value so far; inputs: a copy for dynamic indexing; NULL: not needed yet */
   bool is_touched;    /* outputs: the shader's code has a pointer to it */
   uint8_t stream;     /* outputs of a geometry shader */
};

struct spirv_variable {
   uint32_t id;
   const struct spirv_type *pointer_type;
   const struct spirv_type *type; /* pointee */
   const struct spirv_type *value_type; /* of interfaces: of one vertex */
   uint32_t storage;              /* SpvStorageClass */
   uint32_t set, binding;
   uint8_t access; /* enum ir_access */
   uint32_t initializer; /* id; 0: none */
   struct spirv_val *value; /* the pointer; NULL: not used so far */
   struct ir_instr *addr, *size; /* of a single buffer */
   struct spirv_iface *parts;
   uint32_t num_parts;
   bool is_iface_block;
   bool has_vertices; /* with a value for each vertex of the primitive */
   bool is_of_patch;
   bool is_of_primitives; /* outputs of a mesh shader: with a value for each primitive, instead of vertices */
   struct spirv_variable *next_output;
   bool is_being_made; /* its initializer is looked at: nothing that is made of it can be part of that */
};

struct spirv_pointer {
   uint8_t class;  /* enum spirv_pointer_class */
   uint8_t access; /* enum ir_access */
   bool is_uniform_block; /* read-only for the whole shader */
   bool is_input_copy;    /* VAR: copy of iface's input */
   bool is_nonuniform;    /* DESCRIPTOR: decorated NonUniform (spirv_bounds.c) */
   bool is_of_floats;     /* an element of an array of scalar floats */
   const struct spirv_type *type; /* pointee */
   struct spirv_layout layout;
   uint32_t align;      /* known alignment of the base and the dynamic offset, bytes */
   uint32_t offset;     /* constant part, bytes */
   struct ir_instr *dyn; /* dynamic part, of spirv_offset_bits(); NULL: 0 */
   struct ir_var *var;
   struct ir_instr *addr, *size;
   struct spirv_variable *variable;
   struct ir_instr *index; /* DESCRIPTOR: array index so far; NULL: 0 */
   struct spirv_iface *iface;
   uint32_t slot; /* INPUT, ROWS: relative to iface->slot */
   struct ir_instr *vertex; /* INPUT, ROWS, BLOCK: at which vertex, 32 bits; NULL: there is but one value */
   struct ir_instr *only_if; /* ROWS: stores count where this holds; NULL: everywhere */
   struct {
      const struct spirv_type *type; /* of the image */
      struct ir_instr *desc, *coords, *sample;
   } texel;
};

/* The pointer to a variable of the module. */
struct spirv_val *spirv_variable_pointer(struct spirv_ctx *t, struct spirv_variable *variable);
/* The pointer that a value of pointer type is. */
struct spirv_pointer *spirv_val_pointer(struct spirv_ctx *t, struct spirv_val *val);
struct spirv_pointer *spirv_pointer(struct spirv_ctx *t, uint32_t id);
/* The same, to a value of `type` if the pointer is untyped: what loads, stores and atomics make of it. */
struct spirv_pointer spirv_pointer_to(struct spirv_ctx *t, uint32_t id, const struct spirv_type *type);
/* Sees memory with an explicit layout, or descriptors, as a value of another type. Fails for pointers into other memory. */
void spirv_retype(struct spirv_ctx *t, struct spirv_pointer *pointer, const struct spirv_type *type);
struct spirv_val *spirv_new_pointer(struct spirv_ctx *t, const struct spirv_type *pointer_type,
                                    const struct spirv_pointer *pointer);
/* A pointer to a fresh variable of the invocation that can hold a `type`. */
struct spirv_pointer spirv_temp_pointer(struct spirv_ctx *t, const struct spirv_type *type, const char *name);

/* The pointer to child `index`. */
struct spirv_pointer spirv_pointer_child(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t index);
/* offset as one value, of spirv_offset_bits(); GLOBAL: the address. */
struct ir_instr *spirv_pointer_offset(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t more_bytes);
/* Bits of the dynamic part: 32; of global addresses, and of buffers that are indexed by 64 bits, 64. */
uint32_t spirv_offset_bits(const struct spirv_pointer *pointer);
/* What an access takes, beside values: of a buffer address, size and offset, the latter two of 32 bits; of other memory the offset. Returns their number. */
uint32_t spirv_access_operands(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t more_bytes, struct ir_instr **srcs);
uint32_t spirv_pointer_align(const struct spirv_pointer *pointer, uint32_t more_bytes);

/* IR values of a pointer that is a value (variable pointers, addresses): see spirv_leaf_bits(). */
void spirv_pointer_comps(struct spirv_ctx *t, const struct spirv_pointer *pointer, const struct spirv_type *type,
                         struct ir_instr **comps);

/* What the instrument wants to know (spirv_bounds.c): that the index is below the array's, vector's or matrix's length; what a descriptor is called. */
void spirv_check_index(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct spirv_val *index);
void spirv_name_resource(struct spirv_ctx *t, const struct spirv_variable *variable);
/* What the instruction made is decorated NonUniform, or is made of what is: its descriptors may differ between invocations. */
void spirv_note_nonuniform(struct spirv_ctx *t, const struct spirv_instr *in);
/* The same of the value or address of one descriptor. */
void spirv_set_nonuniform(struct ir_instr *handle);

/* Adds to the dynamic part, in its bits; the alignment is the caller's. */
void spirv_add_offset(struct spirv_ctx *t, struct spirv_pointer *pointer, struct ir_instr *bytes);
/* Adds index * stride bytes. Where memory that is past the end must not be reached, what would wrap, and so negative indices, are past the end. */
void spirv_add_index(struct spirv_ctx *t, struct spirv_pointer *pointer, struct spirv_val *index, uint32_t stride);

/* Loads and stores of whole values. */
struct spirv_val *spirv_load(struct spirv_ctx *t, const struct spirv_pointer *pointer);
void spirv_store(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct spirv_val *val);
/* The same as to load there and store here. Neither is an untyped pointer. */
void spirv_copy_value(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from);
/* Adds what the memory operands at word `index` (may be past the end) say; returns the index after them. */
uint32_t spirv_memory_operands(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index,
                               struct spirv_pointer *pointer);

/* The constant that a variable of a function holds wherever it is read, and that nothing but loads sees; 0: none (spirv_held.c). */
uint32_t spirv_held_constant(struct spirv_ctx *t, uint32_t id);

/* ---- the interface (spirv_interface.c) ---- */

void spirv_parse_interface(struct spirv_ctx *t);
struct spirv_val *spirv_interface_pointer(struct spirv_ctx *t, struct spirv_variable *variable);
/* One scalar of an input that the pointer is to, `slots` and `bytes` behind it. */
struct ir_instr *spirv_load_input(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t slots, uint32_t bytes,
                                  const struct spirv_type *scalar);
/* Slots that a value takes: how far the next element or member is. */
uint32_t spirv_slot_count(struct spirv_ctx *t, const struct spirv_type *type);
uint32_t spirv_slot_of_child(struct spirv_ctx *t, const struct spirv_type *type, uint32_t index);
/* Makes the pointer one into a copy of the whole input, which can be indexed dynamically. */
struct spirv_pointer spirv_input_copy(struct spirv_ctx *t, const struct spirv_pointer *pointer);
/* Makes what there is to know of an interface variable. */
void spirv_make_parts(struct spirv_ctx *t, struct spirv_variable *variable);
/* A scalar as 32-bit words of the interface, one or two: integers are extended, half floats are floats. */
uint32_t spirv_scalar_words(const struct spirv_type *scalar);
struct ir_instr *spirv_from_words(struct spirv_ctx *t, struct ir_instr *const *words, const struct spirv_type *scalar);
void spirv_to_words(struct spirv_ctx *t, struct ir_instr *value, const struct spirv_type *scalar, struct ir_instr **words);
/* Declared size of the clip distances that the stage has before its cull distances. */
void spirv_count_distances(struct spirv_ctx *t, const struct spirv_iface *part);
/* Counts the clip and cull distances that the shader writes. */
void spirv_count_output_distances(struct spirv_ctx *t);
/* Copies outputs to their slots; the shader's end. */
void spirv_store_outputs(struct spirv_ctx *t);
/* Copies one part of an output to its slots by store(), which gets 32 bits each. Cull distances: as if there were no clip distances. */
void spirv_store_part(struct spirv_ctx *t, const struct spirv_iface *part,
                      void (*store)(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t slot, struct ir_instr *value));
/* The slot of an output's first component; fails for built-in variables that cannot be written. Distances must be counted. */
uint32_t spirv_output_slot(struct spirv_ctx *t, const struct spirv_iface *part);
/* What transform feedback captures: abi_shader_info.xfb_ranges (spirv_xfb.c). After the outputs are stored. */
void spirv_find_captures(struct spirv_ctx *t);

/* ---- which outputs are written, for `uninit` (spirv_written.c) ---- */

bool spirv_follows_outputs(const struct spirv_ctx *t);
bool spirv_follows_part(const struct spirv_ctx *t, const struct spirv_iface *part);
/* An invocation's output gets a value. What all are is stored by spirv_store_written(), once for each vertex. */
void spirv_note_output(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t slot, struct ir_instr *value);
void spirv_store_written(struct spirv_ctx *t, void (*store)(struct spirv_ctx *t, uint32_t slot, struct ir_instr *value));
/* One 32-bit slot that is read, at a vertex if that is not NULL, and by a fragment per vertex at that corner: the value to go on with. */
struct ir_instr *spirv_follow_input(struct spirv_ctx *t, const struct spirv_iface *part, struct ir_instr *vertex, uint32_t corner, uint32_t slot,
                                    struct ir_instr *value);
/* How many rows further the next slot stands, and the next vertex. */
struct spirv_rows_steps {
   uint32_t slot, vertex;
};
/* The same of outputs that invocations share: of a component at a slot, and as many more as the pointer's dynamic part says. Their own slots are added to
 * the sets of those that vertices and others have. */
void spirv_declare_written(const struct spirv_ctx *t, uint64_t *of_vertices, uint64_t *of_others);
void spirv_note_row(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t slot, const struct spirv_rows_steps *steps, struct ir_instr *value);
struct ir_instr *spirv_follow_row(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t slot, const struct spirv_rows_steps *steps,
                                  struct ir_instr *value);

/* ---- ray pipelines (spirv_trace.c) ---- */

/* A variable of a storage class that only shaders of ray pipelines have. False: of another. */
bool spirv_ray_variable(struct spirv_ctx *t, const struct spirv_variable *variable, struct spirv_pointer *pointer);
/* One word of what a built-in variable says of the ray or its hit; NULL: it is none of these. */
struct ir_instr *spirv_load_ray_builtin(struct spirv_ctx *t, uint32_t builtin, uint32_t component);

/* ---- outputs that invocations share: those of control and mesh shaders (spirv_rows.c) ---- */

static inline bool spirv_has_rows(const struct spirv_ctx *t)
{
   return t->desc->stage == ABI_STAGE_CONTROL || t->desc->stage == ABI_STAGE_MESH;
}
/* What task and mesh shaders have in shared memory in front of variables (spirv_mesh.c); the interface must be parsed. */
void spirv_begin_workgroup(struct spirv_ctx *t);
/* A word of it, `row` from the beginning of the outputs on. */
struct ir_instr *spirv_load_output_word(struct spirv_ctx *t, struct ir_instr *row);
void spirv_store_output_word(struct spirv_ctx *t, struct ir_instr *row, struct ir_instr *value);
/* Gives all outputs their rows; the interface must be parsed. */
void spirv_begin_rows(struct spirv_ctx *t);
struct spirv_pointer spirv_rows_step(struct spirv_ctx *t, const struct spirv_pointer *from, struct spirv_val *index);
/* A scalar or vector. */
struct spirv_val *spirv_load_rows(struct spirv_ctx *t, const struct spirv_pointer *pointer);
void spirv_store_rows(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct ir_instr *const *comps);
/* A barrier with SPIR-V's scopes and semantics (spirv_group.c). */
void spirv_emit_barrier(struct spirv_ctx *t, uint32_t exec, uint32_t memory, uint32_t semantics);
/* An output's initializer: each vertex's by its invocation, those of the patch by the first. */
void spirv_initialize_rows(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct spirv_val *val);

/* GLSL.std.450's InterpolateAt*: `at` is enum ir_interp_at, `args` its sources. */
struct spirv_val *spirv_interpolate_at(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t at,
                                       uint32_t num_args, struct ir_instr *const *args);
