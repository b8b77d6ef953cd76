/* SPDX-License-Identifier: MIT
 * Every Vulkan object: its common base and its memory; names; private data. */
#include "icd/object.h"

#include "icd/device/device.h"

#include <string.h>

/* Most applications use one slot. */
struct private_value {
   uint64_t slot; /* the slot's number, never used twice: values of a destroyed slot are never found again */
   uint64_t value;
};

struct icd_object_extra {
   char *name;
   struct private_value *values;
   uint32_t num_values, max_values;
};

/* Guards the extras of objects that belong to no device. */
static pthread_mutex_t instance_objects_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_dispatchable(VkObjectType type)
{
   return type == VK_OBJECT_TYPE_INSTANCE || type == VK_OBJECT_TYPE_PHYSICAL_DEVICE || type == VK_OBJECT_TYPE_DEVICE ||
          type == VK_OBJECT_TYPE_QUEUE || type == VK_OBJECT_TYPE_COMMAND_BUFFER;
}

void icd_object_init(struct icd_object *object, struct icd_device *device, VkObjectType type)
{
   *object = (struct icd_object){.type = type, .device = device};
   if (is_dispatchable(type))
      set_loader_magic_value(object);
}

void icd_object_finish(struct icd_object *object)
{
   struct icd_object_extra *extra = object->extra;
   if (!extra)
      return;
   util_mfree(extra->name);
   util_mfree(extra->values);
   util_mfree(extra);
   object->extra = NULL;
}

const VkAllocationCallbacks *icd_allocator(const struct icd_device *device, const VkAllocationCallbacks *allocator)
{
   return allocator ? allocator : device->allocator;
}

void *icd_object_alloc(struct icd_device *device, const VkAllocationCallbacks *allocator, size_t size, VkObjectType type)
{
   struct icd_object *object = util_zalloc(icd_allocator(device, allocator), size, 16, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
   if (object)
      icd_object_init(object, device, type);
   return object;
}

void icd_object_free(struct icd_device *device, const VkAllocationCallbacks *allocator, void *object)
{
   if (!object)
      return;
   icd_object_finish(object);
   util_free(icd_allocator(device, allocator), object);
}

void *icd_alloc(const struct icd_device *device, const VkAllocationCallbacks *allocator, size_t size, size_t align)
{
   return util_alloc(icd_allocator(device, allocator), size, align, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

void *icd_zalloc(const struct icd_device *device, const VkAllocationCallbacks *allocator, size_t size, size_t align)
{
   return util_zalloc(icd_allocator(device, allocator), size, align, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

void icd_free(const struct icd_device *device, const VkAllocationCallbacks *allocator, void *memory)
{
   util_free(icd_allocator(device, allocator), memory);
}

/* ---- names and private data ---- */

static pthread_mutex_t *extras_lock(struct icd_object *object)
{
   return object->device ? &object->device->objects_lock : &instance_objects_lock;
}

/* Under the lock. NULL when memory is out. */
static struct icd_object_extra *get_extra(struct icd_object *object)
{
   if (!object->extra)
      object->extra = util_calloc(1, sizeof(*object->extra));
   return object->extra;
}

const char *icd_object_name(const struct icd_object *object)
{
   return object->extra && object->extra->name ? object->extra->name : "";
}

VkResult icd_object_set_name(struct icd_object *object, const char *name)
{
   const bool is_removal = !name || !*name;
   VkResult result = VK_SUCCESS;

   pthread_mutex_lock(extras_lock(object));
   struct icd_object_extra *extra = is_removal ? object->extra : get_extra(object);
   if (!extra) {
      result = is_removal ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
   } else {
      char *copy = is_removal ? NULL : util_malloc(strlen(name) + 1);
      if (copy || is_removal) {
         util_mfree(extra->name);
         extra->name = copy ? strcpy(copy, name) : NULL;
      } else {
         result = VK_ERROR_OUT_OF_HOST_MEMORY;
      }
   }
   pthread_mutex_unlock(extras_lock(object));
   return result;
}

/* Under the lock. */
static struct private_value *find_value(const struct icd_object_extra *extra, uint64_t slot)
{
   for (uint32_t i = 0; extra && i < extra->num_values; i++) {
      if (extra->values[i].slot == slot)
         return &extra->values[i];
   }
   return NULL;
}

/* Under the lock. NULL when memory is out. */
static struct private_value *add_value(struct icd_object_extra *extra, uint64_t slot)
{
   if (extra->num_values == extra->max_values) {
      const uint32_t max_values = extra->max_values ? extra->max_values * 2 : 2;
      struct private_value *values = util_realloc(extra->values, max_values * sizeof(*values));
      if (!values)
         return NULL;
      extra->values = values;
      extra->max_values = max_values;
   }
   struct private_value *value = &extra->values[extra->num_values++];
   *value = (struct private_value){.slot = slot};
   return value;
}

/* ---- VK_EXT_private_data ---- */

struct icd_private_data_slot {
   struct icd_object base;
   uint64_t number;
};

VKAPI_ATTR VkResult VKAPI_CALL icd_CreatePrivateDataSlot(VkDevice _device, const VkPrivateDataSlotCreateInfo *pCreateInfo,
                                                         const VkAllocationCallbacks *pAllocator,
                                                         VkPrivateDataSlot *pPrivateDataSlot)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_private_data_slot *slot =
      icd_object_alloc(device, pAllocator, sizeof(*slot), VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
   if (!slot)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   slot->number = atomic_fetch_add(&device->next_private_slot, 1);
   *pPrivateDataSlot = icd_private_data_slot_to_handle(slot);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPrivateDataSlot(VkDevice device, VkPrivateDataSlot privateDataSlot,
                                                      const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_private_data_slot_from_handle(privateDataSlot));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SetPrivateData(VkDevice device, VkObjectType objectType, uint64_t objectHandle,
                                                  VkPrivateDataSlot privateDataSlot, uint64_t data)
{
   struct icd_object *object = icd_object_from_handle(objectHandle);
   const uint64_t slot = icd_private_data_slot_from_handle(privateDataSlot)->number;

   pthread_mutex_lock(extras_lock(object));
   struct private_value *value = find_value(object->extra, slot);
   if (!value && get_extra(object))
      value = add_value(object->extra, slot);
   if (value)
      value->value = data;
   pthread_mutex_unlock(extras_lock(object));
   return value ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPrivateData(VkDevice device, VkObjectType objectType, uint64_t objectHandle,
                                              VkPrivateDataSlot privateDataSlot, uint64_t *pData)
{
   struct icd_object *object = icd_object_from_handle(objectHandle);
   const uint64_t slot = icd_private_data_slot_from_handle(privateDataSlot)->number;

   pthread_mutex_lock(extras_lock(object));
   const struct private_value *value = find_value(object->extra, slot);
   *pData = value ? value->value : 0;
   pthread_mutex_unlock(extras_lock(object));
}
