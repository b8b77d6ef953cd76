/* SPDX-License-Identifier: MIT
 * The compiler as the icd sees it: SPIR-V in, relocatable object code and a description of the shader out.
 *
 * The heavy half (front end, passes, LLVM, SPIRV-Tools) is a shared object of its own, loaded by comp_library() at the first compile that no
 * cache answers; the light half (this header's comp_library and comp_code_*) is part of the driver.
 * Threads: all functions may be called from any thread at once. */
#pragma once

#include "abi/descriptor.h"
#include "abi/shader.h"
#include "util/alloc.h"
#include "util/hash.h"

/* One binding of a descriptor set layout, as far as code depends on it. */
struct comp_binding {
   uint32_t binding;
   uint32_t type;          /* VkDescriptorType */
   uint32_t count;         /* descriptors; bytes of an inline uniform block; 0: absent */
   uint32_t offset_bytes;  /* in the set's memory; the sampler of a combined descriptor stands in the same descriptor */
   uint32_t dynamic_index; /* of the first element in abi_set.dynamic_offsets, for dynamic buffers */
   uint32_t has_variable_count; /* `count` is the maximum; a set says how many it has (struct abi_set_head) */
};

struct comp_set {
   const struct comp_binding *bindings; /* sorted by binding */
   uint32_t num_bindings;
   uint64_t shape; /* a hash of the bindings, never 0: code accepts sets with just this one (struct abi_set_head) */
   uint32_t is_bare; /* the application's memory, in a descriptor buffer: no head stands in front of it, descriptors of mutable type have no tag */
};

/* ---- descriptor heaps (abi/descriptor.h): what a shader's bindings are made of ---- */

/* What of VkSpirvResourceTypeFlagBitsEXT a shader can declare; the same bits. */
enum comp_resource {
   COMP_RESOURCE_SAMPLER = 1 << 0,
   COMP_RESOURCE_SAMPLED_IMAGE = 1 << 1,
   COMP_RESOURCE_READ_ONLY_IMAGE = 1 << 2,
   COMP_RESOURCE_READ_WRITE_IMAGE = 1 << 3,
   COMP_RESOURCE_COMBINED = 1 << 4,
   COMP_RESOURCE_UNIFORM_BUFFER = 1 << 5,
   COMP_RESOURCE_READ_ONLY_BUFFER = 1 << 6,
   COMP_RESOURCE_READ_WRITE_BUFFER = 1 << 7,
   COMP_RESOURCE_ACCELERATION = 1 << 8,
};

/* Where a mapping's numbers stand: offsets are in bytes. */
enum comp_mapping_source {
   COMP_SOURCE_CONSTANT,       /* the descriptor in the heap: at its offset, */
   COMP_SOURCE_PUSH_INDEX,     /* with an index in push data, */
   COMP_SOURCE_INDIRECT_INDEX, /* in memory whose address push data has, */
   COMP_SOURCE_INDIRECT_ARRAY, /* the same, an index for each element, */
   COMP_SOURCE_RECORD_INDEX,   /* or in the shader record */
   COMP_SOURCE_HEAP_DATA,      /* the buffer's bytes: in the resource heap, with an offset in push data, */
   COMP_SOURCE_PUSH_DATA,      /* in push data, */
   COMP_SOURCE_RECORD_DATA,    /* in the shader record, */
   COMP_SOURCE_PUSH_ADDRESS,   /* at an address in push data, */
   COMP_SOURCE_INDIRECT_ADDRESS, /* in memory whose address push data has, */
   COMP_SOURCE_RECORD_ADDRESS, /* or in the shader record */
};

struct comp_heap_location {
   uint32_t offset_bytes;          /* in the heap */
   uint32_t index_at, memory_at;   /* of the index or address: in push data or the record; in the memory behind that */
   uint32_t index_stride, array_stride; /* bytes in the heap for each count of the index, of elements */
};

enum { COMP_NO_SAMPLER = UINT32_MAX };

