/* SPDX-License-Identifier: MIT
 * Image types, and image instructions with their operands against types and limits. */
#include "icd/validate/check.h"

#include <string.h>

/* ---- formats ---- */

enum texel_class { TEXEL_FLOAT, TEXEL_INT };

/* What SPIR-V's image formats hold, in the order of SpvImageFormat from Rgba32f on: numeric type, components, bits of the sampled type.
 * Source: "Compatibility Between SPIR-V Image Formats and Vulkan Formats". */
static const struct {
   uint8_t class, components, bits;
} formats[] = {
   [SpvImageFormatRgba32f] = {TEXEL_FLOAT, 4, 32},    [SpvImageFormatRgba16f] = {TEXEL_FLOAT, 4, 32},
   [SpvImageFormatR32f] = {TEXEL_FLOAT, 1, 32},       [SpvImageFormatRgba8] = {TEXEL_FLOAT, 4, 32},
   [SpvImageFormatRgba8Snorm] = {TEXEL_FLOAT, 4, 32}, [SpvImageFormatRg32f] = {TEXEL_FLOAT, 2, 32},
   [SpvImageFormatRg16f] = {TEXEL_FLOAT, 2, 32},      [SpvImageFormatR11fG11fB10f] = {TEXEL_FLOAT, 3, 32},
   [SpvImageFormatR16f] = {TEXEL_FLOAT, 1, 32},       [SpvImageFormatRgba16] = {TEXEL_FLOAT, 4, 32},
   [SpvImageFormatRgb10A2] = {TEXEL_FLOAT, 4, 32},    [SpvImageFormatRg16] = {TEXEL_FLOAT, 2, 32},
   [SpvImageFormatRg8] = {TEXEL_FLOAT, 2, 32},        [SpvImageFormatR16] = {TEXEL_FLOAT, 1, 32},
   [SpvImageFormatR8] = {TEXEL_FLOAT, 1, 32},         [SpvImageFormatRgba16Snorm] = {TEXEL_FLOAT, 4, 32},
   [SpvImageFormatRg16Snorm] = {TEXEL_FLOAT, 2, 32},  [SpvImageFormatRg8Snorm] = {TEXEL_FLOAT, 2, 32},
   [SpvImageFormatR16Snorm] = {TEXEL_FLOAT, 1, 32},   [SpvImageFormatR8Snorm] = {TEXEL_FLOAT, 1, 32},
   [SpvImageFormatRgba32i] = {TEXEL_INT, 4, 32},      [SpvImageFormatRgba16i] = {TEXEL_INT, 4, 32},
   [SpvImageFormatRgba8i] = {TEXEL_INT, 4, 32},       [SpvImageFormatR32i] = {TEXEL_INT, 1, 32},
   [SpvImageFormatRg32i] = {TEXEL_INT, 2, 32},        [SpvImageFormatRg16i] = {TEXEL_INT, 2, 32},
   [SpvImageFormatRg8i] = {TEXEL_INT, 2, 32},         [SpvImageFormatR16i] = {TEXEL_INT, 1, 32},
   [SpvImageFormatR8i] = {TEXEL_INT, 1, 32},          [SpvImageFormatRgba32ui] = {TEXEL_INT, 4, 32},
   [SpvImageFormatRgba16ui] = {TEXEL_INT, 4, 32},     [SpvImageFormatRgba8ui] = {TEXEL_INT, 4, 32},
   [SpvImageFormatR32ui] = {TEXEL_INT, 1, 32},        [SpvImageFormatRgb10a2ui] = {TEXEL_INT, 4, 32},
   [SpvImageFormatRg32ui] = {TEXEL_INT, 2, 32},       [SpvImageFormatRg16ui] = {TEXEL_INT, 2, 32},
   [SpvImageFormatRg8ui] = {TEXEL_INT, 2, 32},        [SpvImageFormatR16ui] = {TEXEL_INT, 1, 32},
   [SpvImageFormatR8ui] = {TEXEL_INT, 1, 32},         [SpvImageFormatR64ui] = {TEXEL_INT, 1, 64},
   [SpvImageFormatR64i] = {TEXEL_INT, 1, 64},
};

