# what: Chromium's WebGPU by Dawn: a compute shader's numbers drawn by a fragment shader
# packages: chromium
# pictures: same
cat >"$OUT/page.html" <<'END'
<body style="margin:0"><canvas id=c width=400 height=300></canvas><script>
(async () => {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const context = c.getContext('webgpu'), format = 'rgba8unorm', usage = GPUBufferUsage;
  context.configure({ device, format, usage: GPUTextureUsage.RENDER_ATTACHMENT });
  const numbers = device.createBuffer({ size: 4096, usage: usage.STORAGE });
  const compute = device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code: `
    @group(0) @binding(0) var<storage, read_write> numbers: array<f32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      let p = vec2f(f32(id.x % 32), f32(id.x / 32)) / 31.0; numbers[id.x] = 0.5 + 0.5 * sin(9.0 * p.x) * cos(7.0 * p.y); }` }) } });
  const draw = device.createShaderModule({ code: `
    @group(0) @binding(0) var<storage, read> numbers: array<f32>;
    struct V { @builtin(position) p: vec4f, @location(0) uv: vec2f }
    @vertex fn v(@builtin(vertex_index) i: u32) -> V { let a = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0; return V(vec4f(a * 2.0 - 1.0, 0.0, 1.0), a); }
    @fragment fn f(x: V) -> @location(0) vec4f { let i = vec2u(x.uv * 31.99); let n = numbers[i.y * 32u + i.x]; return vec4f(n, x.uv * (1.0 - n), 1.0); }` });
  const render = device.createRenderPipeline({ layout: 'auto', vertex: { module: draw }, fragment: { module: draw, targets: [{ format }] } });
  const group = pipeline => device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: numbers } }] });
  const encoder = device.createCommandEncoder();
  let pass = encoder.beginComputePass();
  pass.setPipeline(compute); pass.setBindGroup(0, group(compute)); pass.dispatchWorkgroups(16); pass.end();
  pass = encoder.beginRenderPass({ colorAttachments: [{ view: context.getCurrentTexture().createView(), loadOp: 'clear', storeOp: 'store' }] });
  pass.setPipeline(render); pass.setBindGroup(0, group(render)); pass.draw(3); pass.end();
  device.queue.submit([encoder.finish()]);
})().catch(e => { document.body.textContent = e; });
</script>
END
timeout 200 chromium --headless --no-sandbox --disable-background-networking --user-data-dir="$OUT/profile" --enable-unsafe-webgpu --enable-features=Vulkan --use-angle=vulkan --ignore-gpu-blocklist \
	--window-size=400,300 --virtual-time-budget=6000 --screenshot="$OUT/webgpu.png" "file://$OUT/page.html" >"$OUT/chromium.log" 2>&1
[ "$(identify -format %k "$OUT/webgpu.png")" -gt 200 ]
