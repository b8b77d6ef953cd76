/* SPDX-License-Identifier: MIT
 * What caches store: keys and checks of compiled shaders. */
#include "compiler/compiler.h"
#include "compiler/library_path.h"
#include "util/build_id.h"
#include "util/debug.h"

#include <pthread.h>
#include <string.h>

static pthread_once_t identity_once = PTHREAD_ONCE_INIT;
static struct util_hash build;    /* of the driver and of the compiler that makes code for it */
static struct util_hash identity; /* and of what of the environment changes code and is not in a comp_target */

static void find_identity(void)
{
   char path[4096];
   const struct util_hash driver = util_build_hash();
   struct util_hash compiler = {0};
   const uint32_t switches[] = {util_debug_set(UTIL_DEBUG_NOOPT | UTIL_DEBUG_CALLS), util_debug_order(NULL)};

   if (comp_library_path(path, sizeof(path)))
      compiler = util_file_build_hash(path);
   build = util_hash_more(driver, &compiler, sizeof(compiler));
   identity = util_hash_more(build, switches, sizeof(switches));
}

struct util_hash comp_build_hash(void)
{
   pthread_once(&identity_once, find_identity);
   return build;
}

static void hash_layout(struct util_hasher *hasher, const struct comp_layout *layout)
{
   const uint32_t numbers[] = {layout->push_bytes, layout->num_sets, layout->has_heaps};
   util_hasher_add(hasher, numbers, sizeof(numbers));
   for (uint32_t i = 0; i < layout->num_sets; i++) {
      const struct comp_set *set = &layout->sets[i];
      util_hasher_add(hasher, &set->is_bare, sizeof(set->is_bare));
      util_hasher_add_array(hasher, set->bindings, set->num_bindings, sizeof(*set->bindings));
   }
   util_hasher_add_array(hasher, layout->mappings, layout->num_mappings, sizeof(*layout->mappings));
   util_hasher_add_array(hasher, layout->samplers, layout->num_samplers, sizeof(*layout->samplers));
}

/* Only the values of constants count, not where they stood in the application's memory. */
static void hash_specialization(struct util_hasher *hasher, const struct comp_shader_desc *desc)
{
   for (uint32_t i = 0; i < desc->num_spec_entries; i++) {
      const struct comp_spec_entry *entry = &desc->spec_entries[i];
      util_hasher_add(hasher, &entry->constant_id, sizeof(entry->constant_id));
      const bool is_there = entry->offset_bytes <= desc->spec_data_bytes && entry->size_bytes <= desc->spec_data_bytes - entry->offset_bytes;
      util_hasher_add_array(hasher, is_there ? (const char *)desc->spec_data + entry->offset_bytes : NULL, is_there ? entry->size_bytes : 0, 1);
   }
}

struct util_hash comp_shader_key(const struct comp_shader_desc *desc)
{
   pthread_once(&identity_once, find_identity);
   const uint32_t numbers[] = {desc->stage, desc->target.lanes, desc->target.level, desc->target.max_lanes, desc->target.has_gathers,
                               desc->required_subgroup_size, desc->view_index_is_device_index, desc->has_64bit_indices, desc->robust2,
                               desc->ignored_outputs, desc->patch_vertices_out, desc->checks,
                               desc->trace.stages, desc->trace.num_coordinates, desc->trace.at[0], desc->trace.at[1], desc->trace.at[2],
                               desc->layout != NULL, desc->num_spec_entries};
   struct util_hasher hasher;
   util_hasher_begin(&hasher);
   util_hasher_add(&hasher, &identity, sizeof(identity));
   util_hasher_add(&hasher, &desc->module_hash, sizeof(desc->module_hash));
   util_hasher_add(&hasher, numbers, sizeof(numbers));
   util_hasher_add_array(&hasher, desc->entry_point, strlen(desc->entry_point), 1);
   if (desc->layout)
      hash_layout(&hasher, desc->layout);
   hash_specialization(&hasher, desc);
   return util_hasher_end(&hasher);
}

static bool is_inside(uint32_t offset, uint32_t size, size_t total)
{
   return offset >= sizeof(struct comp_binary) && offset <= total && size <= total - offset;
}

bool comp_binary_is_valid(const void *data, size_t size)
{
   const struct comp_binary *binary = data;
   return size >= sizeof(*binary) && binary->magic == COMP_BINARY_MAGIC && binary->total_bytes == size &&
          is_inside(binary->object_offset, binary->object_bytes, size);
}
