/* SPDX-License-Identifier: MIT
 * VK_KHR_calibrated_timestamps: the device's clock is the system's monotonic one, in nanoseconds.
 * Spec: Synchronization and Cache Control, "Calibrated timestamps". */
#include "gen/icd_entrypoints.h"
#include "util/macros.h"
#include "util/thread.h"

#include <time.h>

static const struct {
   VkTimeDomainKHR domain;
   clockid_t clock;
} domains[] = {
   {VK_TIME_DOMAIN_DEVICE_KHR, CLOCK_MONOTONIC}, /* as util_now_ns() */
   {VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR, CLOCK_MONOTONIC},
#ifdef CLOCK_MONOTONIC_RAW
   {VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR, CLOCK_MONOTONIC_RAW},
#endif
};

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice physicalDevice,
                                                                                uint32_t *pTimeDomainCount,
                                                                                VkTimeDomainKHR *pTimeDomains)
{
   const uint32_t total = UTIL_ARRAY_SIZE(domains);
   const uint32_t count = pTimeDomains ? UTIL_MIN(*pTimeDomainCount, total) : total;
   for (uint32_t i = 0; pTimeDomains && i < count; i++)
      pTimeDomains[i] = domains[i].domain;
   *pTimeDomainCount = count;
   return count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Clocks of swapchains and of their stages (VK_EXT_present_timing) are the monotonic one, too. */
static uint64_t read_clock(VkTimeDomainKHR domain)
{
   struct timespec now = {0};
   clockid_t clock = CLOCK_MONOTONIC;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(domains); i++) {
      if (domains[i].domain == domain)
         clock = domains[i].clock;
   }
   clock_gettime(clock, &now);
   return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetCalibratedTimestampsKHR(VkDevice device, uint32_t timestampCount,
                                                              const VkCalibratedTimestampInfoKHR *pTimestampInfos,
                                                              uint64_t *pTimestamps, uint64_t *pMaxDeviation)
{
   const uint64_t begin_ns = util_now_ns();
   for (uint32_t i = 0; i < timestampCount; i++)
      pTimestamps[i] = read_clock(pTimestampInfos[i].timeDomain);
   *pMaxDeviation = util_now_ns() - begin_ns + 1; /* and a step of the clock */
   return VK_SUCCESS;
}
