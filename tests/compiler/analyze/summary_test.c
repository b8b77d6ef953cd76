/* SPDX-License-Identifier: MIT
 * Facts of a shader: each is there with a use that stays, and gone with one that the passes remove; what is declared stays. */
#include "compiler/ir/passes.h"
#include "abi/ray.h"
#include "tests/test.h"

#include <setjmp.h>
#include <string.h>

struct fact {
   const char *name;
   const char *use; /* ends in no value that others need */
   struct abi_shader_info expected;
};

#define SLOT(n) {[(n) / 64] = UINT64_C(1) << ((n) % 64)}

static const struct fact facts[] = {
   {"input", "%9 = interp 1x32 slot=18 mode=1 at=0\nstore_output %9 slot=0\n",
    {.inputs = SLOT(18), .interp[18] = 1, .outputs = SLOT(0)}},
   {"wide input", "%9 = interp 1x64 slot=18 mode=2 at=0\n%8 = unpack 1x32 %9 index=1\nstore_output %8 slot=0\n",
    {.inputs = {UINT64_C(3) << 18}, .interp[18] = 2, .outputs = SLOT(0)}},
   {"input past 64", "%9 = interp 1x32 slot=130 mode=0 at=0\nstore_output %9 slot=3\n",
    {.inputs = SLOT(130), .outputs = SLOT(3)}},
   {"attribute", "%9 = load_input 1x32 slot=20\nstore_output %9 slot=1\n", {.inputs = SLOT(20), .outputs = SLOT(1)}},
   {"a vertex's input", "%9 = load_vertex 1x64 %1 slot=63\n%8 = unpack 1x32 %9 index=0\nstore_output %8 slot=2\n",
    {.inputs = {UINT64_C(1) << 63, 1}, .outputs = SLOT(2)}},
   {"a vertex's output", "store_vertex %1, %1 slot=70\n", {.outputs = SLOT(70)}},
   {"wide output", "%9 = u2u 1x64 %1\nstore_output %9 slot=4\n", {.outputs = {UINT64_C(3) << 4}}},
   {"depth", "store_output %1 slot=32\n", {.outputs = SLOT(32)}},
   {"stencil", "store_output %1 slot=33\n", {.outputs = SLOT(33)}},
   {"sample mask", "store_output %1 slot=34\n", {.outputs = SLOT(34)}},
   {"discard", "demote %2\n", {.uses_discard = 1}},
   {"buffer store", "%7 = buffer_addr 1x64 %1 set=0 binding=0\n%8 = buffer_size 1x32 %1 set=0 binding=0\n"
                    "store_buffer %7, %8, %1, %1 access=0 align=4 mask=1\n", {.has_side_effects = 1}},
   {"buffer atomic", "%7 = buffer_addr 1x64 %1 set=0 binding=0\n%8 = buffer_size 1x32 %1 set=0 binding=0\n"
                     "%9 = atomic_buffer 1x32 %7, %8, %1, %1 atomic=0 access=0\n", {.has_side_effects = 1}},
   {"global store", "%7 = u2u 1x64 %1\nstore_global %7, %1 access=0 align=4 mask=1\n", {.has_side_effects = 1}},
   {"global atomic", "%7 = u2u 1x64 %1\n%9 = atomic_global 1x32 %7, %1 atomic=0 access=0\n", {.has_side_effects = 1}},
   {"image store", "%6 = image_desc 1x64 %1 set=0 binding=0\n%7 = vec 2x32 %1, %1\n%8 = vec 4x32 %1, %1, %1, %1\n"
                   "image_store %6, %7, %8 dim=1 flags=0 access=0\n", {.has_side_effects = 1}},
   {"image atomic", "%6 = image_desc 1x64 %1 set=0 binding=0\n%7 = vec 2x32 %1, %1\n"
                    "%8 = image_atomic 1x32 %6, %7, %1 dim=1 flags=0 atomic=0 format=0\n", {.has_side_effects = 1}},
   {"derivative", "%9 = ddx 1x32 %1 fine=0\nstore_output %9 slot=0\n", {.uses_derivatives = 1, .outputs = SLOT(0)}},
   {"sample mask", "%7 = sysval 1x32 sysval=sample_mask_in\nstore_output %7 slot=0\n", {.reads_coverage = 1, .outputs = SLOT(0)}},
   {"centroid", "%7 = interp 1x32 slot=0 mode=0 at=1\nstore_output %7 slot=0\n", {.reads_coverage = 1, .inputs = SLOT(0), .outputs = SLOT(0)}},
   {"implicit lod", "%6 = image_desc 1x64 %1 set=0 binding=0\n%7 = vec 2x32 %1, %1\n%8 = tex 4x32 %6, %6, %7 op=0 dim=1 flags=0\n"
                    "%9 = extract 1x32 %8 index=0\nstore_output %9 slot=0\n", {.uses_derivatives = 1, .outputs = SLOT(0)}},
   {"explicit lod", "%6 = image_desc 1x64 %1 set=0 binding=0\n%7 = vec 2x32 %1, %1\n%8 = tex 4x32 %6, %6, %7, %1 op=0 dim=1 flags=4\n"
                    "%9 = extract 1x32 %8 index=0\nstore_output %9 slot=0\n", {.outputs = SLOT(0)}},
   {"input attachment", "%6 = image_desc 1x64 %1 set=0 binding=0\n%7 = vec 2x32 %1, %1\n"
                        "%8 = tex 4x32 %6, %6, %7 op=1 dim=1 flags=16384\n%9 = extract 1x32 %8 index=0\nstore_output %9 slot=0\n",
    {.reads_attachments = 1, .outputs = SLOT(0)}},
   {"input attachment, loaded", "%6 = image_desc 1x64 %1 set=0 binding=0\n%7 = vec 2x32 %1, %1\n"
                                "%8 = image_load 4x32 %6, %7 dim=1 flags=16384 access=0\n%9 = extract 1x32 %8 index=0\n"
                                "store_output %9 slot=0\n", {.reads_attachments = 1, .outputs = SLOT(0)}},
   {"tile", "%6 = attachment_desc 1x64 %1 first=0\n%7 = vec 2x32 %1, %1\n%8 = image_load 4x32 %6, %7 dim=1 flags=0 access=0\n"
            "%9 = extract 1x32 %8 index=0\nstore_output %9 slot=0\n",
    {.reads_attachments = 1, .reads_tiles = 1, .outputs = SLOT(0)}},
   {"image load", "%6 = image_desc 1x64 %1 set=0 binding=0\n%7 = vec 2x32 %1, %1\n"
                  "%8 = image_load 4x32 %6, %7 dim=1 flags=0 access=0\n%9 = extract 1x32 %8 index=0\nstore_output %9 slot=0\n",
    {.outputs = SLOT(0)}},
   {"query of a level", "%6 = image_desc 1x64 %1 set=0 binding=0\n%7 = vec 2x32 %1, %1\n%8 = tex 2x32 %6, %6, %7 op=3 dim=1 flags=0\n"
                        "%9 = extract 1x32 %8 index=0\nstore_output %9 slot=0\n", {.uses_derivatives = 1, .outputs = SLOT(0)}},
   {"ray", "%9 = ray_proceed 1x1 v0 %1\nif %9 {\nstore_output %1 slot=0\nyield\n} else {\nyield\n}\n", {.has_loops = 1, .outputs = SLOT(0)}},
   {"loop", "loop @L8 %1 {\nbody(%9 1x32):\n%10 = ieq 1x1 %9, %0\nif %10 {\nbreak @L8\n} else {\nyield\n}\nstore_output %9 slot=0\n"
            "continue @L8 %9\ncont(%11 1x32):\n%12 = iadd 1x32 %11, %11\nyield %12\n}\n", {.has_loops = 1, .outputs = SLOT(0)}},
};

