// SPDX-License-Identifier: MIT
// For dawn.sh: WebGPU by Dawn without a browser, with features that browsers do not open yet.
//
//    dawn OUT.ppm    says what is checked, one a line, and writes the picture
#include <dawn/native/DawnNative.h>
#include <webgpu/webgpu_cpp.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

enum { WIDTH = 384, HEIGHT = 256, SHADOW = 128, NUMBERS = 4096 };

static wgpu::Instance instance;
static wgpu::Device device;
static wgpu::Queue queue;
static int num_bad;

static void report(bool good, const char *what)
{
   printf("%s: %s\n", good ? "right" : "WRONG", what);
   num_bad += !good;
}

// Those of the features that the adapter has.
static std::vector<wgpu::FeatureName> features(const wgpu::Adapter &adapter)
{
   std::vector<wgpu::FeatureName> list;
   for (wgpu::FeatureName each : {wgpu::FeatureName::Subgroups, wgpu::FeatureName::ShaderF16, wgpu::FeatureName::PrimitiveIndex, wgpu::FeatureName::ClipDistances,
                                  wgpu::FeatureName::DualSourceBlending, wgpu::FeatureName::MultiDrawIndirect, wgpu::FeatureName::TextureComponentSwizzle,
                                  wgpu::FeatureName::TextureCompressionBC, wgpu::FeatureName::Float32Filterable, wgpu::FeatureName::TimestampQuery})
      if (adapter.HasFeature(each))
         list.push_back(each);
   printf("%zu features of 10\n", list.size());
   return list;
}

static void init()
{
   const wgpu::InstanceFeatureName waits = wgpu::InstanceFeatureName::TimedWaitAny;
   wgpu::InstanceDescriptor desc;
   desc.requiredFeatureCount = 1;
   desc.requiredFeatures = &waits;
   instance = wgpu::CreateInstance(&desc);
   wgpu::RequestAdapterOptions options;
   options.backendType = wgpu::BackendType::Vulkan;
   wgpu::Adapter adapter;
   instance.WaitAny(instance.RequestAdapter(&options, wgpu::CallbackMode::WaitAnyOnly,
                                            [&](wgpu::RequestAdapterStatus, wgpu::Adapter found, wgpu::StringView) { adapter = std::move(found); }),
                    UINT64_MAX);
   if (!adapter) {
      printf("no adapter\n");
      exit(1);
   }
   const std::vector<wgpu::FeatureName> list = features(adapter);
   wgpu::DeviceDescriptor wanted;
   wanted.requiredFeatureCount = list.size();
   wanted.requiredFeatures = list.data();
   wanted.SetUncapturedErrorCallback([](const wgpu::Device &, wgpu::ErrorType, wgpu::StringView text) {
      printf("error: %.*s\n", (int)text.length, text.data);
      num_bad++;
   });
   wanted.SetDeviceLostCallback(wgpu::CallbackMode::AllowSpontaneous, [](const wgpu::Device &, wgpu::DeviceLostReason reason, wgpu::StringView text) {
      if (reason != wgpu::DeviceLostReason::Destroyed && reason != wgpu::DeviceLostReason::CallbackCancelled)
         printf("lost: %.*s\n", (int)text.length, text.data);
   });
   device = adapter.CreateDevice(&wanted);
   if (!device) {
      printf("no device\n");
      exit(1);
   }
   queue = device.GetQueue();
}

static wgpu::ShaderModule shader(const std::string &code)
{
   wgpu::ShaderSourceWGSL source;
   source.code = code.c_str();
   wgpu::ShaderModuleDescriptor desc;
   desc.nextInChain = &source;
   return device.CreateShaderModule(&desc);
}

static wgpu::Buffer buffer(uint64_t size, wgpu::BufferUsage usage, const void *data)
{
   wgpu::BufferDescriptor desc;
   desc.size = size;
   desc.usage = usage | wgpu::BufferUsage::CopyDst;
   wgpu::Buffer made = device.CreateBuffer(&desc);
   if (data)
      queue.WriteBuffer(made, 0, data, size);
   return made;
}

static wgpu::Texture texture(uint32_t width, uint32_t height, wgpu::TextureFormat format, wgpu::TextureUsage usage, uint32_t samples, uint32_t levels)
{
   wgpu::TextureDescriptor desc;
   desc.size = {width, height, 1};
   desc.format = format;
   desc.usage = usage;
   desc.sampleCount = samples;
   desc.mipLevelCount = levels;
   return device.CreateTexture(&desc);
}

