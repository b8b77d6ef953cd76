/* SPDX-License-Identifier: MIT
 * Texels that compiled code reads and writes by itself: the same bits as the runtime's, which the same code calls where the view says
 * nothing of itself. */
#include "abi/texel_format.h"
#include "runtime/image/image.h"
#include "runtime/texture/texture.h"
#include "tests/compiler/llvm/cg_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { INVOCATIONS = 96, WIDTH = 70, HEIGHT = 67, DATA = 2048 /* first word of what is stored */ };

static uint32_t num_calls;

static void count_tex(const struct abi_tex_call *call)
{
   num_calls++;
   rt_texture_call(call);
}

static void count_access(const struct abi_image_call *call)
{
   num_calls++;
   rt_image_access_call(call);
}

static const struct abi_helpers helpers = {.tex = count_tex, .image_access = count_access, .texels = rt_texels_call};

struct format {
   VkFormat format;
   VkComponentMapping swizzle;
   bool is_int;
   uint32_t level; /* what its direct code wants */
   bool is_small;  /* direct code is for 2D images; else loads are the runtime's */
   bool is_other;  /* loads are the runtime's, stores have no direct code: tried with some shapes */
   enum abi_texel_format name; /* the shader's */
};

static const struct format formats[] = {
   {VK_FORMAT_R32_SFLOAT, {0}, false, 1},
   {VK_FORMAT_R32_UINT, {0}, true, 1},
   {VK_FORMAT_D32_SFLOAT, {0}, false, 1},
   {VK_FORMAT_R8G8B8A8_UNORM, {0}, false, 1},
   {VK_FORMAT_B8G8R8A8_UNORM, {0}, false, 1},
   {VK_FORMAT_R8G8B8A8_UNORM, {VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R}, false, 1},
   {VK_FORMAT_R16G16B16A16_SFLOAT, {0}, false, 3},
   {VK_FORMAT_R8_UNORM, {0}, false, 1, true},
   {VK_FORMAT_R8G8_UNORM, {0}, false, 1, true},
   {VK_FORMAT_R16_UNORM, {0}, false, 1, true},
   {VK_FORMAT_R16G16_UNORM, {0}, false, 1, true},
   {VK_FORMAT_R16_SFLOAT, {0}, false, 1, true},
   {VK_FORMAT_R16G16_SFLOAT, {0}, false, 1, true},
   {VK_FORMAT_R8_SNORM, {0}, false, 1, false, true},
   {VK_FORMAT_R8G8B8A8_SRGB, {0}, false, 1, false, true},
   {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {0}, false, 1, false, true},
   {VK_FORMAT_R16G16B16A16_SNORM, {0}, false, 1, false, true},
   {VK_FORMAT_R32G32_SFLOAT, {0}, false, 1, false, true},
   {VK_FORMAT_R16G16B16A16_UNORM, {0}, false, 1, false, true},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {0}, false, 1, false, true},
   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {0}, false, 1, false, true},
   {VK_FORMAT_R32G32B32A32_SFLOAT, {0}, false, 1, false, true},
   {VK_FORMAT_R32G32B32A32_SFLOAT, {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_A}, false, 1, false, true},
   {VK_FORMAT_R8G8B8A8_UINT, {0}, true, 1},
   {VK_FORMAT_R8G8B8A8_UINT, {VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_R}, true, 1},
   {VK_FORMAT_R8_UINT, {0}, true, 1, true},
   {VK_FORMAT_R16G16_UINT, {0}, true, 1, true},
   {VK_FORMAT_R8_SINT, {0}, true, 1, false, true},
   {VK_FORMAT_R16G16B16A16_UINT, {0}, true, 1, false, true},
   {VK_FORMAT_R8G8B8A8_UNORM, {VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R}, false, 1, false, true},
};

