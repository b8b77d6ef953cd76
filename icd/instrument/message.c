/* SPDX-License-Identifier: MIT
 * One function a class of probe says what is wrong, from the operands that abi/probe.h lists. */
#include "icd/instrument/message.h"

#include "icd/instrument/instrument.h"
#include "icd/object.h"
#include "runtime/cmd/scopes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const ids[ABI_NUM_PROBES] = {
#define X(NAME, check, name, operands) [ABI_PROBE_##NAME] = "SANITIZE-" name,
   ABI_PROBES(X)
#undef X
};

static const char *const accesses[] = {[ABI_PROBE_READ] = "read", [ABI_PROBE_WRITE] = "write", [ABI_PROBE_ATOMIC] = "atomic access"};

static const char *access_of(const struct abi_site *site)
{
   return accesses[site->access];
}

/* The operands behind the invocation's words. */
static const uint64_t *operands_of(const struct rt_party *party)
{
   return party->operands + party->site->num_words;
}

UTIL_PRINTF(2, 3) static void say(struct icd_finding_text *text, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vsnprintf(text->what, sizeof(text->what), format, args);
   va_end(args);
}

/* ---- bounds ---- */

static void of_buffer(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const struct abi_site *site = finding->party.site;
   const uint64_t *o = operands_of(&finding->party);
   const int32_t offset = (int32_t)o[0];
   if (!o[2])
      say(text, "%s of %u bytes at offset %d of a buffer that is not there", access_of(site), site->bytes, offset);
   else
      say(text, "%s of %u bytes at offset %d is %s of a buffer of %llu bytes", access_of(site), site->bytes, offset,
          offset < 0 ? "in front" : "past the end", (unsigned long long)o[1]);
}

static void of_address(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const struct abi_site *site = finding->party.site;
   const uint64_t address = operands_of(&finding->party)[0];
   struct rt_range near;
   for (uint64_t back = 1; address && back <= UINT64_C(1) << 20; back *= 2) { /* whose end it may have passed */
      if (address < back || !rt_range_find(address - back, 1, 1u << RT_RANGE_ADDRESSED_BUFFER, &near))
         continue;
      const struct icd_object *object = near.object;
      const uint64_t offset = address - near.begin, size = near.end - near.begin;
      say(text, "%s of %u bytes at address 0x%llx, which is offset %llu of buffer \"%s\" of %llu bytes", access_of(site), site->bytes,
          (unsigned long long)address, (unsigned long long)offset, icd_object_name(object), (unsigned long long)size);
      return;
   }
   say(text, "%s of %u bytes at address 0x%llx, where no buffer is", access_of(site), site->bytes, (unsigned long long)address);
}

static void of_index(struct icd_finding_text *text, const struct rt_finding *finding)
{
   say(text, "index %d is past the end of %u elements", (int32_t)operands_of(&finding->party)[0], finding->party.site->limit);
}

static void of_descriptor(struct icd_finding_text *text, const struct rt_finding *finding)
{
   say(text, "%s through descriptor %u, which is not there", access_of(finding->party.site), (uint32_t)operands_of(&finding->party)[0]);
}

static void of_nonuniform(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const uint64_t *o = operands_of(&finding->party);
   say(text, "%s through descriptor %u, and through %u by another invocation of the subgroup, without NonUniform", access_of(finding->party.site),
       (uint32_t)o[0], (uint32_t)o[1]);
}

static void add_tuple(char *text, size_t size, const uint64_t *values, uint32_t count, bool is_signed)
{
   size_t used = strlen(text);
   for (uint32_t i = 0; i < count && used < size; i++) {
      const long long value = is_signed ? (int32_t)values[i] : (long long)(uint32_t)values[i];
      used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? ", " : "(", value);
   }
   if (used < size)
      snprintf(text + used, size - used, ")");
}

