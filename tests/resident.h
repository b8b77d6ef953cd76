/* SPDX-License-Identifier: MIT
 * What a process has resident, for tests that compare it. */
#pragma once

#include <stdio.h>
#include <sys/prctl.h>

/* Before there are threads: a page of a stack stays one page. False where the system does not know it. */
static inline bool test_refuse_huge_pages(void)
{
   return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0;
}

/* The number behind a line's name in a file of /proc; -1: there is none. */
static inline long test_read_number(const char *path, const char *format)
{
   long number = -1;
   char line[256];
   FILE *file = fopen(path, "r");
   while (file && number < 0 && fgets(line, sizeof(line), file))
      if (sscanf(line, format, &number) != 1)
         number = -1;
   if (file)
      fclose(file);
   return number;
}

/* Resident memory that is not a mapped file, whose pages come and go with the machine's memory. Counted page by page: the sums in
 * /proc/self/status are kept a processor or thread, and where there are many they are wrong by megabytes. */
static inline long test_resident_kib(void)
{
   return test_read_number("/proc/self/smaps_rollup", "Anonymous: %ld");
}
