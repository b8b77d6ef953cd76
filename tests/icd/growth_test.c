/* SPDX-License-Identifier: MIT
 * Memory that is given back: a process that makes and destroys many devices or pipelines stays as small as it was. */
#include "tests/icd/scenario.h"
#include "tests/resident.h"
#include "tests/test.h"
#include "util/sanitizers.h"

static void make_device(void)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_buffer buffer = fixture_buffer(&f, 4096);
   fixture_begin(f.commands);
   icd_CmdFillBuffer(f.commands, buffer.buffer, 0, VK_WHOLE_SIZE, 1);
   fixture_run(&f);
   fixture_buffer_destroy(&f, &buffer);
   fixture_finish(&f, NULL);
}

TEST(devices)
{
   enum { FIRST = 100, ALL = 2000 };
   long first = 0;
   for (int i = 0; i < ALL; i++) {
      make_device();
      if (i + 1 == FIRST)
         first = test_resident_kib();
   }
   const long last = test_resident_kib();
   printf("after %d devices %ld KiB, after %d %ld KiB\n", FIRST, first, ALL, last);
   CHECK(first > 0 && last <= first + 256);
}

struct pipelines {
   struct fixture f;
   struct scenario_compute shader;
   struct fixture_buffer buffer;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

static void init(struct pipelines *p)
{
   const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
   const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 2, .pPoolSizes = sizes};
   fixture_init(&p->f, NULL);
   scenario_compute_init(&p->shader, p->f.device);
   p->buffer = fixture_buffer(&p->f, 512);
   fixture_require(icd_CreateDescriptorPool(p->f.device, &pool, NULL, &p->pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, p->pool, 1,
                                            &p->shader.set_layout};
   fixture_require(icd_AllocateDescriptorSets(p->f.device, &set, &p->set), "vkAllocateDescriptorSets");
   const VkDescriptorBufferInfo buffers[] = {{p->buffer.buffer, 0, 256}, {p->buffer.buffer, 256, 16}};
   for (uint32_t i = 0; i < 2; i++) {
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = p->set,
                                          .dstBinding = i,
                                          .descriptorCount = 1,
                                          .descriptorType = i ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                          .pBufferInfo = &buffers[i]};
      icd_UpdateDescriptorSets(p->f.device, 1, &write, 0, NULL);
   }
}

static void finish(struct pipelines *p)
{
   icd_DestroyDescriptorPool(p->f.device, p->pool, NULL);
   fixture_buffer_destroy(&p->f, &p->buffer);
   scenario_compute_finish(&p->shader, p->f.device);
   fixture_finish(&p->f, NULL);
}

static void run_pipeline(struct pipelines *p, uint32_t factor)
{
   const uint32_t more = 5;
   VkPipeline pipeline;
   fixture_require(scenario_compute_pipeline(&p->shader, p->f.device, factor, VK_NULL_HANDLE, NULL, &pipeline),
                   "vkCreateComputePipelines");
   fixture_begin(p->f.commands);
   icd_CmdBindPipeline(p->f.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   icd_CmdBindDescriptorSets(p->f.commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->shader.layout, 0, 1, &p->set, 0, NULL);
   icd_CmdPushConstants(p->f.commands, p->shader.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &more);
   icd_CmdDispatch(p->f.commands, 2, 1, 1);
   fixture_run(&p->f);
   CHECK_EQ(((const uint32_t *)p->buffer.data)[40], 41 * factor + 5);
   icd_DestroyPipeline(p->f.device, pipeline, NULL);
}

TEST(pipelines)
{
   enum { FIRST = 100, ALL = 1000 };
   struct pipelines p;
   long first = 0;
   init(&p);
   for (uint32_t i = 0; i < ALL; i++) {
      run_pipeline(&p, 1000 + i);
      if (i + 1 == FIRST)
         first = test_resident_kib();
   }
   const long last = test_resident_kib();
   printf("after %d pipelines %ld KiB, after %d %ld KiB\n", FIRST, first, ALL, last);
   CHECK(first > 0 && last <= first + first / 10);
   finish(&p);
}

int main(int argc, char **argv)
{
   /* A sanitizer keeps what is freed. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
   return 77;
#endif
   if (!test_refuse_huge_pages())
      return 77;
   return test_run_all(argc, argv);
}