static void of_texel(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const uint64_t *o = operands_of(&finding->party);
   const uint32_t count = finding->party.site->limit;
   char texel[64] = "", size[64] = "";
   add_tuple(texel, sizeof(texel), o + 1, count, true);
   add_tuple(size, sizeof(size), o + 4, count, false);
   say(text, "%s of texel %s is outside of an image of %s", access_of(finding->party.site), texel, size);
}

static void of_level(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const uint64_t *o = operands_of(&finding->party);
   const char *what = finding->party.site->limit ? "sample" : "level";
   say(text, "%s of %s %d of an image of %u %ss", access_of(finding->party.site), what, (int32_t)o[1], (uint32_t)o[2], what);
}

/* ---- numbers ---- */

static double as_number(uint64_t value, uint32_t bits)
{
   float f32;
   double f64;
   const uint32_t word = (uint32_t)value;
   if (bits == 16) {
      const int exponent = word >> 10 & 31;
      const double fraction = (word & 1023) / 1024.0, sign = word >> 15 ? -1.0 : 1.0;
      if (exponent == 31)
         return fraction != 0.0 ? (double)NAN : sign * (double)INFINITY;
      return sign * (exponent ? ldexp(1.0 + fraction, exponent - 15) : ldexp(fraction, -14));
   }
   if (bits == 64) {
      memcpy(&f64, &value, sizeof(f64));
      return f64;
   }
   memcpy(&f32, &word, sizeof(f32));
   return (double)f32;
}

/* What people call the operations of the IR. */
static const char *operation_of(const struct abi_site *site)
{
   static const struct {
      const char *ir, *name;
   } names[] = {
      {"fadd", "addition"},  {"fsub", "subtraction"}, {"fmul", "multiplication"}, {"fdiv", "division"}, {"fsqrt", "square root"},
      {"fma", "fma"},        {"fmod", "mod"},         {"frem", "remainder"},      {"fpow", "pow"},      {"f2f", "conversion"},
      {"idiv", "division"},  {"udiv", "division"},    {"irem", "remainder"},      {"imod", "remainder"}, {"umod", "remainder"},
   };
   const char *ir = site->texts + site->operation;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(names); i++) {
      if (!strcmp(names[i].ir, ir))
         return names[i].name;
   }
   return *ir == 'f' ? ir + 1 : ir;
}

static void of_not_finite(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const struct abi_site *site = finding->party.site;
   const uint64_t *o = operands_of(&finding->party);
   char sources[128] = "";
   for (uint32_t i = 0; i < site->num_sources; i++) {
      const size_t used = strlen(sources);
      snprintf(sources + used, sizeof(sources) - used, "%s%.9g", i == 0 ? "" : i + 1 == site->num_sources ? " and " : ", ",
               as_number(o[1 + i], site->limit ? site->limit : site->bits));
   }
   say(text, "%s of %s makes %s", operation_of(site), sources, isnan(as_number(o[0], site->bits)) ? "a NaN" : "an infinity");
}

