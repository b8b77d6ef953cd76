#version 450
layout(location = 0) in vec2 uv;
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) out vec4 color;

// Footprints of 12 x 1 texels on a picture of 1024 x 1024, when the target is 1920 x 1080.
void main()
{
   color = texture(picture, vec2(uv.x * 22.5, uv.y * 1.0546875));
}
