/* SPDX-License-Identifier: MIT */
#include "icd/validate/stream_check.h"

#include "icd/instance/messenger.h"
#include "icd/device/device.h"

#include <stdarg.h>
#include <stdio.h>

void icd_stream_report(const struct icd_stream_walk *walk, uint64_t *reported, enum icd_stream_rule rule, bool is_static, const char *format, ...)
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
#define ATTACHMENT(class, format, other, missing, used, samples)                                                        \
   [ICD_STREAM_##class##_FORMAT] = {.of_command = "dynamicRenderingUnusedAttachments-0" #format},                       \
   [ICD_STREAM_##class##_OTHER] = {.of_command = "dynamicRenderingUnusedAttachments-0" #other},                         \
   [ICD_STREAM_##class##_MISSING] = {.of_command = "dynamicRenderingUnusedAttachments-0" #missing},                     \
   [ICD_STREAM_##class##_USED] = {.of_command = used},                                                                  \
   [ICD_STREAM_##class##_SAMPLES] = {.of_command = "multisampledRenderToSingleSampled-0" #samples}
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
   if (__atomic_fetch_or(reported, UINT64_C(1) << rule, __ATOMIC_RELAXED) >> rule & 1)
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
