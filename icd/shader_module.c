/* SPDX-License-Identifier: MIT */
#include "icd/shader_module.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/shader_folder.h"
#include "icd/validate/validate.h"
#include "icd/validate/validation_cache.h"
#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

static VkResult create(struct icd_device *device, const VkShaderModuleCreateInfo *info, struct util_hash hash,
                       const VkAllocationCallbacks *allocator, struct icd_shader_module **module)
{
   const size_t num_words = info->codeSize / sizeof(uint32_t);
   const VkShaderModuleValidationCacheCreateInfoEXT *cache =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT);
   const VkResult result = icd_validate_module(device, info->pCode, info->codeSize, hash,
                                               cache ? icd_validation_cache_from_handle(cache->validationCache) : NULL);
   if (result != VK_SUCCESS)
      return result;

   struct icd_shader_module *made = icd_object_alloc(
      device, allocator, util_size_array(sizeof(*made), num_words, sizeof(uint32_t)), VK_OBJECT_TYPE_SHADER_MODULE);
   if (!made)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   made->hash = hash;
   made->num_words = num_words;
   memcpy(made->words, info->pCode, num_words * sizeof(uint32_t));
   *module = made;
   return VK_SUCCESS;
}

static struct util_hash hash_of(const VkShaderModuleCreateInfo *info)
{
   return util_hash_bytes(info->pCode, info->codeSize / sizeof(uint32_t) * sizeof(uint32_t));
}

VkResult icd_shader_module_create(struct icd_device *device, const VkShaderModuleCreateInfo *info,
                                  const VkAllocationCallbacks *allocator, struct icd_shader_module **module)
{
   const struct util_hash hash = hash_of(info);
   VkShaderModuleCreateInfo replaced = *info;
   icd_shader_folder_dump(hash, info->pCode, info->codeSize);
   uint32_t *words = icd_shader_folder_replacement(hash, &replaced.codeSize);
   if (!words)
      return create(device, info, hash, allocator, module);
   replaced.pCode = words;
   const VkResult result = create(device, &replaced, hash_of(&replaced), allocator, module);
   util_mfree(words);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator, VkShaderModule *result)
{
   struct icd_shader_module *module;
   const VkResult code = icd_shader_module_create(icd_device_from_handle(device), info, allocator, &module);
   if (code == VK_SUCCESS)
      *result = icd_shader_module_to_handle(module);
   return code;
}

/* ---- VK_EXT_shader_module_identifier ---- */

/* A module's identifier is the hash of its words, which caches are asked by too. */
static void identify(VkShaderModuleIdentifierEXT *identifier, const struct util_hash *hash)
{
   _Static_assert(sizeof(*hash) <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT, "a hash is an identifier");
   identifier->identifierSize = sizeof(*hash);
   memcpy(identifier->identifier, hash, sizeof(*hash));
}

VKAPI_ATTR void VKAPI_CALL icd_GetShaderModuleIdentifierEXT(VkDevice device, VkShaderModule module, VkShaderModuleIdentifierEXT *identifier)
{
   identify(identifier, &icd_shader_module_from_handle(module)->hash);
}

VKAPI_ATTR void VKAPI_CALL icd_GetShaderModuleCreateInfoIdentifierEXT(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                                      VkShaderModuleIdentifierEXT *identifier)
{
   const struct util_hash hash = hash_of(info);
   identify(identifier, &hash);
}

bool icd_shader_module_identified(const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *info, struct util_hash *hash)
{
   if (info->identifierSize != sizeof(*hash))
      return false;
   memcpy(hash, info->pIdentifier, sizeof(*hash));
   return true;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyShaderModule(VkDevice device, VkShaderModule module,
                                                   const VkAllocationCallbacks *allocator)
{
   icd_object_free(icd_device_from_handle(device), allocator, icd_shader_module_from_handle(module));
}
