/* SPDX-License-Identifier: MIT
 * Memory: every form of address, bounds on each component, partial vectors, atomics. */
#include "tests/compiler/llvm/cg_run.h"

static void fill(struct cg_run *run)
{
   run->workgroups[0] = 2;
   for (uint32_t i = 0; i < CG_RUN_WORDS; i++) {
      run->buffers[1][i] = i * 2654435761u;
      run->buffers[0][i] = 0xdead0000 + i;
   }
}

/* Sizes that end inside of what the shader touches. */
static void fill_short(struct cg_run *run)
{
   fill(run);
   run->buffer_words[0] = 70;
   run->buffer_words[1] = 61;
}

static uint32_t word(const uint32_t *buffer, uint32_t index, uint32_t limit)
{
   return index < limit ? buffer[index] : 0;
}

/* ---- vectors of components, lanes side by side ---- */

static void expect_components(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64], uint32_t comps)
{
   const uint32_t limit0 = run->buffer_words[0] ? run->buffer_words[0] : CG_RUN_WORDS;
   const uint32_t limit1 = run->buffer_words[1] ? run->buffer_words[1] : CG_RUN_WORDS;
   for (uint32_t i = 0; i < 2 * 24; i++) {
      for (uint32_t c = 0; c < comps; c++) {
         if (i * comps + c < limit0)
            b[0][i * comps + c] = word(b[1], i * comps + c, limit1);
      }
   }
}

static void expect_2(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_components(run, b, 2);
}

static void expect_3(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_components(run, b, 3);
}

static void expect_4(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_components(run, b, 4);
}

#define COPY(comps, bytes, mask)                                                                                       \
   CG_HEAD(24, "") "%20 = const 1x32 " #bytes "\n%21 = imul 1x32 %10, %20\n"                                           \
   "%22 = load_buffer " #comps "x32 %4, %5, %21 access=0 align=4\n"                                                    \
   "store_buffer %2, %3, %21, %22 access=0 align=4 mask=" #mask "\nyield\n}\n"

TEST(contiguous_components)
{
   CG_RUN(COPY(2, 8, 3), fill, expect_2);
   CG_RUN(COPY(3, 12, 7), fill, expect_3);
   CG_RUN(COPY(4, 16, 15), fill, expect_4);
}

TEST(bounds_component_by_component)
{
   CG_RUN(COPY(2, 8, 3), fill_short, expect_2);
   CG_RUN(COPY(3, 12, 7), fill_short, expect_3);
   CG_RUN(COPY(4, 16, 15), fill_short, expect_4);
}

static void expect_masked(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 2 * 24; i++) {
      for (uint32_t c = 0; c < 4; c++) {
         if (c == 0 || c == 3)
            b[0][i * 4 + c] = b[1][i * 4 + c];
      }
   }
}

TEST(component_mask)
{
   CG_RUN(COPY(4, 16, 9), fill, expect_masked);
}

/* ---- gathers, scatters, offsets that wrap ---- */

static void expect_gather(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   const uint32_t limit0 = run->buffer_words[0] ? run->buffer_words[0] : CG_RUN_WORDS;
   const uint32_t limit1 = run->buffer_words[1] ? run->buffer_words[1] : CG_RUN_WORDS;
   for (uint32_t i = 0; i < 2 * 24; i++) {
      const uint32_t j = (i * 37) & 127;
      if (j < limit0)
         b[0][j] = word(b[1], (i * 11) & 63, limit1);
   }
}

TEST(gather_and_scatter)
{
   const char *text = CG_HEAD(24, "") "%20 = const 1x32 11\n%21 = imul 1x32 %10, %20\n%22 = const 1x32 63\n%23 = iand 1x32 %21, %22\n%24 = imul 1x32 %23, %1\n"
      CG_LOAD(%25, %4, %5, %24)
      "%26 = const 1x32 37\n%27 = imul 1x32 %10, %26\n%28 = const 1x32 127\n%29 = iand 1x32 %27, %28\n%30 = imul 1x32 %29, %1\n"
      CG_STORE(%30, %25) "yield\n}\n";
   CG_RUN(text, fill, expect_gather);
   CG_RUN(text, fill_short, expect_gather);
}

/* Vectors five words from each other, in no order; lanes 3 to 20 of 24 alone where a lane asks. */
static void expect_scattered(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64], uint32_t comps, bool is_divergent)
{
   const uint32_t limit1 = run->buffer_words[1] ? run->buffer_words[1] : CG_RUN_WORDS;
   for (uint32_t i = 0; i < 2 * 24; i++) {
      for (uint32_t c = 0; c < comps && (!is_divergent || i % 24 - 3 < 18); c++)
         b[0][i * comps + c] = word(b[1], ((i * 11) & 63) * 5 + c, limit1);
   }
}

#define EXPECT_SCATTERED(comps)                                                                                        \
   static void expect_scattered_##comps(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])                    \
   {                                                                                                                   \
      expect_scattered(run, b, comps, false);                                                                          \
   }                                                                                                                   \
   static void expect_some_##comps(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])                         \
   {                                                                                                                   \
      expect_scattered(run, b, comps, true);                                                                           \
   }
EXPECT_SCATTERED(2)
EXPECT_SCATTERED(3)
EXPECT_SCATTERED(4)

#define SCATTERED(comps, bytes, mask, before, after)                                                                   \
   CG_HEAD(24, "") "%20 = const 1x32 11\n%21 = imul 1x32 %10, %20\n%22 = const 1x32 63\n%23 = iand 1x32 %21, %22\n"     \
   "%24 = const 1x32 20\n%25 = imul 1x32 %23, %24\n%26 = const 1x32 " #bytes "\n%27 = imul 1x32 %10, %26\n" before    \
   "%28 = load_buffer " #comps "x32 %4, %5, %25 access=0 align=4\n"                                                    \
   "store_buffer %2, %3, %27, %28 access=0 align=4 mask=" #mask "\n" after "yield\n}\n"
