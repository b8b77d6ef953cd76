/* SPDX-License-Identifier: MIT */
#include "icd/validate/views.h"

#include "abi/image.h"
#include "compiler/compiler.h"
#include "gen/icd_spirv.h"
#include "icd/debug_utils.h"
#include "icd/device.h"
#include "icd/pipeline.h"
#include "icd/pipeline_layout.h"
#include "icd/validate/pipeline.h"
#include "runtime/cmd/cmd.h"
#include "runtime/format/format.h"
#include "util/alloc.h"
#include "util/debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what a pipeline uses ---- */

/* The fewest components that a write to the variable has; 0: it is not written. */
static uint32_t written_components(const struct icd_check_stage *stage, uint32_t variable)
{
   const struct icd_spirv_module *module = &stage->module;
   uint32_t fewest = 0;
   for (uint32_t i = 0; i < module->num_functions; i++) {
      if (!(module->functions[i].stages & stage->stage))
         continue;
      ICD_SPIRV_EACH(module, inst, module->functions[i].begin, module->functions[i].end) {
         if (inst.op != SpvOpImageWrite || icd_spirv_base_variable(module, icd_spirv_word(&inst, 1)) != variable)
            continue;
         const struct icd_spirv_inst type = icd_spirv_definition(module, icd_spirv_type_of(module, icd_spirv_word(&inst, 3)));
         const uint32_t count = type.op == SpvOpTypeVector ? icd_spirv_word(&type, 3) : 1;
         fewest = fewest ? UTIL_MIN(fewest, count) : count;
      }
   }
   return fewest;
}

/* The binding that a variable stands for, if its descriptors must be valid; NULL: not looked at. */
static const struct comp_binding *checked_binding(const struct icd_pipeline_layout *layout, uint32_t set, uint32_t number)
{
   const VkDescriptorBindingFlags loose = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                                          VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
   const uint32_t index = set < layout->comp.num_sets ? icd_set_shape_find(&layout->shapes[set], number) : UINT32_MAX;
   if (index == UINT32_MAX || layout->shapes[set].infos[index].flags & loose)
      return NULL;
   return &layout->comp.sets[set].bindings[index];
}

/* Fills *use; false: the variable is no image, or not to be looked at. */
static bool describe(const struct icd_check_stage *stage, const struct icd_pipeline_layout *layout, uint32_t id, struct icd_image_use *use)
{
   const struct icd_spirv_module *module = &stage->module;
   const struct icd_spirv_inst variable = icd_spirv_definition(module, id);
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t type = icd_spirv_pointee(module, icd_spirv_word(&variable, 1), &where);
   struct icd_spirv_inst image = icd_spirv_definition(module, icd_spirv_strip_arrays(module, type, NULL));
   const uint32_t set = icd_spirv_decorated(module, id, UINT32_MAX, SpvDecorationDescriptorSet, UINT32_MAX);
   const uint32_t number = icd_spirv_decorated(module, id, UINT32_MAX, SpvDecorationBinding, UINT32_MAX);
   if (image.op == SpvOpTypeSampledImage)
      image = icd_spirv_definition(module, icd_spirv_word(&image, 2));
   const struct comp_binding *binding = where == SpvStorageClassUniformConstant ? checked_binding(layout, set, number) : NULL;
   if (image.op != SpvOpTypeImage || !binding)
      return false;

   const struct icd_spirv_inst array = icd_spirv_definition(module, type), scalar = icd_spirv_definition(module, icd_spirv_word(&image, 2));
   uint32_t length = icd_spirv_word(&array, 3);
   const bool is_sized = array.op == SpvOpTypeArray && icd_spirv_constant(module, length, &length);
   *use = (struct icd_image_use){
      .set = set,
      .binding = number,
      .offset_bytes = binding->offset_bytes,
      .count = array.op == SpvOpTypeImage || array.op == SpvOpTypeSampledImage ? 1
               : is_sized                                                       ? UTIL_MIN(length, binding->count)
                                                                                : binding->count,
      .dim = icd_spirv_word(&image, 3),
      .is_ms = icd_spirv_word(&image, 6) == 1,
      .format = icd_spirv_word(&image, 8),
      .is_float = scalar.op == SpvOpTypeFloat,
      .is_signed = icd_spirv_word(&scalar, 3) == 1,
      .width = (uint8_t)icd_spirv_word(&scalar, 2),
      .written_components = written_components(stage, id),
   };
   return true;
}

/* Adds the images of a stage; with `uses` NULL only counts. False: out of memory. */
static bool add_stage(const struct icd_check_stage *stage, const struct icd_pipeline_layout *layout, struct icd_image_use *uses,
                      uint32_t *count)
{
   uint8_t *used = icd_spirv_used(&stage->module, stage->entry);
   if (!used)
      return false;
   for (uint32_t id = 1; id < stage->module.bound; id++) {
      struct icd_image_use use;
      if (!used[id] || !describe(stage, layout, id, &use))
         continue;
      if (uses)
         uses[*count] = use;
      (*count)++;
   }
   util_mfree(used);
   return true;
}