static bool has_format(uint32_t format)
{
   return format < UTIL_ARRAY_SIZE(formats) && formats[format].components;
}

static void check_type(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   if (icd_spirv_word(inst, 3) == SpvDimRect)
      ICD_BROKEN(check, StandaloneSpirv_OpTypeImage_09638, inst);
   const uint32_t format = icd_spirv_word(inst, 8);
   const struct icd_spirv_inst texel = icd_spirv_definition(check->module, icd_spirv_word(inst, 2));
   if (!has_format(format) || (texel.op != SpvOpTypeInt && texel.op != SpvOpTypeFloat))
      return;
   /* 16-bit texels are for formats of 32-bit sampled types too, with their extension; SPIRV-Tools sees to the widths. */
   const enum texel_class class = texel.op == SpvOpTypeFloat ? TEXEL_FLOAT : TEXEL_INT;
   if (class != formats[format].class || (icd_spirv_word(&texel, 2) == 64) != (formats[format].bits == 64))
      ICD_BROKEN(check, StandaloneSpirv_Image_04965, inst);
}

/* ---- instructions ---- */

enum image_class { IMAGE_NONE, IMAGE_SAMPLE, IMAGE_FETCH, IMAGE_GATHER, IMAGE_OTHER };

struct image_use {
   enum image_class class;
   uint32_t mask_word; /* of the image operands */
};

static struct image_use image_use(SpvOp op)
{
   switch (op) {
   case SpvOpImageSampleImplicitLod:
   case SpvOpImageSampleExplicitLod:
   case SpvOpImageSampleProjImplicitLod:
   case SpvOpImageSampleProjExplicitLod:
   case SpvOpImageSparseSampleImplicitLod:
   case SpvOpImageSparseSampleExplicitLod:
      return (struct image_use){IMAGE_SAMPLE, 5};
   case SpvOpImageSampleDrefImplicitLod:
   case SpvOpImageSampleDrefExplicitLod:
   case SpvOpImageSampleProjDrefImplicitLod:
   case SpvOpImageSampleProjDrefExplicitLod:
   case SpvOpImageSparseSampleDrefImplicitLod:
   case SpvOpImageSparseSampleDrefExplicitLod:
      return (struct image_use){IMAGE_SAMPLE, 6};
   case SpvOpImageFetch:
   case SpvOpImageSparseFetch:
      return (struct image_use){IMAGE_FETCH, 5};
   case SpvOpImageGather:
   case SpvOpImageDrefGather:
   case SpvOpImageSparseGather:
   case SpvOpImageSparseDrefGather:
      return (struct image_use){IMAGE_GATHER, 6};
   case SpvOpImageRead:
   case SpvOpImageSparseRead:
      return (struct image_use){IMAGE_OTHER, 5};
   case SpvOpImageWrite:
      return (struct image_use){IMAGE_OTHER, 4};
   default:
      return (struct image_use){IMAGE_NONE, 0};
   }
}

/* The image type behind the first operand, sampled or not. */
static struct icd_spirv_inst image_type(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const uint32_t id = icd_spirv_word(inst, inst->op == SpvOpImageWrite ? 1 : 3);
   struct icd_spirv_inst type = icd_spirv_definition(check->module, icd_spirv_type_of(check->module, id));
   if (type.op == SpvOpTypeSampledImage)
      type = icd_spirv_definition(check->module, icd_spirv_word(&type, 2));
   return type;
}

