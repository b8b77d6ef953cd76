/* SPDX-License-Identifier: MIT */
#include "tests/icd/validate/env.h"

#include "gen/icd_spirv.h"
#include "icd/device/physical_device.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct property {
   const char *name;
   uint32_t offset; /* bytes in struct icd_properties */
   bool is_float;
} properties[] = {
#define PROPERTY(name) {#name, offsetof(struct icd_properties, name), false}
#define LIMIT(name) {#name, offsetof(struct icd_properties, core.limits.name), false}
#define FLOAT_LIMIT(name) {#name, offsetof(struct icd_properties, core.limits.name), true}
#define THREE_WIDTHS(name) PROPERTY(name##16), PROPERTY(name##32), PROPERTY(name##64)
   {"apiVersion", offsetof(struct icd_properties, core.apiVersion), false},
   PROPERTY(cooperativeVectorSupportedStages),
   PROPERTY(denormBehaviorIndependence),
   PROPERTY(fullyCoveredFragmentShaderInputVariable),
   PROPERTY(maxCooperativeVectorComponents),
#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
   PROPERTY(maxExecutionGraphShaderOutputNodes),
   PROPERTY(maxExecutionGraphShaderPayloadCount),
   PROPERTY(maxExecutionGraphShaderPayloadSize),
#endif
   PROPERTY(maxMeshOutputMemorySize),
   PROPERTY(maxMeshOutputPrimitives),
   PROPERTY(maxMeshOutputVertices),
   PROPERTY(maxMeshPayloadAndOutputMemorySize),
   PROPERTY(maxMeshPayloadAndSharedMemorySize),
   PROPERTY(maxMeshSharedMemorySize),
   PROPERTY(maxMeshWorkGroupCount[0]),
   PROPERTY(maxMeshWorkGroupCount[1]),
   PROPERTY(maxMeshWorkGroupCount[2]),
   PROPERTY(maxMeshWorkGroupInvocations),
   PROPERTY(maxMeshWorkGroupSize[0]),
   PROPERTY(maxMeshWorkGroupSize[1]),
   PROPERTY(maxMeshWorkGroupSize[2]),
   PROPERTY(maxMeshWorkGroupTotalCount),
   PROPERTY(maxTaskPayloadAndSharedMemorySize),
   PROPERTY(maxTaskPayloadSize),
   PROPERTY(maxTaskSharedMemorySize),
   PROPERTY(maxTaskWorkGroupInvocations),
   PROPERTY(maxTaskWorkGroupSize[0]),
   PROPERTY(maxTaskWorkGroupSize[1]),
   PROPERTY(maxTaskWorkGroupSize[2]),
   PROPERTY(maxTransformFeedbackBufferDataSize),
   PROPERTY(maxTransformFeedbackBufferDataStride),
   PROPERTY(maxTransformFeedbackStreamDataSize),
   PROPERTY(meshAndTaskShaderDerivatives),
   PROPERTY(roundingModeIndependence),
   PROPERTY(subgroupQuadOperationsInAllStages),
   PROPERTY(subgroupSupportedOperations),
   PROPERTY(subgroupSupportedStages),
   PROPERTY(transformFeedbackStreamsLinesTriangles),
   LIMIT(maxComputeSharedMemorySize),
   LIMIT(maxComputeWorkGroupInvocations),
   LIMIT(maxComputeWorkGroupSize[0]),
   LIMIT(maxComputeWorkGroupSize[1]),
   LIMIT(maxComputeWorkGroupSize[2]),
   LIMIT(maxFragmentCombinedOutputResources),
   LIMIT(maxFragmentOutputAttachments),
   LIMIT(maxTexelGatherOffset),
   LIMIT(maxTexelOffset),
   LIMIT(maxVertexInputAttributes),
   LIMIT(minTexelGatherOffset),
   LIMIT(minTexelOffset),
   FLOAT_LIMIT(maxInterpolationOffset),
   FLOAT_LIMIT(minInterpolationOffset),
   THREE_WIDTHS(shaderDenormFlushToZeroFloat),
   THREE_WIDTHS(shaderDenormPreserveFloat),
   THREE_WIDTHS(shaderRoundingModeRTEFloat),
   THREE_WIDTHS(shaderRoundingModeRTZFloat),
   THREE_WIDTHS(shaderSignedZeroInfNanPreserveFloat),
};

