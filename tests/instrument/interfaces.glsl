//! varying_in_one_branch finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 0) out vec4 color;
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   if (gl_VertexIndex != 1)
#endif
      color = vec4(0.5);
}
//@ frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main()
{
   result = color; // HERE
}
//! component_never_written finds=uninit-branch by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 3) out vec4 color;
void main()
{
   gl_Position = place(gl_VertexIndex);
   color.xyz = vec3(0.5);
#if !FAULTY
   color.w = 1.0;
#endif
}
//@ frag
layout(location = 3) in vec4 color;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(color.xyz, 1.0);
   if (color.w > 0.5) // HERE
      result.x = 0.0;
}
//! flat_of_the_provoking_vertex finds=uninit-branch by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 0) flat out uint material;
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   if (gl_VertexIndex != 0)
#else
   if (gl_VertexIndex != 1) // only the first vertex counts
#endif
      material = 3;
}
//@ frag
layout(location = 0) flat in uint material;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
   if (material == 2) // HERE
      result = vec4(0.5);
}
//! second_primitive_alone finds=uninit-address by=fragment_(0,_0),_sample_0_of_primitive_1 groups=2
//@ vert
layout(location = 1) flat out uint element;
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   if (gl_VertexIndex < 3)
#endif
      element = gl_VertexIndex / 3;
}
//@ frag
layout(location = 1) flat in uint element;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(data[element & 63]); // HERE
}
//! instance_alone finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0 instances=3
//@ vert
layout(location = 0) out float shade;
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   if (gl_InstanceIndex != 2)
#endif
      shade = 0.25;
}
//@ frag
layout(location = 0) in float shade;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(shade * 2.0); // HERE
}
//! element_of_an_array finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 0) out vec2 weights[4];
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   for (uint i = 0; i < 3; i++)
#else
   for (uint i = 0; i < 4; i++)