VkResult icd_image_uses_create(const struct comp_shader_desc *const *stages, uint32_t num_stages, const struct icd_pipeline_layout *layout,
                               struct icd_image_uses **uses)
{
   uint32_t count = 0, filled = 0;
   *uses = NULL;
   if (!util_debug(UTIL_DEBUG_VALIDATE))
      return VK_SUCCESS;
   for (uint32_t pass = 0; pass < 2; pass++) {
      if (pass == 1)
         *uses = util_calloc(1, sizeof(**uses) + count * sizeof((*uses)->uses[0]));
      bool has_memory = pass == 0 || *uses;
      for (uint32_t i = 0; i < num_stages && has_memory; i++) {
         struct icd_check_stage stage;
         has_memory = icd_check_stage_open(&stage, stages[i]) == VK_SUCCESS;
         if (has_memory && stage.entry)
            has_memory = add_stage(&stage, layout, *uses ? (*uses)->uses : NULL, *uses ? &filled : &count);
         icd_spirv_finish(&stage.module);
      }
      if (!has_memory) {
         util_mfree(*uses);
         *uses = NULL;
         return VK_ERROR_OUT_OF_HOST_MEMORY;
      }
   }
   (*uses)->count = filled;
   return VK_SUCCESS;
}

/* ---- what a command uses ---- */

enum view_rule { RULE_DIM, RULE_NUMERIC, RULE_WRITE, RULE_WIDTH, RULE_SINGLE, RULE_MULTI, RULE_FORMAT, NUM_VIEW_RULES };

struct walk {
   struct icd_device *device;
   const char *command; /* vkCmdDraw, … */
   const struct icd_pipeline *pipeline;
   const uint8_t *sets[RT_NUM_BIND_POINTS][ABI_MAX_SETS];
};

UTIL_PRINTF(4, 5) static void tell(const struct walk *walk, struct icd_image_use *use, enum view_rule rule, const char *format, ...)
{
   static const struct {
      bool is_of_command;
      const char *name;
   } names[NUM_VIEW_RULES] = {
      [RULE_DIM] = {true, "viewType-07752"},
      [RULE_NUMERIC] = {true, "format-07753"},
      [RULE_WRITE] = {true, "OpImageWrite-08795"},
      [RULE_WIDTH] = {true, "SampledType-04471"},
      [RULE_SINGLE] = {false, "VUID-RuntimeSpirv-samples-08725"},
      [RULE_MULTI] = {false, "VUID-RuntimeSpirv-samples-08726"},
      [RULE_FORMAT] = {false, "vk_swrast-image-format"}, /* undefined values by the specification, without a rule's name */
   };
   char id[96], what[200];
   va_list args;
   if (__atomic_fetch_or(&use->told, (uint8_t)(1u << rule), __ATOMIC_RELAXED) >> rule & 1)
      return;
   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   if (names[rule].is_of_command)
      snprintf(id, sizeof(id), "VUID-%s-%s", walk->command, names[rule].name);
   else
      snprintf(id, sizeof(id), "%s", names[rule].name);
   icd_message(walk->device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
               VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, id, &walk->pipeline->base, "%s, binding %u of set %u: %s [%s]",
               walk->pipeline->labels[0], use->binding, use->set, what, id);
}

static bool fits_dim(const struct abi_image *view, uint32_t dim)
{
   switch (dim) {
   case SpvDim1D:
      return view->dim == ABI_DIM_1D;
   case SpvDim2D:
   case SpvDimSubpassData:
      return view->dim == ABI_DIM_2D && !view->is_cube;
   case SpvDim3D:
      return view->dim == ABI_DIM_3D;
   case SpvDimCube:
      return view->dim == ABI_DIM_CUBE || view->is_cube;
   case SpvDimBuffer:
      return view->dim == ABI_DIM_BUFFER;
   default:
      return true;
   }
}

