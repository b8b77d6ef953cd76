/* SPDX-License-Identifier: MIT
 * Descriptor heaps: the built-in variables that point to them, and bindings that are mapped to them, to push data, to shader records or to
 * addresses. A heap is a buffer that is bound as a whole; a descriptor in it has a seal (abi/descriptor.h), so that any other bytes are the null
 * descriptor. Spec: Descriptor Heaps; SPV_EXT_descriptor_heap. */
#include "compiler/spirv/memory/spirv_heap.h"

#include "compiler/spirv/instructions/spirv_instructions.h"
#include "util/spirv_numbers.h"

static const struct spirv_layout explicit_layout = {.class = SPIRV_LAYOUT_EXPLICIT};
static const struct spirv_type descriptor_words = {
   .class = SPIRV_TYPE_VECTOR, .elem = &spirv_type_u64, .count = 2, .bits = 64, .size = {16, 16}, .align = {8, 8}};

static const struct comp_layout *heap_layout(struct spirv_ctx *t)
{
   const struct comp_layout *layout = t->desc->layout;
   return layout && layout->has_heaps ? layout : NULL;
}

bool spirv_has_heaps(struct spirv_ctx *t)
{
   return heap_layout(t) != NULL;
}

/* To a byte of a heap. */
static struct spirv_pointer heap_pointer(struct spirv_ctx *t, enum abi_heap heap, const struct spirv_type *type, struct ir_instr *offset)
{
   if (!heap_layout(t))
      spirv_fail(t, "a descriptor heap in a pipeline without heaps");
   if (!t->heaps[heap].addr) {
      const struct ir_builder saved = t->b;
      t->b = t->prologue;
      struct ir_instr *zero = spirv_u32(t, 0);
      t->heaps[heap].addr = ir_emit(&t->b, IR_buffer_addr, 1, 64, 1, &zero);
      t->heaps[heap].addr->imm.u[0] = heap;
      t->heaps[heap].size = ir_emit(&t->b, IR_buffer_size, 1, 32, 1, &zero);
      t->heaps[heap].size->imm.u[0] = heap;
      t->b = saved;
   }
   return (struct spirv_pointer){.class = SPIRV_PTR_BUFFER, .type = type, .layout = explicit_layout, .align = 4, .access = IR_ACCESS_READ_ONLY,
                                 .addr = t->heaps[heap].addr, .size = t->heaps[heap].size, .dyn = offset};
}

bool spirv_heap_variable(struct spirv_ctx *t, const struct spirv_variable *variable, struct spirv_pointer *pointer)
{
   const uint32_t builtin = spirv_decoration_operand(t, variable->id, -1, SpvDecorationBuiltIn, UINT32_MAX);
   if (builtin != UTIL_SPV_BUILT_IN_SAMPLER_HEAP && builtin != UTIL_SPV_BUILT_IN_RESOURCE_HEAP)
      return false;
   *pointer = heap_pointer(t, builtin == UTIL_SPV_BUILT_IN_SAMPLER_HEAP ? ABI_HEAP_SAMPLERS : ABI_HEAP_RESOURCES, variable->type, NULL);
   return true;
}

/* ---- descriptors ---- */

static struct ir_instr *u64(struct spirv_ctx *t, uint64_t value)
{
   return ir_const(&t->b, 64, value);
}