/* Named by the shader. */
static const struct format named_formats[] = {
#define X(name, vk_name, numeric, r, g, b, a)                                                                                                              \
   {VK_FORMAT_##vk_name, {0}, ABI_TEXEL_##numeric == ABI_TEXEL_UINT || ABI_TEXEL_##numeric == ABI_TEXEL_SINT,                                           \
    ABI_TEXEL_##numeric == ABI_TEXEL_FLOAT && (r) == 16 ? 3 : 1, (r) + (g) + (b) + (a) < 32, false, ABI_TEXEL_FORMAT_##name},
   ABI_TEXEL_FORMATS(X)
#undef X
};

/* %25 coordinates, %24 the fourth word, %26 the descriptor, %29 the result. */
static const struct shape {
   const char *text, *store;
   VkImageViewType view;
   uint32_t layers, samples, levels;
   bool is_buffer;
   uint32_t flags; /* enum abi_tex_flags */
} shapes[] = {
   {"%25 = vec 2x32 %21, %22\n%29 = image_load 4x32 %26, %25 dim=1 flags=FLAGS access=ACCESS\n",
    "%25 = vec 2x32 %21, %22\nimage_store %26, %25, %30 dim=1 flags=FLAGS access=ACCESS\n", VK_IMAGE_VIEW_TYPE_2D, 1, 1, 1, false, 0},
   {"%25 = vec 3x32 %21, %22, %23\n%29 = image_load 4x32 %26, %25 dim=1 flags=FLAGS access=ACCESS\n",
    "%25 = vec 3x32 %21, %22, %23\nimage_store %26, %25, %30 dim=1 flags=FLAGS access=ACCESS\n", VK_IMAGE_VIEW_TYPE_2D_ARRAY, 3, 1, 1, false, 1},
   {"%25 = vec 3x32 %21, %22, %23\n%29 = image_load 4x32 %26, %25 dim=2 flags=FLAGS access=ACCESS\n",
    "%25 = vec 3x32 %21, %22, %23\nimage_store %26, %25, %30 dim=2 flags=FLAGS access=ACCESS\n", VK_IMAGE_VIEW_TYPE_3D, 1, 1, 1, false, 0},
   {"%29 = image_load 4x32 %26, %21 dim=0 flags=FLAGS access=ACCESS\n", "image_store %26, %21, %30 dim=0 flags=FLAGS access=ACCESS\n", VK_IMAGE_VIEW_TYPE_1D, 1, 1, 1, false, 0},
   {"%29 = image_load 4x32 %26, %21 dim=4 flags=FLAGS access=ACCESS\n", "image_store %26, %21, %30 dim=4 flags=FLAGS access=ACCESS\n", 0, 1, 1, 1, true, 0},
   {"%25 = vec 2x32 %21, %22\n%28 = const 1x32 1\n%29 = tex 4x32 %26, %26, %25, %28 op=1 dim=1 flags=FLAGS\n", NULL, VK_IMAGE_VIEW_TYPE_2D, 1, 1, 3, false, 4},
   {"%25 = vec 2x32 %21, %22\n%28 = const 1x32 3\n%29 = tex 4x32 %26, %26, %25, %28 op=1 dim=1 flags=FLAGS\n", NULL, VK_IMAGE_VIEW_TYPE_2D, 1, 1, 3, false, 4},
   {"%25 = vec 2x32 %21, %22\n%29 = image_load 4x32 %26, %25, %24 dim=1 flags=FLAGS access=ACCESS\n", NULL, VK_IMAGE_VIEW_TYPE_2D, 1, 4, 1, false, 2 | 128},
};

/* Of invocation %10: four words of coordinates, four to be stored. */
static const char head[] =
   CG_HEAD(96, "") "%12 = const 1x32 16\n%13 = imul 1x32 %10, %12\n%14 = const 1x32 8192\n%15 = iadd 1x32 %13, %14\n"
                   "%20 = load_buffer 4x32 %4, %5, %13 access=0 align=4\n%30 = load_buffer 4x32 %4, %5, %15 access=0 align=4\n"
                   "%21 = extract 1x32 %20 index=0\n%22 = extract 1x32 %20 index=1\n%23 = extract 1x32 %20 index=2\n"
                   "%24 = extract 1x32 %20 index=3\n%26 = image_desc 1x64 %0 set=0 binding=3\n";

static uint32_t random_word(void)
{
   static uint32_t state = 1;
   state = state * 1664525 + 1013904223;
   return state >> 16 | state << 16;
}

/* How lanes lie to each other: each somewhere; one after the other in memory; in rows of eight that begin anywhere, now and then but for one lane. */
enum lie { LIE_FAR, LIE_RUNS, LIE_ROWS, NUM_LIES };

/* Coordinates a little beyond all edges; numbers of all classes. */
static void fill(struct cg_run *run, const struct shape *shape, enum lie lie)
{
   uint32_t corner[3] = {0};
   static const uint32_t numbers[] = {0x7fc00000, 0xffc12345, 0x7f800000, 0xff800000, 0x3f800000, 0xbf800000, 0x80000000, 0x00000001, 0x477fefff, 0x33800000};
   for (uint32_t i = 0; i < INVOCATIONS; i++) {
      uint32_t *at = &run->buffers[1][i * 4], *data = &run->buffers[1][DATA + i * 4];
      if (i % 16 == 0)
         for (uint32_t a = 0; a < 3; a++)
            corner[a] = random_word() % ((a == 0 ? WIDTH : a == 1 ? HEIGHT : 3) + 6) - 3;
      at[0] = lie == LIE_RUNS ? 32 + ((i & 1) | (i >> 1 & 2)) + (shape->is_buffer ? i : 0) : random_word() % (WIDTH + 6) - 3;
      at[1] = lie == LIE_RUNS ? 4 + ((i >> 1 & 1) | (i >> 2 & 2)) : random_word() % (HEIGHT + 6) - 3;
      at[2] = random_word() % 5 - 1;
      if (lie == LIE_ROWS && random_word() % 64) {
         at[0] = corner[0] + (i & 7);
         at[1] = corner[1] + (i >> 3 & 1);
         at[2] = corner[2];
      }
      at[3] = random_word() % 6 - 1;
      for (uint32_t c = 0; c < 4; c++)
         data[c] = random_word() & 1 ? numbers[random_word() % UTIL_ARRAY_SIZE(numbers)] : 0x3f000000 + random_word() % 0x00ffffff;
   }
}

static void init_view(struct abi_image *view, struct rt_image *image, const struct format *format, const struct shape *shape, bool is_tiled)
{
   const VkImageType type = shape->view == VK_IMAGE_VIEW_TYPE_1D   ? VK_IMAGE_TYPE_1D
                            : shape->view == VK_IMAGE_VIEW_TYPE_3D ? VK_IMAGE_TYPE_3D
                                                                   : VK_IMAGE_TYPE_2D;
   const VkExtent3D extent = {WIDTH, type == VK_IMAGE_TYPE_1D ? 1 : HEIGHT, type == VK_IMAGE_TYPE_3D ? 3 : 1};
   const VkImageAspectFlags aspect = format->format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
   CHECK_EQ(rt_image_init(image, type, format->format, extent, shape->levels, shape->layers, shape->samples, is_tiled, 1 << 26), VK_SUCCESS);
   uint8_t *memory = util_malloc64(util_align(image->size_bytes, 64));
   rt_image_bind(image, memory);
   if (shape->is_buffer)
      rt_buffer_view_init(view, memory + 24, format->format, WIDTH * 4); /* not where a cache line begins */
   else
      rt_image_view_init(view, image, shape->view, format->format, format->swizzle, aspect, 0, shape->levels, 0, shape->layers, 0);
}

static void fill_image(const struct rt_image *image)
{
   uint32_t *words = (uint32_t *)(void *)image->planes[0].data;
   for (size_t i = 0; i < image->size_bytes / 4; i++)
      words[i] = random_word();
}

/* Runs with the view as it is, then as one that says nothing; texels and buffers are the same. */
static void compare(const char *text, struct cg_run *run, struct abi_image *view, struct rt_image *image, bool is_direct)
{
   static uint32_t first[CG_RUN_WORDS];
   const uint32_t direct = view->direct;
   struct comp_code code;
   if (!cg_run_compile(text, run->lanes, run->level, &code))
      return;
   uint8_t *texels = util_malloc64(util_align(image->size_bytes, 64)), *before = util_malloc64(util_align(image->size_bytes, 64));
   memcpy(before, image->planes[0].data, image->size_bytes);
   num_calls = 0;
   cg_run_code(&code, run);
   CHECK_EQ(num_calls == 0, is_direct);
   memcpy(first, run->buffers[0], sizeof(first));
   memcpy(texels, image->planes[0].data, image->size_bytes);
   memcpy(image->planes[0].data, before, image->size_bytes);
   memset(run->buffers[0], 0, sizeof(first));
   view->direct = ABI_DIRECT_NONE;
   num_calls = 0;
   cg_run_code(&code, run);
   comp_code_unload(&code);
   view->direct = direct;
   CHECK(num_calls > 0);
   CHECK(!memcmp(first, run->buffers[0], sizeof(first)));
   CHECK(!memcmp(texels, image->planes[0].data, image->size_bytes));
   util_mfree(texels);
   util_mfree(before);
}

/* Copies the text with a number instead of the word, if that is in it. */
static void set_word(char *out, size_t size, const char *text, const char *word, uint32_t number)
{
   char copy[256];
   const char *mark = strstr(text, word);
   snprintf(copy, sizeof(copy), "%s", text);
   if (mark)
      snprintf(out, size, "%.*s%u%s", (int)(mark - text), copy, number, copy + (mark - text) + strlen(word));
   else
      snprintf(out, size, "%s", copy);
}

/* Other names for what an access defines: %25, %27, %28 and %29. */
static void rename_results(char *out, const char *text)
{
   for (; *text; text++) {
      *out++ = *text;
      if (text[0] == '%' && text[1] == '2' && text[2] >= '5' && text[2] != '6')
         *out++ = '1';
   }
   *out = '\0';
}

/* `is_later`: behind another one of the shader, as a call of a function. */
static void run_access(uint32_t index, const struct format *format, bool is_tiled, bool is_store, bool is_later, enum lie lie)
{
   static uint32_t buffers[CG_RUN_BUFFERS][CG_RUN_WORDS + 64];
   const struct shape *shape = &shapes[index];
   const bool is_2d = !shape->is_buffer && shape->samples == 1 && (shape->view == VK_IMAGE_VIEW_TYPE_2D || shape->view == VK_IMAGE_VIEW_TYPE_2D_ARRAY);
   struct rt_image image;
   struct abi_image view;
   char access[256], earlier[256] = "", text[2048];
   init_view(&view, &image, format, shape, is_tiled);
   fill_image(&image);
   set_word(access, sizeof(access), is_store ? shape->store : shape->text, "FLAGS", shape->flags | (format->is_int ? 4096u : 0));
   set_word(access, sizeof(access), access, "ACCESS", (uint32_t)format->name << 8);
   if (is_later) {
      char load[256];
      rename_results(load, shape->text);
      set_word(earlier, sizeof(earlier), load, "FLAGS", shape->flags | (format->is_int ? 4096u : 0));
      set_word(earlier, sizeof(earlier), earlier, "ACCESS", (uint32_t)format->name << 8);
   }
   snprintf(text, sizeof(text), "%s%s%s%syield\n}\n", head, earlier, access, is_store ? "" : "store_buffer %2, %3, %13, %29 access=0 align=4 mask=15\n");
   for (uint32_t level = 1; level <= util_cpu_level(); level += level == 1 ? 2 : 1) { /* 1 and 2 are the same code */
      for (uint32_t lanes = 4; lanes <= 32; lanes += lanes < 16 ? 12 : 16) {
         struct cg_run run = {.lanes = lanes, .level = level, .workgroups = {1, 1, 1}, .buffers = buffers, .image = &view, .helpers = &helpers};
         memset(buffers, 0, sizeof(buffers));
         fill(&run, shape, lie);
         const uint32_t class = view.direct & ABI_DIRECT_CLASS;
         const bool is_other = class == ABI_DIRECT_OTHER;
         const bool is_called = is_store && (class == ABI_DIRECT_SMALL_HALVES || (format->is_int && class != ABI_DIRECT_WORD));
         const bool has_code = level >= format->level && (format->name ? !format->is_small || is_2d : !is_other && !is_called);
         const bool is_runtimes = !is_store && (is_other || class == ABI_DIRECT_SMALL_HALVES) && (!format->name || level < format->level);
         compare(text, &run, &view, &image, has_code || is_runtimes);
      }
   }
   util_mfree(image.planes[0].data);
}

/* In turns as the first access of a shader and as a later one. */
static void run_shape(uint32_t index, const struct format *format, bool is_tiled, bool is_store, enum lie lie)
{
   static uint32_t turn;
   run_access(index, format, is_tiled, is_store, turn++ & 1, lie);
}

TEST(loads_are_the_runtimes)
{
   for (uint32_t s = 0; s < UTIL_ARRAY_SIZE(shapes); s++)
      for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(formats); f++)
         if (!formats[f].is_other || (s + f) % 3 == 0)
            run_shape(s, &formats[f], true, false, (s + f) % NUM_LIES);
   for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(formats); f++)
      run_shape(0, &formats[f], false, false, f % NUM_LIES);
}

