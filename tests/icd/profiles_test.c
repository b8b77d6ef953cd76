/* SPDX-License-Identifier: MIT
 * What Khronos' profiles require of a device, requirement by requirement: those of the registry that the build has (Roadmap 2022, 2024, 2026).
 * Spec: Profiles; the registry's VP_KHR_roadmap.json, from which profiles.py makes the list. */
#include "icd/device/extensions.h"
#include "icd/device/features.h"
#include "icd/device/physical_device.h"
#include "tests/test.h"

static uint32_t num_profiles, num_requirements;
static const char *profile;

static void require(bool is_met, const char *condition)
{
   num_requirements++;
   if (!is_met)
      fprintf(stderr, "%s: %s\n", profile, condition);
   CHECK(is_met);
}

TEST(every_requirement)
{
   struct icd_features features;
   struct icd_properties properties;
   icd_features_fill(&features);
   icd_properties_fill(&properties, &features);
#define PROFILE(name)                                                                                                  \
   profile = #name;                                                                                                    \
   num_profiles++;
#define HAS(name) (icd_has_extension(icd_device_extensions(), ICD_EXT_##name) || icd_has_extension(icd_instance_extensions(), ICD_EXT_##name))
#define REQUIRE(...) require(__VA_ARGS__, #__VA_ARGS__);
#include "profiles.inc"
   CHECK(num_profiles >= 1 && num_requirements > 50 * num_profiles); /* the list is not empty */
   printf("%u requirements of %u profiles\n", num_requirements, num_profiles);
}

TEST_MAIN