/* The two words of the descriptor that a pointer is to; 0 where it has not the seal of this class: abi_seal(). */
static void load_words(struct spirv_ctx *t, const struct spirv_pointer *at, enum abi_seal class, struct ir_instr *words[2])
{
   struct ir_builder *b = &t->b;
   struct spirv_pointer pointer = *at;
   pointer.type = &descriptor_words;
   pointer.layout = explicit_layout;
   struct ir_instr *const *sealed = spirv_comps(t, spirv_load(t, &pointer));
   struct ir_instr *seals[2], *mask = u64(t, (UINT64_C(1) << ABI_SEAL_SHIFT) - 1);
   for (uint32_t i = 0; i < 2; i++) {
      seals[i] = ir_alu2(b, IR_ushr, sealed[i], u64(t, ABI_SEAL_SHIFT));
      words[i] = ir_alu2(b, IR_iand, sealed[i], mask);
   }
   struct ir_instr *mixed = ir_alu2(b, IR_ior, ir_alu2(b, IR_ishl, words[1], u64(t, 16)), u64(t, class));
   mixed = ir_alu2(b, IR_imul, ir_alu2(b, IR_ixor, words[0], mixed), u64(t, ABI_SEAL_FACTOR));
   struct ir_instr *wanted = ir_alu2(b, IR_ushr, mixed, u64(t, 32));
   struct ir_instr *seal = ir_alu2(b, IR_ior, seals[0], ir_alu2(b, IR_ishl, seals[1], u64(t, 16)));
   struct ir_instr *is_sealed = ir_alu2(b, IR_ieq, seal, wanted);
   for (uint32_t i = 0; i < 2; i++)
      words[i] = ir_select(b, is_sealed, words[i], u64(t, 0));
}

/* Which word of a descriptor a shader keeps of it, and what it is sealed as. False: no such descriptor. */
static bool describe(const struct spirv_type *type, enum abi_seal *class, uint32_t *word)
{
   switch (type->class) {
   case SPIRV_TYPE_IMAGE: *class = ABI_SEAL_IMAGE, *word = 0; return true;
   case SPIRV_TYPE_SAMPLER: *class = ABI_SEAL_IMAGE, *word = 1; return true;
   case SPIRV_TYPE_ACCELERATION: *class = ABI_SEAL_STRUCTURE, *word = 0; return true;
   default: return false;
   }
}

struct spirv_val *spirv_load_from_heap(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   struct ir_instr *words[2];
   enum abi_seal class;
   uint32_t word;
   if (!describe(pointer->type, &class, &word))
      spirv_fail(t, "descriptors of type %u cannot be loaded", pointer->type->id);
   load_words(t, pointer, class, words);
   return spirv_new_leaf(t, pointer->type, &words[word]);
}

static void buffer_of_words(struct spirv_ctx *t, struct ir_instr *const words[2], uint32_t storage, struct spirv_pointer *pointer)
{
   pointer->addr = words[0];
   pointer->size = words[1];
   if (spirv_is_indexed_by_64_bits(t, storage))
      return;
   pointer->size = ir_alu2(&t->b, IR_umin, pointer->size, ir_const(&t->b, 64, ABI_MAX_BUFFER_BYTES));
   pointer->size = spirv_resize(t, pointer->size, 32, false);
}

/* OpBufferPointerEXT. */
static void buffer_pointer(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   const struct spirv_pointer *from = spirv_pointer(t, spirv_word(t, in, 3));
   if (type->class != SPIRV_TYPE_POINTER || from->class != SPIRV_PTR_BUFFER)
      spirv_fail(t, "OpBufferPointerEXT of something that is in no heap");
   struct ir_instr *words[2];
   struct spirv_pointer pointer = {
      .class = SPIRV_PTR_BUFFER, .type = type->is_untyped ? &spirv_type_u8 : type->elem, .layout = explicit_layout, .align = 4};
   load_words(t, from, ABI_SEAL_BUFFER, words);
   buffer_of_words(t, words, type->storage, &pointer);
   pointer.is_uniform_block = type->storage == SpvStorageClassUniform;
   if (pointer.is_uniform_block)
      pointer.access |= IR_ACCESS_READ_ONLY;
   spirv_set_value(t, in->words[2], spirv_new_pointer(t, type, &pointer));
}

bool spirv_heap_instruction(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op != UTIL_SPV_OP_BUFFER_POINTER)
      return false;
   buffer_pointer(t, in);
   return true;
}

/* ---- mappings ---- */