struct comp_mapping {
   uint32_t set, first_binding, num_bindings;
   uint32_t resources; /* enum comp_resource: of the bindings, those that are one of these */
   uint32_t source;    /* enum comp_mapping_source */
   uint32_t is_packed; /* combined image samplers: one number holds both indices, 20 bits and 12 */
   uint32_t embedded;  /* in comp_layout.samplers; COMP_NO_SAMPLER: the heap has the sampler */
   struct comp_heap_location resource, sampler; /* the second of combined image samplers */
};

struct comp_layout {
   struct comp_set sets[ABI_MAX_SETS];
   uint32_t num_sets;
   uint32_t push_bytes;
   bool has_heaps; /* instead of sets: mappings of one stage */
   uint32_t num_mappings, num_samplers;
   const struct comp_mapping *mappings;
   const struct abi_sampler *samplers; /* embedded ones: part of the code */
};

struct comp_spec_entry { /* VkSpecializationMapEntry */
   uint32_t constant_id, offset_bytes;
   size_t size_bytes;
};

enum { COMP_SUBGROUP_SIZE = 32 }; /* that shaders see on every machine, unless a pipeline asks for another */

/* What code is made for: results do not depend on it, speed does. */
struct comp_target {
   uint32_t lanes; /* 4, 8, 16, 32 */
   uint32_t level; /* enum util_cpu_level */
   uint32_t max_lanes; /* of shaders that gain by it; not above `lanes`: none does */
   uint32_t has_gathers; /* vectors are gathered faster than by loads: util_cpu_has_fast_gathers(); the results are the same */
};

/* What a compile makes as intermediates, for people to read. */
enum comp_text { COMP_TEXT_IR, COMP_TEXT_LLVM, COMP_TEXT_ASSEMBLY, COMP_NUM_TEXTS };

/* Whose values are reported, of shaders with ABI_CHECK_TRACE. */
struct comp_trace {
   uint32_t stages; /* bits 1 << enum abi_stage */
   uint32_t num_coordinates, at[3];
};

enum comp_robust2 {
   COMP_ROBUST2_STORAGE = 1 << 0,
   COMP_ROBUST2_UNIFORM = 1 << 1,
};

struct comp_shader_desc {
   const uint32_t *words;
   size_t num_words;
   struct util_hash module_hash; /* of words */
   enum abi_stage stage;
   const char *entry_point;
   const struct comp_spec_entry *spec_entries;
   uint32_t num_spec_entries;
   const void *spec_data;
   size_t spec_data_bytes;
   const struct comp_layout *layout; /* NULL: none yet; nothing that is compiled */
   struct comp_target target;
   uint32_t required_subgroup_size; /* 0: COMP_SUBGROUP_SIZE */
   bool view_index_is_device_index;
   bool has_64bit_indices; /* as if the entry point asked for Shader64BitIndexingEXT */
   uint32_t robust2; /* enum comp_robust2: buffers past whose end an index reaches nothing, however large it is (robustBufferAccess2) */
   uint32_t ignored_outputs; /* of a fragment shader: attachments' components that nothing takes, bits by ABI_FRAG_* slot; they are not computed */
   uint32_t patch_vertices_out; /* of a control shader that does not say it: what its evaluation shader says; else 0 */
   uint32_t checks; /* enum abi_check: what the code is instrumented for; part of the key, as the switches are */
   struct comp_trace trace; /* the same */
   char **texts; /* out: COMP_NUM_TEXTS of them, to be freed with free(), NULL where there is none; NULL: nobody wants them */
};

/* Everything that a cache stores: plain bytes without pointers. */
struct comp_binary {
   uint32_t magic, total_bytes; /* of this struct and all that follows */
   struct abi_shader_info info;
   uint32_t subgroup_size;      /* that the shader sees */
   uint32_t num_unchecked;      /* sites of checks that it has not, since there are ABI_MAX_SITES (abi/probe.h) */
   uint32_t object_offset, object_bytes; /* ELF relocatable objects, one of which defines "shader" */
};

