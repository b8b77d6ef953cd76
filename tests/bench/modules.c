/* SPDX-License-Identifier: MIT
 * The speed of shaders that this project has not seen: modules from files, on any set of drivers in turn, through the real loader.
 *
 *    bench_modules [--rounds N] [--size WIDTHxHEIGHT] [--srgb] [--nearest] [--write FOLDER] NAME=ICD.json ... FILE.spv|FOLDER ...
 *
 * A module with an entry point `main` of the fragment stage covers a picture of that size (default: 1280x720), one of the compute stage has as many
 * invocations. A fragment shader NAME.frag.spv is drawn with the vertex shader NAME.vert.spv beside it, else with one that is made to fit. What
 * they read is made up by reflection (made_up.h): textures RGBA8 (with --srgb: sRGB) with levels and linear filters (with --nearest: nearest).
 * Prints a row a module: each driver's median time of a picture and the time until the first one is done, pipeline and all, in milliseconds; how many
 * times as long the others take as the first driver, and the share of pixels that differ from its own; then geometric means. --write: the pictures, as
 * FOLDER/MODULE.DRIVER.png. Each measurement is a process of its own.
 * Exit status: 0, or 1 where the first driver has no time for a module. */
#include "tests/bench/made_up.h"
#include "tests/bench/bench.h"
#include "tests/client/child.h"
#include "util/macros.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_DRIVERS = 8, MAX_ROUNDS = 31, MAX_MODULES = 4096, MAX_PATH = 4096, TIMEOUT_S = 60 };

static struct driver {
   const char *name, *json;
   double sum_of_logs, first_sum_of_logs; /* of times beside the first driver's */
   uint32_t num_ratios;
} drivers[MAX_DRIVERS];

static const char *paths[MAX_MODULES];
static uint32_t num_drivers, num_paths, num_failed; /* of modules on the first driver */

/* What a child measures of a module. */
struct result {
   double ms, first_ms;
};

/* ---- the child ---- */

/* A module and what SPIRV-Cross says of its entry point `main`. */
struct module {
   uint32_t *words;
   size_t num_words;
   spvc_compiler compiler;
   VkShaderStageFlagBits stage;
};

static uint32_t *read_words(const char *path, size_t *num_words)
{
   FILE *file = fopen(path, "rb");
   struct stat status;
   if (!file || fstat(fileno(file), &status))
      client_die("%s cannot be read", path);
   uint32_t *words = malloc((size_t)status.st_size + 4);
   *num_words = (size_t)status.st_size / 4;
   if (!words || fread(words, 4, *num_words, file) != *num_words)
      client_die("%s cannot be read", path);
   fclose(file);
   return words;
}

static struct module parse(uint32_t *words, size_t num_words)
{
   struct module module = {.words = words, .num_words = num_words};
   spvc_context context;
   spvc_parsed_ir ir;
   const spvc_entry_point *entries;
   size_t count;
   if (spvc_context_create(&context) || spvc_context_parse_spirv(context, words, num_words, &ir) ||
       spvc_context_create_compiler(context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &module.compiler) ||
       spvc_compiler_get_entry_points(module.compiler, &entries, &count))
      client_die("SPIRV-Cross does not read it");
   for (size_t i = 0; i < count && !module.stage; i++) {
      const SpvExecutionModel model = entries[i].execution_model;
      if (!strcmp(entries[i].name, "main"))
         module.stage = model == SpvExecutionModelFragment    ? VK_SHADER_STAGE_FRAGMENT_BIT
                        : model == SpvExecutionModelGLCompute ? VK_SHADER_STAGE_COMPUTE_BIT
                        : model == SpvExecutionModelVertex    ? VK_SHADER_STAGE_VERTEX_BIT
                                                              : 0;
   }
   return module;
}