static int64_t as_signed(uint64_t value, uint32_t bits)
{
   return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static void of_division(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const struct abi_site *site = finding->party.site;
   const uint64_t *o = operands_of(&finding->party);
   if (!o[1])
      say(text, "integer %s of %lld by zero", operation_of(site), (long long)as_signed(o[0], site->bits));
   else
      say(text, "integer %s of %lld by -1 overflows", operation_of(site), (long long)as_signed(o[0], site->bits));
}

static void of_conversion(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const struct abi_site *site = finding->party.site;
   const bool is_signed = !strcmp(site->texts + site->operation, "f2i");
   say(text, "%.9g does not fit into %s integer of %u bits", as_number(operands_of(&finding->party)[0], site->bits),
       is_signed ? "a signed" : "an unsigned", site->limit);
}

static void of_shift(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const struct abi_site *site = finding->party.site;
   say(text, "shift of %u bits by %lld", site->limit, (long long)as_signed(operands_of(&finding->party)[0], site->bits));
}

static void of_bit_field(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const uint64_t *o = operands_of(&finding->party);
   say(text, "bit field of %d bits at offset %d of a value of %u bits", (int32_t)o[1], (int32_t)o[0], finding->party.site->limit);
}

/* ---- what nobody wrote ---- */

static void of_undefined_branch(struct icd_finding_text *text, const struct rt_finding *finding)
{
   say(text, "a branch depends on a value that nobody wrote");
}

static void of_undefined_address(struct icd_finding_text *text, const struct rt_finding *finding)
{
   say(text, "an index or an address depends on a value that nobody wrote");
}

static void of_undefined_output(struct icd_finding_text *text, const struct rt_finding *finding)
{
   say(text, "a value that depends on what nobody wrote leaves the shader");
}

static void of_undefined_atomic(struct icd_finding_text *text, const struct rt_finding *finding)
{
   say(text, "atomic operation on memory that nobody wrote");
}

static void of_undefined_image(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const struct abi_site *site = finding->party.site;
   char texel[64] = "";
   if (site->limit)
      add_tuple(texel, sizeof(texel), operands_of(&finding->party) + 1, site->limit, true);
   say(text, "%s of %s%s%s of an image that nobody wrote", access_of(site), site->limit ? "texel" : "texels", site->limit ? " " : "", texel);
}

/* Names of the components in a set. */
static void component_names(char names[5], uint32_t components)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < 4; i++) {
      if (components >> i & 1)
         names[count++] = "rgba"[i];
   }
   names[count] = 0;
}

static void of_missing_color(struct icd_finding_text *text, const struct rt_finding *finding)
{
   char names[5];
   component_names(names, (uint32_t)operands_of(&finding->party)[0]);
   say(text, "the attachment takes %s of the output at location %u, which the shader never writes", names, finding->party.site->limit);
}

static void of_missing_levels(struct icd_finding_text *text, const struct rt_finding *finding)
{
   char names[64] = "";
   const uint32_t levels = (uint32_t)operands_of(&finding->party)[0];
   for (uint32_t i = 0; i < 6; i++) {
      const size_t used = strlen(names);
      if (levels >> i & 1)
         snprintf(names + used, sizeof(names) - used, "%s%s %u", used ? ", " : "", i < 4 ? "outer" : "inner", i % 4);
   }
   say(text, "the tessellator takes levels that the shader did not write: %s", names);
}

static void of_undefined_attachment(struct icd_finding_text *text, const struct rt_finding *finding)
{
   static const char *const uses[] = {
      [ABI_USE_BLEND] = "blends with",
      [ABI_USE_LOGIC_OP] = "has a logic operation on",
      [ABI_USE_DEPTH_TEST] = "tests depths against",
      [ABI_USE_STENCIL_TEST] = "tests stencils against",
   };
   const uint32_t index = finding->party.site->limit;
   char which[32] = "the depth attachment";
   if (index < ABI_MAX_ATTACHMENTS)
      snprintf(which, sizeof(which), "colour attachment %u", index);
   else if (index == ABI_ATTACHMENT_STENCIL)
      snprintf(which, sizeof(which), "the stencil attachment");
   say(text, "a draw %s %s, which nobody wrote", uses[operands_of(&finding->party)[1]], which);
}

/* ---- barriers, races ---- */

static void of_barrier(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const bool is_of_subgroup = finding->party.site->probe == ABI_PROBE_SUBGROUP_BARRIER;
   say(text, "a barrier that %u of the %s's %u invocations reach", finding->count, is_of_subgroup ? "subgroup" : "workgroup", finding->of);
}

static void of_quad(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const uint32_t count = (uint32_t)__builtin_popcountll(operands_of(&finding->party)[0] & 15);
   const struct abi_site *site = finding->party.site;
   if (site->limit)
      say(text, "an operation of a quad reads an invocation that does not reach it; %u of 4 do", count);
   else
      say(text, "%s that %u of a quad's 4 invocations reach", strcmp(site->texts + site->operation, "tex") ? "a derivative" : "an implicit level of detail",
          count);
}

