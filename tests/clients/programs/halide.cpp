// SPDX-License-Identifier: MIT
// For halide.sh: the same pipelines compiled for the CPU and for Vulkan; their results must agree.
#include <Halide.h>

#include <cmath>
#include <cstdio>
#include <functional>

using namespace Halide;

static Var x("x"), y("y"), xi("xi"), yi("yi");
static const int SIZE = 128;

static Buffer<float> picture()
{
   Buffer<float> values(SIZE, SIZE);
   for (int j = 0; j < SIZE; j++)
      for (int i = 0; i < SIZE; i++)
         values(i, j) = (float)((i * 37 + j * 101) % 251) / 250.0f;
   return values;
}

static void on_gpu(Func f)
{
   f.gpu_tile(x, y, xi, yi, 16, 8);
}

// Each makes a function of SIZE x SIZE floats, scheduled for the target.
static Func blur(Buffer<float> in, bool gpu)
{
   Func clamped = BoundaryConditions::repeat_edge(in), rows("rows"), columns("columns");
   rows(x, y) = (clamped(x - 1, y) + 2 * clamped(x, y) + clamped(x + 1, y)) / 4;
   columns(x, y) = (rows(x, y - 1) + 2 * rows(x, y) + rows(x, y + 1)) / 4;
   if (gpu) {
      on_gpu(columns);
      rows.compute_at(columns, x).gpu_threads(x, y); // in shared memory
   }
   return columns;
}

static Func product(Buffer<float> in, bool gpu)
{
   Func f("product");
   RDom k(0, SIZE);
   f(x, y) = 0.0f;
   f(x, y) += in(x, k) * in(k, y);
   if (gpu) {
      on_gpu(f);
      f.update().gpu_tile(x, y, xi, yi, 16, 8);
   }
   return f;
}

static Func histogram(Buffer<float> in, bool gpu)
{
   Func bins("bins"), f("equalized");
   RDom r(0, SIZE, 0, SIZE);
   bins(x) = 0;
   bins(clamp(cast<int>(in(r.x, r.y) * 15.0f), 0, 15)) += 1;
   f(x, y) = cast<float>(bins(clamp(cast<int>(in(x, y) * 15.0f), 0, 15))) / (float)(SIZE * SIZE);
   bins.compute_root();
   if (gpu) {
      on_gpu(f);
      bins.gpu_tile(x, xi, 16);
      bins.update().gpu_single_thread();
   }
   return f;
}

static Func functions(Buffer<float> in, bool gpu)
{
   Func f("functions");
   Expr v = in(x, y);
   f(x, y) = sqrt(v) + sin(v * 7.0f) + exp(-v) + select(v > 0.5f, floor(v * 9.0f), cast<float>(cast<int>(v * 9.0f) % 4));
   if (gpu)
      on_gpu(f);
   return f;
}

static Func bytes(Buffer<float> in, bool gpu)
{
   Func narrow("narrow"), f("bytes");
   narrow(x, y) = cast<uint8_t>(in(x, y) * 255.0f);
   f(x, y) = cast<float>(cast<uint8_t>(narrow(x, y) + cast<uint8_t>(x)));
   if (gpu) {
      on_gpu(f);
      narrow.compute_root();
      narrow.gpu_tile(x, y, xi, yi, 16, 8);
   }
   return f;
}

static int compare()
{
   static const struct {
      const char *name;
      Func (*make)(Buffer<float>, bool);
   } pipelines[] = {{"blur", blur}, {"product", product}, {"histogram", histogram}, {"functions", functions}, {"bytes", bytes}};
   const Target cpu = get_host_target();
   const Target gpu = cpu.with_feature(Target::Vulkan).with_feature(Target::VulkanInt8).with_feature(Target::VulkanInt16)
                         .with_feature(Target::VulkanV13);
   Buffer<float> in = picture();
   int num_good = 0, num = 0;
   for (const auto &each : pipelines) {
      Buffer<float> expected = each.make(in, false).realize({SIZE, SIZE}, cpu);
      in.set_host_dirty();
      Buffer<float> result = each.make(in, true).realize({SIZE, SIZE}, gpu);
      result.copy_to_host();
      float worst = 0;
      for (int j = 0; j < SIZE; j++)
         for (int i = 0; i < SIZE; i++) {
            const float error = std::fabs(result(i, j) - expected(i, j)) / (1 + std::fabs(expected(i, j)));
            worst = error > worst || error != error ? error : worst;
         }
      printf("%s: %g\n", each.name, worst);
      num_good += worst < 1e-5f;
      num++;
   }
   printf("%d of %d pipelines right\n", num_good, num);
   return num_good != num;
}

int main()
{
   try {
      return compare();
   } catch (const Error &error) {
      printf("%s\n", error.what());
      return 1;
   }
}
