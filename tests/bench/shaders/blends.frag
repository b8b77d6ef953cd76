#version 450
// Colours that blend to something: two targets, of which pipelines may have one. UNSIGNED: integers.
#ifdef UNSIGNED
#define COLOUR uvec4
#define SCALE 255.0
#else
#define COLOUR vec4
#define SCALE 1.0
#endif
layout(location = 0) out COLOUR first;
layout(location = 1) out COLOUR second;

void main()
{
   vec2 uv = gl_FragCoord.xy / 1024.0;
   first = COLOUR(vec4(uv, 0.3, uv.x) * SCALE);
   second = COLOUR(vec4(0.6, uv.yx, uv.y) * SCALE);
}