static void of_race(struct icd_finding_text *text, const struct rt_finding *finding)
{
   const struct abi_site *a = finding->party.site, *b = finding->other.site;
   const bool is_image = a->probe == ABI_PROBE_ACCESS_IMAGE || a->probe == ABI_PROBE_TOUCH_IMAGE;
   const char *where = a->probe == ABI_PROBE_ACCESS_SHARED ? "shared memory" : is_image ? "an image" : "memory";
   say(text, "race in %s: %s and %s of two invocations without an order between them", where, access_of(a), access_of(b));
}

static const char *const hazard_ids[] = {
   [RT_HAZARD_READ_AFTER_WRITE] = "SANITIZE-sync-read-after-write",
   [RT_HAZARD_WRITE_AFTER_READ] = "SANITIZE-sync-write-after-read",
   [RT_HAZARD_WRITE_AFTER_WRITE] = "SANITIZE-sync-write-after-write",
   [RT_HAZARD_UNFLUSHED] = "SANITIZE-sync-not-flushed",
};

static const char *layout_name(VkImageLayout layout)
{
   switch (layout) {
   case VK_IMAGE_LAYOUT_UNDEFINED: return "UNDEFINED";
   case VK_IMAGE_LAYOUT_GENERAL: return "GENERAL";
   case VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL: return "COLOR_ATTACHMENT_OPTIMAL";
   case VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL: return "ATTACHMENT_OPTIMAL";
   case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL: return "SHADER_READ_ONLY_OPTIMAL";
   case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL: return "READ_ONLY_OPTIMAL";
   case VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL: return "TRANSFER_SRC_OPTIMAL";
   case VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL: return "TRANSFER_DST_OPTIMAL";
   default: return "another one";
   }
}

/* Of images of swapchains. True: it is about one. */
static bool of_presentation(struct icd_finding_text *text, const struct rt_finding *finding)
{
   if (finding->hazard == RT_HAZARD_LAYOUT) {
      text->id = "SANITIZE-sync-present-layout";
      say(text, "an image is presented in layout %s instead of PRESENT_SRC_KHR", layout_name((VkImageLayout)finding->count));
   } else if (finding->scopes[0].stages == RT_STAGE_PRESENT) {
      text->id = "SANITIZE-sync-present";
      say(text, "an image is presented that may still be written: the present waits for no semaphore that comes after the write");
   } else if (finding->scopes[1].stages == RT_STAGE_PRESENT) {
      text->id = "SANITIZE-sync-presented";
      say(text, "an image is written after it has been presented, and was not acquired again");
   } else if (finding->scopes[1].stages == RT_STAGE_ACQUIRE) {
      text->id = "SANITIZE-sync-acquire";
      say(text, "an image of a swapchain is written before the semaphore or fence of its acquisition has been waited for");
   } else {
      return false;
   }
   return true;
}

/* What a command reads before any shader runs. */
static void of_unwritten(struct icd_finding_text *text, const struct rt_finding *finding)
{
   static const struct {
      VkAccessFlags2 access;
      const char *name;
   } names[] = {
      {VK_ACCESS_2_INDEX_READ_BIT, "indices"},
      {VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, "parameters"},
      {VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT, "a condition"},
      {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, "a counter"},
      {VK_ACCESS_2_SHADER_STORAGE_READ_BIT, "geometry"},
      {VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, "shader records"},
   };
   const char *what = "memory";
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(names); i++)
      what = finding->scopes[0].accesses == names[i].access ? names[i].name : what;
   text->id = "SANITIZE-uninit-command";
   say(text, "a command reads %s that nobody wrote", what);
}

