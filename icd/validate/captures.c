/* SPDX-License-Identifier: MIT
 * Transform feedback and streams: what the outputs of an entry point are captured as, and which streams a geometry shader emits to. */
#include "icd/validate/check.h"

#include "util/alloc.h"

#include <stdlib.h>

/* An output, or a member of an output's block, with an Offset. */
struct capture {
   struct icd_spirv_inst variable;
   uint32_t type, offset;
   uint32_t buffer, stride, stream; /* UINT32_MAX: not decorated */
   uint32_t block, member;          /* UINT32_MAX: a variable of its own */
   uint64_t bytes;
};

struct captures {
   struct capture *items;
   uint32_t count, capacity;
   const uint64_t *type_bytes; /* by id */
   uint32_t num_ids;
};

/* Of a member, else of the block, else of the variable. */
static uint32_t inherited(const struct icd_check *check, uint32_t variable, uint32_t block, uint32_t member, SpvDecoration name)
{
   uint32_t value = icd_spirv_decorated(check->module, variable, UINT32_MAX, name, UINT32_MAX);
   value = icd_spirv_decorated(check->module, block, UINT32_MAX, name, value);
   return member == UINT32_MAX ? value : icd_spirv_decorated(check->module, block, member, name, value);
}

static void add(const struct icd_check *check, struct captures *captures, const struct icd_spirv_inst *variable, uint32_t block,
                uint32_t member, uint32_t type)
{
   const uint32_t id = icd_spirv_word(variable, 2);
   const uint32_t offset = member == UINT32_MAX ? icd_spirv_decorated(check->module, id, UINT32_MAX, SpvDecorationOffset, UINT32_MAX)
                                                : icd_spirv_decorated(check->module, block, member, SpvDecorationOffset, UINT32_MAX);
   struct capture capture = {
      .variable = *variable,
      .type = type,
      .offset = offset,
      .buffer = inherited(check, id, block, member, SpvDecorationXfbBuffer),
      .stride = inherited(check, id, block, member, SpvDecorationXfbStride),
      .stream = inherited(check, id, block, member, SpvDecorationStream),
      .block = block,
      .member = member,
      .bytes = type < captures->num_ids ? captures->type_bytes[type] : 0,
   };
   if (captures->count < captures->capacity)
      captures->items[captures->count++] = capture;
}

/* Counts what the interface may have, or fills it in. */
static uint32_t find(const struct icd_check *check, const struct icd_spirv_entry *entry, struct captures *captures)
{
   uint32_t count = 0;
   for (uint32_t word = entry->first_interface; word < entry->inst.count; word++) {
      SpvStorageClass where = SpvStorageClassMax;
      const struct icd_spirv_inst variable = icd_spirv_definition(check->module, entry->inst.words[word]);
      const uint32_t type = icd_spirv_pointee(check->module, icd_spirv_word(&variable, 1), &where);
      if (variable.op != SpvOpVariable || where != SpvStorageClassOutput)
         continue;
      const uint32_t inner = icd_spirv_strip_arrays(check->module, type, NULL);
      const struct icd_spirv_inst block = icd_spirv_definition(check->module, inner);
      if (block.op != SpvOpTypeStruct || !icd_spirv_find(check->module, inner, UINT32_MAX, SpvDecorationBlock)) {
         count++;
         if (captures)
            add(check, captures, &variable, type, UINT32_MAX, type);
         continue;
      }
      for (uint32_t i = 2; i < block.count; i++, count++) {
         if (captures)
            add(check, captures, &variable, inner, i - 2, block.words[i]);
      }
   }
   return count;
}

/* ---- one output ---- */

