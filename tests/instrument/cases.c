/* SPDX-License-Identifier: MIT */
#include "tests/instrument/cases.h"
#include "tests/instrument/quiet.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

enum { MAX_HEARD = 16 };

static struct {
   uint32_t count;
   char id[MAX_HEARD][64];
   char message[MAX_HEARD][3072];
} heard;

void cases_listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0 || heard.count == MAX_HEARD)
      return;
   snprintf(heard.id[heard.count], sizeof(heard.id[0]), "%s", id);
   snprintf(heard.message[heard.count], sizeof(heard.message[0]), "%s", message);
   heard.count++;
}

static void complain(const struct instrument_case *it, const char *what)
{
   printf("%s: %s; reported:\n", it->name, what);
   for (uint32_t i = 0; i < heard.count; i++)
      printf("   %s\n", heard.message[i]);
   test_fail(__FILE__, __LINE__, it->name);
}

/* FILE:LINE ends there. */
static bool has_location(const char *message, const char *location)
{
   for (const char *at = strstr(message, location); at; at = strstr(at + 1, location)) {
      const char end = at[strlen(location)];
      if (end < '0' || end > '9')
         return true;
   }
   return false;
}

static void check_faulty(const struct instrument_case *it)
{
   if (heard.count != it->num_expected) {
      complain(it, "another number of findings");
      return;
   }
   for (uint32_t i = 0; i < it->num_expected; i++) {
      const struct expected *e = &it->expected[i];
      if (strcmp(heard.id[i], e->id) != 0)
         complain(it, e->id);
      else if (!has_location(heard.message[i], e->location))
         complain(it, e->location);
      else if (!strstr(heard.message[i], e->by))
         complain(it, e->by);
      else if (heard.message[i][0] == ',' || heard.message[i][0] == ';')
         complain(it, "what is wrong is not said");
      else if (!strstr(heard.message[i], it->name))
         complain(it, "the pipeline has no name");
   }
}

void cases_check(const struct instrument_case *cases, uint32_t count, const char *wanted, void (*run)(const struct instrument_case *it, uint32_t twin))
{
   for (uint32_t i = 0; i < count; i++) {
      if (wanted && !strstr(cases[i].name, wanted))
         continue;
      memset(&heard, 0, sizeof(heard));
      run(&cases[i], 0);
      check_faulty(&cases[i]);
      memset(&heard, 0, sizeof(heard));
      quiet_begin();
      run(&cases[i], 1);
      if (*quiet_end() || heard.count)
         complain(&cases[i], "the repaired twin is reported, or prints something");
   }
}
