/* SPDX-License-Identifier: MIT */
#include "runtime/queue/profile.h"

#include "util/alloc.h"
#include "util/debug.h"
#include "util/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
   uint64_t count, total_ns, greatest_ns;
   char what[192];
};

struct rt_profile {
   struct util_table table; /* text -> row */
   uint64_t total_ns;
   bool is_out_of_memory;
};

struct rt_profile *rt_profile_create(void)
{
   struct rt_profile *profile = util_calloc(1, sizeof(*profile));
   if (profile)
      util_table_init(&profile->table);
   else
      util_log("no memory for a table of times");
   return profile;
}

bool rt_profile_counts(enum rt_cmd_type type)
{
   static const bool counts[RT_NUM_COMMANDS] = {
      [RT_CMD_dispatch] = true,           [RT_CMD_dispatch_indirect] = true,  [RT_CMD_copy_buffer] = true,
      [RT_CMD_fill_buffer] = true,        [RT_CMD_update_buffer] = true,      [RT_CMD_copy_image] = true,
      [RT_CMD_copy_buffer_to_image] = true, [RT_CMD_copy_image_to_buffer] = true, [RT_CMD_blit_image] = true,
      [RT_CMD_resolve_image] = true,      [RT_CMD_clear_color_image] = true,  [RT_CMD_clear_depth_stencil_image] = true,
      [RT_CMD_begin_rendering] = true,    [RT_CMD_end_rendering] = true,      [RT_CMD_clear_attachments] = true,
      [RT_CMD_draw] = true,               [RT_CMD_draw_indexed] = true,       [RT_CMD_draw_indirect] = true,
      [RT_CMD_draw_mesh] = true,          [RT_CMD_draw_byte_count] = true,    [RT_CMD_copy_query_results] = true,
      [RT_CMD_build_accel] = true,        [RT_CMD_copy_accel] = true,         [RT_CMD_trace_rays] = true,
      [RT_CMD_trace_rays_indirect] = true, [RT_CMD_copy_indirect] = true,     [RT_CMD_decompress] = true, [RT_CMD_execute_generated] = true,
      [RT_CMD_convert_matrices] = true,   [RT_CMD_dispatch_nodes] = true,
   };
   return counts[type];
}

static struct row *row_of(struct rt_profile *profile, enum rt_cmd_type type, const char *shader)
{
   char what[sizeof(((struct row *)NULL)->what)];
   snprintf(what, sizeof(what), "%s%s%s", rt_cmd_name(type), shader ? ", " : "", shader ? shader : "");
   const struct util_hash hash = util_hash_bytes(what, strlen(what));
   struct row *row = util_table_find(&profile->table, hash);
   if (row)
      return row;
   row = util_calloc(1, sizeof(*row));
   if (!row || !util_table_insert(&profile->table, hash, row)) {
      util_mfree(row);
      profile->is_out_of_memory = true;
      return NULL;
   }
   memcpy(row->what, what, sizeof(what));
   return row;
}

void rt_profile_add(struct rt_profile *profile, enum rt_cmd_type type, const char *shader, uint64_t ns)
{
   struct row *row = row_of(profile, type, shader);
   profile->total_ns += ns;
   if (!row)
      return;
   row->count++;
   row->total_ns += ns;
   row->greatest_ns = UTIL_MAX(row->greatest_ns, ns);
}

/* ---- the table ---- */

static int compare(const void *a, const void *b)
{
   const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
   return x->total_ns != y->total_ns ? (x->total_ns < y->total_ns ? 1 : -1) : strcmp(x->what, y->what);
}

static void print(const struct rt_profile *profile, struct row *const *rows, size_t count)
{
   util_log("profile: the commands of a queue take %.3f ms", (double)profile->total_ns * 1e-6);
   util_log("profile: %10s %6s %8s %10s %10s  what", "total ms", "of all", "times", "mean us", "most us");
   for (size_t i = 0; i < count; i++) {
      const double total = (double)rows[i]->total_ns;
      util_log("profile: %10.3f %5.1f%% %8llu %10.1f %10.1f  %s", total * 1e-6, 100.0 * total / (double)UTIL_MAX(profile->total_ns, UINT64_C(1)),
               (unsigned long long)rows[i]->count, total * 1e-3 / (double)rows[i]->count, (double)rows[i]->greatest_ns * 1e-3, rows[i]->what);
   }
   if (profile->is_out_of_memory)
      util_log("profile: memory was out for more rows");
}

void rt_profile_destroy(struct rt_profile *profile)
{
   size_t count = 0;
   if (!profile)
      return;
   struct row **rows = profile->table.count ? util_malloc(profile->table.count * sizeof(struct row *)) : NULL;
   for (size_t i = 0; i < profile->table.capacity && rows; i++) {
      if (profile->table.entries[i].value)
         rows[count++] = profile->table.entries[i].value;
   }
   if (count) {
      qsort(rows, count, sizeof(struct row *), compare);
      print(profile, rows, count);
   }
   for (size_t i = 0; i < profile->table.capacity; i++)
      util_mfree(profile->table.entries[i].value);
   util_mfree(rows);
   util_table_finish(&profile->table);
   util_mfree(profile);
}
