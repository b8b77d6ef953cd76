/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/nodes.h"

#include "gen/icd_spirv.h"
#include "icd/cache/shader.h"
#include "icd/chain.h"
#include "util/size.h"

#include <string.h>
#include <vulkan/vulkan.h>

struct icd_nodes *icd_nodes_create(uint32_t num_nodes)
{
   uint32_t num_slots = 2;
   size_t size = sizeof(struct icd_nodes);
   while (num_slots < UINT32_C(1) << 31 && num_slots / 2 < num_nodes + 1)
      num_slots *= 2;
   const size_t shaders = util_size_append(&size, num_nodes, sizeof(struct icd_shader *));
   const size_t runs = util_size_append(&size, num_nodes, sizeof(struct rt_node)), labels = util_size_append(&size, num_nodes, 160);
   const size_t slots = util_size_append(&size, num_slots, sizeof(uint32_t)), sharers = util_size_append(&size, num_nodes, sizeof(uint32_t));
   char *memory = util_calloc(1, size);
   struct icd_nodes *nodes = (struct icd_nodes *)memory;
   if (nodes)
      *nodes = (struct icd_nodes){num_nodes, num_slots, (void *)(memory + shaders), (void *)(memory + runs), (void *)(memory + labels),
                                  (void *)(memory + slots), (void *)(memory + sharers)};
   return nodes;
}

void icd_nodes_destroy(struct icd_nodes *nodes)
{
   for (uint32_t i = 0; nodes && i < nodes->num_nodes; i++)
      icd_shader_release(nodes->shaders[i]);
   util_mfree(nodes);
}

/* ---- names ---- */

struct abi_node_name icd_node_name(const char *name)
{
   struct abi_node_name result;
   util_hash_text(result.hash, name);
   return result;
}

#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
static void name_node(const void *chain, const char **name, uint32_t *index)
{
   const VkPipelineShaderStageNodeCreateInfoAMDX *info = icd_chain_find(chain, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX);
   if (info && info->pName)
      *name = info->pName;
   if (info && info->index != VK_SHADER_INDEX_UNUSED_AMDX)
      *index = info->index;
}

bool icd_is_for_graphs(VkPipelineCreateFlags2KHR flags)
{
   return (flags & VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX) != 0;
}
#else
static void name_node(const void *chain, const char **name, uint32_t *index)
{
}

bool icd_is_for_graphs(VkPipelineCreateFlags2KHR flags)
{
   return false;
}
#endif

/* ---- nodes ---- */

void icd_nodes_set(struct icd_nodes *nodes, uint32_t index, struct icd_shader *shader, const VkPipelineShaderStageCreateInfo *stage)
{
   const struct abi_shader_info *info = &shader->code.info;
   struct rt_node *node = &nodes->nodes[index];
   const char *name = stage->pName;
   nodes->shaders[index] = shader;
   *node = (struct rt_node){.shader = {.info = info, .run = shader->code.run, .name = shader->name}, .index = info->node.index};
   name_node(stage->pNext, &name, &node->index);
   node->name = icd_node_name(name);
}

void icd_nodes_add_library(struct icd_nodes *nodes, uint32_t first, const struct icd_nodes *library)
{
   for (uint32_t i = 0; i < library->num_nodes; i++) {
      icd_shader_retain(library->shaders[i]);
      nodes->shaders[first + i] = library->shaders[i];
      nodes->nodes[first + i] = library->nodes[i];
      nodes->nodes[first + i].num_sharers = 0;
   }
}

/* Of two nodes of one name and index the first is found. */
static void fill_slots(struct icd_nodes *nodes, const struct rt_node_pipeline *pipeline)
{
   memset(nodes->slots, 0xff, nodes->num_slots * sizeof(*nodes->slots));
   for (uint32_t i = 0; i < nodes->num_nodes; i++) {
      const struct rt_node *node = &nodes->nodes[i];
      uint32_t slot = rt_node_slot(node->name, node->index);
      if (rt_node_find(pipeline, node->name, node->index) != UINT32_MAX)
         continue;
      while (nodes->slots[slot & pipeline->slot_mask] != UINT32_MAX)
         slot++;
      nodes->slots[slot & pipeline->slot_mask] = i;
   }
}

/* The node whose input that one shares; UINT32_MAX: it has its own. */
static uint32_t shared_node(const struct icd_nodes *nodes, const struct rt_node_pipeline *pipeline, uint32_t index)
{
   const struct abi_node_info *info = &nodes->nodes[index].shader.info->node;
   const uint32_t node = info->shares_input ? rt_node_find(pipeline, info->shares_name, info->shares_index) : UINT32_MAX;
   return node != index ? node : UINT32_MAX;
}

static void fill_sharers(struct icd_nodes *nodes, const struct rt_node_pipeline *pipeline)
{
   uint32_t first = 0;
   for (uint32_t i = 0; i < nodes->num_nodes; i++) {
      const uint32_t node = shared_node(nodes, pipeline, i);
      if (node != UINT32_MAX)
         nodes->nodes[node].num_sharers++;
   }
   for (uint32_t i = 0; i < nodes->num_nodes; i++) {
      nodes->nodes[i].first_sharer = first;
      first += nodes->nodes[i].num_sharers;
      nodes->nodes[i].num_sharers = 0;
   }
   for (uint32_t i = 0; i < nodes->num_nodes; i++) {
      const uint32_t node = shared_node(nodes, pipeline, i);
      if (node != UINT32_MAX)
         nodes->sharers[nodes->nodes[node].first_sharer + nodes->nodes[node].num_sharers++] = i;
   }
}

struct rt_node_pipeline icd_nodes_link(struct icd_nodes *nodes)
{
   const struct rt_node_pipeline pipeline = {
      .nodes = nodes->nodes, .slots = nodes->slots, .sharers = nodes->sharers, .num_nodes = nodes->num_nodes, .slot_mask = nodes->num_slots - 1};
   fill_slots(nodes, &pipeline);
   fill_sharers(nodes, &pipeline);
   return pipeline;
}