/* Calls for the constants of a scalar, vector or array of these. Returns false once `visit` does. */
static bool visit_constants(const struct icd_check *check, uint32_t id, uint32_t depth, bool (*visit)(void *data, int32_t value), void *data)
{
   enum { MAX_ELEMENTS = 4 }; /* of vectors, and of arrays of offsets */
   const struct icd_spirv_inst inst = icd_spirv_definition(check->module, id);
   uint32_t value;
   if ((inst.op == SpvOpConstantComposite || inst.op == SpvOpSpecConstantComposite) && depth) {
      for (uint32_t i = 3; i < UTIL_MIN(inst.count, 3 + MAX_ELEMENTS); i++) {
         if (!visit_constants(check, inst.words[i], depth - 1, visit, data))
            return false;
      }
      return true;
   }
   return !icd_spirv_constant(check->module, id, &value) || visit(data, (int32_t)value);
}

struct range {
   int32_t low, high;
   bool is_below, is_above;
};

static bool in_range(void *data, int32_t value)
{
   struct range *range = data;
   range->is_below |= value < range->low;
   range->is_above |= value > range->high;
   return true;
}

static void check_offset(const struct icd_check *check, const struct icd_spirv_inst *inst, enum image_class class, uint32_t id)
{
   const VkPhysicalDeviceLimits *limits = &check->env->properties->core.limits;
   const bool is_gather = class == IMAGE_GATHER;
   struct range range = {.low = is_gather ? limits->minTexelGatherOffset : limits->minTexelOffset,
                         .high = (int32_t)(is_gather ? limits->maxTexelGatherOffset : limits->maxTexelOffset)};
   visit_constants(check, id, 2, in_range, &range);
   if (range.is_below)
      icd_report_rule(check->report, check->module,
                      is_gather ? ICD_RULE_RuntimeSpirv_OpImage_06376 : ICD_RULE_RuntimeSpirv_OpImageSample_06435, inst, NULL);
   if (range.is_above)
      icd_report_rule(check->report, check->module,
                      is_gather ? ICD_RULE_RuntimeSpirv_OpImage_06377 : ICD_RULE_RuntimeSpirv_OpImageSample_06436, inst, NULL);
}

/* Walks the operands that the mask lists, in the order of its bits. */
static void check_operands(const struct icd_check *check, const struct icd_spirv_inst *inst, const struct image_use *use,
                           const struct icd_spirv_inst *type)
{
   const uint32_t offsets = SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask | SpvImageOperandsConstOffsetsMask;
   const uint32_t mask = icd_spirv_word(inst, use->mask_word);
   uint32_t at = use->mask_word + 1;
   if (mask & offsets && type->op == SpvOpTypeImage && icd_spirv_word(type, 7) != 1)
      ICD_BROKEN(check, StandaloneSpirv_Offset_04865, inst);
   for (uint32_t bit = SpvImageOperandsBiasMask; bit <= SpvImageOperandsMakeTexelVisibleMask; bit <<= 1) {
      if (!(mask & bit))
         continue;
      const uint32_t id = icd_spirv_word(inst, at);
      if (bit & offsets && use->class != IMAGE_OTHER)
         check_offset(check, inst, use->class, id);
      if (bit == SpvImageOperandsMakeTexelAvailableMask || bit == SpvImageOperandsMakeTexelVisibleMask)
         icd_check_memory_scope(check, inst, id);
      at += bit == SpvImageOperandsGradMask ? 2 : 1;
   }
}

static bool is_zero(void *data, int32_t value)
{
   return value == 0;
}

static void check_subpass_read(const struct icd_check *check, const struct icd_spirv_inst *inst, const struct icd_spirv_inst *type)
{
   const uint32_t coordinate = icd_spirv_word(inst, 4);
   const SpvOp op = icd_spirv_definition(check->module, coordinate).op;
   if (type->op == SpvOpTypeImage && icd_spirv_word(type, 3) == SpvDimSubpassData &&
       ((op != SpvOpConstantComposite && op != SpvOpConstantNull) || !visit_constants(check, coordinate, 1, is_zero, NULL)))
      ICD_BROKEN(check, StandaloneSpirv_SubpassData_04660, inst);
}