static void of_hazard(struct icd_finding_text *text, const struct rt_finding *finding)
{
   if (finding->hazard == RT_HAZARD_UNWRITTEN) {
      of_unwritten(text, finding);
      return;
   }
   if (of_presentation(text, finding))
      return;
   text->id = hazard_ids[finding->hazard];
   if (finding->hazard == RT_HAZARD_UNFLUSHED) {
      say(text, "a read of what the host wrote to memory that is not coherent, and did not flush");
      return;
   }
   static const char *const names[] = {
      [RT_HAZARD_READ_AFTER_WRITE] = "a read after a write",
      [RT_HAZARD_WRITE_AFTER_READ] = "a write after a read",
      [RT_HAZARD_WRITE_AFTER_WRITE] = "a write after a write",
   };
   const bool is_of_host = finding->scopes[0].stages == VK_PIPELINE_STAGE_2_HOST_BIT;
   const char *why = !finding->is_ordered     ? "nothing orders them"
                     : is_of_host             ? "the host has waited, but no barrier makes the write visible to it"
                     : !finding->is_available ? "a barrier orders them, but does not make the write available"
                                              : "a barrier orders them, but does not make the write visible to the read";
   say(text, "missing barrier: %s of the same bytes, and %s", names[finding->hazard], why);
}

static void (*const sayers[ABI_NUM_PROBES])(struct icd_finding_text *text, const struct rt_finding *finding) = {
   [ABI_PROBE_BUFFER_BOUNDS] = of_buffer,
   [ABI_PROBE_ADDRESS_BOUNDS] = of_address,
   [ABI_PROBE_INDEX_BOUNDS] = of_index,
   [ABI_PROBE_DESCRIPTOR] = of_descriptor,
   [ABI_PROBE_NONUNIFORM] = of_nonuniform,
   [ABI_PROBE_IMAGE_BOUNDS] = of_texel,
   [ABI_PROBE_LEVEL_BOUNDS] = of_level,
   [ABI_PROBE_NOT_FINITE] = of_not_finite,
   [ABI_PROBE_DIVISION] = of_division,
   [ABI_PROBE_CONVERSION] = of_conversion,
   [ABI_PROBE_SHIFT] = of_shift,
   [ABI_PROBE_BIT_FIELD] = of_bit_field,
   [ABI_PROBE_UNINIT_BRANCH] = of_undefined_branch,
   [ABI_PROBE_UNINIT_ADDRESS] = of_undefined_address,
   [ABI_PROBE_UNINIT_OUTPUT] = of_undefined_output,
   [ABI_PROBE_UNINIT_ATOMIC] = of_undefined_atomic,
   [ABI_PROBE_UNINIT_IMAGE] = of_undefined_image,
   [ABI_PROBE_UNINIT_COLOR] = of_missing_color,
   [ABI_PROBE_UNINIT_ATTACHMENT] = of_undefined_attachment,
   [ABI_PROBE_UNINIT_LEVEL] = of_missing_levels,
   [ABI_PROBE_TOUCH] = of_race,
   [ABI_PROBE_TOUCH_IMAGE] = of_race,
   [ABI_PROBE_BARRIER_PASSED] = of_barrier,
   [ABI_PROBE_SUBGROUP_BARRIER] = of_barrier,
   [ABI_PROBE_QUAD] = of_quad,
   [ABI_PROBE_ACCESS] = of_race,
   [ABI_PROBE_ACCESS_SHARED] = of_race,
   [ABI_PROBE_ACCESS_IMAGE] = of_race,
   [ABI_PROBE_USE] = of_hazard,
   [ABI_PROBE_USE_TEXEL] = of_hazard,
   [ABI_PROBE_USE_VIEW] = of_hazard,
   [ABI_PROBE_USE_ACCEL] = of_hazard,
};

/* ---- locations, invocations, objects ---- */

static void set_location(char location[512], char line[256], const struct abi_site *site)
{
   location[0] = line[0] = 0;
   if (site->line)
      snprintf(location, 512, "%.400s:%u", site->texts[site->file] ? site->texts + site->file : "line", site->line);
   snprintf(line, 256, "%s", site->texts + site->text);
}

