# what: Firefox' WebGPU by wgpu, shared and private memory and a triangle, beside WebGL 2 on zink
# packages: firefox libgl1-mesa-dri
# pictures: same
# seconds: 400
mkdir -p "$OUT/profile"
cat >"$OUT/profile/user.js" <<'END'
user_pref("dom.webgpu.enabled", true);
user_pref("gfx.webgpu.ignore-blocklist", true);
user_pref("webgl.force-enabled", true);
user_pref("gfx.x11-egl.force-enabled", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
END
cat >"$OUT/page.html" <<'END'
<body style="margin:0;background:#123"><canvas id=c width=400 height=300></canvas><canvas id=d width=400 height=300></canvas><p id=t style="color:white">not done</p><script>
(async () => {
  const gl = d.getContext('webgl2');
  gl.clearColor(0.2, 0.7, 0.3, 1); gl.clear(gl.COLOR_BUFFER_BIT);
  const adapter = await navigator.gpu.requestAdapter(), device = await adapter.requestDevice();
  device.lost.then(i => t.textContent = 'lost ' + i.message);
  const context = c.getContext('webgpu'), format = navigator.gpu.getPreferredCanvasFormat(), usage = GPUBufferUsage;
  context.configure({ device, format });
  const numbers = device.createBuffer({ size: 256, usage: usage.STORAGE | usage.COPY_SRC });
  const read = device.createBuffer({ size: 256, usage: usage.MAP_READ | usage.COPY_DST });
  const compute = device.createComputePipeline({ layout: 'auto', compute: { module: device.createShaderModule({ code: `
    struct Own { first: vec4f, list: array<vec4f, 4> }
    @group(0) @binding(0) var<storage, read_write> numbers: array<f32>;
    var<workgroup> turned: array<f32, 64>;
    var<private> own: Own;
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
      turned[i] = f32(i); own.list[i % 4].x = f32(i); workgroupBarrier(); numbers[i] = turned[63 - i] + own.list[i % 4].x * 0.25; }` }) } });
  const draw = device.createShaderModule({ code: `
    @group(0) @binding(0) var<storage, read> numbers: array<f32>;
    @vertex fn v(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { var at = array(vec2f(-1, -1), vec2f(3, -1), vec2f(-1, 3)); return vec4f(at[i], 0, 1); }
    @fragment fn f(@builtin(position) p: vec4f) -> @location(0) vec4f { return vec4f(numbers[u32(p.x) / 7] / 63, p.y / 300, 0.5, 1); }` });
  const render = device.createRenderPipeline({ layout: 'auto', vertex: { module: draw }, fragment: { module: draw, targets: [{ format }] } });
  const group = pipeline => device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: numbers } }] });
  const encoder = device.createCommandEncoder();
  let pass = encoder.beginComputePass();
  pass.setPipeline(compute); pass.setBindGroup(0, group(compute)); pass.dispatchWorkgroups(1); pass.end();
  pass = encoder.beginRenderPass({ colorAttachments: [{ view: context.getCurrentTexture().createView(), loadOp: 'clear', storeOp: 'store' }] });
  pass.setPipeline(render); pass.setBindGroup(0, group(render)); pass.draw(3); pass.end();
  encoder.copyBufferToBuffer(numbers, 0, read, 0, 256);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  t.textContent = [...new Float32Array(read.getMappedRange()).slice(0, 6)].join(' ');
})().catch(e => { t.textContent = e; });
</script>
END
# Until the last of its drawing is on the screen: Firefox' own start takes most of the time.
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1 MOZ_DISABLE_CONTENT_SANDBOX=1
shown firefox $((40 * PATIENCE)) firefox --profile "$OUT/profile" --kiosk "file://$OUT/page.html"
[ "$(convert "$OUT/firefox.png" -crop 400x300+0+0 -format %k info:)" -gt 1000 ]
