#version 450
// Colours that blend to something: two targets, of which pipelines may have one.
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main()
{
   vec2 uv = gl_FragCoord.xy / 1024.0;
   first = vec4(uv, 0.3, uv.x);
   second = vec4(0.6, uv.yx, uv.y);
}