/* Of patches and primitives, where accesses name it: runtime/instrument/touches.c. */
static void instance_of(char text[32], const struct abi_site *site, const uint64_t *w)
{
   const uint64_t instance = abi_probe_is_touch(site->probe) ? w[site->num_words] : 0;
   text[0] = 0;
   if (instance)
      snprintf(text, 32, " of instance %u", (uint32_t)instance);
}

void icd_describe_invocation(char who[ICD_WHO], const struct abi_site *site, const uint64_t *w)
{
   char instance[32];
   switch ((enum abi_stage)site->stage) {
   case ABI_STAGE_TASK:
   case ABI_STAGE_MESH:
   case ABI_STAGE_COMPUTE:
      snprintf(who, ICD_WHO, "invocation (%u, %u, %u) of workgroup (%u, %u, %u)", (uint32_t)w[5], (uint32_t)w[4], (uint32_t)w[3], (uint32_t)w[2],
               (uint32_t)w[1], (uint32_t)w[0]);
      return;
   case ABI_STAGE_VERTEX: snprintf(who, ICD_WHO, "vertex %d of instance %u", (int32_t)w[1], (uint32_t)w[0]); return;
   case ABI_STAGE_CONTROL:
      instance_of(instance, site, w);
      snprintf(who, ICD_WHO, "invocation %u of patch %u%s", (uint32_t)w[1], (uint32_t)w[0], instance);
      return;
   case ABI_STAGE_EVALUATION:
      instance_of(instance, site, w);
      snprintf(who, ICD_WHO, "vertex at (%g, %g, %g) of patch %u%s", as_number(w[1], 32), as_number(w[2], 32), as_number(w[3], 32), (uint32_t)w[0], instance);
      return;
   case ABI_STAGE_GEOMETRY:
      instance_of(instance, site, w);
      snprintf(who, ICD_WHO, "invocation %u of primitive %u%s", (uint32_t)w[1], (uint32_t)w[0], instance);
      return;
   case ABI_STAGE_FRAGMENT:
      if (w[0])
         snprintf(who, ICD_WHO, "fragment (%u, %u) of layer %u, sample %u of primitive %u", (uint32_t)w[2], (uint32_t)w[1], (uint32_t)w[0], (uint32_t)w[3],
                  (uint32_t)w[4]);
      else
         snprintf(who, ICD_WHO, "fragment (%u, %u), sample %u of primitive %u", (uint32_t)w[2], (uint32_t)w[1], (uint32_t)w[3], (uint32_t)w[4]);
      return;
   case ABI_STAGE_RAYGEN:
   case ABI_STAGE_ANY_HIT:
   case ABI_STAGE_CLOSEST_HIT:
   case ABI_STAGE_MISS:
   case ABI_STAGE_INTERSECTION:
   case ABI_STAGE_CALLABLE: snprintf(who, ICD_WHO, "launch (%u, %u, %u)", (uint32_t)w[2], (uint32_t)w[1], (uint32_t)w[0]); return;
   default: snprintf(who, ICD_WHO, "index %u of the draw", (uint32_t)w[0]); return; /* runtime/geometry/overrun.c */
   }
}

/* Of a hazard. */
static void set_command(char who[ICD_WHO], const char *label, const struct rt_use_scope *scope)
{
   const char *stage = rt_stage_name(scope->stages), *access = rt_access_name(scope->accesses);
   if (scope->stages & (RT_STAGE_PRESENT | RT_STAGE_ACQUIRE))
      snprintf(who, ICD_WHO, "%s", label);
   else if (stage && access)
      snprintf(who, ICD_WHO, "%s, %s at stage %s", label, access, stage);
   else
      snprintf(who, ICD_WHO, "%s, a layout transition", label);
}