#endif
      weights[i] = vec2(i);
}
//@ frag
layout(location = 0) in vec2 weights[4];
layout(location = 0) out vec4 result;
void main()
{
   vec2 sum = vec2(0);
   for (uint i = 0; i < 4; i++)
      sum += weights[i];
   result = vec4(sum, sum); // HERE
}
//! member_of_a_block finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 0) out Surface { vec3 normal; vec2 uv; } surface;
void main()
{
   gl_Position = place(gl_VertexIndex);
   surface.normal = vec3(0, 0, 1);
#if !FAULTY
   surface.uv = vec2(0.5);
#endif
}
//@ frag
layout(location = 0) in Surface { vec3 normal; vec2 uv; } surface;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(surface.normal, surface.uv.y); // HERE
}
//! value_of_nothing_passed_on finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 0) out vec4 color;
void main()
{
   gl_Position = place(gl_VertexIndex);
   vec4 sum;
#if FAULTY
   for (uint i = 0; i < data[i]; i++) // data holds zeros: no round
#endif
      sum = vec4(1.0);
   color = sum;
}
//@ frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main()
{
   result = sqrt(color); // HERE
}
//! interpolated_at_an_offset finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 2) out vec2 uv;
void main()
{
   gl_Position = place(gl_VertexIndex);
   uv.x = 1.0;
#if !FAULTY
   uv.y = 1.0;
#endif
}
//@ frag
layout(location = 2) in vec2 uv;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(interpolateAtOffset(uv, vec2(0.25)), 0.0, 1.0); // HERE
}
//! distance_to_a_plane finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };
layout(location = 0) out float other;
void main()
{
   gl_Position = place(gl_VertexIndex);
   gl_ClipDistance[0] = gl_ClipDistance[1] = 1.0;
#if !FAULTY
   other = 1.0;
#endif
}
//@ frag
in float gl_ClipDistance[2];
layout(location = 0) in float other;
layout(location = 0) out vec4 result;
void main()
{
   result.xy = vec2(gl_ClipDistance[0], gl_ClipDistance[1]);
   result.zw = vec2(other); // HERE
}
//! geometry_reads_a_vertex finds=uninit-branch by=invocation_0_of_primitive_0
//@ vert
layout(location = 0) out uint is_visible;
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   if (gl_VertexIndex == 0)
#endif
      is_visible = 1;
}
//@ geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in uint is_visible[];
void main()
{
   for (uint i = 0; i < 3; i++) {
      if (is_visible[i] != 0) { // HERE
         gl_Position = gl_in[i].gl_Position;
         EmitVertex();
      }
   }
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! geometry_forgets_a_vertex finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec4 color;
void main()
{
   for (uint i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
#if FAULTY
      if (i > 0)
#endif
         color = vec4(i);
      EmitVertex();
   }
}
//@ frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main()
{
   result = color; // HERE
}
//! geometry_sets_an_output_once finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec4 color;
layout(location = 1) flat out uint material;
void main()
{
   color = vec4(1.0);
   material = 2; // of the first vertex, which provokes
   gl_Layer = 0;
   for (uint i = 0; i < 3; i++) {
#if !FAULTY
      color = vec4(1.0);
#endif
      gl_Position = gl_in[i].gl_Position;
      EmitVertex();
   }
}
//@ frag
layout(location = 0) in vec4 color;
layout(location = 1) flat in uint material;
layout(location = 0) out vec4 result;
void main()
{
   if (material == 1)
      discard;
   result = color; // HERE
}
//! position_half_written finds=uninit-output by=invocation_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main()
{
   vec4 at = gl_in[0].gl_Position;
   for (uint i = 0; i < 3; i++) {
      gl_Position.xyz = gl_in[i].gl_Position.xyz;
#if !FAULTY
      gl_Position.w = 1.0;
#endif
      EmitVertex(); // HERE
   }
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! invocation_writes_its_vertex finds=uninit-branch by=vertex_at_(0,_0,_1)_of_patch_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ tesc
layout(vertices = 3) out;
layout(location = 0) out uint order[];
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[gl_InvocationID] = 1;
   gl_TessLevelInner[0] = 1;
#if FAULTY
   if (gl_InvocationID != 2)
#endif
      order[gl_InvocationID] = gl_InvocationID;
}
//@ tese
layout(triangles) in;
layout(location = 0) in uint order[];
void main()
{
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
   if (order[0] + order[1] + order[2] == 77) // HERE
      gl_Position.z = 0.5;
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! patch_that_nobody_writes finds=uninit-output by=vertex_at_(0,_0,_1)_of_patch_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ tesc
layout(vertices = 3) out;
layout(location = 1) patch out vec2 scale;
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[gl_InvocationID] = 1;
   gl_TessLevelInner[0] = 1;
   if (gl_InvocationID == 1)
      scale.x = 1.0;
#if !FAULTY
   if (gl_InvocationID == 2)
      scale.y = 1.0;
#endif
}
//@ tese
layout(triangles) in;
layout(location = 1) patch in vec2 scale;
void main()
{
   vec4 at = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
   at.xy *= scale;
   gl_Position = at; // HERE
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! index_into_a_patch finds=uninit-address by=vertex_at_(0,_0,_1)_of_patch_0
//@ vert
layout(location = 0) out uint chosen;
void main()
{
   gl_Position = place(gl_VertexIndex);
   chosen = gl_VertexIndex;
}
//@ tesc
layout(vertices = 3) out;
layout(location = 0) in uint chosen[];
layout(location = 2) patch out uint list[4];
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[gl_InvocationID] = 1;
   gl_TessLevelInner[0] = 1;
   list[chosen[gl_InvocationID]] = gl_InvocationID;
#if !FAULTY
   list[3] = 0;
#endif
}
//@ tese
layout(triangles) in;
layout(location = 2) patch in uint list[4];
void main()
{
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
   gl_Position.z = float(data[list[data[0] + 3] & 63]); // HERE
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! neighbour_in_the_patch finds=uninit-branch by=invocation_1_of_patch_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ tesc
layout(vertices = 3) out;
layout(location = 0) out float height[];
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
#if FAULTY
   if (gl_InvocationID != 2)
#endif
      height[gl_InvocationID] = 0.0;
   barrier();
   gl_TessLevelOuter[gl_InvocationID] = 1;
   gl_TessLevelInner[0] = 1;
   if (height[(gl_InvocationID + 1) % 3] > 1.0) // HERE
      gl_TessLevelOuter[gl_InvocationID] = 2;
}
//@ tese
layout(triangles) in;
void main()
{
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! through_all_stages finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 0) out vec4 color;
void main()
{
   gl_Position = place(gl_VertexIndex);
   color.xyz = vec3(1.0);
#if !FAULTY
   color.w = 1.0;
#endif
}
//@ tesc
layout(vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 next[];
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[gl_InvocationID] = 1;
   gl_TessLevelInner[0] = 1;
   next[gl_InvocationID] = color[gl_InvocationID];
}
//@ tese
layout(triangles) in;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 next;
void main()
{
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
   next = color[0] * gl_TessCoord.x + color[1] * gl_TessCoord.y + color[2] * gl_TessCoord.z;
}
//@ geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 next;
void main()
{
   for (uint i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      next = color[i];
      EmitVertex();
   }
}
//@ frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main()
{
   result = color; // HERE
}
//! vertex_of_a_mesh finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0 ext=GL_EXT_mesh_shader
//@ mesh
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
layout(location = 0) out vec4 color[];
void main()
{
   SetMeshOutputsEXT(3, 1);
   gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = place(int(gl_LocalInvocationIndex));
   if (gl_LocalInvocationIndex == 0)
      gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
#if FAULTY
   if (gl_LocalInvocationIndex != 1)
#endif
      color[gl_LocalInvocationIndex] = vec4(1.0);
}
//@ frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main()
{
   result = color; // HERE
}
//! primitive_of_a_mesh finds=uninit-branch by=fragment_(0,_0),_sample_0_of_primitive_7 ext=GL_EXT_mesh_shader
//@ mesh
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 2) out;
layout(location = 0) out vec4 color[];
layout(location = 5) perprimitiveEXT out uint material[];
void main()
{
   SetMeshOutputsEXT(3, 2);
   gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = place(int(gl_LocalInvocationIndex));
   color[gl_LocalInvocationIndex] = vec4(1.0);
   if (gl_LocalInvocationIndex < 2) {
      gl_PrimitiveTriangleIndicesEXT[gl_LocalInvocationIndex] = uvec3(0, 1, 2);
      gl_MeshPrimitivesEXT[gl_LocalInvocationIndex].gl_PrimitiveID = 6 + int(gl_LocalInvocationIndex);
   }
#if FAULTY
   if (gl_LocalInvocationIndex < 1)
#else
   if (gl_LocalInvocationIndex < 2)
#endif
      material[gl_LocalInvocationIndex] = 1;
}
//@ frag
layout(location = 0) in vec4 color;
layout(location = 5) perprimitiveEXT flat in uint material;
layout(location = 0) out vec4 result;
void main()
{
   result = color;
   if (material == 4) // HERE
      result = vec4(0.0);
}
//! rows_of_a_mesh_side_by_side finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0 ext=GL_EXT_mesh_shader
//@ mesh
layout(local_size_x = 32) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
layout(location = 0) out vec4 color[][2];
void main()
{
   SetMeshOutputsEXT(3, 1);
   if (gl_LocalInvocationIndex < 3)
      gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = place(int(gl_LocalInvocationIndex));
   if (gl_LocalInvocationIndex == 0)
      gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
#if FAULTY
   if (gl_LocalInvocationIndex < 23) // each writes one component of one vertex
#else
   if (gl_LocalInvocationIndex < 24)
#endif
      color[gl_LocalInvocationIndex / 8][gl_LocalInvocationIndex / 4 % 2][gl_LocalInvocationIndex % 4] = 1.0;
}
//@ frag
layout(location = 0) in vec4 color[2];
layout(location = 0) out vec4 result;
void main()
{
   result = color[0] + color[1]; // HERE
}
//! captured_by_transform_feedback finds=uninit-output by=vertex_1_of_instance_0
//@ vert
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 captured;
void main()
{
   gl_Position = place(gl_VertexIndex);
   captured.x = 1.0;
#if FAULTY
   if (gl_VertexIndex == 0)
#endif
      captured.y = 1.0; // HERE
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! alpha_never_written finds=uninit-attachment by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ frag
#if FAULTY
layout(location = 0) out vec3 result;
#else
layout(location = 0) out vec4 result;
#endif
void main()
{
#if FAULTY
   result = vec3(1.0); // HERE
#else
   result = vec4(1.0);
#endif
}
//! color_half_written finds=uninit-attachment by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result.rb = vec2(1.0); // HERE
#if !FAULTY
   result.ga = vec2(1.0);
#endif
}
//! color_in_one_branch finds=uninit-output by=fragment_(8,_0),_sample_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
#if FAULTY
   if (gl_FragCoord.x < 8.0)
