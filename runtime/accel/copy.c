/* SPDX-License-Identifier: MIT
 * Copies are copies of bytes, as a structure holds no pointer into itself. */
#include "runtime/accel/copy.h"

#include "util/macros.h"

#include <string.h>

/* The specification's header, with the addresses behind it. */
struct serialized {
   struct rt_accel_identity identity;
   uint64_t serialized_bytes, structure_bytes, num_addresses;
   uint64_t addresses[];
};

enum { DATA_ALIGN = 64 };

/* The head of what may be copied, or NULL. */
static const struct rt_accel_head *head_of(struct rt_accel_memory structure)
{
   const struct rt_accel_view view = rt_accel_view(structure.data, structure.size_bytes);
   const struct rt_accel_head *head = (const struct rt_accel_head *)view.base;
   return head && head->size_bytes >= RT_ACCEL_ALIGN && head->size_bytes <= structure.size_bytes ? head : NULL;
}

static void clear(struct rt_accel_memory structure)
{
   if (structure.size_bytes >= sizeof(struct rt_accel_head))
      memset(structure.data, 0, sizeof(struct rt_accel_head));
}

static uint64_t num_addresses(struct rt_accel_memory structure)
{
   const struct rt_accel_view view = rt_accel_view(structure.data, structure.size_bytes);
   return view.base && view.level == RT_ACCEL_TOP ? view.num_leaves : 0;
}

/* Where the structure's bytes begin. */
static uint64_t data_offset(uint64_t count)
{
   return util_align(sizeof(struct serialized) + count * sizeof(uint64_t), DATA_ALIGN);
}

uint64_t rt_accel_property(struct rt_accel_memory structure, VkQueryType type)
{
   const struct rt_accel_head *head = head_of(structure);
   if (!head)
      return 0;
   switch (type) {
   case VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT:
   case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR:
      return data_offset(num_addresses(structure)) + head->size_bytes;
   case VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR: return num_addresses(structure);
   default: /* the size, compacted or not */ return head->size_bytes;
   }
}

bool rt_accel_copy(struct rt_accel_memory from, struct rt_accel_memory to)
{
   const struct rt_accel_head *head = head_of(from);
   if (!head || head->size_bytes > to.size_bytes) {
      clear(to);
      return false;
   }
   memmove(to.data, from.data, head->size_bytes);
   return true;
}

void rt_accel_serialize(struct rt_accel_memory from, const struct rt_accel_identity *identity, uint8_t *to)
{
   const struct rt_accel_head *head = head_of(from);
   const struct rt_accel_view view = rt_accel_view(from.data, from.size_bytes);
   struct serialized *header = (struct serialized *)to;
   *header = (struct serialized){.identity = *identity, .serialized_bytes = sizeof(*header)};
   if (!head)
      return;
   header->structure_bytes = head->size_bytes;
   header->num_addresses = num_addresses(from);
   header->serialized_bytes = data_offset(header->num_addresses) + head->size_bytes;
   for (uint64_t i = 0; i < header->num_addresses; i++)
      header->addresses[i] = ((const struct rt_accel_instance *)view.leaves)[i].bottom;
   memcpy(to + data_offset(header->num_addresses), from.data, head->size_bytes);
}

/* Whether the nodes are a tree: each is a child of one node at the most, and stands behind it. Then what is below any of them ends. In the nodes'
 * padding, which is zeros before and after, stands meanwhile whose parent was seen. */
static bool is_tree(const struct rt_accel_view *view)
{
   struct rt_accel_node *nodes = (struct rt_accel_node *)view->nodes;
   const uint32_t count = view->level == RT_ACCEL_MICROMAP ? 0 : view->num_nodes;
   bool is_right = true;
   for (uint32_t i = 0; i < count; i++)
      memset(nodes[i].pad, 0, sizeof(nodes[i].pad));
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t child = 0; child < RT_ACCEL_WIDTH; child++) {
         const uint32_t at = nodes[i].refs[child] & RT_REF_INDEX;
         if (nodes[i].refs[child] >> RT_REF_SHIFT != RT_REF_NODE || at >= count)
            continue;
         is_right &= at > i && !nodes[at].pad[0];
         nodes[at].pad[0] = 1;
      }
   }
   for (uint32_t i = 0; i < count; i++)
      nodes[i].pad[0] = 0;
   return is_right;
}

/* Whether all that the head counts is there, and nothing of it in the nodes: else these would change after they were looked at. */
static bool has_parts_apart(const struct rt_accel_view *view)
{
   const struct rt_accel_head *head = (const struct rt_accel_head *)view->base;
   const uint64_t end = sizeof(*head) + view->num_nodes * (uint64_t)sizeof(struct rt_accel_node);
   return view->level == RT_ACCEL_MICROMAP || (head->num_nodes == view->num_nodes && head->num_leaves == view->num_leaves && head->leaves_offset >= end &&
                                               (!head->opacity_offset || head->opacity_offset >= end));
}

uint64_t rt_accel_serialized_bytes(const uint8_t *serialized)
{
   return ((const struct serialized *)serialized)->serialized_bytes;
}

bool rt_accel_deserialize(const uint8_t *from, const struct rt_accel_identity *identity, struct rt_accel_memory to)
{
   const struct serialized *header = (const struct serialized *)from;
   clear(to);
   if (memcmp(&header->identity, identity, sizeof(*identity)) != 0 || header->structure_bytes > to.size_bytes ||
       header->structure_bytes < RT_ACCEL_ALIGN ||
       header->num_addresses > to.size_bytes / sizeof(struct rt_accel_instance) ||
       data_offset(header->num_addresses) + header->structure_bytes != header->serialized_bytes)
      return false;
   const struct rt_accel_head *head = (const struct rt_accel_head *)(from + data_offset(header->num_addresses));
   if (head->size_bytes != header->structure_bytes)
      return false;
   memcpy(to.data, head, header->structure_bytes);
   const struct rt_accel_view view = rt_accel_view(to.data, header->structure_bytes);
   if (!view.base || !has_parts_apart(&view) || !is_tree(&view) ||
       num_addresses((struct rt_accel_memory){to.data, header->structure_bytes}) != header->num_addresses) {
      clear(to);
      return false;
   }
   for (uint64_t i = 0; i < header->num_addresses; i++)
      ((struct rt_accel_instance *)view.leaves)[i].bottom = header->addresses[i];
   return true;
}
