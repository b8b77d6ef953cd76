/* SPDX-License-Identifier: MIT
 * The text of a shader that a test writes line by line. */
#pragma once

#include "util/macros.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_BYTES = 1 << 20 };

static char text[TEXT_BYTES];
static size_t text_end;

static UTIL_PRINTF(1, 2) void add(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   text_end += (size_t)vsnprintf(text + text_end, TEXT_BYTES - text_end, format, args);
   va_end(args);
}