TEST(stores_are_the_runtimes)
{
   for (uint32_t s = 0; s < UTIL_ARRAY_SIZE(shapes); s++)
      for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(formats) && shapes[s].store; f++)
         if (!formats[f].swizzle.r && (!formats[f].is_other || s == 0)) /* no such storage images */
            run_shape(s, &formats[f], s > 0 || f & 2, true, f & 1 ? LIE_RUNS : LIE_FAR);
}

TEST(named_formats_are_the_runtimes)
{
   for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(named_formats); f++) {
      run_shape(f % 3 ? 0 : f / 3 % 5, &named_formats[f], f & 1, false, f % NUM_LIES);
      run_shape(f % 3 == 1 ? f / 3 % 5 : 0, &named_formats[f], !(f & 1), true, f & 2 ? LIE_RUNS : LIE_FAR);
   }
}

/* The view is of another format, as no valid program has it. */
TEST(another_format_is_called_for)
{
   struct format format = named_formats[1];
   format.name = ABI_TEXEL_FORMAT_Rgba32f;
   format.level = UINT32_MAX;
   run_shape(0, &format, true, false, LIE_FAR);
   run_shape(0, &format, true, true, LIE_FAR);
}

TEST(no_image_is_called_for)
{
   static uint32_t buffers[CG_RUN_BUFFERS][CG_RUN_WORDS + 64];
   const char *text = CG_HEAD(64, "") "%12 = const 1x32 16\n%13 = imul 1x32 %10, %12\n%26 = image_desc 1x64 %0 set=0 binding=3\n"
                                      "%27 = vec 2x32 %0, %10\n%29 = image_load 4x32 %26, %27 dim=1 flags=0 access=0\n"
                                      "store_buffer %2, %3, %13, %29 access=0 align=4 mask=15\nyield\n}\n";
   struct cg_run run = {.lanes = 16, .level = UTIL_MIN(util_cpu_level(), UTIL_CPU_V4), .workgroups = {1, 1, 1}, .buffers = buffers, .helpers = &helpers};
   num_calls = 0;
   memset(buffers[0], 0x33, 64 * 16);
   cg_run_once(text, &run);
   CHECK(num_calls > 0);
   for (uint32_t i = 0; i < 64 * 4; i++)
      CHECK_EQ(buffers[0][i], 0);
}

TEST_MAIN
