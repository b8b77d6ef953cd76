/* SPDX-License-Identifier: MIT */
#include "icd/validate/uses.h"

#include "icd/pipeline_layout.h"
#include "util/alloc.h"
#include "util/debug.h"
#include "util/size.h"

#include <string.h>

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
         const uint32_t count = icd_spirv_is_vector(type.op) ? icd_spirv_components(module, &type) : 1;
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
   /* Sets in descriptor buffers do not say of which layout they are; with heaps there is no layout. */
   const bool is_known = layout && set < layout->comp.num_sets && !layout->comp.sets[set].is_bare;
   const uint32_t index = is_known ? icd_set_shape_find(&layout->shapes[set], number) : UINT32_MAX;
   if (index == UINT32_MAX || layout->shapes[set].infos[index].flags & loose)
      return NULL;
   const struct comp_binding *binding = &layout->comp.sets[set].bindings[index];
   return binding->has_variable_count ? NULL : binding;
}

/* Fills *use; false: the variable is no image, or not to be looked at. */
static bool describe(const struct icd_check_stage *stage, const struct icd_pipeline_layout *layout, uint32_t id, struct icd_image_use *use)
{
   const struct icd_spirv_module *module = &stage->module;
   const struct icd_spirv_inst variable = icd_spirv_definition(module, id);
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t type = icd_spirv_variable_type(module, &variable, &where);
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
      .shape = layout->comp.sets[set].shape,
      .is_mutable = binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT,
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
static bool add_images(const struct icd_check_stage *stage, const struct icd_pipeline_layout *layout, struct icd_image_use *uses,
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

static bool add_stage(const struct icd_check_stage *stage, const struct icd_pipeline_layout *layout, struct icd_shader_uses **uses)
{
   uint32_t count = 0;
   if (!add_images(stage, layout, NULL, &count))
      return false;
   struct icd_shader_uses *grown = util_realloc(*uses, util_size_array(sizeof(**uses), util_size_add((*uses)->num_images, count), sizeof((*uses)->images[0])));
   if (!grown)
      return false;
   *uses = grown;
   if (stage->stage == VK_SHADER_STAGE_VERTEX_BIT)
      icd_stage_locations(stage, SpvStorageClassInput, grown->inputs, RT_MAX_VERTEX_ATTRIBUTES);
   if (stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
      icd_stage_locations(stage, SpvStorageClassOutput, grown->outputs, ABI_MAX_ATTACHMENTS);
   return add_images(stage, layout, grown->images, &grown->num_images);
}

VkResult icd_shader_uses_create(const struct comp_shader_desc *const *stages, uint32_t num_stages, const struct icd_pipeline_layout *layout,
                                struct icd_shader_uses **uses)
{
   *uses = NULL;
   if (!util_debug(UTIL_DEBUG_VALIDATE))
      return VK_SUCCESS;
   *uses = util_calloc(1, sizeof(**uses));
   bool has_memory = *uses != NULL;
   for (uint32_t i = 0; i < num_stages && has_memory; i++) {
      struct icd_check_stage stage;
      if (!stages[i]->num_words) /* given by an identifier */
         continue;
      has_memory = icd_check_stage_open(&stage, stages[i]) == VK_SUCCESS && (!stage.entry || add_stage(&stage, layout, uses));
      icd_spirv_finish(&stage.module);
   }
   if (has_memory)
      return VK_SUCCESS;
   util_mfree(*uses);
   *uses = NULL;
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult icd_shader_uses_append(struct icd_shader_uses **uses, const struct icd_shader_uses *library)
{
   if (!*uses || !library)
      return VK_SUCCESS;
   const uint32_t count = (*uses)->num_images + library->num_images;
   struct icd_shader_uses *grown = util_realloc(*uses, util_size_array(sizeof(*grown), count, sizeof(grown->images[0])));
   if (!grown)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   *uses = grown;
   memcpy(&grown->images[grown->num_images], library->images, library->num_images * sizeof(grown->images[0]));
   grown->num_images = count;
   if (library->target.is_known)
      grown->target = library->target;
   for (uint32_t i = 0; i < RT_MAX_VERTEX_ATTRIBUTES; i++)
      grown->inputs[i] = library->inputs[i].class ? library->inputs[i] : grown->inputs[i];
   for (uint32_t i = 0; i < ABI_MAX_ATTACHMENTS; i++)
      grown->outputs[i] = library->outputs[i].class ? library->outputs[i] : grown->outputs[i];
   return VK_SUCCESS;
}