/* A device with all features of Vulkan 1.0 to 1.3 but robust access. */
static void init_client(struct client *client)
{
   static VkPhysicalDeviceVulkan13Features f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
   static VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &f13};
   static VkPhysicalDeviceVulkan11Features f11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &f12};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &f11};
   client_init(client, &(struct client_options){.api_version = VK_API_VERSION_1_3});
   const PFN_vkGetPhysicalDeviceFeatures2 get = (PFN_vkGetPhysicalDeviceFeatures2)client->get(client->instance, "vkGetPhysicalDeviceFeatures2");
   get(client->physical_device, &features);
   client_finish(client);
   features.features.robustBufferAccess = VK_FALSE;
   f13.robustImageAccess = VK_FALSE;
   client_init(client, &(struct client_options){.api_version = VK_API_VERSION_1_3, .features = &features.features, .next = &f11});
}

struct work {
   struct client *client;
   VkCommandBuffer cmd;
};

static void submit(void *data)
{
   const struct work *work = data;
   client_submit(work->client, work->cmd);
}

static void bind(VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipeline pipeline, const struct made_up *made)
{
   vk.CmdBindPipeline(cmd, point, pipeline);
   if (made->num_sets)
      vk.CmdBindDescriptorSets(cmd, point, made->layout, 0, made->num_sets, made->sets, 0, NULL);
   if (made->push_bytes)
      vk.CmdPushConstants(cmd, made->layout, VK_SHADER_STAGE_ALL, 0, made->push_bytes, made->push);
}

static uint32_t local_size(const struct module *module, uint32_t axis)
{
   spvc_specialization_constant constants[3];
   spvc_compiler_get_work_group_size_specialization_constants(module->compiler, &constants[0], &constants[1], &constants[2]);
   const uint32_t fixed = spvc_compiler_get_execution_mode_argument_by_index(module->compiler, SpvExecutionModeLocalSize, axis);
   const uint32_t size =
      constants[axis].id ? spvc_constant_get_scalar_u32(spvc_compiler_get_constant_handle(module->compiler, constants[axis].id), 0, 0) : fixed;
   return size ? size : 1;
}

/* As many invocations as the picture has texels: in two dimensions if the workgroup has them. */
static void record_dispatch(struct work *work, const struct module *module, const struct made_up *made, const struct made_up_picture *picture)
{
   const uint32_t x = local_size(module, 0), y = local_size(module, 1);
   const VkShaderModule shader = client_shader(work->client, module->words, module->num_words * 4);
   const VkPipeline pipeline = client_compute_pipeline(work->client, shader, made->layout, VK_NULL_HANDLE, NULL);
   work->cmd = client_begin(work->client);
   bind(work->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline, made);
   if (y > 1)
      vk.CmdDispatch(work->cmd, (picture->width + x - 1) / x, (picture->height + y - 1) / y, 1);
   else
      vk.CmdDispatch(work->cmd, UTIL_MIN((picture->width * picture->height + x - 1) / x, 65535u), 1, 1);
   client_end(work->cmd);
}

