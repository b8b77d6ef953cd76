/* SPDX-License-Identifier: MIT
 * VK_SWRAST_TRACE=NAME[:STAGE],X[,Y[,Z]]: which pipeline, shader and invocation; and the values that it reports, by line. */
#include "compiler/compiler.h"
#include "icd/instance/messenger.h"
#include "icd/device/device.h"
#include "icd/instrument/instrument.h"
#include "icd/instrument/message.h"
#include "icd/instrument/print.h"
#include "util/outside.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the variable ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct comp_trace trace; /* this and the next one: written in `once` only */
static char wanted[128]; /* name of a pipeline or shader object, hash of a module, or * */

enum {
   RAYS = 1 << ABI_STAGE_RAYGEN | 1 << ABI_STAGE_ANY_HIT | 1 << ABI_STAGE_CLOSEST_HIT | 1 << ABI_STAGE_MISS | 1 << ABI_STAGE_INTERSECTION |
          1 << ABI_STAGE_CALLABLE,
};

/* Where numbers alone follow after commas, three at most; NULL: there is none. */
static char *find_numbers(char *text)
{
   char *begin = NULL, *at = text + strlen(text);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(trace.at); i++) {
      char *comma = at;
      while (comma > text && comma[-1] >= '0' && comma[-1] <= '9')
         comma--;
      if (comma == at || comma == text || comma[-1] != ',')
         break;
      begin = at = comma - 1;
   }
   return begin;
}

/* Cuts :STAGE off. */
static uint32_t take_stages(char *name)
{
   static const char *const stages[] = {
#define X(NAME, name) #name,
      ABI_STAGES(X)
#undef X
   };
   char *colon = strrchr(name, ':');
   for (uint32_t i = 0; colon && i < ABI_NUM_STAGES; i++) {
      if (strcmp(stages[i], colon + 1) != 0)
         continue;
      *colon = 0;
      return 1u << i;
   }
   return 1 << ABI_STAGE_FRAGMENT | 1 << ABI_STAGE_COMPUTE | RAYS;
}

static void parse(void)
{
   const char *text = util_env("VK_SWRAST_TRACE");
   if (!text || !*text)
      return;
   snprintf(wanted, sizeof(wanted), "%s", text);
   char *numbers = strlen(text) < sizeof(wanted) ? find_numbers(wanted) : NULL;
   if (!numbers || numbers == wanted) {
      util_log("VK_SWRAST_TRACE: \"%s\" is not NAME,X or NAME,X,Y or NAME,X,Y,Z", text);
      return;
   }
   *numbers++ = 0;
   for (char *at = numbers; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
      trace.at[trace.num_coordinates++] = (uint32_t)strtoul(at, NULL, 10);
   trace.stages = take_stages(wanted);
}

const struct comp_trace *icd_trace(void)
{
   if (util_debug(UTIL_DEBUG_TRACE))
      pthread_once(&once, parse);
   return &trace;
}

/* ---- what is reported ---- */

/* `label`: entry point, module, name of the pipeline. */
static bool is_wanted(const char *label)
{
   char quoted[64];
   if (!strcmp(wanted, "*"))
      return true;
   snprintf(quoted, sizeof(quoted), "\"%.50s\"", wanted); /* as much as a label has of it */
   const char *module = strstr(label, "module ");
   return strstr(label, quoted) || (module && !strncmp(module + strlen("module "), wanted, 16) && strlen(wanted) == 16);
}

UTIL_PRINTF(2, 3) static void say(struct icd_device *device, const char *format, ...)
{
   char line[1024];
   va_list args;
   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   util_log("%s", line);
   icd_message_text(device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                    "TRACE", 0, &device->base, line);
}

/* The invocation and the line, where they are others than the last ones. */
static void print_location(struct icd_device *device, const struct rt_print *print, const char *label)
{
   struct icd_traced *last = &device->traced;
   const struct abi_site *site = print->site;
   const size_t size = site->num_words * sizeof(*last->words);
   if (last->order != print->order || last->stage != site->stage || memcmp(last->words, print->operands, size) != 0) {
      char who[ICD_WHO];
      icd_describe_invocation(who, site, print->operands);
      say(device, "trace of %s, in %s", who, label);
      last->order = print->order;
      last->stage = site->stage;
      memcpy(last->words, print->operands, size);
      last->line = 0;
   }
   if (site->line && site->line != last->line)
      say(device, "  %.400s:%u:  %s", site->texts[site->file] ? site->texts + site->file : "line", site->line, site->texts + site->text);
   last->line = site->line;
}

void icd_instrument_trace(struct icd_device *device, const struct rt_print *print, const char *text)
{
   const char *label = print->label ? print->label : "";
   if (!is_wanted(label))
      return;
   print_location(device, print, label);
   say(device, "    %s", text);
}