#define SOME_LANES "%30 = const 1x32 3\n%31 = isub 1x32 %91, %30\n%32 = const 1x32 18\n%33 = ult 1x1 %31, %32\nif %33 {\n"
#define SOME_LANES_END "yield\n} else {\nyield\n}\n"

/* `words` of what is read (1) or written (0): its end lies in the middle of a lane's vector, between two of them, or before the first one's. */
#define FILL_OF(buffer, words)                                                                                         \
   static void fill_##buffer##_##words(struct cg_run *run)                                                                   \
   {                                                                                                                   \
      fill(run);                                                                                                       \
      run->buffer_words[buffer] = words;                                                                                \
   }
FILL_OF(1, 1)
FILL_OF(1, 2)
FILL_OF(1, 110)
FILL_OF(1, 113)
FILL_OF(1, 114)

TEST(vectors_at_any_offset)
{
   static cg_run_setup *const fills[] = {fill, fill_1_1, fill_1_2, fill_1_110, fill_1_113, fill_1_114};
   for (uint32_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++) {
      CG_RUN(SCATTERED(2, 8, 3, "", ""), fills[i], expect_scattered_2);
      CG_RUN(SCATTERED(3, 12, 7, "", ""), fills[i], expect_scattered_3);
      CG_RUN(SCATTERED(4, 16, 15, "", ""), fills[i], expect_scattered_4);
      CG_RUN(SCATTERED(2, 8, 3, SOME_LANES, SOME_LANES_END), fills[i], expect_some_2);
      CG_RUN(SCATTERED(3, 12, 7, SOME_LANES, SOME_LANES_END), fills[i], expect_some_3);
      CG_RUN(SCATTERED(4, 16, 15, SOME_LANES, SOME_LANES_END), fills[i], expect_some_4);
   }
}

/* And stores: vectors side by side are stored five words from each other in no order, or eight words from each other in order. */
static void expect_stored(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64], uint32_t comps, bool is_in_order, bool is_divergent)
{
   const uint32_t limit0 = run->buffer_words[0] ? run->buffer_words[0] : CG_RUN_WORDS;
   for (uint32_t i = 0; i < 2 * 24; i++) {
      for (uint32_t c = 0; c < comps && (!is_divergent || i % 24 - 3 < 18); c++) {
         const uint32_t at = is_in_order ? i * 8 + c : ((i * 11) & 63) * 5 + c;
         if (at < limit0)
            b[0][at] = b[1][i * comps + c];
      }
   }
}

#define EXPECT_STORED(name, comps, is_in_order, is_divergent)                                                           \
   static void expect_##name##_##comps(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])                     \
   {                                                                                                                   \
      expect_stored(run, b, comps, is_in_order, is_divergent);                                                         \
   }
#define EXPECT_ALL_STORED(comps)                                                                                        \
   EXPECT_STORED(anywhere, comps, false, false)                                                                        \
   EXPECT_STORED(some_anywhere, comps, false, true)                                                                    \
   EXPECT_STORED(in_order, comps, true, false)                                                                         \
   EXPECT_STORED(some_in_order, comps, true, true)
EXPECT_ALL_STORED(2)
EXPECT_ALL_STORED(3)
EXPECT_ALL_STORED(4)

#define STORED_AT(comps, bytes, mask, offset, before, after)                                                            \
   CG_HEAD(24, "") "%26 = const 1x32 " #bytes "\n%27 = imul 1x32 %10, %26\n" offset before                             \
   "%28 = load_buffer " #comps "x32 %4, %5, %27 access=0 align=4\n"                                                    \
   "store_buffer %2, %3, %25, %28 access=0 align=4 mask=" #mask "\n" after "yield\n}\n"
#define ANYWHERE "%20 = const 1x32 11\n%21 = imul 1x32 %10, %20\n%22 = const 1x32 63\n%23 = iand 1x32 %21, %22\n%24 = const 1x32 20\n%25 = imul 1x32 %23, %24\n"
#define IN_ORDER "%24 = const 1x32 32\n%25 = imul 1x32 %10, %24\n"

FILL_OF(0, 1)
FILL_OF(0, 113)
FILL_OF(0, 114)
FILL_OF(0, 250)