static wgpu::BindGroup bind(const wgpu::BindGroupLayout &layout, std::vector<wgpu::BindGroupEntry> entries)
{
   for (size_t i = 0; i < entries.size(); i++)
      entries[i].binding = (uint32_t)i;
   wgpu::BindGroupDescriptor desc;
   desc.layout = layout;
   desc.entryCount = entries.size();
   desc.entries = entries.data();
   return device.CreateBindGroup(&desc);
}

static wgpu::BindGroupEntry entry(const wgpu::Buffer &b)
{
   wgpu::BindGroupEntry e;
   e.buffer = b;
   return e;
}

static wgpu::BindGroupEntry entry(const wgpu::TextureView &v)
{
   wgpu::BindGroupEntry e;
   e.textureView = v;
   return e;
}

static wgpu::BindGroupEntry entry(const wgpu::Sampler &s)
{
   wgpu::BindGroupEntry e;
   e.sampler = s;
   return e;
}

static void submit(const wgpu::CommandEncoder &encoder)
{
   wgpu::CommandBuffer commands = encoder.Finish();
   queue.Submit(1, &commands);
}

static std::vector<char> contents(const wgpu::Buffer &from, uint64_t size)
{
   wgpu::BufferDescriptor desc;
   desc.size = size;
   desc.usage = wgpu::BufferUsage::MapRead | wgpu::BufferUsage::CopyDst;
   wgpu::Buffer read = device.CreateBuffer(&desc);
   wgpu::CommandEncoder encoder = device.CreateCommandEncoder();
   encoder.CopyBufferToBuffer(from, 0, read, 0, size);
   submit(encoder);
   instance.WaitAny(read.MapAsync(wgpu::MapMode::Read, 0, size, wgpu::CallbackMode::WaitAnyOnly, [](wgpu::MapAsyncStatus, wgpu::StringView) {}), UINT64_MAX);
   std::vector<char> bytes(size);
   const void *map = read.GetConstMappedRange(0, size);
   if (map)
      memcpy(bytes.data(), map, size);
   else
      report(false, "a buffer is mapped");
   return bytes;
}

static wgpu::ComputePipeline compute_pipeline(const std::string &code)
{
   wgpu::ComputePipelineDescriptor desc;
   desc.compute.module = shader(code);
   return device.CreateComputePipeline(&desc);
}

static std::vector<char> computed(const std::string &code, const wgpu::Buffer &in, uint64_t size, uint32_t groups)
{
   wgpu::ComputePipeline pipeline = compute_pipeline(code);
   wgpu::Buffer out = buffer(size, wgpu::BufferUsage::Storage | wgpu::BufferUsage::CopySrc, NULL);
   wgpu::CommandEncoder encoder = device.CreateCommandEncoder();
   wgpu::ComputePassEncoder pass = encoder.BeginComputePass();
   pass.SetPipeline(pipeline);
   pass.SetBindGroup(0, bind(pipeline.GetBindGroupLayout(0), {entry(in), entry(out)}));
   pass.DispatchWorkgroups(groups);
   pass.End();
   submit(encoder);
   return contents(out, size);
}