static const struct spirv_type *without_arrays(const struct spirv_type *type)
{
   while (type->class == SPIRV_TYPE_ARRAY || type->class == SPIRV_TYPE_RUNTIME_ARRAY)
      type = type->elem;
   return type;
}

/* NonWritable on a block's variable or on all of its members. */
static bool is_read_only(struct spirv_ctx *t, const struct spirv_variable *variable, const struct spirv_type *type)
{
   if (spirv_has_decoration(t, variable->id, SpvDecorationNonWritable))
      return true;
   for (uint32_t m = 0; type->class == SPIRV_TYPE_STRUCT && m < type->count; m++) {
      if (!spirv_find_decoration(t, type->id, (int32_t)m, SpvDecorationNonWritable))
         return false;
   }
   return type->class == SPIRV_TYPE_STRUCT && type->count;
}

static uint32_t resource_of(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   const struct spirv_type *type = without_arrays(variable->type);
   switch (type->class) {
   case SPIRV_TYPE_SAMPLER: return COMP_RESOURCE_SAMPLER;
   case SPIRV_TYPE_SAMPLED_IMAGE: return COMP_RESOURCE_COMBINED;
   case SPIRV_TYPE_ACCELERATION: return COMP_RESOURCE_ACCELERATION;
   case SPIRV_TYPE_IMAGE:
      return type->image.sampled == 1 ? COMP_RESOURCE_SAMPLED_IMAGE
             : is_read_only(t, variable, type) ? COMP_RESOURCE_READ_ONLY_IMAGE : COMP_RESOURCE_READ_WRITE_IMAGE;
   case SPIRV_TYPE_STRUCT:
      if (variable->storage == SpvStorageClassUniform && !type->is_buffer_block)
         return COMP_RESOURCE_UNIFORM_BUFFER;
      return is_read_only(t, variable, type) ? COMP_RESOURCE_READ_ONLY_BUFFER : COMP_RESOURCE_READ_WRITE_BUFFER;
   default: spirv_fail(t, "variable %u is of no type that can be mapped", variable->id);
   }
}

static const struct comp_mapping *find_mapping(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   const struct comp_layout *layout = heap_layout(t);
   const uint32_t resource = resource_of(t, variable);
   for (uint32_t i = 0; i < layout->num_mappings; i++) {
      const struct comp_mapping *mapping = &layout->mappings[i];
      if (mapping->set == variable->set && mapping->resources & resource && variable->binding - mapping->first_binding < mapping->num_bindings)
         return mapping;
   }
   spirv_fail(t, "binding %u of set %u is not mapped", variable->binding, variable->set);
}

static struct ir_instr *load_scalar(struct spirv_ctx *t, struct spirv_pointer pointer, uint32_t bits)
{
   pointer.type = bits == 64 ? &spirv_type_u64 : &spirv_type_u32;
   pointer.layout = explicit_layout;
   return spirv_comps(t, spirv_load(t, &pointer))[0];
}

/* `offset` bytes into push data. */
static struct spirv_pointer push_pointer(uint32_t offset)
{
   return (struct spirv_pointer){.class = SPIRV_PTR_PUSH, .layout = explicit_layout, .align = 4, .offset = offset};
}

static struct spirv_pointer memory_pointer(struct ir_instr *address, uint32_t offset)
{
   return (struct spirv_pointer){
      .class = SPIRV_PTR_GLOBAL, .layout = explicit_layout, .align = 4, .access = IR_ACCESS_READ_ONLY, .addr = address, .offset = offset};
}

static struct spirv_pointer record_pointer(struct spirv_ctx *t, uint32_t offset)
{
   if (!spirv_is_ray_stage(t))
      spirv_fail(t, "a mapping to the shader record of a stage that has none");
   return memory_pointer(ir_sysval(&t->b, IR_SYSVAL_SHADER_RECORD, 1, 64), offset);
}

