// SPDX-License-Identifier: MIT
// What the pages share: a context of the page's version, shaders, and a title that says when the picture stands.
'use strict';

const width = 256, height = 256;

function start(version) {
   document.body.style.cssText = 'margin:0;background:#000';
   const canvas = document.createElement('canvas');
   canvas.width = width;
   canvas.height = height;
   canvas.style.cssText = 'display:block';
   document.body.appendChild(canvas);
   const gl = canvas.getContext(version === 2 ? 'webgl2' : 'webgl',
      {antialias: false, alpha: false, preserveDrawingBuffer: true, depth: true, stencil: true});
   if (!gl)
      fail('no context');
   return gl;
}

function fail(what) {
   document.title = 'failed: ' + what;
   throw new Error(what);
}

function program(gl, vertex, fragment) {
   const p = gl.createProgram();
   for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
         fail(gl.getShaderInfoLog(shader));
      gl.attachShader(p, shader);
   }
   gl.linkProgram(p);
   if (!gl.getProgramParameter(p, gl.LINK_STATUS))
      fail(gl.getProgramInfoLog(p));
   return p;
}

// data: a typed array; layout: [[attribute, components], ...], floats one after another in a vertex.
function vertices(gl, p, data, layout) {
   const buffer = gl.createBuffer();
   gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
   gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
   const stride = layout.reduce((sum, [, n]) => sum + n, 0) * 4;
   let offset = 0;
   for (const [name, n] of layout) {
      const at = gl.getAttribLocation(p, name);
      if (at >= 0) {
         gl.enableVertexAttribArray(at);
         gl.vertexAttribPointer(at, n, gl.FLOAT, false, stride, offset);
      }
      offset += n * 4;
   }
}

function indices(gl, data) {
   gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
   gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, data, gl.STATIC_DRAW);
}

// A torus as a grid of n x m quadrangles: position, normal, texture coordinates.
function torus(n, m) {
   const v = [], index = [];
   for (let i = 0; i <= n; i++) {
      for (let j = 0; j <= m; j++) {
         const a = i / n * 2 * Math.PI, b = j / m * 2 * Math.PI;
         const c = Math.cos(b), s = Math.sin(b);
         v.push((1 + 0.4 * c) * Math.cos(a), 0.4 * s, (1 + 0.4 * c) * Math.sin(a),
                c * Math.cos(a), s, c * Math.sin(a), i / n * 8, j / m * 2);
         if (i < n && j < m) {
            const k = i * (m + 1) + j;
            index.push(k, k + 1, k + m + 1, k + 1, k + m + 2, k + m + 1);
         }
      }
   }
   return {v: new Float32Array(v), index: new Uint16Array(index)};
}

// Column-major; a view from a little above onto the origin.
function camera(angle, distance) {
   const f = 1 / Math.tan(0.5), near = 0.5, far = 20;
   const c = Math.cos(angle), s = Math.sin(angle), tc = Math.cos(0.6), ts = Math.sin(0.6);
   const view = [c, ts * s, tc * s, 0, 0, tc, -ts, 0, -s, ts * c, tc * c, 0, 0, 0, -distance, 1];
   const projection = [f, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) / (near - far), -1, 0, 0, 2 * near * far / (near - far), 0];
   const out = new Float32Array(16);
   for (let i = 0; i < 4; i++)
      for (let j = 0; j < 4; j++)
         for (let k = 0; k < 4; k++)
            out[i * 4 + j] += view[i * 4 + k] * projection[k * 4 + j];
   return out;
}

function checkerboard(size) {
   const t = new Uint8Array(size * size * 4);
   for (let y = 0; y < size; y++)
      for (let x = 0; x < size; x++)
         t.set((x >> 3 ^ y >> 3) & 1 ? [255, 220, 120, 255] : [40 + x * 2, 60, 120 + y, 255], (y * size + x) * 4);
   return t;
}

// The picture's bytes go into the document for who dumps it.
function done(gl) {
   const error = gl.getError();
   if (error)
      fail('error 0x' + error.toString(16));
   const pixels = new Uint8Array(width * height * 4);
   gl.bindFramebuffer(gl.FRAMEBUFFER, null);
   gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
   let text = '';
   for (let i = 0; i < pixels.length; i += 4)
      text += String.fromCharCode(pixels[i], pixels[i + 1], pixels[i + 2]);
   const out = document.createElement('pre');
   out.id = 'pixels';
   out.hidden = true;
   out.textContent = btoa(text);
   document.body.appendChild(out);
   document.title = 'done';
}