#define RUN_STORED(comps, bytes, mask, setup)                                                                           \
   CG_RUN(STORED_AT(comps, bytes, mask, ANYWHERE, "", ""), setup, expect_anywhere_##comps);                            \
   CG_RUN(STORED_AT(comps, bytes, mask, ANYWHERE, SOME_LANES, SOME_LANES_END), setup, expect_some_anywhere_##comps);   \
   CG_RUN(STORED_AT(comps, bytes, mask, IN_ORDER, "", ""), setup, expect_in_order_##comps);                            \
   CG_RUN(STORED_AT(comps, bytes, mask, IN_ORDER, SOME_LANES, SOME_LANES_END), setup, expect_some_in_order_##comps)

TEST(vectors_stored_at_any_offset)
{
   static cg_run_setup *const fills[] = {fill, fill_0_1, fill_0_113, fill_0_114, fill_0_250};
   for (uint32_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++) {
      RUN_STORED(2, 8, 3, fills[i]);
      RUN_STORED(3, 12, 7, fills[i]);
      RUN_STORED(4, 16, 15, fills[i]);
   }
}

/* A store a lane, not one a component of it; for processors that are not here, too. */
TEST(vectors_are_stored_whole)
{
   static const uint32_t levels[] = {UTIL_CPU_V1, UTIL_CPU_V3, UTIL_CPU_V4}, lanes[] = {4, 16, 32};
   for (uint32_t k = 0; k < sizeof(levels) / sizeof(levels[0]); k++) {
      char *texts[COMP_NUM_TEXTS] = {0};
      uint32_t count = 0;
      struct comp_binary *binary = cg_run_binary(STORED_AT(4, 16, 15, ANYWHERE, "", ""), lanes[k], levels[k], texts);
      CHECK(binary);
      for (const char *at = texts[COMP_TEXT_LLVM]; at && (at = strstr(at, "store <4 x i32>")); at++)
         count++;
      CHECK(count >= lanes[k]);
      free(binary);
      for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++)
         free(texts[i]);
   }
}

/* One load a lane and no gather, but where the buffer may end. */
TEST(vectors_are_loaded_whole)
{
   static const char *const loads[] = {"load i64, ptr", "load <4 x i32>"};
   for (uint32_t k = 0; k < 2; k++) {
      char *texts[COMP_NUM_TEXTS] = {0};
      uint32_t count = 0;
      free(cg_run_binary(k ? SCATTERED(4, 16, 15, "", "") : SCATTERED(2, 8, 3, "", ""), 16, util_cpu_level(), texts));
      for (const char *at = texts[COMP_TEXT_LLVM]; at && (at = strstr(at, loads[k])); at++)
         count++;
      CHECK(count >= 16);
      for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++)
         free(texts[i]);
   }
}

/* However many vectors a shader loads, the code for them is in proportion to gathers. */
TEST(whole_vectors_have_a_maximum)
{
   enum { NUM_LOADS = 100, MAX_TEXT = 1 << 15, LANES = 8 };
   static char text[MAX_TEXT];
   char *texts[COMP_NUM_TEXTS] = {0};
   uint32_t count = 0;
   size_t at = (size_t)snprintf(text, sizeof(text), "%s", CG_HEAD(24, "") "%20 = const 1x32 11\n%21 = imul 1x32 %10, %10\n%22 = imul 1x32 %21, %20\n");
   for (uint32_t i = 0; i < NUM_LOADS; i++)
      at += (size_t)snprintf(text + at, sizeof(text) - at, "%%%u = load_buffer 4x32 %%4, %%5, %%22 access=0 align=4\nstore_buffer %%2, %%3, %%11, %%%u access=0 align=4 mask=15\n",
                             100 + i, 100 + i);
   snprintf(text + at, sizeof(text) - at, "yield\n}\n");
   free(cg_run_binary(text, LANES, util_cpu_level(), texts));
   for (const char *found = texts[COMP_TEXT_LLVM]; found && (found = strstr(found, "load <4 x i32>")); found++)
      count++;
   CHECK(count >= LANES);
   CHECK(count <= 32 * LANES);
   for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++)
      free(texts[i]);
}

static void expect_shifted(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 2 * 24; i++)
      b[0][i] = i < 5 ? 0 : b[1][i - 5];
}

/* The first lanes' offsets are negative: out of bounds, the others are not. */
TEST(offsets_wrap)
{
   CG_RUN(CG_HEAD(24, "") "%20 = const 1x32 20\n%21 = isub 1x32 %11, %20\n" CG_LOAD(%22, %4, %5, %21) CG_STORE(%11, %22) "yield\n}\n",
          fill, expect_shifted);
}

static void expect_uniform(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t g = 0; g < 2; g++)
      b[0][g] = word(b[1], 60 + g, 61) + 23; /* the last lane wins */
}

enum { NUM_BYTES = 220, NUM_HALVES = 60, LANE_BYTES = NUM_BYTES + NUM_HALVES * 2 };

static void expect_small(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 2 * 24; i++) {
      if (i % 4)
         memcpy((char *)b[0] + i * LANE_BYTES, (const char *)b[1] + i * LANE_BYTES, LANE_BYTES);
   }
}

/* More accesses of single lanes than stand in line. */
TEST(many_small_accesses)
{
   enum { MAX_TEXT = 1 << 17 };
   static char text[MAX_TEXT];
   size_t at = (size_t)snprintf(text, sizeof(text), "%s%%20 = const 1x32 %u\n%%21 = imul 1x32 %%10, %%20\n%%22 = const 1x32 3\n%%23 = iand 1x32 %%10, %%22\n"
                                "%%24 = ine 1x1 %%23, %%0\nif %%24 {\n", CG_HEAD(24, ""), LANE_BYTES);
   for (uint32_t i = 0; i < NUM_BYTES + NUM_HALVES; i++) {
      const uint32_t n = 100 + i * 4, bytes = i < NUM_BYTES ? 1 : 2, offset = i < NUM_BYTES ? i : NUM_BYTES + (i - NUM_BYTES) * 2;
      at += (size_t)snprintf(text + at, sizeof(text) - at, "%%%u = const 1x32 %u\n%%%u = iadd 1x32 %%21, %%%u\n%%%u = load_buffer 1x%u %%4, %%5, %%%u access=0 align=%u\n"
                             "store_buffer %%2, %%3, %%%u, %%%u access=0 align=%u mask=1\n", n, offset, n + 1, n, n + 2, bytes * 8, n + 1, bytes, n + 1, n + 2, bytes);
   }
   snprintf(text + at, sizeof(text) - at, "yield\n} else {\nyield\n}\nyield\n}\n");
   CG_RUN(text, fill, expect_small);
}

TEST(uniform_access)
{
   CG_RUN(CG_HEAD(24, "") "%20 = const 1x32 240\n%21 = imul 1x32 %7, %1\n%22 = iadd 1x32 %20, %21\n" CG_LOAD(%23, %4, %5, %22)
          "%24 = iadd 1x32 %23, %91\n" CG_STORE(%21, %24) "yield\n}\n", fill_short, expect_uniform);
}