/* The index that memory gives; NULL: none does. */
static struct ir_instr *load_index(struct spirv_ctx *t, uint32_t source, const struct comp_heap_location *location, struct ir_instr *element)
{
   struct spirv_pointer memory;
   switch (source) {
   case COMP_SOURCE_PUSH_INDEX: return load_scalar(t, push_pointer(location->index_at), 32);
   case COMP_SOURCE_RECORD_INDEX: return load_scalar(t, record_pointer(t, location->index_at), 32);
   case COMP_SOURCE_INDIRECT_INDEX:
   case COMP_SOURCE_INDIRECT_ARRAY:
      memory = memory_pointer(load_scalar(t, push_pointer(location->index_at), 64), location->memory_at);
      if (source == COMP_SOURCE_INDIRECT_ARRAY)
         memory.dyn = ir_alu2(&t->b, IR_imul, ir_convert(&t->b, IR_u2u, 64, element), u64(t, sizeof(uint32_t)));
      return load_scalar(t, memory, 32);
   default: return NULL;
   }
}

static struct ir_instr *times(struct spirv_ctx *t, struct ir_instr *x, uint32_t stride)
{
   return ir_alu2(&t->b, IR_imul, x, spirv_u32(t, stride));
}

enum half { WHOLE, LOW_HALF, HIGH_HALF }; /* of a number that is an image's index and a sampler's */

/* Where in its heap a descriptor is. */
static struct ir_instr *heap_offset(struct spirv_ctx *t, const struct comp_mapping *mapping, const struct comp_heap_location *location,
                                    const struct comp_heap_location *index_location, struct ir_instr *element, enum half half)
{
   enum { IMAGE_BITS = 20 };
   struct ir_instr *offset = spirv_u32(t, location->offset_bytes), *index = load_index(t, mapping->source, index_location, element);
   if (index && half == LOW_HALF)
      index = ir_alu2(&t->b, IR_iand, index, spirv_u32(t, (1u << IMAGE_BITS) - 1));
   if (index && half == HIGH_HALF)
      index = ir_alu2(&t->b, IR_ushr, index, spirv_u32(t, IMAGE_BITS));
   if (index)
      offset = ir_alu2(&t->b, IR_iadd, offset, times(t, index, location->index_stride));
   if (mapping->source != COMP_SOURCE_INDIRECT_ARRAY)
      offset = ir_alu2(&t->b, IR_iadd, offset, times(t, element, location->array_stride));
   return offset;
}

/* Counted from the mapping's first binding on. */
static struct ir_instr *element_of(struct spirv_ctx *t, const struct comp_mapping *mapping, const struct spirv_variable *variable,
                                   struct ir_instr *index)
{
   struct ir_instr *first = spirv_u32(t, variable->binding - mapping->first_binding);
   return index ? ir_alu2(&t->b, IR_iadd, first, index) : first;
}

static bool is_descriptor(const struct comp_mapping *mapping)
{
   return mapping->source <= COMP_SOURCE_RECORD_INDEX;
}

/* The address that a mapping's source has for a resource. */
static struct ir_instr *load_address(struct spirv_ctx *t, const struct comp_mapping *mapping)
{
   const struct comp_heap_location *location = &mapping->resource;
   switch (mapping->source) {
   case COMP_SOURCE_PUSH_ADDRESS: return load_scalar(t, push_pointer(location->index_at), 64);
   case COMP_SOURCE_RECORD_ADDRESS: return load_scalar(t, record_pointer(t, location->index_at), 64);
   case COMP_SOURCE_INDIRECT_ADDRESS:
      return load_scalar(t, memory_pointer(load_scalar(t, push_pointer(location->index_at), 64), location->memory_at), 64);
   default: spirv_fail(t, "a binding is mapped to what it cannot be");
   }
}