/* What does not follow from instructions must come through unchanged. */
static const struct abi_shader_info declared = {
   .early_tests = 1, .uses_sample = 1, .post_depth_coverage = 1, .num_clip_distances = 2, .num_cull_distances = 1,
   .output_is_int = {2}, .zero_shared = 1, .shared_bytes = 64, .local_size = {2, 3, 4}};

static void fail(const char *name, const char *why)
{
   char text[256];
   snprintf(text, sizeof(text), "%s: %s", name, why);
   test_fail(__FILE__, __LINE__, text);
}

static void check(const struct fact *fact, bool is_live)
{
   char text[2048];
   snprintf(text, sizeof(text), "shader fragment\nquery_var v0 %zu \"query\"\n{\n%%0 = sysval 1x32 sysval=primitive_id\n"
                                "%%1 = const 1x32 0x3f000000\n%%2 = const 1x1 %d\n"
                                "if %%2 {\n%syield\n} else {\nyield\n}\nyield\n}\n", sizeof(struct abi_ray), is_live, fact->use);
   struct util_arena arena;
   jmp_buf oom;
   const char *error = NULL;
   util_arena_init(&arena, 0);
   arena.on_oom = &oom;
   if (setjmp(oom)) {
      test_fail(__FILE__, __LINE__, "out of memory");
      return;
   }
   struct ir_shader *shader = ir_parse(&arena, text, &error);
   if (shader)
      error = ir_validate(shader, &arena);
   if (error)
      fail(fact->name, error);
   else {
      /* Computed too early and by others: all of it, wrong. */
      shader->info = declared;
      shader->info.stage = ABI_STAGE_FRAGMENT;
      memset(shader->info.inputs, 0xff, sizeof(shader->info.inputs));
      memset(shader->info.outputs, 0xff, sizeof(shader->info.outputs));
      memset(shader->info.interp, 0xff, sizeof(shader->info.interp));
      shader->info.uses_discard = shader->info.has_side_effects = shader->info.uses_derivatives = 1;
      shader->info.reads_attachments = shader->info.reads_tiles = shader->info.has_loops = shader->info.reads_coverage = 1;
      ir_opt_simplify(shader);
      ir_opt_control_flow(shader);
      ir_opt_dead_code(shader);
      ir_analyze_summary(shader);

      struct abi_shader_info expected = declared;
      expected.stage = ABI_STAGE_FRAGMENT;
      if (is_live) {
         const struct abi_shader_info *e = &fact->expected;
         memcpy(expected.inputs, e->inputs, sizeof(e->inputs));
         memcpy(expected.outputs, e->outputs, sizeof(e->outputs));
         memcpy(expected.interp, e->interp, sizeof(e->interp));
         expected.uses_discard = e->uses_discard;
         expected.has_side_effects = e->has_side_effects;
         expected.uses_derivatives = e->uses_derivatives;
         expected.reads_attachments = e->reads_attachments;
         expected.reads_tiles = e->reads_tiles;
         expected.reads_coverage = e->reads_coverage;
         expected.has_loops = e->has_loops;
      }
      if (memcmp(&expected, &shader->info, sizeof(expected)) != 0) {
         ir_print(shader, stderr);
         fail(fact->name, is_live ? "live" : "dead");
      }
   }
   util_arena_finish(&arena);
}