// Sums by subgroups, a bitonic sort in shared memory, a packed dot product, half precision.
static void compute()
{
   std::vector<uint32_t> numbers(NUMBERS);
   for (uint32_t i = 0; i < NUMBERS; i++)
      numbers[i] = i * 2654435761u >> 8 | 1;
   wgpu::Buffer in = buffer(NUMBERS * 4, wgpu::BufferUsage::Storage, numbers.data());
   std::vector<char> bytes = computed(R"(
      enable subgroups;
      @group(0) @binding(0) var<storage, read> numbers: array<u32>;
      @group(0) @binding(1) var<storage, read_write> sums: array<u32>;
      var<workgroup> parts: array<u32, 64>;
      @compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u,
                                            @builtin(subgroup_size) size: u32) {
         let sum = subgroupAdd(numbers[id.x]);
         let other = subgroupShuffleXor(subgroupInclusiveAdd(numbers[id.x]), 1u);
         if (subgroupElect()) { parts[i / size] = sum; }
         workgroupBarrier();
         if (i == 0u) { var all = 0u; for (var k = 0u; k < 256u / size; k++) { all += parts[k]; } sums[group.x] = all; }
         if (other == 0u) { sums[group.x] = other; }
      })", in, 64, NUMBERS / 256);
   bool good = true;
   for (uint32_t g = 0; g < NUMBERS / 256; g++) {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < 256; i++)
         sum += numbers[g * 256 + i];
      good &= sum == ((const uint32_t *)bytes.data())[g];
   }
   report(good, "sums by subgroups");

   bytes = computed(R"(
      enable f16;
      @group(0) @binding(0) var<storage, read> numbers: array<u32>;
      @group(0) @binding(1) var<storage, read_write> sorted: array<u32>;
      var<workgroup> list: array<u32, 256>;
      @compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
         list[i] = numbers[id.x] & 0x7ffu;
         for (var k = 2u; k <= 256u; k <<= 1u) {
            for (var j = k >> 1u; j > 0u; j >>= 1u) {
               workgroupBarrier();
               let a = list[i]; let b = list[i ^ j];
               workgroupBarrier();
               let up = (i & k) == 0u; let first = (i & j) == 0u;
               list[i] = select(max(a, b), min(a, b), up == first);
            }
         }
         let half = f16(list[i]) * 2.0h + 1.0h;
         sorted[id.x] = list[i] + (dot4U8Packed(u32(half), 0x01010101u) << 16u);
      })", in, NUMBERS * 4, NUMBERS / 256);
   good = true;
   for (uint32_t i = 0; i < NUMBERS; i++) {
      const uint32_t *words = (const uint32_t *)bytes.data(), value = words[i] & 0xffff;
      // From 2,048 on half precision has even numbers only, and a tie goes to the multiple of four.
      const uint32_t twice = 2 * value, rounded = twice < 2048 ? twice + 1 : twice + (value & 1) * 2;
      good &= (i % 256 == 0 || (words[i - 1] & 0xffff) <= value) && words[i] >> 16 == (rounded & 255) + (rounded >> 8);
   }
   report(good, "a bitonic sort, half precision and a packed dot product");
}

// A texture whose levels a compute shader writes.
static wgpu::TextureView painted()
{
   wgpu::Texture made = texture(64, 64, wgpu::TextureFormat::RGBA8Unorm, wgpu::TextureUsage::StorageBinding | wgpu::TextureUsage::TextureBinding, 1, 4);
   wgpu::ComputePipeline pipeline = compute_pipeline(R"(
      @group(0) @binding(0) var target_level: texture_storage_2d<rgba8unorm, write>;
      @compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
         let size = textureDimensions(target_level);
         let p = (vec2f(id.xy) + 0.5) / vec2f(size);
         let odd = f32((u32(p.x * 8.0) + u32(p.y * 8.0)) & 1u);
         textureStore(target_level, id.xy, vec4f(mix(vec3f(p, 0.3), vec3f(1, 0.9, 0.7), odd) * (0.5 + f32(size.x) / 128.0), 1));
      })");
   wgpu::CommandEncoder encoder = device.CreateCommandEncoder();
   wgpu::ComputePassEncoder pass = encoder.BeginComputePass();
   pass.SetPipeline(pipeline);
   for (uint32_t level = 0; level < 4; level++) {
      wgpu::TextureViewDescriptor view;
      view.baseMipLevel = level;
      view.mipLevelCount = 1;
      pass.SetBindGroup(0, bind(pipeline.GetBindGroupLayout(0), {entry(made.CreateView(&view))}));
      pass.DispatchWorkgroups(8 >> level, 8 >> level);
   }
   pass.End();
   submit(encoder);
   return made.CreateView();
}

