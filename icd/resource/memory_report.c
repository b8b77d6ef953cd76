/* SPDX-License-Identifier: MIT */
#include "icd/resource/memory_report.h"

#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/instance/instance.h"
#include "icd/instance/messenger.h"
#include "icd/resource/device_memory.h"
#include "icd/resource/image.h"

#include <sys/stat.h>

/* Memory that cannot be shared is numbered; other memory has the number that the system gives to what is behind its descriptor, so that it has the same one
 * wherever it is imported. */
enum { PRIVATE_BIT = 63, DMA_BUF_BIT = 62 };

static _Atomic uint64_t last_private_id;

static uint64_t id_of(const struct icd_device_memory *memory)
{
   struct stat about;
   const bool is_dma_buf = memory->source == ICD_MEMORY_DEVICE || memory->dma_buf >= 0;
   const int fd = memory->dma_buf >= 0 ? memory->dma_buf : memory->shared.fd;
   if (fd < 0 || fstat(fd, &about))
      return UINT64_C(1) << PRIVATE_BIT | (atomic_fetch_add(&last_private_id, 1) + 1);
   return (uint64_t)about.st_ino | (is_dma_buf ? UINT64_C(1) << DMA_BUF_BIT : 0);
}

/* ---- memory ---- */

VkResult icd_memory_reports_init(struct icd_device *device, const void *chain)
{
   uint32_t count = 0;
   for (const VkBaseInStructure *s = chain; s; s = s->pNext)
      count += s->sType == VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT;
   if (!count || !device->features.deviceMemoryReport)
      return VK_SUCCESS;
   device->memory_reports = util_zalloc(device->allocator, count * sizeof(*device->memory_reports), 16, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
   if (!device->memory_reports)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   for (const VkBaseInStructure *s = chain; s; s = s->pNext)
      if (s->sType == VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT)
         device->memory_reports[device->num_memory_reports++] = *(const VkDeviceDeviceMemoryReportCreateInfoEXT *)s;
   return VK_SUCCESS;
}

void icd_memory_reports_finish(struct icd_device *device)
{
   util_free(device->allocator, device->memory_reports);
}

static void report(struct icd_device *device, const VkDeviceMemoryReportCallbackDataEXT *data)
{
   for (uint32_t i = 0; i < device->num_memory_reports; i++)
      device->memory_reports[i].pfnUserCallback(data, device->memory_reports[i].pUserData);
}

void icd_report_memory(struct icd_device *device, struct icd_device_memory *memory, bool is_there)
{
   static const VkDeviceMemoryReportEventTypeEXT types[2][2] = { /* [is_import][is_there] */
      {VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT},
      {VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_UNIMPORT_EXT, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_IMPORT_EXT},
   };
   if (device->num_memory_reports) {
      if (is_there)
         memory->report_id = id_of(memory);
      report(device, &(VkDeviceMemoryReportCallbackDataEXT){
         .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT,
         .type = types[memory->is_import][is_there],
         .memoryObjectId = memory->report_id,
         .size = memory->size_bytes,
         .objectType = VK_OBJECT_TYPE_DEVICE_MEMORY,
         .objectHandle = (uintptr_t)memory,
         .heapIndex = memory->heap,
      });
   }
   icd_report_addresses(device, &memory->base, memory->data, memory->size_bytes, is_there, is_there);
}

void icd_report_no_memory(struct icd_device *device, uint32_t heap, uint64_t size_bytes)
{
   report(device, &(VkDeviceMemoryReportCallbackDataEXT){
      .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT,
      .type = VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT,
      .size = size_bytes,
      .objectType = VK_OBJECT_TYPE_DEVICE_MEMORY,
      .heapIndex = heap,
   });
}

/* ---- addresses ---- */

void icd_report_addresses(struct icd_device *device, const struct icd_object *object, const void *base, uint64_t size_bytes, bool is_bound,
                          bool is_internal)
{
   if (!device->features.reportAddressBinding || !base)
      return;
   const VkDeviceAddressBindingCallbackDataEXT binding = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT,
      .flags = is_internal ? VK_DEVICE_ADDRESS_BINDING_INTERNAL_OBJECT_BIT_EXT : 0,
      .baseAddress = (uintptr_t)base,
      .size = size_bytes,
      .bindingType = is_bound ? VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT : VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT,
   };
   icd_message_chain(device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                     VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, "address-binding", object,
                     is_bound ? "addresses are bound" : "addresses are unbound", &binding);
}

static bool is_disjoint(const struct icd_image *image)
{
   return image->flags & VK_IMAGE_CREATE_DISJOINT_BIT && image->rt.num_planes > 1;
}

void icd_report_plane(struct icd_device *device, const struct icd_image *image, uint32_t plane, bool is_bound)
{
   const struct rt_plane *p = &image->rt.planes[plane];
   if (p->data)
      icd_report_addresses(device, &image->base, p->data - p->offset_bytes, rt_image_disjoint_bytes(&image->rt, plane), is_bound, false);
}

void icd_report_image(struct icd_device *device, const struct icd_image *image, bool is_bound, bool is_internal)
{
   const struct rt_plane *first = &image->rt.planes[0];
   if (!is_disjoint(image) && first->data)
      icd_report_addresses(device, &image->base, first->data - first->offset_bytes, image->rt.size_bytes, is_bound, is_internal);
   for (uint32_t p = 0; is_disjoint(image) && p < image->rt.num_planes; p++)
      icd_report_plane(device, image, p, is_bound);
}
