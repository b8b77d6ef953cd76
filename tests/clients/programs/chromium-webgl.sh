# what: Chromium's WebGL through ANGLE
# packages: chromium
# pictures: same
cat >"$OUT/page.html" <<'END'
<body style="margin:0"><canvas id=c width=400 height=300></canvas><script>
const gl = c.getContext('webgl2', { preserveDrawingBuffer: true });
const s = (t, x) => { const o = gl.createShader(t); gl.shaderSource(o, x); gl.compileShader(o); return o; };
const p = gl.createProgram();
gl.attachShader(p, s(gl.VERTEX_SHADER, '#version 300 es\nout vec3 k; void main() { vec2 a = vec2(gl_VertexID & 1, gl_VertexID >> 1); k = vec3(a, 0.5); gl_Position = vec4(a * 1.6 - 0.8, 0, 1); }'));
gl.attachShader(p, s(gl.FRAGMENT_SHADER, '#version 300 es\nprecision highp float; in vec3 k; out vec4 o; void main() { o = vec4(k * (0.6 + 0.4 * sin(40.0 * k.x * k.y)), 1); }'));
gl.linkProgram(p); gl.useProgram(p); gl.clearColor(0.1, 0.2, 0.3, 1); gl.clear(gl.COLOR_BUFFER_BIT); gl.drawArrays(gl.TRIANGLES, 0, 3);
</script>
END
timeout 200 chromium --headless --no-sandbox --disable-background-networking --user-data-dir="$OUT/profile" --use-angle=vulkan --ignore-gpu-blocklist \
	--window-size=400,300 --virtual-time-budget=4000 --screenshot="$OUT/webgl.png" "file://$OUT/page.html" >"$OUT/chromium.log" 2>&1
[ -s "$OUT/webgl.png" ]
