/* SPDX-License-Identifier: MIT
 * Layouts of generated commands: each token becomes a row that the executor reads. */
#include "icd/generated/token_layout.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/device.h"
#include "icd/stage.h"
#include "util/size.h"

/* By VkIndirectCommandsTokenTypeEXT. */
static const struct row {
   VkIndirectCommandsTokenTypeEXT vk;
   enum rt_token_type type;
   enum rt_draw_type draw_type;
} rows[] = {
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT, RT_TOKEN_EXECUTION_SET, 0},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT, RT_TOKEN_PUSH, 0},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT, RT_TOKEN_SEQUENCE, 0},
#ifdef VK_EXT_descriptor_heap
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_EXT, RT_TOKEN_PUSH, 0},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_SEQUENCE_INDEX_EXT, RT_TOKEN_SEQUENCE, 0},
#endif
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_INDEX_BUFFER_EXT, RT_TOKEN_INDEX_BUFFER, 0},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_EXT, RT_TOKEN_VERTEX_BUFFER, 0},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT, RT_TOKEN_DRAW, RT_DRAW_VERTICES},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_EXT, RT_TOKEN_DRAW, RT_DRAW_INDEXED},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_EXT, RT_TOKEN_DRAW, RT_DRAW_MESH},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_COUNT_EXT, RT_TOKEN_DRAW_COUNT, RT_DRAW_VERTICES},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_INDEXED_COUNT_EXT, RT_TOKEN_DRAW_COUNT, RT_DRAW_INDEXED},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_MESH_TASKS_COUNT_EXT, RT_TOKEN_DRAW_COUNT, RT_DRAW_MESH},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT, RT_TOKEN_DISPATCH, 0},
   {VK_INDIRECT_COMMANDS_TOKEN_TYPE_TRACE_RAYS2_EXT, RT_TOKEN_TRACE_RAYS, 0},
};

static const struct row *find_row(VkIndirectCommandsTokenTypeEXT type)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (rows[i].vk == type)
         return &rows[i];
   }
   return NULL;
}

/* The stages whose indices stand in memory, in the order of their bits. A compute shader is alone and chosen as a whole, like a pipeline. */
static void stages_init(struct rt_token *token, const VkIndirectCommandsExecutionSetTokenEXT *from)
{
   if (from->type != VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT || from->shaderStages == VK_SHADER_STAGE_COMPUTE_BIT)
      return;
   for (uint32_t bits = from->shaderStages; bits; bits &= bits - 1) {
      const enum abi_stage stage = icd_stage_of((VkShaderStageFlagBits)(bits & -bits));
      if (stage != ABI_NUM_STAGES)
         token->stages[token->num_stages++] = (uint8_t)stage;
   }
}

/* False: a type that is not offered, or push constants beyond the limit. */
static bool token_init(struct rt_token *token, const VkIndirectCommandsLayoutTokenEXT *from)
{
   const struct row *row = find_row(from->type);
   if (!row)
      return false;
   *token = (struct rt_token){.type = row->type, .offset_bytes = from->offset, .draw_type = row->draw_type};
   switch (row->type) {
   case RT_TOKEN_EXECUTION_SET:
      stages_init(token, from->data.pExecutionSet);
      break;
   case RT_TOKEN_PUSH:
   case RT_TOKEN_SEQUENCE:
      token->first = from->data.pPushConstant->updateRange.offset;
      token->count = row->type == RT_TOKEN_SEQUENCE ? sizeof(uint32_t) : from->data.pPushConstant->updateRange.size;
      return token->first <= ABI_MAX_PUSH_BYTES && token->count <= ABI_MAX_PUSH_BYTES - token->first;
   case RT_TOKEN_INDEX_BUFFER:
      token->is_dxgi = from->data.pIndexBuffer->mode == VK_INDIRECT_COMMANDS_INPUT_MODE_DXGI_INDEX_BUFFER_EXT;
      break;
   case RT_TOKEN_VERTEX_BUFFER:
      token->first = from->data.pVertexBuffer->vertexBindingUnit;
      return token->first < RT_MAX_VERTEX_BINDINGS;
   default:
      break;
   }
   return true;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateIndirectCommandsLayoutEXT(VkDevice _device,
                                                                   const VkIndirectCommandsLayoutCreateInfoEXT *pCreateInfo,
                                                                   const VkAllocationCallbacks *pAllocator,
                                                                   VkIndirectCommandsLayoutEXT *pIndirectCommandsLayout)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_token_layout *layout;
   const size_t bytes = util_size_array(sizeof(*layout), pCreateInfo->tokenCount, sizeof(layout->tokens[0]));
   layout = icd_object_alloc(device, pAllocator, bytes, VK_OBJECT_TYPE_INDIRECT_COMMANDS_LAYOUT_EXT);
   if (!layout)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   layout->list = (struct rt_token_list){pCreateInfo->tokenCount, pCreateInfo->indirectStride, layout->tokens};
   for (uint32_t i = 0; i < pCreateInfo->tokenCount; i++) {
      if (!token_init(&layout->tokens[i], &pCreateInfo->pTokens[i])) {
         icd_object_free(device, pAllocator, layout);
         return VK_ERROR_OUT_OF_DEVICE_MEMORY; /* the nearest that the specification lists */
      }
   }
   *pIndirectCommandsLayout = icd_token_layout_to_handle(layout);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyIndirectCommandsLayoutEXT(VkDevice device, VkIndirectCommandsLayoutEXT indirectCommandsLayout,
                                                                const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_token_layout_from_handle(indirectCommandsLayout));
}
