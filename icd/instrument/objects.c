/* SPDX-License-Identifier: MIT */
#include "icd/instrument/instrument.h"

#include "icd/resource/buffer.h"
#include "icd/resource/image.h"
#include "runtime/instrument/instrument.h"

void icd_instrument_add_buffer(const struct icd_buffer *buffer)
{
   if (!icd_checks())
      return;
   const bool has_address = buffer->usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT;
   const uint64_t begin = (uintptr_t)buffer->data;
   rt_range_add(&(struct rt_range){begin, begin + buffer->size_bytes, has_address ? RT_RANGE_ADDRESSED_BUFFER : RT_RANGE_BUFFER, buffer});
}

void icd_instrument_add_image(const struct icd_image *image)
{
   if (!icd_checks())
      return;
   const uint64_t begin = (uintptr_t)image->rt.planes[0].data;
   rt_range_add(&(struct rt_range){begin, begin + image->rt.size_bytes, RT_RANGE_IMAGE, image});
}

void icd_instrument_remove(const void *object)
{
   if (icd_checks() && object)
      rt_range_remove(object);
}
