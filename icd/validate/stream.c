/* SPDX-License-Identifier: MIT */
#include "icd/validate/stream.h"

#include "icd/debug_utils.h"
#include "icd/device.h"
#include "icd/pipeline.h"
#include "icd/pipeline/shader_object.h"
#include "icd/validate/uses.h"
#include "util/debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void icd_stream_tell(const struct icd_stream_walk *walk, uint64_t *told, enum icd_stream_rule rule, bool is_static, const char *format, ...)
{
   static const struct {
      const char *of_command, *of_pipeline; /* VUIDs behind the command's or the structure's name */
      const char *whole;
   } names[ICD_NUM_STREAM_RULES] = {
      [ICD_STREAM_DIM] = {.of_command = "viewType-07752"},
      [ICD_STREAM_NUMERIC] = {.of_command = "format-07753"},
      [ICD_STREAM_WRITE] = {.of_command = "OpImageWrite-08795"},
      [ICD_STREAM_WIDTH] = {.of_command = "SampledType-04471"},
      [ICD_STREAM_SINGLE] = {.whole = "VUID-RuntimeSpirv-samples-08725"},
      [ICD_STREAM_MULTI] = {.whole = "VUID-RuntimeSpirv-samples-08726"},
      [ICD_STREAM_ATTRIBUTE] = {"Input-07939", "Input-07904", NULL},
      [ICD_STREAM_ATTRIBUTE_NUMERIC] = {"Input-08734", "Input-08733", NULL},
      [ICD_STREAM_ATTRIBUTE_NARROW] = {"format-08936", "pVertexInputState-08929", NULL},
      [ICD_STREAM_ATTRIBUTE_WIDE] = {"format-08937", "pVertexInputState-08930", NULL},
      [ICD_STREAM_ATTRIBUTE_COMPONENTS] = {"None-09203", "pVertexInputState-09198", NULL},
#define ATTACHMENT(kind, format, other, missing, used, samples)                                                        \
   [ICD_STREAM_##kind##_FORMAT] = {.of_command = "dynamicRenderingUnusedAttachments-0" #format},                       \
   [ICD_STREAM_##kind##_OTHER] = {.of_command = "dynamicRenderingUnusedAttachments-0" #other},                         \
   [ICD_STREAM_##kind##_MISSING] = {.of_command = "dynamicRenderingUnusedAttachments-0" #missing},                     \
   [ICD_STREAM_##kind##_USED] = {.of_command = used},                                                                  \
   [ICD_STREAM_##kind##_SAMPLES] = {.of_command = "multisampledRenderToSingleSampled-0" #samples}
      ATTACHMENT(COLOR, 8910, 8911, 8912, "pColorAttachments-08963", 7285),
      ATTACHMENT(DEPTH, 8914, 8915, 8913, "pDepthAttachment-08964", 7286),
      ATTACHMENT(STENCIL, 8917, 8918, 8916, "pStencilAttachment-08965", 7287),
#undef ATTACHMENT
      [ICD_STREAM_COLOR_COUNT] = {.of_command = "colorAttachmentCount-06179"},
      [ICD_STREAM_VIEW_MASK] = {.of_command = "viewMask-06178"},
      [ICD_STREAM_LOCATIONS] = {.of_command = "None-09548"},
      [ICD_STREAM_NO_PASS] = {.of_command = "renderPass-06198"},
      [ICD_STREAM_PASS] = {.of_command = "renderPass-02684"},
      [ICD_STREAM_SUBPASS] = {.of_command = "subpass-02685"},
      [ICD_STREAM_PASS_SAMPLES] = {.of_command = "None-08644"},
      /* undefined values by the specification, without a rule's name */
      [ICD_STREAM_FORMAT] = {.whole = "vk_swrast-image-format"},
      [ICD_STREAM_OUTPUT] = {.whole = "vk_swrast-output-format"},
   };
   char id[96], what[300];
   va_list args;
   if (__atomic_fetch_or(told, UINT64_C(1) << rule, __ATOMIC_RELAXED) >> rule & 1)
      return;
   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   if (names[rule].whole)
      snprintf(id, sizeof(id), "%s", names[rule].whole);
   else if (is_static && names[rule].of_pipeline)
      snprintf(id, sizeof(id), "VUID-VkGraphicsPipelineCreateInfo-%s", names[rule].of_pipeline);
   else
      snprintf(id, sizeof(id), "VUID-%s-%s", walk->command, names[rule].of_command);
   icd_message(walk->device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
               VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, id, walk->code->object, "%s, %s: %s [%s]", walk->command,
               walk->code->label, what, id);
}

static void bind_sets(struct icd_stream_walk *walk, const struct rt_cmd_bind_sets *cmd)
{
   for (uint32_t point = 0; point < RT_NUM_BIND_POINTS; point++) {
      for (uint32_t i = 0; cmd->bind_points >> point & 1 && i < cmd->num_sets && cmd->first_set + i < ABI_MAX_SETS; i++)
         walk->sets[point][cmd->first_set + i] = cmd->sets[i].data;
   }
}

/* What is bound at a bind point: one pipeline, or shader objects. */
struct bound {
   struct icd_stream_code codes[ABI_NUM_STAGES];
   uint32_t count;
};

static void bind_pipeline(struct bound *bound, const struct icd_pipeline *pipeline)
{
   bound->codes[0] = (struct icd_stream_code){
      .object = &pipeline->base,
      .label = pipeline->labels[0],
      .uses = pipeline->uses,
      .has_vertex_input =
         pipeline->bind_point == VK_PIPELINE_BIND_POINT_GRAPHICS && !(pipeline->state.dynamic_mask >> RT_STATE_vertex_input & 1),
   };
   bound->count = 1;
}

static void bind_shader_object(struct bound *bound, const struct icd_shader_object *object)
{
   if (object)
      bound->codes[bound->count++] = (struct icd_stream_code){.object = &object->base, .label = object->label, .uses = object->uses};
}

static void bind_compute(struct bound *bound, const struct rt_cmd_bind_compute *cmd)
{
   bound->count = 0;
   if (cmd->pipeline && cmd->is_shader_object)
      bind_shader_object(bound, UTIL_CONTAINER_OF(cmd->pipeline, struct icd_shader_object, code));
   else if (cmd->pipeline)
      bind_pipeline(bound, UTIL_CONTAINER_OF(cmd->pipeline, struct icd_pipeline, compute));
}

static void bind_graphics(struct icd_stream_walk *walk, struct bound *bound, const struct rt_cmd_bind_graphics *cmd)
{
   bound->count = 0;
   if (cmd->state == &rt_shader_object_state) {
      const struct icd_bound_shaders *shaders = UTIL_CONTAINER_OF(cmd->pipeline, struct icd_bound_shaders, graphics);
      for (uint32_t i = 0; i < ABI_NUM_STAGES; i++)
         bind_shader_object(bound, shaders->objects[i]);
   } else {
      bind_pipeline(bound, UTIL_CONTAINER_OF(cmd->pipeline, struct icd_pipeline, graphics));
   }
   rt_state_apply(&walk->state, &cmd->state->state, cmd->state->dynamic_mask);
}

/* Follows what a command sets, as the executor does. */
static void follow(struct icd_stream_walk *walk, struct bound *bound, const struct rt_cmd *cmd)
{
   const struct rt_cmd_set_state *set = (const struct rt_cmd_set_state *)cmd;
   switch (cmd->type) {
   case RT_CMD_bind_compute:
      bind_compute(&bound[RT_BIND_COMPUTE], (const struct rt_cmd_bind_compute *)cmd);
      break;
   case RT_CMD_bind_graphics:
      bind_graphics(walk, &bound[RT_BIND_GRAPHICS], (const struct rt_cmd_bind_graphics *)cmd);
      break;
   case RT_CMD_bind_sets:
      bind_sets(walk, (const struct rt_cmd_bind_sets *)cmd);
      break;
   case RT_CMD_set_state:
      memcpy((char *)&walk->state + rt_state_groups[set->group].offset + set->offset_bytes, set->data, set->size_bytes);
      break;
   case RT_CMD_begin_rendering:
      walk->rendering = (const struct rt_cmd_begin_rendering *)cmd;
      memset(&walk->state.color_locations, 0, sizeof(walk->state.color_locations));
      break;
   case RT_CMD_end_rendering:
      walk->rendering = NULL;
      break;
   default:
      break;
   }
}

/* `outer`: what a secondary command buffer goes on with, or NULL. */
static void validate_stream(struct icd_device *device, const struct rt_cmd_stream *stream, const struct icd_stream_walk *outer)
{
   static const char *const commands[RT_NUM_COMMANDS] = {
      [RT_CMD_draw] = "vkCmdDraw",
      [RT_CMD_draw_indexed] = "vkCmdDrawIndexed",
      [RT_CMD_draw_indirect] = "vkCmdDrawIndirect",
      [RT_CMD_draw_byte_count] = "vkCmdDrawIndirectByteCountEXT",
      [RT_CMD_draw_mesh] = "vkCmdDrawMeshTasksEXT",
      [RT_CMD_dispatch] = "vkCmdDispatch",
      [RT_CMD_dispatch_indirect] = "vkCmdDispatchIndirect",
   };
   struct bound bound[RT_NUM_BIND_POINTS] = {0};
   struct icd_stream_walk walk = {.device = device};
   if (outer) {
      walk.rendering = outer->rendering;
      walk.state.color_locations = outer->state.color_locations;
   }
   for (const struct rt_cmd *cmd = stream->first; cmd; cmd = cmd->next) {
      const struct rt_cmd_execute *execute = (const struct rt_cmd_execute *)cmd;
      const enum rt_bind_point point =
         cmd->type == RT_CMD_dispatch || cmd->type == RT_CMD_dispatch_indirect ? RT_BIND_COMPUTE : RT_BIND_GRAPHICS;
      follow(&walk, bound, cmd);
      for (uint32_t i = 0; cmd->type == RT_CMD_execute && i < execute->count; i++)
         validate_stream(device, execute->streams[i], &walk);
      walk.command = commands[cmd->type];
      for (uint32_t i = 0; walk.command && i < bound[point].count; i++) {
         walk.code = &bound[point].codes[i];
         icd_check_views(&walk, point);
         if (point == RT_BIND_GRAPHICS) {
            icd_check_draw_formats(&walk);
            icd_check_draw_targets(&walk);
         }
      }
   }
}

void icd_validate_stream(struct icd_device *device, const struct rt_cmd_stream *stream)
{
   if (util_debug(UTIL_DEBUG_VALIDATE))
      validate_stream(device, stream, NULL);
}
