/* SPDX-License-Identifier: MIT
 * Exceptions: a row a program. */
#include "icd/device/exceptions.h"

#include <stddef.h>
#include <string.h>

struct exception {
   const char *engine; /* VkApplicationInfo::pEngineName */
   enum icd_extension extension;
   size_t feature; /* of the extension: byte offset of the bool in struct icd_features */
};

static const struct exception exceptions[] = {
#ifdef VK_KHR_internally_synchronized_queues
   /* FFmpeg 8 and 9 enable it where it is offered, and then refuse to share the device with a libplacebo before 365. */
   {"libavutil", ICD_EXT_KHR_internally_synchronized_queues, offsetof(struct icd_features, internallySynchronizedQueues)},
#endif
   {.engine = NULL}, /* the end */
};

void icd_exceptions_apply(const VkApplicationInfo *application, struct icd_extension_set *extensions,
                          struct icd_features *features)
{
   if (!application || !application->pEngineName)
      return;
   for (const struct exception *e = exceptions; e->engine; e++) {
      if (strcmp(e->engine, application->pEngineName) != 0)
         continue;
      icd_remove_extension(extensions, e->extension);
      *(bool *)((char *)features + e->feature) = false;
   }
}
