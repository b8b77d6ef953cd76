/* SPDX-License-Identifier: MIT
 * A descriptor set's memory beyond the descriptors themselves (abi/image.h): what stands in front of them, and what tells their classes apart.
 * Written by the icd, read by compiled shaders. */
#pragma once

#include "abi/image.h"

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
