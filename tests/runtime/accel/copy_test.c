/* SPDX-License-Identifier: MIT
 * Serialized structures: the same again, and nothing of what somebody changed so that a ray would not end. */
#include "runtime/accel/copy.h"
#include "tests/runtime/accel/scene.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static const struct rt_accel_identity identity = {{1, 2, 3}, {4, 5, 6}};

struct serial {
   uint8_t *bytes;
   struct rt_accel_head *head; /* within them */
   struct rt_accel_node *nodes;
   struct rt_accel_memory to; /* larger than what is in it */
};

static struct serial serialize(void *structure, uint64_t size_bytes)
{
   const struct rt_accel_memory from = {structure, size_bytes};
   const uint64_t bytes = rt_accel_property(from, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR),
                  head = bytes - rt_accel_property(from, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR);
   struct serial serial = {.bytes = scene_alloc(bytes), .to = {scene_alloc(size_bytes * 2), size_bytes * 2}};
   rt_accel_serialize(from, &identity, serial.bytes);
   serial.head = (struct rt_accel_head *)(serial.bytes + head);
   serial.nodes = (struct rt_accel_node *)(serial.head + 1);
   return serial;
}

static void finish(struct serial *serial)
{
   free(serial->bytes);
   free(serial->to.data);
}

static bool is_taken(struct serial *serial)
{
   memset(serial->to.data, 0xff, serial->to.size_bytes);
   const bool is_done = rt_accel_deserialize(serial->bytes, &identity, serial->to);
   CHECK_EQ(is_done, rt_accel_view(serial->to.data, serial->to.size_bytes).base != NULL);
   return is_done;
}

/* The first child of a node that is a node; of the root there is one. */
static uint32_t *first_child(struct rt_accel_node *node)
{
   for (uint32_t i = 0; i < RT_ACCEL_WIDTH; i++) {
      if (node->refs[i] >> RT_REF_SHIFT == RT_REF_NODE)
         return &node->refs[i];
   }
   test_fail(__FILE__, __LINE__, "the node has no node below");
   return &node->refs[0];
}

TEST(same_again)
{
   struct scene scene;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_random(&scene, 3000, 0.1f, 1);
   scene_build_bottom(&scene, bottom, NULL);
   for (uint32_t i = 0; i < 40; i++)
      scene_add_instance(&scene, bottom, NULL);
   scene_build_top(&scene);
   for (uint32_t level = 0; level < 2; level++) {
      void *structure = level ? scene.top : bottom->structure;
      struct serial serial = serialize(structure, level ? scene.top_bytes : bottom->structure_bytes);
      CHECK(is_taken(&serial));
      CHECK(!memcmp(serial.to.data, structure, serial.head->size_bytes));
      finish(&serial);
   }
   scene_finish(&scene);
}

TEST(what_would_not_end)
{
   struct scene scene;
   scene_init(&scene);
   struct scene_bottom *bottom = scene_add_random(&scene, 3000, 0.1f, 1);
   scene_build_bottom(&scene, bottom, NULL);
   struct serial serial = serialize(bottom->structure, bottom->structure_bytes);
   const uint32_t child = *first_child(&serial.nodes[0]);
   uint32_t *const root_ref = first_child(&serial.nodes[0]), *const child_ref = first_child(&serial.nodes[child]), good_root = *root_ref,
                  good_child = *child_ref;

   *child_ref = rt_accel_ref(RT_REF_NODE, 0); /* its parent */
   CHECK(!is_taken(&serial));
   *child_ref = rt_accel_ref(RT_REF_NODE, child); /* itself */
   CHECK(!is_taken(&serial));
   *child_ref = good_child;
   *root_ref = good_child; /* one more parent: chains of such have paths without number */
   CHECK(!is_taken(&serial));
   *root_ref = rt_accel_ref(RT_REF_NODE, serial.head->num_nodes); /* none of the nodes: not there for rays */
   CHECK(is_taken(&serial));
   *root_ref = good_root;

   /* Nodes in memory that nobody has looked at. */
   const uint32_t num_nodes = serial.head->num_nodes;
   serial.head->num_nodes = RT_REF_INDEX;
   CHECK(!is_taken(&serial));
   serial.head->num_nodes = num_nodes;
   const uint64_t leaves_offset = serial.head->leaves_offset;
   serial.head->leaves_offset = sizeof(*serial.head);
   CHECK(!is_taken(&serial));
   serial.head->leaves_offset = leaves_offset;
   serial.head->opacity_offset = sizeof(*serial.head);
   CHECK(!is_taken(&serial));
   serial.head->opacity_offset = 0;
   CHECK(is_taken(&serial));
   finish(&serial);
   scene_finish(&scene);
}

TEST_MAIN
