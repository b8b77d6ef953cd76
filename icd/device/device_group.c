/* SPDX-License-Identifier: MIT
 * Device groups of the one device. Spec: Devices and Queues, "Device Group"; Device Memory, "Peer Memory Features". */
#include "gen/icd_entrypoints.h"

/* There is no other device whose memory could be reached. */
VKAPI_ATTR void VKAPI_CALL icd_GetDeviceGroupPeerMemoryFeatures(VkDevice device, uint32_t heapIndex,
                                                                uint32_t localDeviceIndex, uint32_t remoteDeviceIndex,
                                                                VkPeerMemoryFeatureFlags *pPeerMemoryFeatures)
{
   *pPeerMemoryFeatures = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
                          VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT | VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetDeviceMask(VkCommandBuffer commandBuffer, uint32_t deviceMask)
{
}