bool test_env_set_property(struct test_env *env, const char *name, double value)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(properties); i++) {
      if (strcmp(properties[i].name, name) != 0)
         continue;
      const float as_float = (float)value;
      const uint32_t as_integer = (uint32_t)(int64_t)value; /* of negative numbers the low bits */
      void *const at = (char *)&env->properties + properties[i].offset;
      memcpy(at, properties[i].is_float ? (const void *)&as_float : (const void *)&as_integer, sizeof(uint32_t));
      return true;
   }
   return false;
}

bool test_env_set_feature(struct test_env *env, const char *name, bool value)
{
   for (uint32_t offset = 0; offset < ICD_NUM_FEATURES; offset++) {
      if (!strcmp(icd_feature_name(offset), name)) {
         ((bool *)&env->features)[offset] = value;
         return true;
      }
   }
   return false;
}

static void require(bool is_good, const char *what)
{
   if (!is_good) {
      fprintf(stderr, "no such feature, extension or property: %s\n", what);
      exit(1);
   }
}

static void change_extension(struct test_env *env, const char *name, bool value)
{
   const enum icd_extension id = icd_extension_find(name);
   require(id != ICD_NUM_EXTENSIONS, name);
   const uint64_t bit = UINT64_C(1) << (id % 64);
   env->extensions.words[id / 64] = value ? env->extensions.words[id / 64] | bit : env->extensions.words[id / 64] & ~bit;
}

static void change_property(struct test_env *env, char *text)
{
   char *value = strchr(text, '=');
   require(value != NULL, text);
   *value++ = 0;
   require(test_env_set_property(env, text, strtod(value, NULL)), text);
}

static void link_env(struct test_env *env, uint32_t minor)
{
   env->env = (struct icd_validate_env){.api_version = VK_MAKE_API_VERSION(0, 1, minor, 0),
                                        .features = &env->features,
                                        .extensions = &env->extensions,
                                        .properties = &env->properties};
}

void test_env_of_module(struct test_env *env, const struct spvasm *module)
{
   char word[200];
   memset(env, 0, sizeof(*env));
   icd_features_fill(&env->features);
   icd_properties_fill(&env->properties, &env->features);
   env->extensions = *icd_device_extensions();
   link_env(env, spvasm_version(module, "env", 13) % 10);
   for (unsigned i = 0; spvasm_value(module, "enable", i, word, sizeof(word)); i++)
      require(test_env_set_feature(env, word, true), word);
   for (unsigned i = 0; spvasm_value(module, "disable", i, word, sizeof(word)); i++)
      (void)test_env_set_feature(env, word, false); /* of newer headers than these: it is not enabled */
   for (unsigned i = 0; spvasm_value(module, "extension", i, word, sizeof(word)); i++)
      change_extension(env, word, true);
   for (unsigned i = 0; spvasm_value(module, "without", i, word, sizeof(word)); i++)
      change_extension(env, word, false);
   for (unsigned i = 0; spvasm_value(module, "limit", i, word, sizeof(word)); i++)
      change_property(env, word);
}

void test_env_bare(struct test_env *env)
{
   memset(env, 0, sizeof(*env));
   link_env(env, 0);
}

bool test_is_left_out(const char *path)
{
   struct spvasm module;
   char word[100];
   const bool has_needs = spvasm_read(&module, path) && spvasm_value(&module, "needs", 0, word, sizeof(word));
   spvasm_free(&module);
   const enum icd_extension id = has_needs ? icd_extension_find(word) : ICD_NUM_EXTENSIONS;
   return has_needs && (id == ICD_NUM_EXTENSIONS || !icd_has_extension(icd_device_extensions(), id));
}
