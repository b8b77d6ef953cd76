/* SPDX-License-Identifier: MIT
 * The demonstration: pictures and numbers from real SPIR-V through the real loader. Usage: demo OUTPUT-DIRECTORY */
#include "tests/demo/demo.h"

#include "tests/client/rays.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static double step_begin_s;

void demo_step(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   printf("  ");
   vprintf(format, args);
   printf(" … ");
   fflush(stdout);
   va_end(args);
   step_begin_s = client_now_s();
}

void demo_done(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   printf("%.0f ms", (client_now_s() - step_begin_s) * 1e3);
   if (*format)
      printf(": ");
   vprintf(format, args);
   printf("\n");
   fflush(stdout);
   va_end(args);
}

static void write_picture(struct client *client, struct demo_picture picture, const char *directory, const char *name)
{
   char path[4096];
   snprintf(path, sizeof(path), "%s/%s.png", directory, name);
   demo_step("  write %s", path);
   client_write_png(path, picture.pixels.map, picture.width, picture.height);
   demo_done("%s", "");
   client_buffer_destroy(client, &picture.pixels);
}

int main(int argc, char **argv)
{
   const char *directory = argc > 1 ? argv[1] : "demo-out";
   const bool is_validated = getenv("DEMO_VALIDATE") != NULL;
   const struct client_options options = {.wants_validation = is_validated};
   struct client client;
   bool is_good = true;

   mkdir(directory, 0777);
   demo_step("instance and device");
   client_init(&client, &options);
   demo_done("%s, Vulkan %u.%u", client.properties.deviceName, VK_API_VERSION_MAJOR(client.properties.apiVersion),
             VK_API_VERSION_MINOR(client.properties.apiVersion));

   write_picture(&client, demo_fractal(&client), directory, "fractal");
   is_good = demo_matmul(&client) && is_good;
   is_good = demo_histogram(&client) && is_good;
   write_picture(&client, demo_scene(&client), directory, "scene");

   client_finish(&client);
   const uint32_t num_messages = client.num_messages;

   client_rays_init(&client);
   write_picture(&client, demo_paths(&client), directory, "paths");
   client_finish(&client);
   if (is_validated)
      printf("  validation layer: %u messages\n", num_messages);
   printf("pictures are in %s\n", directory);
   return !is_good || num_messages;
}
