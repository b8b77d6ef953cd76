/* SPDX-License-Identifier: MIT
 * Acceleration structures as objects. */
#include "icd/accel/acceleration_structure.h"

#include "gen/icd_entrypoints.h"
#include "icd/accel/build.h"
#include "icd/device/device.h"
#include "icd/resource/buffer.h"
#include "runtime/accel/table.h"
#include "runtime/device.h"

#include <string.h>

VkResult icd_accel_create(struct icd_device *device, const struct icd_accel_info *info, const VkAllocationCallbacks *allocator,
                          struct icd_accel **out)
{
   struct icd_accel *accel = icd_object_alloc(device, allocator, sizeof(*accel), info->type);
   if (!accel)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   accel->buffer = icd_buffer_from_handle(info->buffer);
   accel->offset_bytes = info->offset_bytes;
   accel->size_bytes = accel->buffer ? icd_buffer_range(accel->buffer, info->offset_bytes, info->size_bytes) : info->size_bytes;
   const bool has_memory = !accel->buffer || accel->buffer->data;
   VkResult result = VK_SUCCESS;
   if (has_memory && !icd_accel_address(accel))
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   else if (info->captured_address && has_memory && info->captured_address != icd_accel_address(accel))
      result = VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS; /* its buffer would have to be replayed too */
   if (result != VK_SUCCESS) {
      icd_accel_destroy(device, accel, allocator);
      return result;
   }
   *out = accel;
   return VK_SUCCESS;
}

void icd_accel_destroy(struct icd_device *device, struct icd_accel *accel, const VkAllocationCallbacks *allocator)
{
   if (!accel)
      return;
   const uint64_t address = atomic_load_explicit(&accel->address, memory_order_relaxed);
   if (address)
      rt_accel_table_remove(rt_device_structures(device->rt), address);
   icd_object_free(device, allocator, accel);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateAccelerationStructureKHR(
   VkDevice device, const VkAccelerationStructureCreateInfoKHR *pCreateInfo, const VkAllocationCallbacks *pAllocator,
   VkAccelerationStructureKHR *pAccelerationStructure)
{
   const struct icd_accel_info info = {VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, pCreateInfo->buffer, pCreateInfo->offset,
                                       pCreateInfo->size, pCreateInfo->deviceAddress};
   struct icd_accel *accel;
   const VkResult result = icd_accel_create(icd_device_from_handle(device), &info, pAllocator, &accel);
   if (result == VK_SUCCESS)
      *pAccelerationStructure = icd_accel_to_handle(accel);
   return result;
}

#ifdef VK_KHR_device_address_commands
VKAPI_ATTR VkResult VKAPI_CALL icd_CreateAccelerationStructure2KHR(VkDevice device, const VkAccelerationStructureCreateInfo2KHR *pCreateInfo,
                                                                   const VkAllocationCallbacks *pAllocator,
                                                                   VkAccelerationStructureKHR *pAccelerationStructure)
{
   struct icd_accel *accel;
   const struct icd_accel_info info = {
      .type = VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR,
      .offset_bytes = pCreateInfo->addressRange.address,
      .size_bytes = pCreateInfo->addressRange.size,
   };
   const VkResult result = icd_accel_create(icd_device_from_handle(device), &info, pAllocator, &accel);
   if (result == VK_SUCCESS)
      *pAccelerationStructure = icd_accel_to_handle(accel);
   return result;
}
#endif

VKAPI_ATTR void VKAPI_CALL icd_DestroyAccelerationStructureKHR(VkDevice device, VkAccelerationStructureKHR accelerationStructure,
                                                               const VkAllocationCallbacks *pAllocator)
{
   icd_accel_destroy(icd_device_from_handle(device), icd_accel_from_handle(accelerationStructure), pAllocator);
}

uint64_t icd_accel_address(struct icd_accel *accel)
{
   uint64_t address = accel ? atomic_load_explicit(&accel->address, memory_order_relaxed) : 0;
   if (!accel || address || (accel->buffer && !accel->buffer->data))
      return address;
   const uint64_t wanted = (accel->buffer ? (uintptr_t)accel->buffer->data : 0) + accel->offset_bytes;
   struct rt_accel_table *table = rt_device_structures(accel->base.device->rt);
   if (!rt_accel_table_add(table, wanted, accel->size_bytes))
      return 0;
   if (atomic_compare_exchange_strong_explicit(&accel->address, &address, wanted, memory_order_relaxed,
                                               memory_order_relaxed))
      return wanted;
   rt_accel_table_remove(table, wanted); /* another thread has added it too */
   return address;
}

struct rt_accel_memory icd_accel_memory(struct icd_accel *accel)
{
   const uint64_t address = icd_accel_address(accel);
   return (struct rt_accel_memory){(void *)(uintptr_t)address, address ? accel->size_bytes : 0};
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL
icd_GetAccelerationStructureDeviceAddressKHR(VkDevice device, const VkAccelerationStructureDeviceAddressInfoKHR *pInfo)
{
   return icd_accel_address(icd_accel_from_handle(pInfo->accelerationStructure));
}

VKAPI_ATTR void VKAPI_CALL icd_GetAccelerationStructureBuildSizesKHR(
   VkDevice device, VkAccelerationStructureBuildTypeKHR buildType,
   const VkAccelerationStructureBuildGeometryInfoKHR *pBuildInfo, const uint32_t *pMaxPrimitiveCounts,
   VkAccelerationStructureBuildSizesInfoKHR *pSizeInfo)
{
   uint64_t num_primitives = 0;
   bool has_micromaps = false;
   for (uint32_t i = 0; i < pBuildInfo->geometryCount; i++) {
      num_primitives += pMaxPrimitiveCounts ? pMaxPrimitiveCounts[i] : 0;
      has_micromaps |= icd_accel_opacity(pBuildInfo, i) != NULL;
   }
   const struct rt_accel_sizes sizes =
      rt_accel_sizes_of(icd_accel_leaf(pBuildInfo), num_primitives, has_micromaps ? pBuildInfo->geometryCount : 0);
   pSizeInfo->accelerationStructureSize = sizes.structure;
   pSizeInfo->buildScratchSize = sizes.build_scratch;
   pSizeInfo->updateScratchSize = sizes.update_scratch;
}

struct rt_accel_identity icd_accel_identity(const struct icd_device *device)
{
   struct rt_accel_identity identity;
   const uint64_t format[2] = {RT_ACCEL_MAGIC, sizeof(struct rt_accel_head)};
   _Static_assert(sizeof(format) == sizeof(identity.format), "a UUID");
   memcpy(identity.driver, device->physical_device->properties.driverUUID, sizeof(identity.driver));
   memcpy(identity.format, format, sizeof(format));
   return identity;
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceAccelerationStructureCompatibilityKHR(
   VkDevice device, const VkAccelerationStructureVersionInfoKHR *pVersionInfo,
   VkAccelerationStructureCompatibilityKHR *pCompatibility)
{
   const struct rt_accel_identity identity = icd_accel_identity(icd_device_from_handle(device));
   *pCompatibility = memcmp(pVersionInfo->pVersionData, &identity, sizeof(identity)) == 0
                        ? VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR
                        : VK_ACCELERATION_STRUCTURE_COMPATIBILITY_INCOMPATIBLE_KHR;
}
