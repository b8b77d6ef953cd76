/* SPDX-License-Identifier: MIT
 * Pictures as files, through libpng's simplified interface. */
#include "tests/client/client.h"

#include <png.h>
#include <string.h>

void client_write_png(const char *path, const void *rgba, uint32_t width, uint32_t height)
{
   png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
   if (!png_image_write_to_file(&image, path, 0, rgba, 0, NULL))
      client_die("cannot write %s: %s", path, image.message);
}
