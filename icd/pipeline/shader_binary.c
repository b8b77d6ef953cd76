/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/shader_binary.h"

#include "compiler/compiler.h"
#include "icd/cache/secret.h"
#include "util/alloc.h"
#include "util/cpu.h"
#include "util/size.h"

#include <stdio.h>
#include <string.h>

struct head {
   uint8_t uuid[VK_UUID_SIZE];
   struct util_hash key, tag; /* of the shader; of the bytes that follow, under that key */
   uint64_t size_bytes;       /* of these */
   uint64_t reserved;         /* what follows begins at a multiple of 16 */
};
_Static_assert(sizeof(struct head) % 16 == 0, "the binary behind it is aligned");

/* Devices of one UUID take each other's binaries: so it depends on all that decides whether they do, the secret included. */
void icd_shader_binary_uuid(uint8_t uuid[VK_UUID_SIZE])
{
   char target[64];
   const int length = snprintf(target, sizeof(target), "shader binary v%d %u", (int)util_cpu_level(), util_cpu_lanes());
   const struct util_hash name = util_hash_more(comp_build_hash(), target, (size_t)length);
   struct util_hash tag;
   if (!icd_secret_tag(name, NULL, 0, &tag))
      tag = name;
   memcpy(uuid, &tag, VK_UUID_SIZE);
}

VkResult icd_shader_binary_write(const struct icd_shader *shader, size_t *size_bytes, void *data)
{
   const size_t binary_bytes = shader->binary->total_bytes, total_bytes = sizeof(struct head) + binary_bytes;
   struct head head = {.key = shader->key, .size_bytes = binary_bytes};
   if (!data) {
      *size_bytes = total_bytes;
      return VK_SUCCESS;
   }
   if (*size_bytes < total_bytes) {
      *size_bytes = 0;
      return VK_INCOMPLETE;
   }
   if (!icd_secret_tag(head.key, shader->binary, binary_bytes, &head.tag))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   icd_shader_binary_uuid(head.uuid);
   memcpy(data, &head, sizeof(head));
   memcpy((char *)data + sizeof(head), shader->binary, binary_bytes);
   *size_bytes = total_bytes;
   return VK_SUCCESS;
}

VkResult icd_shader_binary_read(const void *data, size_t size_bytes, enum abi_stage stage, const char *entry_point,
                                struct icd_shader **shader)
{
   struct head head;
   struct util_hash tag;
   uint8_t uuid[VK_UUID_SIZE];
   icd_shader_binary_uuid(uuid);
   if (size_bytes < sizeof(head))
      return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
   memcpy(&head, data, sizeof(head));
   if (memcmp(head.uuid, uuid, sizeof(uuid)) != 0 || head.size_bytes != size_bytes - sizeof(head))
      return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
   /* A copy is looked at and taken: the application's bytes may be unaligned, and change meanwhile. */
   struct comp_binary *binary = util_malloc(head.size_bytes);
   if (!binary)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   memcpy(binary, (const char *)data + sizeof(head), head.size_bytes);
   const bool is_ours = icd_secret_tag(head.key, binary, head.size_bytes, &tag) && util_hash_equal(tag, head.tag) &&
                        comp_binary_is_valid(binary, head.size_bytes) && (stage == ABI_NUM_STAGES || binary->info.stage == stage);
   if (!is_ours) {
      util_mfree(binary);
      return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
   }
   const VkResult result = icd_shader_adopt(head.key, binary, entry_point, shader);
   return result == VK_ERROR_INITIALIZATION_FAILED ? VK_INCOMPATIBLE_SHADER_BINARY_EXT : result;
}
