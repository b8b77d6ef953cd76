/* SPDX-License-Identifier: MIT
 * A descriptor set's memory beyond the descriptors themselves (abi/image.h): what stands in front of them, and what distinguishes their classes.
 * Written by the icd, read by compiled shaders. */
#pragma once

#include "abi/image.h"

#include <stdbool.h>
#include <string.h>

/* In front of the descriptors that abi_resources.sets points at. Compiled code compares `shape` with that of the layout which it was made for: a
 * set of another shape counts as not bound, so that what stands where in the others is known, but for bindings of mutable type and the last one's
 * count. */
struct abi_set_head {
   uint64_t shape;          /* comp_set.shape; 0: there is no set here any more */
   uint32_t variable_count; /* descriptors of the binding whose count is variable, or bytes of its inline uniform block */
   uint32_t pad;
};
_Static_assert(sizeof(struct abi_set_head) == ABI_DESCRIPTOR_BYTES, "descriptors behind it are aligned");

/* What a descriptor is read as. One of a binding of mutable type has the classes it was written as in the highest 16 bits of its second word, which
 * addresses and sizes leave free; read as another class it is null. */
enum abi_descriptor_class { ABI_CLASS_BUFFER = 1, ABI_CLASS_IMAGE = 2, ABI_CLASS_SAMPLER = 4, ABI_CLASS_STRUCTURE = 8, ABI_CLASS_SHIFT = 48 };
enum { ABI_CLASS_WORD = 8 }; /* offset of the word, bytes */

/* Of a VkDescriptorType; 0: none, as of the mutable type. */
static inline uint32_t abi_descriptor_classes(uint32_t type)
{
   switch (type) {
   case VK_DESCRIPTOR_TYPE_SAMPLER: return ABI_CLASS_SAMPLER;
   case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: return ABI_CLASS_IMAGE | ABI_CLASS_SAMPLER;
   case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
   case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
   case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
   case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
   case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER: return ABI_CLASS_IMAGE;
   case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
   case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
   case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
   case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
   case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK: return ABI_CLASS_BUFFER;
   case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR: return ABI_CLASS_STRUCTURE;
   default: return 0;
   }
}

/* The classes that a descriptor of mutable type was written as, which are taken out of it. */
static inline uint32_t abi_descriptor_untag(union abi_descriptor *descriptor)
{
   uint64_t word;
   memcpy(&word, (char *)descriptor + ABI_CLASS_WORD, sizeof(word));
   const uint32_t classes = (uint32_t)(word >> ABI_CLASS_SHIFT);
   word &= (UINT64_C(1) << ABI_CLASS_SHIFT) - 1;
   memcpy((char *)descriptor + ABI_CLASS_WORD, &word, sizeof(word));
   return classes;
}

static inline void abi_descriptor_tag(union abi_descriptor *descriptor, uint32_t classes)
{
   uint64_t word;
   memcpy(&word, (char *)descriptor + ABI_CLASS_WORD, sizeof(word));
   word |= (uint64_t)classes << ABI_CLASS_SHIFT;
   memcpy((char *)descriptor + ABI_CLASS_WORD, &word, sizeof(word));
}

/* Heaps of descriptors are bound instead of sets, as those of these numbers: abi_set.data is where one begins, dynamic_offsets points to how many
 * bytes it has. */
enum abi_heap { ABI_HEAP_RESOURCES, ABI_HEAP_SAMPLERS, ABI_NUM_HEAPS };

/* ---- descriptors in the application's memory ----
 * Any bytes may stand there. A descriptor of the driver's has a seal in the highest 16 bits of both words, of 32 bits that follow from the rest and
 * from what it is read as; all else, zeros too, is the null descriptor: one in 2^32 of random words is not. A copy of a descriptor has its seal. */
enum abi_seal { ABI_SEAL_BUFFER = 1, ABI_SEAL_IMAGE, ABI_SEAL_STRUCTURE }; /* images, samplers and both together are one */
#define ABI_SEAL_SHIFT 48
#define ABI_SEAL_FACTOR UINT64_C(0x9e3779b97f4a7c15)

static inline enum abi_seal abi_seal_of_classes(uint32_t classes)
{
   return classes & ABI_CLASS_BUFFER ? ABI_SEAL_BUFFER : classes & ABI_CLASS_STRUCTURE ? ABI_SEAL_STRUCTURE : ABI_SEAL_IMAGE;
}

/* Of the two words without their seal; compiled code calculates the same. */
static inline uint32_t abi_seal(uint64_t first, uint64_t second, enum abi_seal seal)
{
   return (uint32_t)((first ^ (second << 16 | seal)) * ABI_SEAL_FACTOR >> 32);
}

/* Null stays null, and so does what has addresses above 48 bits, which no process is given unless it asks for them. */
static inline void abi_descriptor_seal(union abi_descriptor *descriptor, uint32_t classes)
{
   uint64_t words[2];
   memcpy(words, descriptor, sizeof(words));
   const uint32_t seal = abi_seal(words[0], words[1], abi_seal_of_classes(classes));
   const bool has_room = !((words[0] | words[1]) >> ABI_SEAL_SHIFT);
   words[0] = has_room ? words[0] | (uint64_t)(seal & 0xffff) << ABI_SEAL_SHIFT : 0;
   words[1] = has_room ? words[1] | (uint64_t)(seal >> 16) << ABI_SEAL_SHIFT : 0;
   memcpy(descriptor, words, sizeof(words));
}

/* Takes a seal off, whatever it is. */
static inline void abi_descriptor_unseal(union abi_descriptor *descriptor)
{
   uint64_t words[2];
   memcpy(words, descriptor, sizeof(words));
   words[0] &= (UINT64_C(1) << ABI_SEAL_SHIFT) - 1;
   words[1] &= (UINT64_C(1) << ABI_SEAL_SHIFT) - 1;
   memcpy(descriptor, words, sizeof(words));
}