static void check_capture(const struct icd_check *check, const struct capture *it)
{
   const struct icd_properties *limits = check->env->properties;
   if (it->stream != UINT32_MAX && it->stream >= limits->maxTransformFeedbackStreams)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_Stream_06312, &it->variable, "%u of %u", it->stream, limits->maxTransformFeedbackStreams);
   if (it->stride != UINT32_MAX && it->stride > limits->maxTransformFeedbackBufferDataStride)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_XfbStride_06313, &it->variable, "%u of %u", it->stride,
                         limits->maxTransformFeedbackBufferDataStride);
   if (it->offset == UINT32_MAX || it->buffer == UINT32_MAX)
      return;
   const uint32_t scalar_bytes = icd_spirv_scalar_bytes(check->module, it->type);
   if (icd_spirv_type_flags(check->module, it->type) & (ICD_TYPE_HAS_8 | ICD_TYPE_HAS_16))
      ICD_BROKEN(check, StandaloneSpirv_Offset_04692, &it->variable);
   else if (scalar_bytes == 8 && it->offset % 8)
      ICD_BROKEN_BECAUSE(check, StandaloneSpirv_Offset_04687, &it->variable, "%u", it->offset);
   else if (it->offset % 4)
      ICD_BROKEN_BECAUSE(check, StandaloneSpirv_Offset_04691, &it->variable, "%u", it->offset);
   if (it->bytes != UINT64_MAX && it->offset + it->bytes > limits->maxTransformFeedbackBufferDataSize)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_Offset_06308, &it->variable, "%llu of %u", (unsigned long long)(it->offset + it->bytes),
                         limits->maxTransformFeedbackBufferDataSize);
}

/* ---- members of a block: those of one stand one after the other ---- */

static void check_block(const struct icd_check *check, const struct capture *items, uint32_t count)
{
   uint64_t begin = UINT64_MAX, end = 0;
   uint32_t first = UINT32_MAX, buffer = UINT32_MAX;
   bool has_64 = false;
   for (uint32_t i = 0; i < count; i++) {
      const struct capture *it = &items[i];
      if (it->offset == UINT32_MAX || it->buffer == UINT32_MAX || it->bytes == UINT64_MAX)
         continue;
      has_64 |= icd_spirv_scalar_bytes(check->module, it->type) == 8;
      if (first == UINT32_MAX)
         first = it->offset;
      begin = UTIL_MIN(begin, (uint64_t)it->offset);
      end = UTIL_MAX(end, it->offset + it->bytes);
      if (buffer != UINT32_MAX && buffer != it->buffer) {
         ICD_BROKEN_BECAUSE(check, StandaloneSpirv_XfbBuffer_04697, &it->variable, "%u and %u", buffer, it->buffer);
         return;
      }
      buffer = it->buffer;
   }
   if (has_64 && first % 8)
      ICD_BROKEN_BECAUSE(check, StandaloneSpirv_Offset_04690, &items[0].variable, "%u", first);
   else if (has_64 && (end - begin) % 8)
      ICD_BROKEN_BECAUSE(check, StandaloneSpirv_Offset_04689, &items[0].variable, "%llu", (unsigned long long)(end - begin));
}

static void check_blocks(const struct icd_check *check, const struct captures *captures)
{
   for (uint32_t i = 0, count; i < captures->count; i += count) {
      count = 1;
      while (captures->items[i].member != UINT32_MAX && i + count < captures->count && captures->items[i + count].member != UINT32_MAX &&
             captures->items[i + count].member > captures->items[i + count - 1].member)
         count++;
      if (captures->items[i].member != UINT32_MAX)
         check_block(check, &captures->items[i], count);
   }
}

/* ---- buffers ---- */