static const char *const SCENE = R"(
   enable clip_distances;
   enable primitive_index;
   struct Scene { view: mat4x4f, light: mat4x4f }
   @group(0) @binding(0) var<uniform> scene: Scene;
   @group(0) @binding(1) var paint: texture_2d<f32>;
   @group(0) @binding(2) var smooth_sampler: sampler;
   @group(0) @binding(3) var shadow: texture_depth_2d;
   @group(0) @binding(4) var shadow_sampler: sampler_comparison;
   struct V { @builtin(position) p: vec4f, @builtin(clip_distances) clip: array<f32, 1>, @location(0) at: vec3f, @location(1) @interpolate(flat, either) cube: u32 }
   struct F { @location(0) at: vec3f, @location(1) @interpolate(flat, either) cube: u32 }
   fn corner(i: u32, instance: u32) -> vec3f {
      if (instance == 0u) { return vec3f(f32(i % 2u) * 8.0 - 4.0, 0.0, f32(i / 2u % 2u) * 8.0 - 4.0); }
      let unit = vec3f(f32(i & 1u), f32((i >> 1u) & 1u), f32((i >> 2u) & 1u)) - 0.5;
      let angle = f32(instance) * 0.7;
      let turned = vec3f(unit.x * cos(angle) - unit.z * sin(angle), unit.y, unit.x * sin(angle) + unit.z * cos(angle));
      return turned * (0.6 + 0.2 * f32(instance)) + vec3f(f32(instance) * 1.2 - 3.0, 0.6, f32(instance % 2u) * 1.2 - 0.6);
   }
   @vertex fn vertex_shadow(@builtin(vertex_index) i: u32, @builtin(instance_index) instance: u32) -> @builtin(position) vec4f {
      return scene.light * vec4f(corner(i, instance), 1);
   }
   @vertex fn vertex_main(@builtin(vertex_index) i: u32, @builtin(instance_index) instance: u32) -> V {
      var v: V;
      v.at = corner(i, instance);
      v.p = scene.view * vec4f(v.at, 1);
      v.clip[0] = 3.4 - v.at.x;
      v.cube = instance;
      return v;
   }
   @fragment fn fragment_main(v: F, @builtin(primitive_index) triangle: u32) -> @location(0) vec4f {
      let normal = normalize(cross(dpdy(v.at), dpdx(v.at)));
      let l = scene.light * vec4f(v.at, 1);
      let lit = textureSampleCompare(shadow, shadow_sampler, l.xy * vec2f(0.5, -0.5) + 0.5, l.z - 0.004);
      let base = textureSample(paint, smooth_sampler, v.at.xz * 0.35 + v.at.yy * 0.2).rgb;
      let tint = select(vec3f(f32(triangle / 2u % 3u), f32(v.cube), 2.0) * vec3f(0.25, 0.2, 0.3) + 0.2, vec3f(1), v.cube == 0u);
      return vec4f(base * tint * (0.35 + 0.65 * lit * abs(normal.y * 0.7 + 0.3 * normal.x)), 1);
   })";

static const char *const GLASS = R"(
   enable dual_source_blending;
   struct O { @location(0) @blend_src(0) add: vec4f, @location(0) @blend_src(1) keep: vec4f }
   @vertex fn vertex_main(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
      return vec4f(f32(i & 1u) * 0.8 - 0.2, f32(i >> 1u) * 1.1 - 0.4, 0.1, 1);
   }
   @fragment fn fragment_main(@builtin(position) p: vec4f) -> O {
      return O(vec4f(0.1, 0.0, fract(p.x / 32.0) * 0.2, 0), vec4f(0.4, 0.9, fract(p.y / 24.0), 1));
   })";

static wgpu::RenderPipeline render_pipeline(const wgpu::ShaderModule &module, const char *vertex, const wgpu::ColorTargetState *target, bool has_depth, uint32_t samples,
                                            wgpu::PrimitiveTopology topology)
{
   wgpu::DepthStencilState depth;
   depth.format = wgpu::TextureFormat::Depth32Float;
   depth.depthWriteEnabled = has_depth ? wgpu::OptionalBool::True : wgpu::OptionalBool::False;
   depth.depthCompare = wgpu::CompareFunction::LessEqual;
   wgpu::FragmentState fragment;
   fragment.module = module;
   fragment.targetCount = 1;
   fragment.targets = target;
   wgpu::RenderPipelineDescriptor desc;
   desc.vertex.module = module;
   desc.vertex.entryPoint = vertex;
   desc.primitive.topology = topology;
   desc.depthStencil = &depth;
   desc.multisample.count = samples;
   desc.fragment = target ? &fragment : NULL;
   return device.CreateRenderPipeline(&desc);
}

struct matrix {
   float m[16];
};

static matrix times(const matrix &a, const matrix &b)
{
   matrix c = {};
   for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
         for (int k = 0; k < 4; k++)
            c.m[i * 4 + j] += b.m[i * 4 + k] * a.m[k * 4 + j];
   return c;
}