/* ---- small types ---- */

static void expect_bytes(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   uint8_t *to = (uint8_t *)b[0];
   const uint8_t *from = (const uint8_t *)b[1];
   for (uint32_t i = 0; i < 48; i++)
      to[i] = from[i] + 1;
   uint16_t *to16 = (uint16_t *)(to + 1024);
   const uint16_t *from16 = (const uint16_t *)from;
   for (uint32_t i = 0; i < 48; i++)
      to16[47 - i] = from16[i];
}

TEST(small_types)
{
   CG_RUN(CG_HEAD(24, "") "%20 = load_buffer 1x8 %4, %5, %10 access=0 align=1\n%21 = const 1x8 1\n%22 = iadd 1x8 %20, %21\n"
          "store_buffer %2, %3, %10, %22 access=0 align=1 mask=1\n"
          "%23 = const 1x32 1\n%24 = ishl 1x32 %10, %23\n%25 = load_buffer 1x16 %4, %5, %24 access=0 align=2\n"
          "%26 = const 1x32 1118\n%27 = isub 1x32 %26, %24\nstore_buffer %2, %3, %27, %25 access=0 align=2 mask=1\nyield\n}\n", fill, expect_bytes);
}

/* Of `count` parts from `from` on, the last comes first; each is copied, or is not, by itself. */
static void turn_parts(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64], uint32_t to, uint32_t from, uint32_t count, uint32_t bytes)
{
   const uint32_t limits[2] = {4 * (run->buffer_words[0] ? run->buffer_words[0] : CG_RUN_WORDS), 4 * (run->buffer_words[1] ? run->buffer_words[1] : CG_RUN_WORDS)};
   for (uint32_t c = 0; c < count; c++) {
      const uint32_t source = from + bytes * (count - 1 - c), target = to + bytes * c;
      uint32_t part = 0;
      if (source + bytes <= limits[1])
         memcpy(&part, (const char *)b[1] + source, bytes);
      if (target + bytes <= limits[0])
         memcpy((char *)b[0] + target, &part, bytes);
   }
}

static void expect_narrow(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 2 * 24; i++) {
      const uint32_t from = (i * 7 & 63) * 20, to = (i * 5 & 63) * 20;
      turn_parts(run, b, to + 2, from + 2, 4, 2);
      turn_parts(run, b, to + 10, from + 10, 4, 1);
      turn_parts(run, b, to + 14, from + 14, 2, 2);
   }
}

/* `n`: the first digit of the values that they define. */
#define AT(n, factor) \
   "%" n "0 = const 1x32 " factor "\n%" n "1 = imul 1x32 %10, %" n "0\n%" n "2 = const 1x32 63\n%" n "3 = iand 1x32 %" n "1, %" n "2\n%" n "4 = imul 1x32 %" n "3, %20\n"
#define PLUS(n, bytes) "%" n "0 = const 1x32 " bytes "\n%" n "1 = iadd 1x32 %34, %" n "0\n%" n "2 = iadd 1x32 %44, %" n "0\n"
#define TURN_4(n, type, align) \
   "%" n "3 = load_buffer 4x" type " %4, %5, %" n "1 access=0 align=" align "\n%" n "4 = extract 1x" type " %" n "3 index=0\n" \
   "%" n "5 = extract 1x" type " %" n "3 index=1\n%" n "6 = extract 1x" type " %" n "3 index=2\n%" n "7 = extract 1x" type " %" n "3 index=3\n" \
   "%" n "8 = vec 4x" type " %" n "7, %" n "6, %" n "5, %" n "4\nstore_buffer %2, %3, %" n "2, %" n "8 access=0 align=" align " mask=15\n"

/* Vectors of halves and bytes that each lane has somewhere else. */
TEST(narrow_components)
{
   static const char text[] = CG_HEAD(24, "") "%20 = const 1x32 20\n" AT("3", "7") AT("4", "5") PLUS("5", "2") TURN_4("5", "16", "2")
      PLUS("6", "10") TURN_4("6", "8", "1") PLUS("7", "14") "%73 = load_buffer 2x16 %4, %5, %71 access=0 align=2\n"
      "%74 = extract 1x16 %73 index=0\n%75 = extract 1x16 %73 index=1\n%76 = vec 2x16 %75, %74\n"
      "store_buffer %2, %3, %72, %76 access=0 align=2 mask=3\nyield\n}\n";
   CG_RUN(text, fill, expect_narrow);
   CG_RUN(text, fill_short, expect_narrow);
}

/* ---- atomics ---- */

static void expect_atomics(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   uint32_t sum = b[0][0], max = b[0][1], min = b[0][2];
   for (uint32_t i = 0; i < 2 * 24; i++) {
      sum += b[1][i];
      max = b[1][i] > max ? b[1][i] : max;
      min = (int32_t)b[1][i] < (int32_t)min ? b[1][i] : min;
      b[0][16 + (i & 7)] += i;
      b[0][32 + i] = i; /* a counter from 0 hands out the numbers in order */
   }
   b[0][0] = sum;
   b[0][1] = max;
   b[0][2] = min;
   b[0][3] = 48;
   b[0][4] = 1000; /* compare and exchange: the first wins */
}

static void fill_atomics(struct cg_run *run)
{
   fill(run);
   run->buffers[0][3] = 0;
   run->buffers[0][4] = 7;
}

