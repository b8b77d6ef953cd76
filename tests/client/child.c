/* SPDX-License-Identifier: MIT */
#include "tests/client/child.h"

#include "tests/client/client.h"
#include "util/cpu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct client_child client_child_start(const struct client_variable *variables, const char *const *arguments)
{
   int fds[2];
   if (pipe(fds))
      client_die("no pipe");
   const pid_t pid = fork();
   if (pid < 0)
      client_die("cannot fork");
   if (!pid) {
      for (; variables->name; variables++) {
         if (variables->value)
            setenv(variables->name, variables->value, 1);
      }
      dup2(fds[1], STDOUT_FILENO);
      close(fds[0]);
      close(fds[1]);
      execv("/proc/self/exe", (char *const *)arguments);
      _exit(127);
   }
   close(fds[1]);
   FILE *out = fdopen(fds[0], "r");
   if (!out)
      client_die("cannot read what a child prints");
   return (struct client_child){pid, out};
}

bool client_child_finish(struct client_child *child)
{
   int status = 1;
   struct rusage usage = {0};
   fclose(child->out);
   const bool has_ended = wait4(child->pid, &status, 0, &usage) == child->pid;
   child->peak_kib = usage.ru_maxrss;
   return has_ended && WIFEXITED(status) && !WEXITSTATUS(status);
}

struct client_child client_child_configured(const struct client_configuration *configuration, const char *const *arguments)
{
   const struct client_variable variables[] = {{"VK_SWRAST_LANES", configuration->lanes},
                                               {"VK_SWRAST_THREADS", configuration->threads},
                                               {"VK_SWRAST_CPU", configuration->level},
                                               {NULL, NULL}};
   return client_child_start(variables, arguments);
}

/* Not silently: a level that the machine has not would be one that passes untested. */
static bool has_level(const struct client_configuration *configuration)
{
   return !configuration->level || atoi(configuration->level + 1) <= (int)util_cpu_own_level();
}

int client_child_compare(const char *name, const struct client_configuration *configurations, size_t count)
{
   const char *const arguments[] = {name, "--child", NULL};
   char first[1024] = "", line[1024];
   int passed = 0, failed = 0, skipped = 0;
   for (size_t i = 0; i < count; i++) {
      const struct client_configuration *it = &configurations[i];
      struct client_child process = client_child_configured(it, arguments);
      const bool has_line = fgets(line, sizeof(line), process.out), is_run = client_child_finish(&process) && has_line;
      if (!*first && is_run)
         memcpy(first, line, sizeof(first));
      const bool is_same = is_run && !strcmp(line, first) && strstr(line, "right"), is_skipped = is_same && !has_level(it);
      passed += is_same && !is_skipped;
      failed += !is_same;
      skipped += is_skipped;
      if (!is_same || is_skipped)
         printf("%s lanes, %s threads, %s: %s", it->lanes ? it->lanes : "the machine's", it->threads ? it->threads : "all",
                it->level ? it->level : "its level", is_skipped ? "skipped, the machine has no such level\n" : is_run ? line : "did not run\n");
   }
   printf("%d passed, %d failed", passed, failed);
   if (skipped)
      printf(", %d skipped", skipped);
   printf("\n");
   return failed != 0;
}
