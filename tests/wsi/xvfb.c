/* SPDX-License-Identifier: MIT
 * Starting and stopping Xvfb. */
#include "tests/wsi/xvfb.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool xvfb_start(struct xvfb *server, const char *screen)
{
   int fds[2];
   if (pipe(fds) != 0)
      return false;
   server->pid = fork();
   if (server->pid == 0) {
      char fd[16];
      snprintf(fd, sizeof(fd), "%d", fds[1]);
      close(fds[0]);
      prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when a test ends the program */
      if (!freopen("/dev/null", "w", stderr))
         _exit(1);
      execlp("Xvfb", "Xvfb", "-displayfd", fd, "-screen", "0", screen, "-listen", "tcp", "-ac", "-noreset",
             (char *)NULL);
      _exit(1);
   }
   close(fds[1]);
   /* Up to the newline: a server that cannot write that dies. */
   char number[16] = "";
   size_t length = 0;
   while (length < sizeof(number) - 1 && read(fds[0], number + length, 1) == 1 && number[length] != '\n')
      length++;
   close(fds[0]);
   if (length == 0) {
      waitpid(server->pid, NULL, 0);
      server->pid = 0;
      return false;
   }
   snprintf(server->name, sizeof(server->name), ":%d", atoi(number));
   snprintf(server->tcp_name, sizeof(server->tcp_name), "127.0.0.1:%d", atoi(number));
   return true;
}

void xvfb_stop(struct xvfb *server)
{
   if (server->pid > 0) {
      kill(server->pid, SIGTERM);
      waitpid(server->pid, NULL, 0);
   }
   server->pid = 0;
}