TEST(atomics_on_buffers)
{
   CG_RUN(CG_HEAD(24, "") CG_LOAD(%20, %4, %5, %11)
          "%21 = atomic_buffer 1x32 %2, %3, %0, %20 atomic=iadd access=0\n"
          "%22 = atomic_buffer 1x32 %2, %3, %1, %20 atomic=umax access=0\n"
          "%23 = const 1x32 8\n%24 = atomic_buffer 1x32 %2, %3, %23, %20 atomic=imin access=0\n"
          "%25 = const 1x32 7\n%26 = iand 1x32 %10, %25\n%27 = const 1x32 16\n%28 = iadd 1x32 %26, %27\n%29 = imul 1x32 %28, %1\n"
          "%30 = atomic_buffer 1x32 %2, %3, %29, %10 atomic=iadd access=0\n"
          "%31 = const 1x32 12\n%32 = const 1x32 1\n%33 = atomic_buffer 1x32 %2, %3, %31, %32 atomic=iadd access=0\n"
          "%34 = const 1x32 32\n%35 = iadd 1x32 %33, %34\n%36 = imul 1x32 %35, %1\n" CG_STORE(%36, %33)
          "%40 = const 1x32 1000\n%41 = iadd 1x32 %40, %10\n%42 = atomic_buffer 1x32 %2, %3, %27, %41, %25 atomic=cmpxchg access=0\n"
          "yield\n}\n", fill_atomics, expect_atomics);
}

static void expect_histogram(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t g = 0; g < 2; g++) {
      uint32_t bins[16] = {0};
      for (uint32_t i = 0; i < 40; i++)
         bins[b[1][g * 40 + i] >> 28]++;
      for (uint32_t i = 0; i < 16; i++)
         b[0][g * 16 + i] = bins[i];
   }
}

/* Atomics on shared memory between barriers, under a divergent if. */
TEST(atomics_on_shared_memory)
{
   CG_RUN(CG_HEAD(40, "shared 64\n") CG_LOAD(%20, %4, %5, %11) "%21 = const 1x32 16\n%22 = ult 1x1 %91, %21\n%23 = imul 1x32 %91, %1\n"
          "if %22 {\nstore_shared %23, %0 access=0 align=4 mask=1\nyield\n} else {\nyield\n}\n"
          "barrier exec=2 memory=2 semantics=264\n"
          "%24 = const 1x32 28\n%25 = ushr 1x32 %20, %24\n%26 = imul 1x32 %25, %1\n%27 = const 1x32 1\n"
          "%28 = atomic_shared 1x32 %26, %27 atomic=iadd access=0\n"
          "barrier exec=2 memory=2 semantics=264\n"
          "if %22 {\n%30 = load_shared 1x32 %23 access=0 align=4\n%31 = imul 1x32 %7, %21\n%32 = iadd 1x32 %31, %91\n%33 = imul 1x32 %32, %1\n"
          CG_STORE(%33, %30) "yield\n} else {\nyield\n}\nyield\n}\n", fill, expect_histogram);
}

/* The operators whose result may be unread, in the order of enum abi_atomic. */
#define ATOMIC_NAMES(X) X(iadd) X(imin) X(umin) X(imax) X(umax) X(and) X(or) X(xor)
static uint32_t atomic_of_expected;

static uint32_t atomic_of_c(uint32_t atomic, uint32_t a, uint32_t b)
{
   const int32_t sa = (int32_t)a, sb = (int32_t)b;
   const uint32_t results[] = {a + b, sa < sb ? a : b, a < b ? a : b, sa > sb ? a : b, a > b ? a : b, a & b, a | b, a ^ b};
   return results[atomic];
}

/* 12 words, each its number plus 7 times a large one; odd invocations then change the one that the top four bits of their value name, if there. */
static void expect_unread(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t g = 0; g < 2; g++) {
      uint32_t words[16];
      for (uint32_t i = 0; i < 12; i++)
         words[i] = (i + 7) * 0x15151515u;
      for (uint32_t i = 1; i < 40; i += 2) {
         const uint32_t value = b[1][g * 40 + i], at = value >> 28;
         words[at] = at < 12 ? atomic_of_c(atomic_of_expected, words[at], value) : 0;
      }
      for (uint32_t i = 0; i < 12; i++)
         b[0][g * 12 + i] = words[i];
   }
}

TEST(atomics_on_shared_memory_whose_result_nobody_reads)
{
#define RUN_UNREAD(name)                                                                                              \
   CG_RUN(CG_HEAD(40, "shared 48\n") CG_LOAD(%20, %4, %5, %11) "%21 = const 1x32 12\n%22 = ult 1x1 %91, %21\n"        \
          "%23 = imul 1x32 %91, %1\n%12 = const 1x32 0x15151515\n%17 = const 1x32 7\n"                                     \
          "%18 = iadd 1x32 %91, %17\n%13 = imul 1x32 %18, %12\n"                                                      \
          "if %22 {\nstore_shared %23, %13 access=0 align=4 mask=1\nyield\n} else {\nyield\n}\n"                     \
          "barrier exec=2 memory=2 semantics=264\n"                                                                   \
          "%14 = const 1x32 1\n%15 = iand 1x32 %91, %14\n%16 = ine 1x1 %15, %0\n"                                     \
          "%24 = const 1x32 28\n%25 = ushr 1x32 %20, %24\n%26 = imul 1x32 %25, %1\n"                                  \
          "if %16 {\n%28 = atomic_shared 1x32 %26, %20 atomic=" #name " access=0\nyield\n} else {\nyield\n}\n"       \
          "barrier exec=2 memory=2 semantics=264\n"                                                                   \
          "if %22 {\n%30 = load_shared 1x32 %23 access=0 align=4\n%31 = imul 1x32 %7, %21\n%32 = iadd 1x32 %31, %91\n" \
          "%33 = imul 1x32 %32, %1\n" CG_STORE(%33, %30) "yield\n} else {\nyield\n}\nyield\n}\n", fill, expect_unread); \
   atomic_of_expected++;
   atomic_of_expected = 0;
   ATOMIC_NAMES(RUN_UNREAD)
}