/* Components of texels that nothing reads; what takes a value whole reads all of it. */
TEST(unread)
{
   static const char text[] = "shader compute\nlocal_size 16 1 1\n{\n%0 = const 1x64 0\n%1 = const 2x32 0, 0\n%2 = const 1x32 0\n"
                              "%3 = tex 4x32 %0, %0, %1, %2 op=0 dim=1 flags=4\n%4 = extract 1x32 %3 index=1\n%5 = extract 1x32 %3 index=3\n"
                              "%6 = tex 4x32 %0, %0, %1, %2 op=0 dim=1 flags=4\n%7 = fadd 1x32 %4, %5\n"
                              "%8 = vec 2x32 %7, %7\nstore_global %0, %8 access=0 align=4 mask=3\nstore_global %0, %6 access=0 align=4 mask=15\nyield\n}\n";
   struct util_arena arena;
   jmp_buf oom;
   const char *error = NULL;
   static const uint32_t expected[] = {5, 0};
   util_arena_init(&arena, 0);
   arena.on_oom = &oom;
   if (setjmp(oom)) {
      test_fail(__FILE__, __LINE__, "out of memory");
      return;
   }
   struct ir_shader *shader = ir_parse(&arena, text, &error);
   if (shader)
      error = ir_validate(shader, &arena);
   if (error) {
      test_fail(__FILE__, __LINE__, error);
   } else {
      uint32_t found = 0;
      ir_analyze_summary(shader);
      IR_FOR_EACH(it, shader->body) {
         if (it->op == IR_tex)
            CHECK_EQ(it->unread, expected[found++ & 1]);
         else
            CHECK_EQ(it->unread, 0);
      }
      CHECK_EQ(found, 2);
   }
   util_arena_finish(&arena);
}

TEST(live)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(facts); i++)
      check(&facts[i], true);
}

TEST(dead)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(facts); i++)
      check(&facts[i], false);
}

TEST_MAIN