static struct client_image record_draw(struct work *work, const struct module *fragment, struct module *vertex, const struct made_up *made,
                                       const struct made_up_picture *picture)
{
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   const uint32_t width = picture->width, height = picture->height;
   const struct client_image color =
      client_image_create(work->client, format, width, height, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   const VkRenderPass pass = client_render_pass(work->client, format, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   const VkFramebuffer framebuffer = client_framebuffer(work->client, pass, 1, &color.view, width, height);
   struct client_buffer vertices = {0};
   struct client_graphics graphics = {.layout = made->layout,
                                      .pass = pass,
                                      .width = width,
                                      .height = height,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   if (vertex->words) {
      graphics.num_attributes = made_up_vertices(work->client, vertex->compiler, graphics.attributes, &vertices);
      graphics.stride_bytes = graphics.num_attributes * MADE_UP_ATTRIBUTE_BYTES;
   } else {
      vertex->words = made_up_vertex_stage(fragment->compiler, &vertex->num_words);
   }
   graphics.vertex = client_shader(work->client, vertex->words, vertex->num_words * 4);
   graphics.fragment = client_shader(work->client, fragment->words, fragment->num_words * 4);
   const VkPipeline pipeline = client_graphics_pipeline(work->client, &graphics, VK_NULL_HANDLE);
   work->cmd = client_begin(work->client);
   client_begin_pass(work->cmd, pass, framebuffer, width, height, 1, &(VkClearValue){{{0}}});
   bind(work->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline, made);
   if (graphics.num_attributes)
      vk.CmdBindVertexBuffers(work->cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
   vk.CmdDraw(work->cmd, MADE_UP_VERTICES, 1, 0, 0);
   vk.CmdEndRenderPass(work->cmd);
   client_end(work->cmd);
   return color;
}

static void write_pixels(struct client *client, const struct client_image *color, const char *path)
{
   const size_t bytes = (size_t)color->width * color->height * 4;
   struct client_buffer pixels = client_buffer_create(client, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {color->width, color->height, 1}};
   VkCommandBuffer cmd = client_begin(client);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, color->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels.buffer, 1, &copy);
   client_barrier(cmd);
   client_run(client, cmd);
   FILE *file = fopen(path, "wb");
   if (!file || fwrite(pixels.map, 1, bytes, file) != bytes || fclose(file))
      client_die("%s cannot be written", path);
}

/* The words of the vertex shader beside NAME.frag.spv, if there is one. */
static struct module vertex_beside(const char *path)
{
   char beside[MAX_PATH];
   const char *end = strstr(path, ".frag.spv");
   struct module none = {0};
   size_t num_words;
   if (!end || snprintf(beside, sizeof(beside), "%.*s.vert.spv", (int)(end - path), path) >= MAX_PATH || access(beside, R_OK))
      return none;
   uint32_t *words = read_words(beside, &num_words);
   return parse(words, num_words);
}

/* Measures one module and prints the numbers; the picture goes to `pixels`. Everything ends with the process, which nothing looks at for what is left. */
static _Noreturn void run_child(const char *path, const struct made_up_picture *picture, const char *pixels)
{
   static struct reflection reflection;
   struct client client;
   size_t num_words;
   alarm(TIMEOUT_S);
   uint32_t *words = read_words(path, &num_words);
   struct module module = parse(words, num_words), vertex = {0};
   if (module.stage == VK_SHADER_STAGE_FRAGMENT_BIT)
      vertex = vertex_beside(path);
   else if (module.stage != VK_SHADER_STAGE_COMPUTE_BIT)
      client_die("no fragment or compute stage called main");
   if (!reflect(&reflection, module.compiler, module.stage) || (vertex.words && !reflect(&reflection, vertex.compiler, VK_SHADER_STAGE_VERTEX_BIT)))
      client_die("resources that are not made here");
   init_client(&client);
   const struct made_up made = made_up_resources(&client, &reflection, picture);
   struct work work = {.client = &client};
   struct client_image color = {0};
   const double begin = client_now_s();
   if (module.stage == VK_SHADER_STAGE_COMPUTE_BIT)
      record_dispatch(&work, &module, &made, picture);
   else
      color = record_draw(&work, &module, &vertex, &made, picture);
   submit(&work);
   const double first = client_now_s() - begin;
   if (color.image)
      write_pixels(&client, &color, pixels);
   printf("%.9g %.9g\n", bench_median(0.3, submit, &work) * 1e3, first * 1e3);
   fflush(stdout);
   _exit(0);
}

/* ---- the parent ---- */

/* Negative where the driver or this program does not take the module. */
static struct result measure(const struct driver *driver, const char *path, const char *size, const char *texels, const char *pixels)
{
   char line[64] = "";
   struct result result = {-1, -1};
   const char *const arguments[] = {"bench_modules", "--child", path, size, texels, pixels, NULL};
   const struct client_variable variables[] = {
      {"VK_DRIVER_FILES", driver->json}, {"VK_ICD_FILENAMES", driver->json}, {"VK_SWRAST_DEBUG", "nocache"}, {"MESA_SHADER_CACHE_DISABLE", "1"}, {NULL, NULL}};
   struct client_child process = client_child_start(variables, arguments);
   const bool has_line = fgets(line, sizeof(line), process.out);
   if (!client_child_finish(&process) || !has_line || sscanf(line, "%lf %lf", &result.ms, &result.first_ms) != 2)
      return (struct result){-1, -1};
   return result;
}

static uint8_t *read_pixels(const char *path, size_t bytes)
{
   uint8_t *pixels = malloc(bytes);
   FILE *file = fopen(path, "rb");
   const bool is_read = file && pixels && fread(pixels, 1, bytes, file) == bytes;
   if (file)
      fclose(file);
   if (!is_read) {
      free(pixels);
      return NULL;
   }
   return pixels;
}

/* The share of pixels of which a component differs by more than 2; negative: no picture. */
static double difference(const uint8_t *a, const uint8_t *b, size_t num_pixels)
{
   size_t count = 0;
   if (!a || !b)
      return -1;
   for (size_t i = 0; i < num_pixels; i++) {
      bool differs = false;
      for (uint32_t c = 0; c < 4; c++)
         differs |= abs(a[i * 4 + c] - b[i * 4 + c]) > 2;
      count += differs;
   }
   return (double)count / (double)num_pixels;
}

static const char *name_of(const char *path)
{
   const char *slash = strrchr(path, '/');
   return slash ? slash + 1 : path;
}

static void print_row(const char *path, const struct result *results, const double *differences)
{
   const char *name = name_of(path);
   printf("%-40.*s", (int)strlen(name) - (strlen(name) > 4 ? 4 : 0), name);
   for (uint32_t d = 0; d < num_drivers; d++) {
      if (results[d].ms < 0)
         printf(" %10s %5s", "failed", "");
      else
         printf(" %10.3f %5.0f", results[d].ms, results[d].first_ms);
   }
   for (uint32_t d = 1; d < num_drivers; d++) {
      if (results[0].ms < 0 || results[d].ms < 0) {
         printf(" %7s", "");
         continue;
      }
      printf(" %6.2fx", results[d].ms / results[0].ms);
      if (differences[d] > 0.001)
         printf(" (%.1f %% differ)", differences[d] * 100);
      drivers[d].sum_of_logs += log(results[d].ms / results[0].ms);
      drivers[d].first_sum_of_logs += log(results[d].first_ms / results[0].first_ms);
      drivers[d].num_ratios++;
   }
   printf("\n");
   fflush(stdout);
}

static void run_module(const char *path, const struct made_up_picture *picture, uint32_t rounds, const char *folder, bool keeps)
{
   const size_t num_pixels = (size_t)picture->width * picture->height;
   struct result results[MAX_DRIVERS];
   double ms[MAX_DRIVERS][MAX_ROUNDS], first_ms[MAX_DRIVERS][MAX_ROUNDS], differences[MAX_DRIVERS];
   char size[32], texels[32], pixels[MAX_PATH];
   uint8_t *pictures[MAX_DRIVERS];
   bool has_failed[MAX_DRIVERS] = {false};
   snprintf(size, sizeof(size), "%ux%u", picture->width, picture->height);
   snprintf(texels, sizeof(texels), "%s,%s", picture->is_srgb ? "srgb" : "unorm", picture->is_nearest ? "nearest" : "linear");
   snprintf(pixels, sizeof(pixels), "%s/pixels", folder);
   for (uint32_t round = 0; round < rounds; round++) {
      for (uint32_t d = 0; d < num_drivers; d++) {
         const struct result result = has_failed[d] ? (struct result){-1, -1} : measure(&drivers[d], path, size, texels, pixels);
         has_failed[d] |= result.ms < 0;
         ms[d][round] = result.ms;
         first_ms[d][round] = result.first_ms;
         if (!round)
            pictures[d] = has_failed[d] ? NULL : read_pixels(pixels, num_pixels * 4);
         remove(pixels);
      }
   }
   for (uint32_t d = 0; d < num_drivers; d++) {
      results[d] = has_failed[d] ? (struct result){-1, -1} : (struct result){bench_middle(ms[d], rounds), bench_middle(first_ms[d], rounds)};
      differences[d] = difference(pictures[0], pictures[d], num_pixels);
      if (keeps && pictures[d]) {
         char png[MAX_PATH + 64];
         snprintf(png, sizeof(png), "%s/%s.%s.png", folder, name_of(path), drivers[d].name);
         client_write_png(png, pictures[d], picture->width, picture->height);
      }
   }
   num_failed += has_failed[0];
   print_row(path, results, differences);
   for (uint32_t d = 0; d < num_drivers; d++)
      free(pictures[d]);
}

static int compare_paths(const void *a, const void *b)
{
   return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A file, or the files NAME.spv of a folder but vertex shaders, by name. */
static void add_paths(const char *path)
{
   DIR *folder = opendir(path);
   const uint32_t first = num_paths;
   if (!folder) {
      if (num_paths == MAX_MODULES)
         client_die("more than %d modules", MAX_MODULES);
      paths[num_paths++] = path;
      return;
   }
   for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
      const size_t length = strlen(entry->d_name);
      char *whole = NULL;
      if (length < 4 || strcmp(entry->d_name + length - 4, ".spv") || strstr(entry->d_name, ".vert.spv"))
         continue;
      if (num_paths == MAX_MODULES || asprintf(&whole, "%s/%s", path, entry->d_name) < 0)
         client_die("more than %d modules, or no memory", MAX_MODULES);
      paths[num_paths++] = whole;
   }
   closedir(folder);
   qsort(paths + first, num_paths - first, sizeof(*paths), compare_paths);
}

static struct made_up_picture picture_of(const char *size, bool is_srgb, bool is_nearest)
{
   struct made_up_picture picture = {.is_srgb = is_srgb, .is_nearest = is_nearest};
   if (sscanf(size, "%ux%u", &picture.width, &picture.height) != 2 || !picture.width || !picture.height || picture.width > 8192 || picture.height > 8192)
      client_die("a size is WIDTHxHEIGHT, each from 1 to 8192");
   return picture;
}

int main(int argc, char **argv)
{
   const char *size = "1280x720", *folder = NULL;
   char temporary[] = "/tmp/vk_swrast-modules-XXXXXX", command[64];
   uint32_t rounds = 1;
   bool is_srgb = false, is_nearest = false;
   if (argc == 6 && !strcmp(argv[1], "--child")) {
      const struct made_up_picture picture = picture_of(argv[3], strstr(argv[4], "srgb"), strstr(argv[4], "nearest"));
      run_child(argv[2], &picture, argv[5]);
   }
   for (int i = 1; i < argc; i++) {
      char *equals = strchr(argv[i], '=');
      if (!strcmp(argv[i], "--rounds") && i + 1 < argc) {
         const int wanted = atoi(argv[++i]);
         rounds = (uint32_t)UTIL_CLAMP(wanted, 1, MAX_ROUNDS);
      } else if (!strcmp(argv[i], "--size") && i + 1 < argc) {
         size = argv[++i];
      } else if (!strcmp(argv[i], "--srgb")) {
         is_srgb = true;
      } else if (!strcmp(argv[i], "--nearest")) {
         is_nearest = true;
      } else if (!strcmp(argv[i], "--write") && i + 1 < argc) {
         folder = argv[++i];
      } else if (equals && num_drivers < MAX_DRIVERS) {
         *equals = 0;
         drivers[num_drivers++] = (struct driver){.name = argv[i], .json = equals + 1};
      } else {
         add_paths(argv[i]);
      }
   }
   if (!num_drivers || !num_paths)
      client_die("usage: bench_modules [--rounds N] [--size WIDTHxHEIGHT] [--srgb] [--nearest] [--write FOLDER] NAME=ICD.json ... FILE.spv|FOLDER ...");
   const struct made_up_picture picture = picture_of(size, is_srgb, is_nearest);
   if (!folder && !mkdtemp(temporary))
      client_die("cannot make a directory for pictures");
   printf("%-40s", "module");
   for (uint32_t d = 0; d < num_drivers; d++)
      printf(" %7.7s ms first", drivers[d].name);
   printf("\n");
   for (uint32_t i = 0; i < num_paths; i++)
      run_module(paths[i], &picture, rounds, folder ? folder : temporary, folder != NULL);
   for (uint32_t d = 1; d < num_drivers; d++) {
      if (drivers[d].num_ratios)
         printf("%s beside %s, geometric mean of %u: %.2f times as long, until the first picture %.2f\n", drivers[d].name, drivers[0].name,
                drivers[d].num_ratios, exp(drivers[d].sum_of_logs / drivers[d].num_ratios), exp(drivers[d].first_sum_of_logs / drivers[d].num_ratios));
   }
   snprintf(command, sizeof(command), "rm -rf %s", temporary);
   return num_failed || (!folder && system(command));
}
