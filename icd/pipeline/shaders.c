/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/shaders.h"

#include "icd/pipeline/nodes.h"
#include "icd/pipeline/rays.h"

#include <stdio.h>

static struct rt_shader *runtime_shader(struct icd_pipeline *pipeline, uint32_t stage)
{
   return pipeline->bind_point == VK_PIPELINE_BIND_POINT_COMPUTE ? &pipeline->compute.shader : &pipeline->graphics.shaders[stage];
}

void icd_pipeline_add_shader(struct icd_pipeline *pipeline, struct icd_shader *shader)
{
   const uint32_t stage = shader->code.info.stage;
   icd_shader_release(pipeline->shaders[stage]);
   pipeline->shaders[stage] = shader;
   *runtime_shader(pipeline, stage) =
      (struct rt_shader){.info = &shader->code.info, .run = shader->code.run, .name = shader->name};
}

void icd_shader_label(char label[160], const struct icd_shader *shader, const char *class, const char *name)
{
   const int length = snprintf(label, 160, "%s", shader->name);
   if (*name)
      snprintf(label + length, 160 - (size_t)length, ", %s \"%.50s\"", class, name);
}

void icd_pipeline_label(struct icd_pipeline *pipeline)
{
   const char *name = icd_object_name(&pipeline->base);
   const struct icd_ray_shaders *rays = pipeline->ray_shaders;
   for (uint32_t i = 0; rays && i < rays->num_shaders; i++) {
      icd_shader_label(rays->labels[i], rays->shaders[i], "pipeline", name);
      rays->runs[i].name = rays->labels[i];
   }
   for (uint32_t i = 0; pipeline->graph && i < pipeline->graph->num_nodes; i++) {
      icd_shader_label(pipeline->graph->labels[i], pipeline->graph->shaders[i], "pipeline", name);
      pipeline->graph->nodes[i].shader.name = pipeline->graph->labels[i];
   }
   for (uint32_t i = 0; !rays && i < ABI_NUM_STAGES; i++) {
      const struct icd_shader *shader = pipeline->shaders[i];
      if (!shader)
         continue;
      icd_shader_label(pipeline->labels[i], shader, "pipeline", name);
      runtime_shader(pipeline, i)->name = pipeline->labels[i];
   }
}
