/* SPDX-License-Identifier: MIT
 * What caches store: keys and checks of compiled shaders. */
#include "compiler/compiler.h"
#include "compiler/library_path.h"
#include "util/build_id.h"
#include "util/debug.h"

#include <pthread.h>
#include <string.h>

static pthread_once_t identity_once = PTHREAD_ONCE_INIT;
static struct util_hash identity; /* of the driver and of the compiler that makes code for it */

/* Both libraries by their build ids (LLVM is part of the compiler's), and what of the environment changes code and is not in a comp_target. The
 * compiler is not loaded for this. */
static void find_identity(void)
{
   char path[4096];
   const struct util_hash driver = util_build_hash();
   struct util_hash compiler = {0};
   const uint32_t switches[] = {util_debug_set(UTIL_DEBUG_NOOPT), util_debug_order(NULL)};

   if (comp_library_path(path, sizeof(path)))
      compiler = util_file_build_hash(path);
   identity = util_hash_more(driver, &compiler, sizeof(compiler));
   identity = util_hash_more(identity, switches, sizeof(switches));
}

static struct util_hash hash_layout(struct util_hash hash, const struct comp_layout *layout)
{
   if (!layout)
      return hash;
   hash = util_hash_more(hash, &layout->push_bytes, sizeof(layout->push_bytes));
   for (uint32_t i = 0; i < layout->num_sets; i++) {
      const struct comp_set *set = &layout->sets[i];
      hash = util_hash_more(hash, &i, sizeof(i));
      hash = util_hash_more(hash, &set->is_bare, sizeof(set->is_bare));
      hash = util_hash_more(hash, set->bindings, sizeof(*set->bindings) * set->num_bindings);
   }
   hash = util_hash_more(hash, &layout->has_heaps, sizeof(layout->has_heaps));
   hash = util_hash_more(hash, layout->mappings, layout->num_mappings * sizeof(*layout->mappings));
   return util_hash_more(hash, layout->samplers, layout->num_samplers * sizeof(*layout->samplers));
}

/* Only the values of constants count, not where they stood in the application's memory. */
static struct util_hash hash_specialization(struct util_hash hash, const struct comp_shader_desc *desc)
{
   for (uint32_t i = 0; i < desc->num_spec_entries; i++) {
      const struct comp_spec_entry *entry = &desc->spec_entries[i];
      hash = util_hash_more(hash, &entry->constant_id, sizeof(entry->constant_id));
      if (entry->offset_bytes <= desc->spec_data_bytes && entry->size_bytes <= desc->spec_data_bytes - entry->offset_bytes)
         hash = util_hash_more(hash, (const char *)desc->spec_data + entry->offset_bytes, entry->size_bytes);
   }
   return hash;
}

struct util_hash comp_shader_key(const struct comp_shader_desc *desc)
{
   pthread_once(&identity_once, find_identity);
   const uint32_t numbers[] = {desc->stage, desc->target.lanes, desc->target.level, desc->target.max_lanes, desc->required_subgroup_size,
                               desc->view_index_is_device_index, desc->patch_vertices_out, desc->checks,
                               desc->trace.stages, desc->trace.num_coordinates, desc->trace.at[0], desc->trace.at[1], desc->trace.at[2]};

   struct util_hash hash = util_hash_more(identity, &desc->module_hash, sizeof(desc->module_hash));
   hash = util_hash_more(hash, numbers, sizeof(numbers));
   hash = util_hash_more(hash, desc->entry_point, strlen(desc->entry_point) + 1);
   return hash_specialization(hash_layout(hash, desc->layout), desc);
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
