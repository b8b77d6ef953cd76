/* SPDX-License-Identifier: MIT
 * How findings are reported: one message each to debug messengers and stderr, one line of JSON each to a file.
 * VK_SWRAST_SANITIZE_LOG names the file, to which lines are added; VK_SWRAST_SANITIZE_FATAL the code with which the process ends after
 * the findings of a submission. */
#include "icd/instrument/message.h"

#include "icd/instance/messenger.h"
#include "icd/device/device.h"
#include "icd/instance/instance.h"
#include "icd/instrument/instrument.h"
#include "util/outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- JSON ---- */

static void put_string(FILE *file, const char *key, const char *value)
{
   fprintf(file, ",\"%s\":\"", key);
   for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
      if (*c == '"' || *c == '\\')
         fprintf(file, "\\%c", *c);
      else if (*c < 0x20)
         fprintf(file, "\\u%04x", *c);
      else
         fputc(*c, file);
   }
   fputc('"', file);
}

static void put_words(FILE *file, const char *key, const struct rt_party *party)
{
   fprintf(file, ",\"%s\":[", key);
   for (uint32_t i = 0; i < party->site->num_words; i++)
      fprintf(file, "%s%llu", i ? "," : "", (unsigned long long)party->operands[i]);
   fputc(']', file);
}

static void write_json(const struct rt_finding *finding, const struct icd_finding_text *text)
{
   const char *path = util_env("VK_SWRAST_SANITIZE_LOG");
   FILE *file = path && *path ? util_append_private(path) : NULL;
   if (path && *path && !file)
      util_log("VK_SWRAST_SANITIZE_LOG: %s cannot be written", path);
   if (!file)
      return;
   fprintf(file, "{\"id\":\"%s\",\"line\":%u,\"column\":%u", text->id, finding->party.site->line, finding->party.site->column);
   put_string(file, "file", finding->party.site->texts + finding->party.site->file);
   put_string(file, "what", text->what);
   put_string(file, "object", text->object);
   put_string(file, "text", text->line);
   put_string(file, "invocation", text->invocation);
   if (!finding->hazard)
      put_words(file, "words", &finding->party);
   put_string(file, "shader", finding->label);
   if (finding->other.site) {
      put_string(file, "other_place", text->other_location);
      put_string(file, "other_text", text->other_line);
      put_string(file, "other_invocation", text->other_invocation);
      if (!finding->hazard)
         put_words(file, "other_words", &finding->other);
   }
   fputs("}\n", file);
   if (fclose(file) != 0)
      util_log("VK_SWRAST_SANITIZE_LOG: %s cannot be written", path);
}

/* ---- messages ---- */

static void add_line(char *text, size_t size, const char *location, const char *line, const char *by, const char *who)
{
   size_t used = strlen(text);
   if (*line && used < size)
      used += (size_t)snprintf(text + used, size - used, "\n    %s:  %s", *location ? location : "source", line);
   if (used < size)
      snprintf(text + used, size - used, "\n    %s %s", by, who);
}

void icd_instrument_report(void *data, const struct rt_finding *finding)
{
   struct icd_device *device = data;
   struct icd_finding_text text;
   char message[3072];
   if (device->features.nullDescriptor && icd_finding_is_of_null(finding))
      return;
   icd_finding_describe(finding, &text);
   snprintf(message, sizeof(message), "%s%s%s%s%s [%s]", text.what, *text.object ? "; in " : "", text.object, *text.location ? ", " : "", text.location,
            text.id);
   add_line(message, sizeof(message), text.location, text.line, finding->of ? "not by" : "by", text.invocation);
   if (finding->other.site) {
      const size_t used = strlen(message);
      snprintf(message + used, sizeof(message) - used, "%s%s", *text.other_line || !*text.other_location ? "" : ", and ",
               *text.other_line ? "" : text.other_location);
      add_line(message, sizeof(message), text.other_location, text.other_line, finding->hazard ? "after" : "by", text.other_invocation);
   }
   const size_t used = strlen(message);
   if (!finding->hazard) /* whose commands have said it */
      snprintf(message + used, sizeof(message) - used, "\n    in %s", finding->label);
   icd_message(device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
               text.id, &device->base, "%s", message);
   write_json(finding, &text);
   device->has_findings = true;
}

void icd_instrument_end(void *data)
{
   const struct icd_device *device = data;
   const char *code = util_env("VK_SWRAST_SANITIZE_FATAL");
   if (!device->has_findings || !code || !*code)
      return;
   fflush(NULL);
   _exit((int)strtol(code, NULL, 0) & 0xff);
}
