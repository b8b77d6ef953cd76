/* SPDX-License-Identifier: MIT
 * Directs a program that shows frames in a window of some toolkit: starts an X server and the program, looks at the
 * picture of the screen after each step, has the program close its window.
 *
 *    toolkit_test PROGRAM */
#include "tests/wsi/toolkits/frames.h"
#include "tests/wsi/xvfb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#define SKIPPED 77 /* what meson takes for "skipped" */

enum { SCREEN_WIDTH = 640, SCREEN_HEIGHT = 480 };

struct program {
   pid_t pid;
   FILE *out; /* what it says */
   int in;    /* what it is given */
};

static bool start(struct program *program, const char *path, const char *display)
{
   int out[2], in[2];
   if (pipe(out) != 0 || pipe(in) != 0)
      return false;
   program->pid = fork();
   if (program->pid == 0) {
      setenv("DISPLAY", display, 1);
      unsetenv("WAYLAND_DISPLAY");
      setenv("SDL_VIDEODRIVER", "x11", 1);
      setenv("QT_QPA_PLATFORM", "xcb", 1);
      dup2(out[1], STDOUT_FILENO);
      dup2(in[0], STDIN_FILENO);
      close(out[0]);
      close(out[1]);
      close(in[0]);
      close(in[1]);
      execl(path, path, (char *)NULL);
      _exit(127);
   }
   close(out[1]);
   close(in[0]);
   program->out = fdopen(out[0], "r");
   program->in = in[1];
   return program->pid > 0 && program->out;
}

static bool is_color(const uint8_t *bgrx, const unsigned char rgb[3])
{
   return abs(bgrx[2] - rgb[0]) <= 1 && abs(bgrx[1] - rgb[1]) <= 1 && abs(bgrx[0] - rgb[2]) <= 1;
}

/* The window, somewhere on the screen, shows the colour in all of its pixels, and nothing else does. */
static bool shows_step(xcb_connection_t *connection, const struct frames_step *step)
{
   const xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root;
   xcb_get_image_reply_t *reply = xcb_get_image_reply(
      connection,
      xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, root, 0, 0, SCREEN_WIDTH, SCREEN_HEIGHT, ~0u), NULL);
   if (!reply)
      return false;
   const uint8_t *pixels = xcb_get_image_data(reply);
   int x0 = SCREEN_WIDTH, y0 = SCREEN_HEIGHT, x1 = 0, y1 = 0, count = 0;
   for (int y = 0; y < SCREEN_HEIGHT; y++) {
      for (int x = 0; x < SCREEN_WIDTH; x++) {
         if (!is_color(pixels + (y * SCREEN_WIDTH + x) * 4, step->color))
            continue;
         x0 = x < x0 ? x : x0;
         y0 = y < y0 ? y : y0;
         x1 = x + 1 > x1 ? x + 1 : x1;
         y1 = y + 1 > y1 ? y + 1 : y1;
         count++;
      }
   }
   free(reply);
   const bool is_right =
      x1 - x0 == step->width && y1 - y0 == step->height && count == step->width * step->height;
   if (!is_right)
      fprintf(stderr, "%d pixels in (%d, %d) to (%d, %d), not %d x %d\n", count, x0, y0, x1, y1, step->width,
              step->height);
   return is_right;
}

static bool direct(const char *path, const char *display)
{
   struct program program = {0};
   char line[64];
   int status = -1;
   xcb_connection_t *connection = xcb_connect(display, NULL);
   bool is_fine = !xcb_connection_has_error(connection);
   if (!start(&program, path, display))
      return false;
   for (int i = 0; is_fine && i < FRAMES_NUM_STEPS; i++) {
      is_fine = fgets(line, sizeof(line), program.out) && strcmp(line, "shown\n") == 0;
      if (!is_fine)
         fprintf(stderr, "step %d: the program does not get there\n", i);
      is_fine = is_fine && shows_step(connection, &frames_steps[i]) && write(program.in, "\n", 1) == 1;
   }
   close(program.in);
   waitpid(program.pid, &status, 0);
   if (is_fine && status != 0)
      fprintf(stderr, "the program ended with status %d\n", status);
   fclose(program.out);
   xcb_disconnect(connection);
   return is_fine && status == 0;
}

int main(int argc, char **argv)
{
   struct xvfb server;
   char screen[32];
   snprintf(screen, sizeof(screen), "%dx%dx24", SCREEN_WIDTH, SCREEN_HEIGHT);
   if (argc != 2)
      return 2;
   if (!xvfb_start(&server, screen)) {
      fprintf(stderr, "no Xvfb: skipped\n");
      return SKIPPED;
   }
   const bool is_fine = direct(argv[1], server.name);
   xvfb_stop(&server);
   return is_fine ? 0 : 1;
}