/* Word by word of each invocation what it reads of one location in shared memory, where odd ones change it, then of one location in the buffer, which all
 * change: in the order of invocations. */
static void expect_one_address(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t g = 0; g < 2; g++) {
      uint32_t word = 0x15151515;
      for (uint32_t i = g * 40; i < (g + 1) * 40; i++) {
         b[0][i] = i & 1 ? word : 1;
         if (i & 1)
            word = atomic_of_c(atomic_of_expected, word, b[1][i]);
         b[0][1024 + i] = b[0][4000];
         b[0][4000] = atomic_of_c(atomic_of_expected, b[0][4000], b[1][i]);
      }
   }
}

TEST(atomics_at_one_address)
{
#define RUN_ONE_ADDRESS(name)                                                                                         \
   CG_RUN(CG_HEAD(40, "shared 16\n") CG_LOAD(%20, %4, %5, %11) "%12 = const 1x32 0x15151515\n%14 = const 1x32 1\n"     \
          "%22 = ieq 1x1 %91, %0\nif %22 {\nstore_shared %1, %12 access=0 align=4 mask=1\nyield\n} else {\nyield\n}\n"  \
          "barrier exec=2 memory=2 semantics=264\n%15 = iand 1x32 %91, %14\n%16 = ine 1x1 %15, %0\n"                 \
          "%29 1x32 = if %16 {\n%28 = atomic_shared 1x32 %1, %20 atomic=" #name " access=0\nyield %28\n} else {\nyield %14\n}\n" \
          CG_STORE(%11, %29) "%40 = const 1x32 16000\n%41 = atomic_buffer 1x32 %2, %3, %40, %20 atomic=" #name " access=0\n" \
          "%42 = const 1x32 4096\n%43 = iadd 1x32 %11, %42\n" CG_STORE(%43, %41) "yield\n}\n", fill, expect_one_address); \
   atomic_of_expected++;
   atomic_of_expected = 0;
   ATOMIC_NAMES(RUN_ONE_ADDRESS)
}

/* ---- variables ---- */

static void fill_push(struct cg_run *run)
{
   fill(run);
   run->workgroups[0] = 64;
   run->push[0] = 77;
}

static void expect_guarded(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 64 * 8; i++)
      b[0][i] = i < 8 ? 77 : 5;
}

/* What is in bounds only where a condition holds, and is moved to where it need not hold. */
TEST(bounds_of_what_is_hoisted)
{
   CG_RUN(CG_HEAD(8, "") "%20 = const 1x32 16777216\n%21 = const 1x32 1\n%22 = const 1x32 5\n%23 = ult 1x1 %7, %21\n"
          "%24 1x32 = if %23 {\n%25 = imul 1x32 %7, %20\n%26 = load_push 1x32 %25 align=4\nyield %26\n} else {\nyield %22\n}\n"
          CG_STORE(%11, %24) "yield\n}\n",
          fill_push, expect_guarded);
}

static void expect_squares(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 2 * 8; i++) {
      if (i >= 8)
         b[0][i] = i % 8 * (i % 8);
      b[0][512 + i] = i % 8 * (i % 8) + 5;
   }
}

/* The lanes of a workgroup of one vector are constants: a vector of them that is made in one branch is not there in the other. */
TEST(lanes_in_two_branches)
{
   CG_RUN(CG_HEAD(8, "") "%20 = const 1x32 1\n%21 = const 1x32 5\n%22 = const 1x32 2048\n%23 = iadd 1x32 %11, %22\n%24 = uge 1x1 %7, %20\n"
          "if %24 {\n%25 = imul 1x32 %91, %91\n" CG_STORE(%11, %25) "yield\n} else {\nyield\n}\n"
          "%26 = imul 1x32 %91, %91\n%27 = iadd 1x32 %26, %21\n" CG_STORE(%23, %27) "yield\n}\n",
          fill, expect_squares);
}

/* To LLVM a gather is no atomic load (access=16): without a fence before and behind it might be exchanged with another. On x86-64 the
 * processor needs none. */
#ifdef __x86_64__
#define FENCE "fence syncscope(\"singlethread\")"
#else
#define FENCE "fence seq_cst"
#endif

TEST(atomic_vectors_stay_in_order)
{
   static const char text[] = CG_HEAD(24, "") CG_LOAD(%20, %4, %5, %11)
      "%21 = load_buffer 1x32 %4, %5, %20 access=16 align=4\n%22 = load_buffer 1x32 %2, %3, %20 access=16 align=4\n"
      "store_buffer %2, %3, %21, %22 access=16 align=4 mask=1\nyield\n}\n";
   char *texts[COMP_NUM_TEXTS] = {0};
   uint32_t num_fences = 0;
   free(cg_run_binary(text, 16, util_cpu_level(), texts));
   for (const char *at = texts[COMP_TEXT_LLVM]; at && (at = strstr(at, FENCE)); at++)
      num_fences++;
   CHECK_EQ(num_fences, 6);
   for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++)
      free(texts[i]);
}

/* ---- rows of a workgroup that are shorter than a vector ---- */

enum { ROW = 8, ROWS = 3, ROW_WORDS = 33, IN_WORDS = 80, OUT_WORDS = 86 };