static void check_write(const struct icd_check *check, const struct icd_spirv_inst *inst, const struct icd_spirv_inst *type)
{
   const struct icd_spirv_inst texel = icd_spirv_definition(check->module, icd_spirv_type_of(check->module, icd_spirv_word(inst, 3)));
   const uint32_t components = icd_spirv_is_vector(texel.op) ? icd_spirv_components(check->module, &texel) : 1;
   const uint32_t format = type->op == SpvOpTypeImage ? icd_spirv_word(type, 8) : SpvImageFormatUnknown;
   if (has_format(format) && components < formats[format].components)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpImageWrite_07112, inst, "%u of %u", components, formats[format].components);
}

/* ---- InterpolateAtOffset ---- */

static float constant_float(const struct icd_check *check, uint32_t id)
{
   uint32_t bits;
   float value = 0;
   if (icd_spirv_constant(check->module, id, &bits))
      memcpy(&value, &bits, sizeof(value));
   return value;
}

/* The width and height of a fragment are 1: no shading rates. */
static void check_interpolation(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   enum { INTERPOLATE_AT_OFFSET = 78 };
   static const enum icd_rule rules[2][2] = {{ICD_RULE_RuntimeSpirv_Offset_06344, ICD_RULE_RuntimeSpirv_Offset_06345},
                                             {ICD_RULE_RuntimeSpirv_Offset_06346, ICD_RULE_RuntimeSpirv_Offset_06347}};
   const VkPhysicalDeviceLimits *limits = &check->env->properties->core.limits;
   const struct icd_spirv_inst set = icd_spirv_definition(check->module, icd_spirv_word(inst, 3));
   const struct icd_spirv_inst offset = icd_spirv_definition(check->module, icd_spirv_word(inst, 6));
   const struct icd_spirv_inst type = icd_spirv_definition(check->module, icd_spirv_word(&offset, 1));
   const struct icd_spirv_inst scalar = icd_spirv_scalar(check->module, icd_spirv_word(&offset, 1));
   if (icd_spirv_word(inst, 4) != INTERPOLATE_AT_OFFSET || set.op != SpvOpExtInstImport || icd_spirv_word(&set, 2) != 0x4c534c47 /* "GLSL" */ ||
       offset.op != SpvOpConstantComposite || !icd_spirv_is_vector(type.op) || icd_spirv_word(&scalar, 2) != 32)
      return;
   for (uint32_t axis = 0; axis < 2; axis++) {
      const float value = constant_float(check, icd_spirv_word(&offset, 3 + axis));
      if (value < limits->minInterpolationOffset)
         icd_report_rule(check->report, check->module, rules[axis][0], inst, "%g", (double)value);
      if (value > limits->maxInterpolationOffset)
         icd_report_rule(check->report, check->module, rules[axis][1], inst, "%g", (double)value);
   }
}

void icd_check_images(const struct icd_check *check)
{
   ICD_CHECK_GLOBALS(check, inst) {
      const struct icd_spirv_inst image = icd_spirv_definition(check->module, icd_spirv_word(&inst, 2));
      if (inst.op == SpvOpTypeImage)
         check_type(check, &inst);
      else if (inst.op == SpvOpTypeSampledImage && image.op == SpvOpTypeImage && icd_spirv_word(&image, 7) != 1)
         ICD_BROKEN(check, StandaloneSpirv_OpTypeSampledImage_06671, &inst);
   }
   ICD_CHECK_BODY(check, function, inst) {
      const struct image_use use = image_use(inst.op);
      if (inst.op == SpvOpExtInst)
         check_interpolation(check, &inst);
      if (use.class == IMAGE_NONE)
         continue;
      const struct icd_spirv_inst type = image_type(check, &inst);
      check_operands(check, &inst, &use, &type);
      if (inst.op == SpvOpImageRead)
         check_subpass_read(check, &inst, &type);
      else if (inst.op == SpvOpImageWrite)
         check_write(check, &inst, &type);
   }
}