/* An address that lies in the object; 0: the site has none. */
static uint64_t object_address(const struct rt_finding *finding)
{
   const uint64_t *o = operands_of(&finding->party);
   const struct abi_image *image = NULL;
   switch (finding->party.site->probe) {
   case ABI_PROBE_BUFFER_BOUNDS: return o[2];
   case ABI_PROBE_UNINIT_IMAGE:
   case ABI_PROBE_IMAGE_BOUNDS:
   case ABI_PROBE_LEVEL_BOUNDS: image = (const struct abi_image *)(uintptr_t)o[0]; return image ? (uintptr_t)image->data : 0;
   case ABI_PROBE_UNINIT_ATTACHMENT: return o[0];
   case ABI_PROBE_TOUCH:
   case ABI_PROBE_TOUCH_IMAGE:
   case ABI_PROBE_ACCESS:
   case ABI_PROBE_ACCESS_IMAGE:
   case ABI_PROBE_USE:
   case ABI_PROBE_USE_TEXEL:
   case ABI_PROBE_USE_VIEW:
   case ABI_PROBE_USE_ACCEL: return finding->address;
   default: return 0;
   }
}

static void set_object(char text[ICD_OBJECT_TEXT], const struct rt_finding *finding)
{
   const struct abi_site *site = finding->party.site;
   struct rt_range range;
   const uint64_t address = object_address(finding);
   size_t used = (size_t)snprintf(text, ICD_OBJECT_TEXT, "%.60s", site->texts + site->name);
   if (site->set != ABI_NO_SET)
      used += (size_t)snprintf(text + used, ICD_OBJECT_TEXT - used, "%s(set %u, binding %u)", used ? " " : "", site->set, site->binding);
   if (!address || !rt_range_find(address, 1, UINT32_MAX, &range))
      return;
   const bool is_image = range.class == RT_RANGE_IMAGE;
   const bool is_pair = finding->other.site || finding->hazard || site->probe == ABI_PROBE_UNINIT_ATTACHMENT; /* the address is that of a byte */
   const char *name = icd_object_name(range.object), *class = is_image ? "image" : "buffer";
   if (finding->hazard && !used && !*name)
      used += (size_t)snprintf(text + used, ICD_OBJECT_TEXT - used, is_image ? "an image" : "a buffer");
   if (*name)
      used += (size_t)snprintf(text + used, ICD_OBJECT_TEXT - used, "%s%s \"%.40s\"", used ? ", " : "", class, name);
   if (is_pair && !is_image)
      snprintf(text + used, ICD_OBJECT_TEXT - used, "%s%llu bytes", used ? " + " : "", (unsigned long long)(address - range.begin));
   else if (is_pair)
      icd_instrument_subresource(range.object, address, text + used, ICD_OBJECT_TEXT - used);
}

void icd_finding_describe(const struct rt_finding *finding, struct icd_finding_text *text)
{
   const struct abi_site *site = finding->party.site;
   *text = (struct icd_finding_text){.id = ids[site->probe]};
   if (sayers[site->probe])
      sayers[site->probe](text, finding);
   set_object(text->object, finding);
   set_location(text->location, text->line, site);
   if (finding->hazard)
      set_command(text->invocation, finding->label, &finding->scopes[0]);
   else if (site->probe == ABI_PROBE_UNINIT_ATTACHMENT)
      snprintf(text->invocation, sizeof(text->invocation), "the draw");
   else
      icd_describe_invocation(text->invocation, site, finding->party.operands);
   if (!finding->other.site)
      return;
   set_location(text->other_location, text->other_line, finding->other.site);
   if (finding->hazard)
      set_command(text->other_invocation, finding->other_label, &finding->scopes[1]);
   else
      icd_describe_invocation(text->other_invocation, finding->other.site, finding->other.operands);
}

bool icd_finding_is_of_null(const struct rt_finding *finding)
{
   const uint64_t *o = operands_of(&finding->party);
   return finding->party.site->probe == ABI_PROBE_DESCRIPTOR || (finding->party.site->probe == ABI_PROBE_BUFFER_BOUNDS && !o[2]);
}
