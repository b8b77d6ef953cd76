#version 450
layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec2 texture_uv;
layout(location = 3) flat in vec4 object_tint;
layout(binding = 0) uniform sampler2D albedo;
layout(location = 0) out vec4 color;

const vec3 eye = vec3(0.0, 4.2, 9.5);

vec3 light(vec3 n, vec3 v, vec3 position, vec3 lamp, vec3 intensity, vec3 base)
{
   vec3 to_lamp = lamp - position;
   float falloff = 1.0 / (1.0 + 0.03 * dot(to_lamp, to_lamp));
   vec3 l = normalize(to_lamp), h = normalize(l + v);
   return intensity * falloff * (base * max(dot(n, l), 0.0) + 0.6 * pow(max(dot(n, h), 0.0), 48.0));
}

void main()
{
   vec3 n = normalize(world_normal), v = normalize(eye - world_position);
   vec3 base = texture(albedo, texture_uv).rgb * object_tint.rgb;
   vec3 sum = 0.12 * base;
   sum += light(n, v, world_position, vec3(4.0, 8.0, 5.0), vec3(2.2, 2.0, 1.8), base);
   sum += light(n, v, world_position, vec3(-6.0, 4.0, 2.0), vec3(0.4, 0.6, 1.0), base);
   float fog = clamp((length(eye - world_position) - 10.0) / 35.0, 0.0, 1.0);
   color = vec4(mix(sum, vec3(0.05, 0.07, 0.12), fog), 1.0);
}