void spirv_mapped_buffer(struct spirv_ctx *t, struct ir_instr *index, struct spirv_pointer *pointer)
{
   const struct comp_mapping *mapping = find_mapping(t, pointer->variable);
   const struct comp_heap_location *location = &mapping->resource;
   struct spirv_pointer data;
   struct ir_instr *words[2];
   if (is_descriptor(mapping)) {
      struct ir_instr *element = element_of(t, mapping, pointer->variable, index);
      data = heap_pointer(t, ABI_HEAP_RESOURCES, &descriptor_words, heap_offset(t, mapping, location, location, element, WHOLE));
      load_words(t, &data, ABI_SEAL_BUFFER, words);
      buffer_of_words(t, words, pointer->variable->storage, pointer);
      return;
   }
   if (mapping->source == COMP_SOURCE_PUSH_DATA) {
      data = push_pointer(location->index_at);
   } else if (mapping->source == COMP_SOURCE_RECORD_DATA) {
      data = record_pointer(t, location->index_at);
   } else if (mapping->source == COMP_SOURCE_HEAP_DATA) {
      data = heap_pointer(t, ABI_HEAP_RESOURCES, NULL, load_scalar(t, push_pointer(location->index_at), 32));
      data.offset = location->offset_bytes;
   } else {
      data = memory_pointer(load_address(t, mapping), 0);
      data.access = 0;
   }
   data.type = pointer->type;
   data.access |= pointer->access;
   data.is_uniform_block = pointer->is_uniform_block;
   data.variable = pointer->variable;
   *pointer = data;
}

static struct ir_instr *embedded_sampler(struct spirv_ctx *t, uint32_t number)
{
   struct ir_instr *zero = spirv_u32(t, 0);
   struct ir_instr *desc = ir_emit(&t->b, IR_sampler_desc, 1, 64, 1, &zero);
   desc->imm.u[1] = number;
   return desc;
}

static struct ir_instr *mapped_sampler(struct spirv_ctx *t, const struct comp_mapping *mapping, const struct comp_heap_location *location,
                                       const struct comp_heap_location *index_location, struct ir_instr *element, enum half half)
{
   struct ir_instr *words[2];
   if (mapping->embedded != COMP_NO_SAMPLER)
      return embedded_sampler(t, mapping->embedded);
   const struct spirv_pointer at =
      heap_pointer(t, ABI_HEAP_SAMPLERS, &descriptor_words, heap_offset(t, mapping, location, index_location, element, half));
   load_words(t, &at, ABI_SEAL_IMAGE, words);
   return words[1];
}

struct spirv_val *spirv_load_mapped(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   const struct comp_mapping *mapping = find_mapping(t, pointer->variable);
   const struct comp_heap_location *location = &mapping->resource;
   struct ir_instr *comps[2], *words[2], *element = element_of(t, mapping, pointer->variable, pointer->index);
   const bool is_combined = pointer->type->class == SPIRV_TYPE_SAMPLED_IMAGE;
   if (!is_descriptor(mapping)) {
      if (pointer->type->class != SPIRV_TYPE_ACCELERATION)
         spirv_fail(t, "an image or a sampler is mapped to what is no descriptor");
      comps[0] = load_address(t, mapping);
      return spirv_new_leaf(t, pointer->type, comps);
   }
   if (pointer->type->class == SPIRV_TYPE_SAMPLER) {
      comps[0] = mapped_sampler(t, mapping, location, location, element, WHOLE);
      return spirv_new_leaf(t, pointer->type, comps);
   }
   enum half image_half = is_combined && mapping->is_packed ? LOW_HALF : WHOLE;
   const struct spirv_pointer at =
      heap_pointer(t, ABI_HEAP_RESOURCES, &descriptor_words, heap_offset(t, mapping, location, location, element, image_half));
   load_words(t, &at, pointer->type->class == SPIRV_TYPE_ACCELERATION ? ABI_SEAL_STRUCTURE : ABI_SEAL_IMAGE, words);
   comps[0] = words[0];
   if (is_combined)
      comps[1] = mapping->is_packed ? mapped_sampler(t, mapping, &mapping->sampler, location, element, HIGH_HALF)
                                    : mapped_sampler(t, mapping, &mapping->sampler, &mapping->sampler, element, WHOLE);
   return spirv_new_leaf(t, pointer->type, comps);
}