/* Three words an invocation, rows at a distance; the last row is not wholly inside. */
#define IN_ROWS(more)                                                                                                  \
   "shader compute\nlocal_size 8 3 1\n{\n%0 = const 1x32 0\n%2 = buffer_addr 1x64 %0 set=0 binding=0\n"                \
   "%3 = buffer_size 1x32 %0 set=0 binding=0\n%4 = buffer_addr 1x64 %0 set=0 binding=1\n"                              \
   "%5 = buffer_size 1x32 %0 set=0 binding=1\n%6 = sysval 3x32 sysval=local_id\n%7 = extract 1x32 %6 index=0\n"       \
   "%8 = extract 1x32 %6 index=1\n%9 = const 1x32 12\n%10 = imul 1x32 %7, %9\n%11 = const 1x32 132\n"                 \
   "%12 = imul 1x32 %8, %11\n%13 = iadd 1x32 %10, %12\n%23 = const 1x32 3\n%24 = uge 1x1 %7, %23\n" more "yield\n}\n"
#define COPY_ROWS(mask)                                                                                                \
   "%20 = load_buffer 3x32 %4, %5, %13 access=0 align=4\nstore_buffer %2, %3, %13, %20 access=0 align=4 mask=" #mask "\n"
#define SPREAD_ROWS                                                                                                    \
   "%21 = load_buffer 2x32 %4, %5, %12 access=0 align=4\n%22 = extract 1x32 %21 index=1\n"                             \
   "store_buffer %2, %3, %13, %22 access=0 align=4 mask=1\n"
#define FROM_THIRD(more) "if %24 {\n" more "yield\n} else {\nyield\n}\n"

static void fill_rows(struct cg_run *run)
{
   run->buffer_words[0] = OUT_WORDS;
   run->buffer_words[1] = IN_WORDS;
   for (uint32_t i = 0; i < CG_RUN_WORDS; i++)
      run->buffers[1][i] = i + 1000;
}

/* `step`: words from one invocation's source to the next's. */
static void expect_rows(uint32_t (*b)[CG_RUN_WORDS + 64], uint32_t first, uint32_t step, uint32_t word, uint32_t mask)
{
   for (uint32_t i = 0; i < ROW * ROWS; i++) {
      for (uint32_t c = 0; c < 3; c++) {
         const uint32_t from = i / ROW * ROW_WORDS + i % ROW * step + word + c, to = i / ROW * ROW_WORDS + i % ROW * 3 + c;
         if (i % ROW >= first && mask >> c & 1 && to < OUT_WORDS)
            b[0][to] = from < IN_WORDS ? b[1][from] : 0;
      }
   }
}

static void expect_copy(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_rows(b, 0, 3, 0, 7);
}

static void expect_copy_of_two(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_rows(b, 0, 3, 0, 5);
}

static void expect_copy_from_third(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_rows(b, 3, 3, 0, 7);
}

static void expect_spread(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_rows(b, 0, 0, 1, 1);
}

static void expect_spread_from_third(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   expect_rows(b, 3, 0, 1, 1);
}

TEST(short_rows)
{
   CG_RUN(IN_ROWS(COPY_ROWS(7)), fill_rows, expect_copy);
   CG_RUN(IN_ROWS(COPY_ROWS(5)), fill_rows, expect_copy_of_two);
   CG_RUN(IN_ROWS(FROM_THIRD(COPY_ROWS(7))), fill_rows, expect_copy_from_third);
   CG_RUN(IN_ROWS(SPREAD_ROWS), fill_rows, expect_spread);
   CG_RUN(IN_ROWS(FROM_THIRD(SPREAD_ROWS)), fill_rows, expect_spread_from_third);
}

/* ---- lanes that are expected in runs ---- */

/* Words (i - 3), clamped to 0 to 37, of 4 * comps bytes each, to where i + 21 wraps at 64: both ends of what is read and of what is written break a row. */
#define LIKELY(comps, bytes, mask, before, after)                                                                      \
   CG_HEAD(24, "") "%20 = const 1x32 3\n%21 = isub 1x32 %10, %20\n%22 = imax 1x32 %21, %0\n%23 = const 1x32 37\n"     \
   "%24 = imin 1x32 %22, %23\n%25 = const 1x32 " #bytes "\n%26 = imul 1x32 %24, %25\n%27 = const 1x32 21\n"           \
   "%28 = iadd 1x32 %10, %27\n%29 = const 1x32 63\n%40 = iand 1x32 %28, %29\n%41 = imul 1x32 %40, %25\n" before       \
   "%42 = load_buffer " #comps "x32 %4, %5, %26 access=0 align=4\n"                                                    \
   "store_buffer %2, %3, %41, %42 access=0 align=4 mask=" #mask "\n" after "yield\n}\n"

static void expect_likely(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64], uint32_t comps, bool is_divergent)
{
   const uint32_t limit0 = run->buffer_words[0] ? run->buffer_words[0] : CG_RUN_WORDS;
   const uint32_t limit1 = run->buffer_words[1] ? run->buffer_words[1] : CG_RUN_WORDS;
   for (uint32_t i = 0; i < 2 * 24; i++) {
      const uint32_t from = i < 3 ? 0 : UTIL_MIN(i - 3, 37u), to = (i + 21) & 63;
      for (uint32_t c = 0; c < comps && (!is_divergent || i % 24 - 3 < 18); c++) {
         if (to * comps + c < limit0)
            b[0][to * comps + c] = word(b[1], from * comps + c, limit1);
      }
   }
}

#define EXPECT_LIKELY(comps)                                                                                           \
   static void expect_likely_##comps(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])                       \
   {                                                                                                                   \
      expect_likely(run, b, comps, false);                                                                             \
   }                                                                                                                   \
   static void expect_some_likely_##comps(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])                  \
   {                                                                                                                   \
      expect_likely(run, b, comps, true);                                                                              \
   }
EXPECT_LIKELY(1)
EXPECT_LIKELY(2)
EXPECT_LIKELY(4)

/* The ends of what is read and written within a row. */
static void fill_within(struct cg_run *run)
{
   fill(run);
   run->buffer_words[0] = 45;
   run->buffer_words[1] = 19;
}

