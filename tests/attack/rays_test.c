/* SPDX-License-Identifier: MIT
 * SECURITY.md, "valid input", for rays: indices beyond shader binding tables, tables without records and with words that are no handle call nothing;
 * serialized acceleration structures that somebody changed are read within their memory, and rays through them end. */
#include "tests/attack/hangs.h"
#include "tests/client/rays.h"
#include "tests/test.h"

#include "tables_rcall.h"
#include "tables_rchit.h"
#include "tables_rgen.h"
#include "tables_rmiss.h"

#include <string.h>

enum { NUM_RAYS = 32, UNTOUCHED = 99, MISSED = 1, HIT = 2, CALLED = 3, MAX_SERIAL_BYTES = 1 << 16 };
#define HITS 0xfffffffeu /* as the index of a miss shader: the ray goes to the triangles */

struct question { /* as in tables.glsl */
   uint32_t offset, stride, miss, callable;
};

struct scene {
   struct client client;
   struct client_accel bottom, top;
   struct client_set set;
   VkPipelineLayout layout;
   struct client_buffer io;
   struct client_ray_table table;
   struct hangs_heard heard;
};

/* A triangle at x = 0 and, ten further, the same with the largest offset into the table. */
static void init(struct scene *s)
{
   static const float corners[9] = {-1, -1, 1, 3, -1, 1, -1, 3, 1};
   static const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   static const struct client_ray_shader shaders[CLIENT_NUM_RAY_GROUPS] = {
      {tables_rgen, sizeof(tables_rgen)}, {tables_rmiss, sizeof(tables_rmiss)}, {tables_rchit, sizeof(tables_rchit)}, {tables_rcall, sizeof(tables_rcall)}};
   s->heard = (struct hangs_heard){0};
   client_rays_init_with(&s->client, &(struct client_ray_options){.on_message = hangs_listen, .on_message_data = &s->heard});
   s->bottom = client_accel_triangles(&s->client, corners, 1, VK_GEOMETRY_OPAQUE_BIT_KHR);
   VkAccelerationStructureInstanceKHR instances[2];
   for (uint32_t i = 0; i < 2; i++)
      instances[i] = (VkAccelerationStructureInstanceKHR){.transform.matrix = {{1, 0, 0, i ? 10 : 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff,
                                                          .instanceShaderBindingTableRecordOffset = i ? 0xffffff : 0,
                                                          .accelerationStructureReference = s->bottom.address};
   s->top = client_accel_instances(&s->client, instances, 2);
   s->io = client_buffer_create(&s->client, NUM_RAYS * (sizeof(struct question) + 8), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   s->set = client_set_create(&s->client, 2, types);
   client_set_accel(&s->client, &s->set, 0, &s->top);
   client_set_buffer(&s->client, &s->set, 1, types[1], &s->io);
   s->layout = client_pipeline_layout(&s->client, &s->set, 0);
   s->table = client_ray_table_create(&s->client, s->layout, shaders, CLIENT_NUM_RAY_GROUPS);
}

static void finish(struct scene *s)
{
   client_ray_table_destroy(&s->client, &s->table);
   vk.DestroyPipelineLayout(s->client.device, s->layout, NULL);
   client_set_destroy(&s->client, &s->set);
   client_buffer_destroy(&s->client, &s->io);
   client_accel_destroy(&s->client, &s->top);
   client_accel_destroy(&s->client, &s->bottom);
   client_finish(&s->client);
}

/* The results; NULL if the device is lost. */
static const uint32_t *launch(struct scene *s)
{
   uint32_t *results = (uint32_t *)((struct question *)s->io.map + NUM_RAYS);
   memset(results, 0, NUM_RAYS * 8);
   VkCommandBuffer cmd = client_begin(&s->client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, s->table.pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, s->layout, 0, 1, &s->set.set, 0, NULL);
   const VkStridedDeviceAddressRegionKHR *regions = s->table.regions;
   rays.CmdTraceRaysKHR(cmd, &regions[CLIENT_RGEN], &regions[CLIENT_RMISS], &regions[CLIENT_RCHIT], &regions[CLIENT_RCALL], NUM_RAYS, 1, 1);
   client_barrier(cmd);
   const VkResult result = hangs_run(&s->client, cmd);
   CHECK(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
   vk.FreeCommandBuffers(s->client.device, s->client.pool, 1, &cmd);
   return result == VK_SUCCESS ? results : NULL;
}

/* Offsets and strides count with 4 bits, indices of miss shaders with 16; a table has one record. */
TEST(indices)
{
   static const uint32_t numbers[] = {0, 1, 2, 15, 16, 31, 0xffff, 0x10000, 0x3ffffff, 0x4000000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff};
   enum { COUNT = sizeof(numbers) / sizeof(numbers[0]) };
   struct scene s;
   init(&s);
   struct question *questions = s.io.map;
   memset(questions, 0, NUM_RAYS * sizeof(*questions));
   for (uint32_t i = 0; i < COUNT; i++) {
      questions[i * 2] = (struct question){numbers[i], numbers[COUNT - 1 - i], HITS, numbers[i]};
      questions[i * 2 + 1] = (struct question){0, numbers[i], numbers[i], numbers[i]};
   }
   const uint32_t *results = launch(&s);
   for (uint32_t i = 0; i < COUNT; i++) {
      CHECK_EQ(results[i * 4], numbers[i] % 16 == 0 ? HIT : UNTOUCHED);
      CHECK_EQ(results[i * 4 + 2], numbers[i] % 65536 == 0 ? MISSED : UNTOUCHED);
      CHECK_EQ(results[i * 4 + 1], numbers[i] == 0 ? CALLED : UNTOUCHED);
      CHECK_EQ(results[i * 4 + 3], numbers[i] == 0 ? CALLED : UNTOUCHED);
   }
   for (uint32_t i = 0; i < COUNT; i++) { /* the instance whose records are not there */
      questions[i * 2 + 1].miss = HITS;
      questions[i * 2].miss = 0;
   }
   results = launch(&s);
   for (uint32_t i = 0; i < COUNT; i++) {
      CHECK_EQ(results[i * 4], MISSED);
      CHECK_EQ(results[i * 4 + 2], UNTOUCHED);
   }
   finish(&s);
}

/* Nothing is called, and rays are traced all the same; a stride of 0 has one record for every index. */
TEST(regions)
{
   struct scene s;
   init(&s);
   struct question *questions = s.io.map;
   for (uint32_t i = 0; i < NUM_RAYS; i++)
      questions[i] = (struct question){i, i, i & 2 ? i : HITS, i};
   const VkStridedDeviceAddressRegionKHR whole[CLIENT_NUM_RAY_GROUPS] = {s.table.regions[0], s.table.regions[1], s.table.regions[2], s.table.regions[3]};
   for (uint32_t form = 0; form < 3; form++) {
      for (enum client_ray_group g = CLIENT_RMISS; g < CLIENT_NUM_RAY_GROUPS; g++) {
         s.table.regions[g] = whole[g];
         if (form == 0)
            s.table.regions[g] = (VkStridedDeviceAddressRegionKHR){0};
         else
            s.table.regions[g].size = form == 1 ? CLIENT_HANDLE_BYTES - 1 : 0;
      }
      const uint32_t *results = launch(&s);
      for (uint32_t i = 0; i < NUM_RAYS * 2; i++)
         CHECK_EQ(results[i], UNTOUCHED);
   }
   for (enum client_ray_group g = CLIENT_RMISS; g < CLIENT_NUM_RAY_GROUPS; g++) {
      s.table.regions[g] = whole[g];
      s.table.regions[g].stride = 0;
   }
   const uint32_t *results = launch(&s);
   for (uint32_t i = 0; i < NUM_RAYS; i++) {
      CHECK_EQ(results[i * 2], i & 2 ? MISSED : HIT);
      CHECK_EQ(results[i * 2 + 1], CALLED);
   }
   finish(&s);
}

static uint32_t random_word(uint64_t *state)
{
   *state = *state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*state >> 33);
}

/* A bit of each handle, and words at random: of 2^64 numbers none that is a group's. */
TEST(handles)
{
   struct scene s;
   uint8_t good[CLIENT_NUM_RAY_GROUPS * CLIENT_RECORD_BYTES];
   uint64_t state = 1;
   init(&s);
   memcpy(good, s.table.records.map, sizeof(good));
   struct question *questions = s.io.map;
   for (uint32_t i = 0; i < NUM_RAYS; i++)
      questions[i] = (struct question){0, 0, i & 2 ? 0 : HITS, 0};
   for (uint32_t round = 0; round < 100; round++) {
      const bool has_generation = round % 10 != 9;
      for (enum client_ray_group g = has_generation ? CLIENT_RMISS : CLIENT_RGEN; g < CLIENT_NUM_RAY_GROUPS; g++) {
         uint8_t *record = (uint8_t *)s.table.records.map + (size_t)g * CLIENT_RECORD_BYTES;
         if (round % 2)
            record[random_word(&state) % 8] ^= (uint8_t)(1u << (random_word(&state) & 7)); /* the number */
         else
            for (uint32_t i = 0; i < CLIENT_RECORD_BYTES; i++)
               record[i] = (uint8_t)random_word(&state);
      }
      const uint32_t *results = launch(&s);
      for (uint32_t i = 0; i < NUM_RAYS * 2; i++)
         CHECK_EQ(results[i], has_generation ? UNTOUCHED : 0);
      memcpy(s.table.records.map, good, sizeof(good));
   }
   const uint32_t *results = launch(&s);
   CHECK_EQ(results[0], HIT);
   CHECK_EQ(results[1], CALLED);
   finish(&s);
}

/* ---- serialized structures ---- */

struct serial {
   struct client_buffer memory;
   size_t size_bytes;
   PFN_vkCmdCopyAccelerationStructureToMemoryKHR write;
   PFN_vkCmdCopyMemoryToAccelerationStructureKHR read;
};

static void serialize(struct scene *s, struct serial *serial, const struct client_accel *accel)
{
   serial->write = (PFN_vkCmdCopyAccelerationStructureToMemoryKHR)vk.GetDeviceProcAddr(s->client.device, "vkCmdCopyAccelerationStructureToMemoryKHR");
   serial->read = (PFN_vkCmdCopyMemoryToAccelerationStructureKHR)vk.GetDeviceProcAddr(s->client.device, "vkCmdCopyMemoryToAccelerationStructureKHR");
   serial->memory = client_buffer_create(&s->client, MAX_SERIAL_BYTES, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   const VkCopyAccelerationStructureToMemoryInfoKHR info = {VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR, NULL, accel->handle,
                                                            {.deviceAddress = client_address(&s->client, &serial->memory)},
                                                            VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
   VkCommandBuffer cmd = client_begin(&s->client);
   serial->write(cmd, &info);
   client_barrier(cmd);
   client_run(&s->client, cmd);
   serial->size_bytes = ((const uint64_t *)serial->memory.map)[4];
   CHECK(serial->size_bytes > 64 && serial->size_bytes <= MAX_SERIAL_BYTES);
}

static void deserialize(struct scene *s, struct serial *serial, const struct client_accel *accel)
{
   const VkCopyMemoryToAccelerationStructureInfoKHR info = {VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR, NULL,
                                                            {.deviceAddress = client_address(&s->client, &serial->memory)}, accel->handle,
                                                            VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
   VkCommandBuffer cmd = client_begin(&s->client);
   serial->read(cmd, &info);
   client_barrier(cmd);
   client_run(&s->client, cmd);
}

/* One change in the header's sizes and counts, in any word, or of all words from one on. */
static void change(struct serial *serial, uint64_t *state, uint32_t round)
{
   static const uint32_t numbers[] = {0, 1, 0x7f, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0x7fc00000, 0xfffffff0};
   uint32_t *words = serial->memory.map;
   const uint32_t count = (uint32_t)(serial->size_bytes / 4), header = 14, at = random_word(state) % (round % 3 ? count : header);
   for (uint32_t i = at; i < (round % 10 == 9 ? count : at + 1); i++) {
      const uint32_t choice = random_word(state) % 13;
      words[i] = choice < 11 ? numbers[choice] : choice == 11 ? random_word(state) * 2 : words[i] ^ 1u << (random_word(state) & 31);
   }
}

/* Those whose nodes would lead back to themselves are not taken. */
TEST(serialized_structures)
{
   enum { ROUNDS = 300 };
   static uint8_t good[MAX_SERIAL_BYTES];
   uint32_t num_lost = 0;
   uint64_t state = 7;
   for (uint32_t round = 0; round < ROUNDS * 2;) {
      const uint32_t level = round / ROUNDS;
      struct scene s;
      struct serial serial;
      init(&s);
      const struct client_accel *accel = level ? &s.top : &s.bottom;
      struct question *questions = s.io.map;
      for (uint32_t i = 0; i < NUM_RAYS; i++)
         questions[i] = (struct question){0, 0, i & 2 ? 0 : HITS, 0};
      serialize(&s, &serial, accel);
      memcpy(good, serial.memory.map, sizeof(good));
      const uint32_t *results;
      do {
         change(&serial, &state, round++);
         const double begin_s = hangs_processor_s();
         deserialize(&s, &serial, accel);
         results = launch(&s);
         for (uint32_t i = 0; results && i < NUM_RAYS; i++) {
            CHECK(results[i * 2] == UNTOUCHED || results[i * 2] == MISSED || results[i * 2] == HIT);
            CHECK_EQ(results[i * 2 + 1], CALLED);
         }
         if (!results) {
            hangs_check(VK_ERROR_DEVICE_LOST, &s.heard, begin_s);
            num_lost++;
         }
         memcpy(serial.memory.map, good, sizeof(good));
      } while (results && round % ROUNDS);
      if (results) {
         deserialize(&s, &serial, accel);
         results = launch(&s);
         for (uint32_t i = 0; i < NUM_RAYS; i++)
            CHECK_EQ(results[i * 2], i & 2 ? MISSED : i & 1 ? UNTOUCHED : HIT);
      }
      client_buffer_destroy(&s.client, &serial.memory);
      finish(&s);
   }
   CHECK_EQ(num_lost, 0);
}

int main(int argc, char **argv)
{
   hangs_environment();
   return test_run_all(argc, argv);
}
