/* SPDX-License-Identifier: MIT
 * Reads of what the tile holds. Source: Shader Interfaces, "Fragment Tile Image Interface"; Vulkan Environment for SPIR-V. */
#include "icd/validate/check.h"
#include "icd/validate/pipeline.h"

/* ---- variables ---- */

static bool is_tile_image(const struct icd_check *check, uint32_t type)
{
   const struct icd_spirv_inst image = icd_spirv_definition(check->module, icd_spirv_strip_arrays(check->module, type, NULL));
   return image.op == SpvOpTypeImage && icd_spirv_word(&image, 3) == SpvDimTileImageDataEXT;
}

static bool is_listed(const struct icd_spirv_entry *entry, uint32_t id)
{
   for (uint32_t word = entry->first_interface; word < entry->inst.count; word++) {
      if (entry->inst.words[word] == id)
         return true;
   }
   return false;
}

static uint32_t num_images(const struct icd_check *check, uint32_t type)
{
   const struct icd_spirv_inst array = icd_spirv_definition(check->module, type);
   uint32_t length = 1;
   return array.op == SpvOpTypeArray && icd_spirv_constant(check->module, icd_spirv_word(&array, 3), &length) ? length : 1;
}

void icd_check_tile_variables(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint8_t *used)
{
   enum { MAX_LOCATIONS = 64 };
   const uint32_t limit = UTIL_MIN(check->env->properties->core.limits.maxFragmentOutputAttachments, (uint32_t)MAX_LOCATIONS);
   uint32_t seen[MAX_LOCATIONS] = {0}; /* the variable that has it */
   ICD_CHECK_GLOBALS(check, inst) {
      SpvStorageClass where = SpvStorageClassMax;
      const uint32_t id = icd_spirv_word(&inst, 2);
      if (inst.op != SpvOpVariable || icd_spirv_word(&inst, 3) != SpvStorageClassTileImageEXT || id >= check->module->bound ||
          !(used[id] || is_listed(entry, id)))
         continue;
      if (entry->stage != VK_SHADER_STAGE_FRAGMENT_BIT)
         ICD_BROKEN_BECAUSE(check, StandaloneSpirv_None_08720, &inst, "%s \"%.100s\" uses it", icd_spirv_model_name(entry->model), entry->name);
      const uint64_t first = icd_spirv_decorated(check->module, id, UINT32_MAX, SpvDecorationLocation, UINT32_MAX);
      const uint64_t end = first + num_images(check, icd_spirv_pointee(check->module, icd_spirv_word(&inst, 1), &where));
      if (first != UINT32_MAX && end > limit)
         ICD_BROKEN_BECAUSE(check, StandaloneSpirv_TileImageEXT_08723, &inst, "location %llu of %u", (unsigned long long)end - 1, limit);
      for (uint64_t i = first; i < UTIL_MIN(end, (uint64_t)limit); i++) {
         if (seen[i])
            ICD_BROKEN_BECAUSE(check, StandaloneSpirv_TileImageEXT_08723, &inst, "location %u is %%%u too", (uint32_t)i, seen[i]);
         seen[i] = id;
      }
   }
}

void icd_check_tile_images(const struct icd_check *check)
{
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpTypePointer && icd_spirv_word(&inst, 2) == SpvStorageClassTileImageEXT &&
          !is_tile_image(check, icd_spirv_word(&inst, 3)))
         ICD_BROKEN(check, StandaloneSpirv_None_08724, &inst);
      if (inst.op == SpvOpVariable && icd_spirv_word(&inst, 3) == SpvStorageClassTileImageEXT &&
          icd_spirv_find(check->module, icd_spirv_word(&inst, 2), UINT32_MAX, SpvDecorationComponent))
         ICD_BROKEN_BECAUSE(check, StandaloneSpirv_TileImageEXT_08723, &inst, "it has a Component");
   }
}

/* ---- reads ---- */

/* The word of the sample; 0: the instruction is none of them. */
static uint32_t sample_word(SpvOp op)
{
   return op == SpvOpColorAttachmentReadEXT                                             ? 4
          : op == SpvOpDepthAttachmentReadEXT || op == SpvOpStencilAttachmentReadEXT ? 3
                                                                                        : 0;
}

void icd_check_tile_reads(const struct icd_check *check, const struct icd_sample_shading *shading)
{
   if (!shading || !shading->is_enabled)
      return;
   ICD_CHECK_BODY(check, function, inst) {
      const uint32_t word = function->stages & VK_SHADER_STAGE_FRAGMENT_BIT ? sample_word(inst.op) : 0;
      if (!word)
         continue;
      if (shading->min != 1.0f)
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_minSampleShading_08732, &inst, "it is %g", (double)shading->min);
      else if (shading->samples > 1 && word < inst.count && icd_spirv_is_constant(check->module, icd_spirv_word(&inst, word)))
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_minSampleShading_08731, &inst, "the sample is the same in all of %u", shading->samples);
   }
}