static void check_view(const struct walk *walk, struct icd_image_use *use, const struct abi_image *view)
{
   const struct rt_format_info *format = rt_format_info((VkFormat)view->format);
   const bool is_stencil = format->is_stencil && (!format->is_depth || view->aspect == VK_IMAGE_ASPECT_STENCIL_BIT);
   const bool is_float = !is_stencil && !format->is_int, is_signed = format->is_signed && !is_stencil;
   const bool is_64_bit = format->channels[0].bits == 64;
   const uint32_t expected = icd_spirv_image_format((VkFormat)view->format);
   if (!fits_dim(view, use->dim))
      tell(walk, use, RULE_DIM, "a view of this type does not fit Dim %s", icd_spirv_dim_name(use->dim));
   if (is_float != (bool)use->is_float || (!is_float && is_signed != (bool)use->is_signed))
      tell(walk, use, RULE_NUMERIC, "%s has not the numeric type of the shader's image, %s", format->name,
           use->is_float ? "float" : use->is_signed ? "signed integer" : "unsigned integer");
   if (is_64_bit != (use->width == 64))
      tell(walk, use, RULE_WIDTH, "%s has components of another width than the shader's image, %u", format->name, use->width);
   if (!use->is_ms && view->num_samples > 1)
      tell(walk, use, RULE_SINGLE, "an image of %u samples where the shader's has one", view->num_samples);
   if (use->is_ms && view->num_samples == 1)
      tell(walk, use, RULE_MULTI, "an image of one sample where the shader's has more");
   if (use->written_components && use->written_components < format->num_channels)
      tell(walk, use, RULE_WRITE, "%u components are written to %s", use->written_components, format->name);
   if (use->format != SpvImageFormatUnknown && use->format != expected)
      tell(walk, use, RULE_FORMAT, "%s where the shader declares format %s", format->name, icd_spirv_image_format_name(use->format));
}

static void check_command(const struct walk *walk, enum rt_bind_point point)
{
   struct icd_image_uses *uses = walk->pipeline ? walk->pipeline->image_uses : NULL;
   for (uint32_t i = 0; uses && i < uses->count; i++) {
      struct icd_image_use *use = &uses->uses[i];
      const uint8_t *set = use->set < ABI_MAX_SETS ? walk->sets[point][use->set] : NULL;
      for (uint32_t d = 0; set && d < use->count; d++) {
         union abi_descriptor descriptor;
         memcpy(&descriptor, set + use->offset_bytes + d * sizeof(descriptor), sizeof(descriptor));
         if (descriptor.image.image && descriptor.image.image->data)
            check_view(walk, use, descriptor.image.image);
      }
   }
}

static void bind_sets(struct walk *walk, const struct rt_cmd_bind_sets *cmd)
{
   for (uint32_t point = 0; point < RT_NUM_BIND_POINTS; point++) {
      for (uint32_t i = 0; cmd->bind_points >> point & 1 && i < cmd->num_sets && cmd->first_set + i < ABI_MAX_SETS; i++)
         walk->sets[point][cmd->first_set + i] = cmd->sets[i];
   }
}

static void validate_secondaries(struct icd_device *device, const struct rt_cmd_execute *cmd)
{
   for (uint32_t i = 0; i < cmd->count; i++)
      icd_validate_stream(device, cmd->streams[i]);
}

void icd_validate_stream(struct icd_device *device, const struct rt_cmd_stream *stream)
{
   static const char *const commands[RT_NUM_COMMANDS] = {
      [RT_CMD_draw] = "vkCmdDraw",
      [RT_CMD_draw_indexed] = "vkCmdDrawIndexed",
      [RT_CMD_draw_indirect] = "vkCmdDrawIndirect",
      [RT_CMD_dispatch] = "vkCmdDispatch",
      [RT_CMD_dispatch_indirect] = "vkCmdDispatchIndirect",
   };
   const struct icd_pipeline *pipelines[RT_NUM_BIND_POINTS] = {NULL};
   struct walk walk = {.device = device};
   if (!util_debug(UTIL_DEBUG_VALIDATE))
      return;
   for (const struct rt_cmd *cmd = stream->first; cmd; cmd = cmd->next) {
      const enum rt_bind_point point =
         cmd->type == RT_CMD_dispatch || cmd->type == RT_CMD_dispatch_indirect ? RT_BIND_COMPUTE : RT_BIND_GRAPHICS;
      if (cmd->type == RT_CMD_bind_compute)
         pipelines[RT_BIND_COMPUTE] = UTIL_CONTAINER_OF(((const struct rt_cmd_bind_compute *)cmd)->pipeline, struct icd_pipeline, compute);
      else if (cmd->type == RT_CMD_bind_graphics)
         pipelines[RT_BIND_GRAPHICS] = UTIL_CONTAINER_OF(((const struct rt_cmd_bind_graphics *)cmd)->pipeline, struct icd_pipeline, graphics);
      else if (cmd->type == RT_CMD_bind_sets)
         bind_sets(&walk, (const struct rt_cmd_bind_sets *)cmd);
      else if (cmd->type == RT_CMD_execute)
         validate_secondaries(device, (const struct rt_cmd_execute *)cmd);
      else if (commands[cmd->type]) {
         walk.command = commands[cmd->type];
         walk.pipeline = pipelines[point];
         check_command(&walk, point);
      }
   }
}
