/* SPDX-License-Identifier: MIT
 * Commands that VK_EXT_shader_object and VK_EXT_extended_dynamic_state3 list for states of extensions that are not offered. Programs find them by
 * name all the same, and the conformance tests ask for them; without the state's extension no call is valid, so they do nothing.
 * Spec: Appendix, "VK_EXT_shader_object". */
#include "gen/icd_entrypoints.h"

/* X(command, its parameters behind the command buffer) */
#define ABSENT_COMMANDS(X)                                                                                             \
   X(SetCoverageModulationModeNV, VkCoverageModulationModeNV mode)                                                     \
   X(SetCoverageModulationTableEnableNV, VkBool32 enable)                                                              \
   X(SetCoverageModulationTableNV, uint32_t count, const float *table)                                                 \
   X(SetCoverageReductionModeNV, VkCoverageReductionModeNV mode)                                                       \
   X(SetCoverageToColorEnableNV, VkBool32 enable)                                                                      \
   X(SetCoverageToColorLocationNV, uint32_t location)                                                                  \
   X(SetRepresentativeFragmentTestEnableNV, VkBool32 enable)                                                           \
   X(SetShadingRateImageEnableNV, VkBool32 enable)                                                                     \
   X(SetViewportSwizzleNV, uint32_t first, uint32_t count, const VkViewportSwizzleNV *swizzles)                        \
   X(SetViewportWScalingEnableNV, VkBool32 enable)

#define X(command, ...)                                                                                                \
   VKAPI_ATTR void VKAPI_CALL icd_Cmd##command(VkCommandBuffer commandBuffer, __VA_ARGS__)                             \
   {                                                                                                                   \
   }
ABSENT_COMMANDS(X)
#undef X
