#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(push_constant) uniform Push { mat4 view_projection; vec4 model_rows[3]; vec4 tint; };
layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec2 texture_uv;
layout(location = 3) flat out vec4 object_tint;

void main()
{
   mat4x3 model = transpose(mat3x4(model_rows[0], model_rows[1], model_rows[2]));
   world_position = model * vec4(position, 1.0);
   world_normal = model * vec4(normal, 0.0);
   texture_uv = uv;
   object_tint = tint;
   gl_Position = view_projection * vec4(world_position, 1.0);
}