static int compare(const void *left, const void *right)
{
   const struct capture *a = left, *b = right;
   if (a->buffer != b->buffer)
      return a->buffer < b->buffer ? -1 : 1;
   return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Those of one buffer, by offset; returns how many bytes of a vertex it takes. Without an Offset an output is not captured, and
 * what else it says does not count: glslang gives a buffer to all that is built in. */
static uint64_t check_buffer(const struct icd_check *check, const struct capture *items, uint32_t count)
{
   uint64_t end = 0;
   for (uint32_t i = 0; i < count && items[i].offset != UINT32_MAX; i++) {
      const struct capture *it = &items[i];
      if (i && it->stride != items[0].stride)
         ICD_BROKEN_BECAUSE(check, StandaloneSpirv_XfbBuffer_04693, &it->variable, "buffer %u", it->buffer);
      if (i && it->stream != items[0].stream)
         ICD_BROKEN_BECAUSE(check, StandaloneSpirv_Stream_04694, &it->variable, "buffer %u", it->buffer);
      if (it->bytes == UINT64_MAX)
         continue;
      if (it->offset < end)
         ICD_BROKEN_BECAUSE(check, StandaloneSpirv_XfbBuffer_04696, &it->variable, "buffer %u, offset %u", it->buffer, it->offset);
      end = UTIL_MAX(end, it->offset + it->bytes);
   }
   return end;
}

/* Buffers of streams that are too many are reported elsewhere. */
static void check_buffers(const struct icd_check *check, struct captures *captures)
{
   enum { MAX_STREAMS = 32 };
   uint64_t bytes[MAX_STREAMS] = {0};
   qsort(captures->items, captures->count, sizeof(*captures->items), compare);
   for (uint32_t i = 0, count; i < captures->count && captures->items[i].buffer != UINT32_MAX; i += count) {
      const struct capture *first = &captures->items[i];
      const uint32_t stream = first->stream == UINT32_MAX ? 0 : first->stream;
      const uint32_t limit = check->env->properties->maxTransformFeedbackStreamDataSize;
      count = 1;
      while (i + count < captures->count && first[count].buffer == first->buffer)
         count++;
      const uint64_t end = check_buffer(check, first, count);
      if (stream >= MAX_STREAMS)
         continue;
      const bool was_inside = bytes[stream] <= limit;
      bytes[stream] += end;
      if (was_inside && bytes[stream] > limit)
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_XfbBuffer_06309, &first->variable, "stream %u, %llu of %u", stream,
                            (unsigned long long)bytes[stream], limit);
   }
}

bool icd_check_captures(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint64_t *type_bytes)
{
   if (!icd_spirv_has_capability(check->module, SpvCapabilityTransformFeedback) &&
       !icd_spirv_has_capability(check->module, SpvCapabilityGeometryStreams))
      return true;
   struct captures captures = {.type_bytes = type_bytes, .num_ids = check->module->bound};
   captures.capacity = find(check, entry, NULL);
   captures.items = util_calloc(UTIL_MAX(captures.capacity, 1u), sizeof(*captures.items));
   if (!captures.items)
      return false;
   find(check, entry, &captures);
   for (uint32_t i = 0; i < captures.count; i++)
      check_capture(check, &captures.items[i]);
   check_blocks(check, &captures);
   check_buffers(check, &captures);
   util_mfree(captures.items);
   return true;
}

/* ---- streams ---- */

/* True if an entry point that is a geometry shader makes lines or triangles. */
static bool makes_strips(const struct icd_check *check)
{
   ICD_CHECK_GLOBALS(check, inst) {
      const uint32_t mode = icd_spirv_word(&inst, 2);
      if (inst.op == SpvOpExecutionMode && (mode == SpvExecutionModeOutputLineStrip || mode == SpvExecutionModeOutputTriangleStrip))
         return true;
   }
   return false;
}

void icd_check_streams(const struct icd_check *check)
{
   const struct icd_properties *limits = check->env->properties;
   uint32_t seen = UINT32_MAX;
   if (!icd_spirv_has_capability(check->module, SpvCapabilityGeometryStreams))
      return;
   ICD_CHECK_BODY(check, function, inst) {
      uint32_t stream = 0;
      const bool is_of_stream = inst.op == SpvOpEmitStreamVertex || inst.op == SpvOpEndStreamPrimitive;
      if (!is_of_stream && inst.op != SpvOpEmitVertex)
         continue;
      if (is_of_stream && !icd_spirv_constant(check->module, icd_spirv_word(&inst, 1), &stream))
         continue;
      if (is_of_stream && stream >= limits->maxTransformFeedbackStreams)
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpEmitStreamVertex_06310, &inst, "%u of %u", stream, limits->maxTransformFeedbackStreams);
      if (inst.op == SpvOpEndStreamPrimitive)
         continue;
      if (seen != UINT32_MAX && seen != stream && !limits->transformFeedbackStreamsLinesTriangles && makes_strips(check)) {
         ICD_BROKEN(check, RuntimeSpirv_transformFeedbackStreamsLinesTriangles_06311, &inst);
         return;
      }
      seen = stream;
   }
}
