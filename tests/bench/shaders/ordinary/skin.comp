#version 450
// Positions and normals by four weighted bones each.
layout(local_size_x = 64) in;
struct Vertex { vec3 position; uint bones; vec3 normal; uint weights; };
layout(binding = 9, std430) buffer Vertices { Vertex vertices[]; };
layout(binding = 6, std430) readonly buffer Bones { vec4 rows[]; };
void main()
{
   uint i = gl_GlobalInvocationID.x;
   Vertex v = vertices[i];
   uint word = v.bones ^ (i / 16u) * 2654435761u;
   vec4 weights = unpackUnorm4x8(v.weights | 0x01010101u);
   weights /= dot(weights, vec4(1.0));
   vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
   for (uint b = 0u; b < 4u; b++) {
      uint row = (word >> (8u * b) & 15u) * 3u;
      x += weights[b] * rows[row];
      y += weights[b] * rows[row + 1u];
      z += weights[b] * rows[row + 2u];
   }
   vec4 p = vec4(v.position, 1.0);
   vertices[i].position = clamp(vec3(dot(x, p), dot(y, p), dot(z, p)), -1.0, 1.0);
   vertices[i].normal = normalize(vec3(dot(x.xyz, v.normal), dot(y.xyz, v.normal), dot(z.xyz, v.normal)) + vec3(0.0, 0.0, 1e-3));
}