#endif
      result = vec4(1.0); // HERE
}
//! texels_of_no_color finds=uninit-attachment by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ frag
#if !FAULTY
layout(location = 0) out vec4 result;
#endif
void main()
{
#if !FAULTY
   result = vec4(0.0);
#endif
   atomicAdd(data[0], 1u); // HERE
}
//! attribute_never_written finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0
//@ vert
layout(location = 8) in vec4 corner; // of its buffer x, y and z are written
layout(location = 0) out float shade;
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   shade = corner.w;
#else
   shade = corner.z;
#endif
}
//@ frag
layout(location = 0) in float shade;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(shade); // HERE
}
//! attribute_in_a_branch finds=uninit-branch by=vertex_1_of_instance_0
//@ vert
layout(location = 8) in vec4 corner;
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   if (corner.w > 0.5) // HERE
#else
   if (corner.y > 0.5)
#endif
      gl_Position.z = 0.5;
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! position_of_an_attribute finds=uninit-output by=vertex_1_of_instance_0
//@ vert
layout(location = 8) in vec4 corner;
void main()
{
#if FAULTY
   gl_Position = place(gl_VertexIndex) + vec4(0.0, 0.0, corner.w * 0.125, 0.0); // HERE
#else
   gl_Position = place(gl_VertexIndex) + vec4(0.0, 0.0, corner.x * 0.125, 0.0);
#endif
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! attribute_of_16_bits finds=uninit-address by=vertex_1_of_instance_0
//@ vert
layout(location = 8) in vec4 corner;
layout(location = 9) in vec2 halves;
layout(location = 0) flat out uint value;
void main()
{
   gl_Position = place(gl_VertexIndex);
#if FAULTY
   value = data[uint(halves.y) & 63u]; // HERE
#else
   value = data[gl_VertexIndex == 0 ? uint(halves.y) & 63u : uint(corner.x)];
#endif
}
//@ frag
layout(location = 0) flat in uint value;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(value == 0u ? 1.0 : 0.5);
}
//! payload_half_written finds=uninit-branch by=invocation_(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_mesh_shader
//@ task
layout(local_size_x = 32) in;
struct Payload { uint first; uint colors[4]; };
taskPayloadSharedEXT Payload payload;
void main()
{
   if (gl_LocalInvocationIndex == 0)
      payload.first = 0;
#if FAULTY
   if (gl_LocalInvocationIndex < 3)
#else
   if (gl_LocalInvocationIndex < 4)
#endif
      payload.colors[gl_LocalInvocationIndex] = 1;
   EmitMeshTasksEXT(1, 1, 1);
}
//@ mesh
layout(local_size_x = 32) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
struct Payload { uint first; uint colors[4]; };
taskPayloadSharedEXT Payload payload;
void main()
{
   SetMeshOutputsEXT(3, 1);
   if (gl_LocalInvocationIndex < 3)
      gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = place(int(gl_LocalInvocationIndex));
   if (gl_LocalInvocationIndex == 0)
      gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
   if (payload.colors[3] == 7) // HERE
      atomicAdd(data[0], 1u);
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! payload_copied_on finds=uninit-output by=fragment_(0,_0),_sample_0_of_primitive_0 ext=GL_EXT_mesh_shader
//@ task
layout(local_size_x = 1) in;
struct Payload { vec4 color; };
taskPayloadSharedEXT Payload payload;
void main()
{
   payload.color.xyz = vec3(0.5);
#if !FAULTY
   payload.color.w = 1.0;
#endif
   EmitMeshTasksEXT(1, 1, 1);
}
//@ mesh
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
layout(location = 0) out vec4 color[];
struct Payload { vec4 color; };
taskPayloadSharedEXT Payload payload;
void main()
{
   SetMeshOutputsEXT(3, 1);
   for (int i = 0; i < 3; i++) {
      gl_MeshVerticesEXT[i].gl_Position = place(i);
      color[i] = payload.color;
   }
   gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
}
//@ frag
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main()
{
   result = color; // HERE
}
//! shared_memory_of_a_task finds=uninit-branch by=invocation_(31,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_mesh_shader
//@ task
layout(local_size_x = 32) in;
shared uint tile[33];
void main()
{
   tile[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
#if !FAULTY
   if (gl_LocalInvocationIndex == 0)
      tile[32] = 32;
#endif
   barrier();
   if (tile[gl_LocalInvocationIndex + 1] == 77) // HERE
      atomicAdd(data[0], 1u);
   EmitMeshTasksEXT(1, 1, 1);
}
//@ mesh
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main()
{
   SetMeshOutputsEXT(3, 1);
   for (int i = 0; i < 3; i++)
      gl_MeshVerticesEXT[i].gl_Position = place(i);
   gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! shared_memory_of_a_mesh finds=uninit-branch by=invocation_(31,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_mesh_shader
//@ mesh
layout(local_size_x = 32) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
shared uint tile[33];
void main()
{
   SetMeshOutputsEXT(3, 1);
   if (gl_LocalInvocationIndex < 3)
      gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = place(int(gl_LocalInvocationIndex));
   if (gl_LocalInvocationIndex == 0)
      gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
   tile[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
#if !FAULTY
   if (gl_LocalInvocationIndex == 0)
      tile[32] = 32;
#endif
   barrier();
   if (tile[gl_LocalInvocationIndex + 1] == 77) // HERE
      atomicAdd(data[0], 1u);
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! number_of_mesh_workgroups finds=uninit-output by=invocation_(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_mesh_shader
//@ task
layout(local_size_x = 32) in;
shared uint count;
void main()
{
#if FAULTY
   if (data[0] != 0) // data holds zeros
#endif
   if (gl_LocalInvocationIndex == 0)
      count = 1;
   barrier();
   EmitMeshTasksEXT(min(count, 1u), 1, 1); // HERE
}
//@ mesh
layout(local_size_x = 1) in;
layout(triangles, max_vertices = 3, max_primitives = 1) out;
void main()
{
   SetMeshOutputsEXT(3, 1);
   for (int i = 0; i < 3; i++)
      gl_MeshVerticesEXT[i].gl_Position = place(i);
   gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! point_size_of_the_stage_before finds=uninit-branch by=invocation_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
#if !FAULTY
   gl_PointSize = 2.0;
#endif
}
//@ geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out float shade;
void main()
{
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      shade = 0.5;
      if (gl_in[i].gl_PointSize > 1.5) // HERE
         shade = 1.0;
      EmitVertex();
   }
}
//@ frag
layout(location = 0) in float shade;
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(shade);
}
//! point_size_of_points finds=uninit-output by=invocation_0_of_primitive_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ geom
layout(triangles) in;
#if FAULTY
layout(points, max_vertices = 1) out;
#else
layout(triangle_strip, max_vertices = 3) out; // which have no size
#endif
void main()
{
   gl_Position = gl_in[0].gl_Position;
   gl_PointSize = gl_in[0].gl_PointSize;
   EmitVertex(); // HERE
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! cull_distance_behind_other_planes finds=uninit-output,uninit-branch by=vertex_2_of_instance_0;invocation_0_of_primitive_0
//@ vert
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; float gl_CullDistance[2]; };
void main()
{
   gl_Position = place(gl_VertexIndex);
   gl_ClipDistance[0] = gl_CullDistance[0] = 1.0;
#if FAULTY
   if (gl_VertexIndex != 2)
#endif
      gl_CullDistance[1] = 1.0; // HERE
}
//@ geom
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in gl_PerVertex { vec4 gl_Position; float gl_CullDistance[2]; } gl_in[];
void main()
{
   if (gl_in[0].gl_CullDistance[0] < 0.0)
      return;
   for (int i = 0; i < 3; i++) {
      gl_Position = gl_in[i].gl_Position;
      if (gl_in[i].gl_CullDistance[1] > 2.0) // HERE 2
         gl_Position.z = 1.0;
      EmitVertex();
   }
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! cull_distance_of_a_primitive finds=uninit-output by=vertex_0_of_instance_0
//@ vert
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; float gl_CullDistance[2]; };
void main()
{
   gl_Position = place(gl_VertexIndex);
   gl_ClipDistance[0] = gl_CullDistance[0] = 1.0;
#if !FAULTY
   gl_CullDistance[1] = 1.0;
#endif
   data[gl_VertexIndex] = 1; // HERE
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! level_that_the_tessellator_takes finds=uninit-level by=invocation_2_of_patch_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ tesc
layout(vertices = 3) out;
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
#if FAULTY
   if (gl_InvocationID < 2)
#endif
      gl_TessLevelOuter[gl_InvocationID] = 1;
   if (gl_InvocationID == 0)
      gl_TessLevelInner[0] = 1; // HERE
}
//@ tese
layout(triangles) in;
void main()
{
   gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z;
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! levels_of_a_discarded_patch finds=uninit-level by=invocation_0_of_patch_0
//@ vert
void main()
{
   gl_Position = place(gl_VertexIndex);
}
//@ tesc
layout(vertices = 1) out;
void main()
{
   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
   gl_TessLevelOuter[1] = FAULTY; // HERE
}
//@ tese
layout(quads) in;
void main()
{
   gl_Position = gl_in[0].gl_Position + vec4(gl_TessCoord, 0.0);
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! position_of_a_mesh finds=uninit-output by=invocation_(1,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_mesh_shader
//@ mesh
layout(local_size_x = 4) in;
layout(triangles, max_vertices = 5, max_primitives = 2) out;
void main()
{
   SetMeshOutputsEXT(5, 2);
#if FAULTY
   if (gl_LocalInvocationIndex < 3) // the fifth vertex is in no primitive
#endif
      gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = place(int(gl_LocalInvocationIndex));
   if (gl_LocalInvocationIndex < 2)
      gl_PrimitiveTriangleIndicesEXT[gl_LocalInvocationIndex] = uvec3(0, 1, 2) + gl_LocalInvocationIndex; // HERE
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! indices_of_a_mesh finds=uninit-output by=invocation_(0,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_mesh_shader
//@ mesh
layout(local_size_x = 3) in;
layout(triangles, max_vertices = 3, max_primitives = 8) out;
void main()
{
   SetMeshOutputsEXT(3, FAULTY == 1 ? 7 : 3);
   gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = place(int(gl_LocalInvocationIndex));
   gl_PrimitiveTriangleIndicesEXT[gl_LocalInvocationIndex] = uvec3(0, 1, 2); // HERE
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
//! culled_primitive_of_a_mesh finds=uninit-output by=invocation_(1,_0,_0)_of_workgroup_(0,_0,_0) ext=GL_EXT_mesh_shader
//@ mesh
layout(local_size_x = 3) in;
layout(lines, max_vertices = 3, max_primitives = 3) out;
void main()
{
   SetMeshOutputsEXT(3, 3);
   if (gl_LocalInvocationIndex < 2)
      gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = place(int(gl_LocalInvocationIndex));
   gl_MeshPrimitivesEXT[gl_LocalInvocationIndex].gl_CullPrimitiveEXT = FAULTY == 0 && gl_LocalInvocationIndex > 0;
   gl_PrimitiveLineIndicesEXT[gl_LocalInvocationIndex] = uvec2(gl_LocalInvocationIndex, (gl_LocalInvocationIndex + 1) % 3); // HERE
}
//@ frag
layout(location = 0) out vec4 result;
void main()
{
   result = vec4(1.0);
}