// A camera that looks downwards by `pitch`.
static matrix camera(float pitch, float yaw, float distance)
{
   const float s = sinf(pitch), c = cosf(pitch), u = sinf(yaw), v = cosf(yaw);
   const matrix turn = {{v, 0, u, 0, 0, 1, 0, 0, -u, 0, v, 0, 0, 0, 0, 1}};
   const matrix tilt = {{1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, -0.3f, distance, 1}};
   return times(tilt, turn);
}

static wgpu::Sampler sampler(bool compares)
{
   wgpu::SamplerDescriptor desc;
   desc.magFilter = desc.minFilter = wgpu::FilterMode::Linear;
   desc.mipmapFilter = wgpu::MipmapFilterMode::Linear;
   desc.addressModeU = desc.addressModeV = compares ? wgpu::AddressMode::ClampToEdge : wgpu::AddressMode::MirrorRepeat;
   if (compares)
      desc.compare = wgpu::CompareFunction::LessEqual;
   else
      desc.maxAnisotropy = 4;
   return device.CreateSampler(&desc);
}

static void write_picture(const wgpu::Texture &target, const char *path)
{
   wgpu::Buffer bytes = buffer(WIDTH * HEIGHT * 4, wgpu::BufferUsage::CopySrc, NULL);
   wgpu::TexelCopyTextureInfo from;
   from.texture = target;
   wgpu::TexelCopyBufferInfo to;
   to.buffer = bytes;
   to.layout.bytesPerRow = WIDTH * 4;
   wgpu::CommandEncoder encoder = device.CreateCommandEncoder();
   const wgpu::Extent3D size = {WIDTH, HEIGHT, 1};
   encoder.CopyTextureToBuffer(&from, &to, &size);
   submit(encoder);
   const std::vector<char> pixels = contents(bytes, WIDTH * HEIGHT * 4);
   FILE *file = fopen(path, "wb");
   fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
   for (size_t i = 0; i < WIDTH * HEIGHT; i++)
      fwrite(&pixels[i * 4], 1, 3, file);
   fclose(file);
}

