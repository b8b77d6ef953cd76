/* SPDX-License-Identifier: MIT */
#include "tests/client/child.h"

#include "tests/client/client.h"

#include <stdlib.h>
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
   fclose(child->out);
   return waitpid(child->pid, &status, 0) == child->pid && WIFEXITED(status) && !WEXITSTATUS(status);
}
