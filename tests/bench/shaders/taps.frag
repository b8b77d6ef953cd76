#version 450
// A step of a chain of filters: five taps of the picture before.
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;

void main()
{
   vec2 t = 1.5 / vec2(textureSize(picture, 0));
   color = texture(picture, uv) * 0.4;
   color += (texture(picture, uv + vec2(t.x, t.y)) + texture(picture, uv + vec2(-t.x, t.y))) * 0.15;
   color += (texture(picture, uv + vec2(t.x, -t.y)) + texture(picture, uv - t)) * 0.15;
}