TEST(likely_runs)
{
   static cg_run_setup *const fills[] = {fill, fill_short, fill_within};
   for (uint32_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++) {
      CG_RUN(LIKELY(1, 4, 1, "", ""), fills[i], expect_likely_1);
      CG_RUN(LIKELY(2, 8, 3, "", ""), fills[i], expect_likely_2);
      CG_RUN(LIKELY(4, 16, 15, "", ""), fills[i], expect_likely_4);
      CG_RUN(LIKELY(1, 4, 1, SOME_LANES, SOME_LANES_END), fills[i], expect_some_likely_1);
      CG_RUN(LIKELY(2, 8, 3, SOME_LANES, SOME_LANES_END), fills[i], expect_some_likely_2);
      CG_RUN(LIKELY(4, 16, 15, SOME_LANES, SOME_LANES_END), fills[i], expect_some_likely_4);
   }
}

/* Component or pair 1 of records of three or four words, of invocation i or, where it is only likely that they follow each other, of i clamped to 37. */
#define RECORDS(comps, words, mask, index, before, after)                                                              \
   CG_HEAD(24, "") "%20 = const 1x32 37\n%21 = umin 1x32 %10, %20\n%22 = const 1x32 " #words "\n%23 = imul 1x32 %22, %1\n" \
   "%24 = imul 1x32 " index ", %23\n%25 = iadd 1x32 %24, %1\n%26 = const 1x32 " #comps "\n%27 = imul 1x32 %11, %26\n" before \
   "%42 = load_buffer " #comps "x32 %4, %5, %25 access=0 align=4\n"                                                    \
   "store_buffer %2, %3, %27, %42 access=0 align=4 mask=" #mask "\n" after "yield\n}\n"

static void expect_records(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64], uint32_t comps, uint32_t words, uint32_t last, bool is_divergent)
{
   const uint32_t limit1 = run->buffer_words[1] ? run->buffer_words[1] : CG_RUN_WORDS;
   for (uint32_t i = 0; i < 2 * 24; i++) {
      for (uint32_t c = 0; c < comps && (!is_divergent || i % 24 - 3 < 18); c++)
         b[0][i * comps + c] = word(b[1], UTIL_MIN(i, last) * words + 1 + c, limit1);
   }
}

#define EXPECT_RECORDS(comps, words)                                                                                   \
   static void expect_##comps##_of_##words(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])                 \
   {                                                                                                                   \
      expect_records(run, b, comps, words, UINT32_MAX, false);                                                         \
   }                                                                                                                   \
   static void expect_clamped_##comps##_of_##words(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])         \
   {                                                                                                                   \
      expect_records(run, b, comps, words, 37, false);                                                                 \
   }                                                                                                                   \
   static void expect_some_##comps##_of_##words(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])            \
   {                                                                                                                   \
      expect_records(run, b, comps, words, UINT32_MAX, true);                                                          \
   }
EXPECT_RECORDS(1, 3)
EXPECT_RECORDS(2, 3)
EXPECT_RECORDS(1, 4)
EXPECT_RECORDS(2, 4)

#define CHECK_RECORDS(comps, words, mask)                                                                              \
   do {                                                                                                                \
      CG_RUN(RECORDS(comps, words, mask, "%10", "", ""), fills[i], expect_##comps##_of_##words);                       \
      CG_RUN(RECORDS(comps, words, mask, "%21", "", ""), fills[i], expect_clamped_##comps##_of_##words);               \
      CG_RUN(RECORDS(comps, words, mask, "%10", SOME_LANES, SOME_LANES_END), fills[i], expect_some_##comps##_of_##words); \
   } while (0)

TEST(runs_of_records)
{
   static cg_run_setup *const fills[] = {fill, fill_1_110, fill_1_1};
   for (uint32_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++) {
      CHECK_RECORDS(1, 3, 1);
      CHECK_RECORDS(2, 3, 3);
      CHECK_RECORDS(1, 4, 1);
      CHECK_RECORDS(2, 4, 3);
   }
}

/* The last records of shared memory: what lies between the words that lanes take is not read beyond its end. */
static void expect_shared_records(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 2 * 24; i++)
      b[0][i] = b[1][i];
}

TEST(runs_in_shared_memory)
{
   CG_RUN(CG_HEAD(24, "shared 384\n") CG_LOAD(%20, %4, %5, %11) "%21 = const 1x32 16\n%22 = imul 1x32 %91, %21\n%23 = const 1x32 12\n"
          "%24 = iadd 1x32 %22, %23\nstore_shared %24, %20 access=0 align=4 mask=1\n%25 = load_shared 1x32 %24 access=0 align=4\n"
          CG_STORE(%11, %25) "yield\n}\n", fill, expect_shared_records);
}

/* Rows of eight whose first words are clamped. */
static void expect_short_likely(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t y = 0; y < ROWS; y++) {
      for (uint32_t x = 0; x < ROW; x++) {
         const uint32_t from = y * ROW_WORDS + (x < 2 ? 2 : x), to = y * ROW_WORDS + x;
         if (to < OUT_WORDS)
            b[0][to] = from < IN_WORDS ? b[1][from] : 0;
      }
   }
}

TEST(short_likely_runs)
{
   CG_RUN(IN_ROWS("%20 = const 1x32 2\n%25 = umax 1x32 %7, %20\n%26 = const 1x32 4\n%27 = imul 1x32 %25, %26\n%28 = iadd 1x32 %27, %12\n"
                  "%29 = imul 1x32 %7, %26\n%30 = iadd 1x32 %29, %12\n%31 = load_buffer 1x32 %4, %5, %28 access=0 align=4\n"
                  "store_buffer %2, %3, %30, %31 access=0 align=4 mask=1\n"),
          fill_rows, expect_short_likely);
}

TEST_MAIN