// Cubes and their shadows, multisampled, from one multi-draw that a buffer holds; a pane of glass by two sources of blending; an occlusion query.
static void render(const char *path)
{
   const matrix perspective = {{1.6f * HEIGHT / WIDTH, 0, 0, 0, 0, 1.6f, 0, 0, 0, 0, 20.0f / 19, 1, 0, 0, -20.0f / 19, 0}};
   const matrix ortho = {{0.2f, 0, 0, 0, 0, 0.2f, 0, 0, 0, 0, 0.05f, 0, 0, 0, 0, 1}};
   const matrix both[] = {times(perspective, camera(-0.5f, 0.4f, 6)), times(ortho, camera(-1.0f, -0.8f, 8))};
   wgpu::Buffer scene = buffer(sizeof(both), wgpu::BufferUsage::Uniform, both);
   const uint16_t indices[] = {0, 1, 2, 2, 1, 3, 0, 1, 2, 2, 1, 3, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5, 2, 3, 6, 6, 3, 7, 0, 2, 4, 4, 2, 6, 1, 5, 3, 3, 5, 7};
   wgpu::Buffer index = buffer(sizeof(indices), wgpu::BufferUsage::Index, indices);
   const uint32_t draws[] = {6, 1, 0, 0, 0, 36, 4, 6, 0, 1};
   wgpu::Buffer indirect = buffer(sizeof(draws), wgpu::BufferUsage::Indirect, draws);
   wgpu::TextureView depth_map =
      texture(SHADOW, SHADOW, wgpu::TextureFormat::Depth32Float, wgpu::TextureUsage::RenderAttachment | wgpu::TextureUsage::TextureBinding, 1, 1).CreateView();
   wgpu::Texture target = texture(WIDTH, HEIGHT, wgpu::TextureFormat::RGBA8Unorm, wgpu::TextureUsage::RenderAttachment | wgpu::TextureUsage::CopySrc, 1, 1);
   wgpu::Texture many = texture(WIDTH, HEIGHT, wgpu::TextureFormat::RGBA8Unorm, wgpu::TextureUsage::RenderAttachment, 4, 1);
   wgpu::Texture depth = texture(WIDTH, HEIGHT, wgpu::TextureFormat::Depth32Float, wgpu::TextureUsage::RenderAttachment, 4, 1);
   wgpu::ColorTargetState plain, blended;
   plain.format = blended.format = wgpu::TextureFormat::RGBA8Unorm;
   wgpu::BlendState blend;
   blend.color = {wgpu::BlendOperation::Add, wgpu::BlendFactor::One, wgpu::BlendFactor::Src1};
   blend.alpha = {wgpu::BlendOperation::Add, wgpu::BlendFactor::Zero, wgpu::BlendFactor::One};
   blended.blend = &blend;
   const wgpu::ShaderModule module = shader(SCENE);
   wgpu::RenderPipeline shadows = render_pipeline(module, "vertex_shadow", NULL, true, 1, wgpu::PrimitiveTopology::TriangleList);
   wgpu::RenderPipeline cubes = render_pipeline(module, "vertex_main", &plain, true, 4, wgpu::PrimitiveTopology::TriangleList);
   wgpu::RenderPipeline glass = render_pipeline(shader(GLASS), "vertex_main", &blended, false, 4, wgpu::PrimitiveTopology::TriangleStrip);
   wgpu::QuerySetDescriptor of_query;
   of_query.type = wgpu::QueryType::Occlusion;
   of_query.count = 1;
   wgpu::QuerySet query = device.CreateQuerySet(&of_query);
   wgpu::Buffer answer = buffer(8, wgpu::BufferUsage::QueryResolve | wgpu::BufferUsage::CopySrc, NULL);

   wgpu::CommandEncoder encoder = device.CreateCommandEncoder();
   wgpu::RenderPassDepthStencilAttachment depth_target;
   depth_target.view = depth_map;
   depth_target.depthLoadOp = wgpu::LoadOp::Clear;
   depth_target.depthStoreOp = wgpu::StoreOp::Store;
   depth_target.depthClearValue = 1;
   wgpu::RenderPassDescriptor pass_desc;
   pass_desc.depthStencilAttachment = &depth_target;
   wgpu::RenderPassEncoder pass = encoder.BeginRenderPass(&pass_desc);
   pass.SetPipeline(shadows);
   pass.SetBindGroup(0, bind(shadows.GetBindGroupLayout(0), {entry(scene)}));
   pass.SetIndexBuffer(index, wgpu::IndexFormat::Uint16);
   pass.DrawIndexed(36, 4, 6, 0, 1);
   pass.End();

   wgpu::RenderPassColorAttachment colour;
   colour.view = many.CreateView();
   colour.resolveTarget = target.CreateView();
   colour.loadOp = wgpu::LoadOp::Clear;
   colour.storeOp = wgpu::StoreOp::Discard;
   colour.clearValue = {0.2, 0.3, 0.5, 1};
   depth_target.view = depth.CreateView();
   depth_target.depthStoreOp = wgpu::StoreOp::Discard;
   pass_desc.colorAttachmentCount = 1;
   pass_desc.colorAttachments = &colour;
   pass_desc.occlusionQuerySet = query;
   pass = encoder.BeginRenderPass(&pass_desc);
   pass.SetPipeline(cubes);
   pass.SetBindGroup(0, bind(cubes.GetBindGroupLayout(0), {entry(scene), entry(painted()), entry(sampler(false)), entry(depth_map), entry(sampler(true))}));
   pass.SetIndexBuffer(index, wgpu::IndexFormat::Uint16);
   pass.BeginOcclusionQuery(0);
   if (device.HasFeature(wgpu::FeatureName::MultiDrawIndirect))
      pass.MultiDrawIndexedIndirect(indirect, 0, 2);
   else {
      pass.DrawIndexed(6, 1, 0, 0, 0);
      pass.DrawIndexed(36, 4, 6, 0, 1);
   }
   pass.EndOcclusionQuery();
   pass.SetPipeline(glass);
   pass.Draw(4);
   pass.End();
   encoder.ResolveQuerySet(query, 0, 1, answer, 0);
   submit(encoder);
   const std::vector<char> seen = contents(answer, 8);
   report(*(const uint64_t *)seen.data() != 0, "an occlusion query");
   write_picture(target, path);
}

int main(int argc, char **argv)
{
   if (argc != 2)
      return 2;
   init();
   compute();
   render(argv[1]);
   return num_bad != 0;
}
