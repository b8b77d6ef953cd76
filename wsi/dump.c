/* SPDX-License-Identifier: MIT
 * Presented frames as PNG files, through libpng's simplified interface; libpng is opened at the first frame. */
#include "wsi/dump.h"

#include "util/alloc.h"
#include "util/debug.h"
#include "util/thread.h"
#include "wsi/library.h"
#include "wsi/swapchain_internal.h"
#include "util/size.h"
#include "util/outside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WSI_HAS_PNG
#include <png.h>
#endif

enum { MAX_PATH_BYTES = 4096 };

struct wsi_dump {
   char *directory;
   uint32_t swapchain, num_frames;
   uint64_t start_ns;
   bool has_failed; /* and said so */
};

static atomic_uint num_swapchains;

struct wsi_dump *wsi_dump_create(void)
{
   const char *directory = util_env("VK_SWRAST_PRESENT_DUMP");
   if (!directory || !*directory)
      return NULL;
   struct wsi_dump *dump = util_calloc(1, util_size_add(sizeof(*dump) + 1, strlen(directory)));
   if (!dump) {
      util_log("VK_SWRAST_PRESENT_DUMP: out of memory");
      return NULL;
   }
   dump->directory = strcpy((char *)(dump + 1), directory);
   dump->swapchain = atomic_fetch_add(&num_swapchains, 1) + 1;
   dump->start_ns = util_now_ns();
   return dump;
}

void wsi_dump_destroy(struct wsi_dump *dump)
{
   util_mfree(dump);
}

/* Whoever set the variable reads stderr; but once is enough. */
static void complain(struct wsi_dump *dump, const char *path, const char *why)
{
   if (!dump->has_failed)
      util_log("VK_SWRAST_PRESENT_DUMP: cannot write %s: %s", path, why);
   dump->has_failed = true;
}

#ifdef WSI_HAS_PNG

static struct png_library {
   __typeof__(png_image_write_to_stdio) *png_image_write_to_stdio;
} png;

static bool open_png(void)
{
   static const char *const names[] = {"png_image_write_to_stdio", NULL};
   static struct wsi_library library = WSI_LIBRARY("libpng16.so.16", names, &png);
   return wsi_library_open(&library);
}

/* Under a hidden name first: whoever watches the folder sees whole pictures only. */
static void write_png(struct wsi_dump *dump, const char *path, VkExtent2D extent, const void *rgba)
{
   char part[MAX_PATH_BYTES + 8];
   const char *name = strrchr(path, '/') + 1;
   snprintf(part, sizeof(part), "%.*s.%s.part", (int)(name - path), path, name);
   png_image image = {
      .version = PNG_IMAGE_VERSION,
      .width = extent.width,
      .height = extent.height,
      .format = PNG_FORMAT_RGBA,
      .flags = PNG_IMAGE_FLAG_FAST,
   };
   if (!open_png()) {
      complain(dump, path, "libpng16.so.16 cannot be opened");
      return;
   }
   errno = 0;
   FILE *file = util_create_private(part);
   bool is_written = file && png.png_image_write_to_stdio(&image, file, 0, rgba, 0, NULL);
   if (file)
      is_written = fclose(file) == 0 && is_written;
   if (!is_written || rename(part, path) != 0)
      complain(dump, path, errno ? strerror(errno) : image.message);
}

#else

static void write_png(struct wsi_dump *dump, const char *path, VkExtent2D extent, const void *rgba)
{
   complain(dump, path, "this driver was built without libpng's headers");
}

#endif

void wsi_dump_frame(struct wsi_dump *dump, const struct wsi_swapchain *swapchain, uint32_t image)
{
   const uint64_t milliseconds = (util_now_ns() - dump->start_ns) / 1000000;
   const VkExtent2D extent = swapchain->extent;
   char path[MAX_PATH_BYTES];
   const int length = snprintf(path, sizeof(path), "%s/%u-%06u-%09llums.png", dump->directory, dump->swapchain, ++dump->num_frames,
                               (unsigned long long)milliseconds);
   if (length >= (int)sizeof(path)) {
      complain(dump, path, strerror(ENAMETOOLONG));
      return;
   }

   const struct wsi_frame frame = {.swapchain = swapchain, .image = image};
   const size_t pitch_bytes = (size_t)extent.width * 4;
   void *rgba = util_malloc(util_size_mul(pitch_bytes, extent.height));
   if (rgba && wsi_frame_read(&frame, (VkRect2D){{0, 0}, extent}, &wsi_pixel_rgba8, rgba, pitch_bytes) == VK_SUCCESS)
      write_png(dump, path, extent, rgba);
   else
      complain(dump, path, "out of memory");
   util_mfree(rgba);
}
