/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/stage_source.h"

#include "util/alloc.h"
#include "util/size.h"

#include <string.h>

/* Appends a copy and moves *end behind it. */
static void *append(char **end, const void *data, size_t size)
{
   void *copy = *end;
   if (size)
      memcpy(copy, data, size);
   *end += util_align(size, 8);
   return copy;
}

struct icd_stage_source *icd_stage_source_create(const struct comp_shader_desc *desc)
{
   const size_t entries_bytes = desc->num_spec_entries * sizeof(*desc->spec_entries);
   const size_t words_bytes = desc->num_words * sizeof(*desc->words), name_bytes = strlen(desc->entry_point) + 1;
   const size_t head_bytes = util_align(sizeof(struct icd_stage_source), 8);
   size_t total_bytes = head_bytes;
   const size_t parts[] = {entries_bytes, words_bytes, desc->spec_data_bytes, name_bytes};
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(parts); i++)
      total_bytes = util_size_add(total_bytes, util_size_align(parts[i], 8));
   struct icd_stage_source *source = util_malloc(total_bytes);
   if (!source)
      return NULL;
   char *end = (char *)source + head_bytes;
   source->desc = *desc;
   source->desc.layout = NULL;
   source->desc.texts = NULL;
   source->desc.spec_entries = append(&end, desc->spec_entries, entries_bytes);
   source->desc.words = append(&end, desc->words, words_bytes);
   source->desc.spec_data = append(&end, desc->spec_data, desc->spec_data_bytes);
   source->desc.entry_point = append(&end, desc->entry_point, name_bytes);
   atomic_init(&source->references, 1);
   return source;
}

struct icd_stage_source *icd_stage_source_retain(struct icd_stage_source *source)
{
   atomic_fetch_add_explicit(&source->references, 1, memory_order_relaxed);
   return source;
}

void icd_stage_source_release(struct icd_stage_source *source)
{
   if (source && atomic_fetch_sub_explicit(&source->references, 1, memory_order_acq_rel) == 1)
      util_mfree(source);
}
