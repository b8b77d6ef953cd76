/* SPDX-License-Identifier: MIT
 * Framebuffers. */
#include "icd/framebuffer.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/device.h"
#include "util/size.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateFramebuffer(VkDevice _device, const VkFramebufferCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator,
                                                     VkFramebuffer *pFramebuffer)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const bool is_imageless = pCreateInfo->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
   const uint32_t num_attachments = is_imageless ? 0 : pCreateInfo->attachmentCount;
   struct icd_framebuffer *framebuffer;

   framebuffer =
      icd_object_alloc(device, pAllocator, util_size_array(sizeof(*framebuffer), num_attachments, sizeof(framebuffer->attachments[0])),
                       VK_OBJECT_TYPE_FRAMEBUFFER);
   if (!framebuffer)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   framebuffer->extent = (VkExtent2D){pCreateInfo->width, pCreateInfo->height};
   framebuffer->num_layers = pCreateInfo->layers;
   framebuffer->num_attachments = num_attachments;
   for (uint32_t i = 0; i < num_attachments; i++)
      framebuffer->attachments[i] = icd_image_view_from_handle(pCreateInfo->pAttachments[i]);
   *pFramebuffer = icd_framebuffer_to_handle(framebuffer);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyFramebuffer(VkDevice device, VkFramebuffer framebuffer,
                                                  const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_framebuffer_from_handle(framebuffer));
}
