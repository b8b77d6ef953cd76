/* SPDX-License-Identifier: MIT
 * Buffer views. */
#include "icd/resource/buffer_view.h"

#include "gen/icd_entrypoints.h"
#include "icd/resource/buffer.h"
#include "icd/device/device.h"
#include "runtime/image/image.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateBufferView(VkDevice _device, const VkBufferViewCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator, VkBufferView *pView)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const struct icd_buffer *buffer = icd_buffer_from_handle(pCreateInfo->buffer);
   struct icd_buffer_view *view = icd_object_alloc(device, pAllocator, sizeof(*view), VK_OBJECT_TYPE_BUFFER_VIEW);
   if (!view)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   rt_buffer_view_init(&view->texels, buffer->data + pCreateInfo->offset, pCreateInfo->format,
                       icd_buffer_range(buffer, pCreateInfo->offset, pCreateInfo->range));
   view->texels.residency = buffer->sparse && buffer->sparse->has_residency ? &buffer->sparse->residency : NULL;
   *pView = icd_buffer_view_to_handle(view);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyBufferView(VkDevice device, VkBufferView bufferView,
                                                 const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_buffer_view_from_handle(bufferView));
}