/* Objects of a binary, which stand one behind the other, and how each is aligned from the first one on. They may call each other's functions. */
enum { COMP_MAX_OBJECTS = 8, COMP_OBJECT_ALIGN = 16 };

/* Of both libraries, by their build ids; LLVM and the validator are part of the compiler's, which is not loaded for this. */
struct util_hash comp_build_hash(void);

/* Identifies the module, entry point, specialization, layout and target together with this build of the compiler. */
struct util_hash comp_shader_key(const struct comp_shader_desc *desc);

/* True if `data` has the form of a binary. Whether it is one of this driver, unchanged, caches know by their tags. */
bool comp_binary_is_valid(const void *data, size_t size);

enum { COMP_BINARY_MAGIC = 0x33424356 };

/* Entry points of the compiler's shared object, found under the symbol "vk_swrast_compiler". */
struct comp_library {
   uint32_t abi_version; /* COMP_ABI_VERSION */

   /* Checks SPIR-V with SPIRV-Tools for the target environment. Returns true if it is valid; else *message is what is wrong, with the
    * rule's VUID where there is one, to be freed with free() (NULL: memory ran out), and *instruction is the number of the instruction
    * that is wrong, counted from 1 (0: none). `options` are enum comp_validate_flags. */
   bool (*validate)(const uint32_t *words, size_t num_words, uint32_t vulkan_version, uint32_t options, char **message,
                    size_t *instruction);

   /* Compiles one entry point. VK_SUCCESS: *binary is to be freed with util_mfree(). VK_ERROR_OUT_OF_HOST_MEMORY.
    * VK_ERROR_INVALID_SHADER_NV: what the module asks cannot be compiled, *message says why (free with free()). */
   VkResult (*compile)(const struct comp_shader_desc *desc, struct comp_binary **binary, char **message);
};

enum { COMP_ABI_VERSION = 7 };

enum comp_validate_flags {
   COMP_VALIDATE_SCALAR_LAYOUT = 1 << 0,
   COMP_VALIDATE_RELAXED_LAYOUT = 1 << 1,
   COMP_VALIDATE_UNIFORM_STANDARD_LAYOUT = 1 << 2,
   COMP_VALIDATE_WORKGROUP_SCALAR_LAYOUT = 1 << 3,
   COMP_VALIDATE_LOCAL_SIZE_ID = 1 << 4,
   COMP_VALIDATE_OFFSET_TEXTURE_OPERAND = 1 << 5, /* maintenance8 */
   COMP_VALIDATE_SPIRV_1_4 = 1 << 6,              /* VK_KHR_spirv_1_4 under Vulkan 1.1 */
   COMP_VALIDATE_ANY_BIT_WIDTH = 1 << 7,          /* maintenance9: of counted, reversed and inserted bits */
   COMP_VALIDATE_SPIRV_ALONE = 1 << 8,            /* the rules of SPIR-V, not those of Vulkan */
};

/* Loads the compiler (once; it stays). NULL if its file is missing or does not fit: util_log has reported the reason, once. */
const struct comp_library *comp_library(void);
/* False if comp_library() would give NULL, as far as the file shows without being loaded; then util_log has reported the reason, once. */
bool comp_library_is_usable(void);
/* True once comp_library() has loaded it: tests use it to see that a warm start does not. */
bool comp_library_is_loaded(void);

/* ---- code in memory (compiler/object/) ---- */

struct comp_code {
   union abi_code run;
   void *mapping;
   size_t mapping_bytes;
   struct abi_shader_info info;
};

/* Maps a binary's code, readable and executable, never writable at the same time. VK_ERROR_OUT_OF_HOST_MEMORY, or
 * VK_ERROR_INITIALIZATION_FAILED if the object is not one that this loader can load. The binary may be freed afterwards. */
UTIL_MUST_CHECK VkResult comp_code_load(const struct comp_binary *binary, struct comp_code *code);
void comp_code_unload(struct comp_code *code);
