/* SPDX-License-Identifier: MIT
 * What a device has enabled, without a device: that of this driver, changed as a module's comments ask (spvasm.h), or one with nothing.
 * Each function exits the program when a name is wrong. */
#pragma once

#include "icd/validate/spirv.h"
#include "tests/icd/validate/spvasm.h"

struct test_env {
   struct icd_features features;
   struct icd_extension_set extensions;
   struct icd_properties properties;
   struct icd_validate_env env; /* points to the others */
};

/* All that the driver offers, with the changes that `module` asks for. */
void test_env_of_module(struct test_env *env, const struct spvasm *module);
/* Vulkan 1.0 with nothing enabled; properties are zero. */
void test_env_bare(struct test_env *env);

/* Sets a feature; false if there is none of that name. */
bool test_env_set_feature(struct test_env *env, const char *name, bool value);
/* Sets a property or an element of one, "maxComputeWorkGroupSize[0]"; false if it is not among those that rules ask for. */
bool test_env_set_property(struct test_env *env, const char *name, double value);

/* The file's module needs an extension that is not offered: headers or SPIRV-Tools, which would not assemble it either, are older. */
bool test_is_left_out(const char *path);
