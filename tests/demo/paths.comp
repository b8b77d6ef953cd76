#version 460
#extension GL_EXT_ray_query : require
// SPDX-License-Identifier: MIT
// Balls on a floor under the sky, by paths of up to six rays: a few samples a pixel a pass, added up; the last pass makes colours of the sums.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) buffer Sums { vec4 sums[]; };
layout(binding = 2) buffer Pixels { uint pixels[]; };
layout(push_constant) uniform Push { uint width, height, pass, num_passes, num_samples; };

uint state;

float random()
{
   state = state * 747796405u + 2891336453u;
   const uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
   return float((word >> 22) ^ word) * (1.0 / 4294967296.0);
}

vec3 random_direction()
{
   const float z = 1.0 - 2.0 * random(), angle = 6.2831853 * random(), r = sqrt(max(0.0, 1.0 - z * z));
   return vec3(r * cos(angle), z, r * sin(angle));
}

vec3 sky(vec3 direction)
{
   const vec3 sun = normalize(vec3(0.6, 0.55, -0.4));
   const float near = max(dot(direction, sun), 0.0);
   return mix(vec3(0.95, 0.85, 0.75), vec3(0.35, 0.55, 0.95), clamp(direction.y * 1.5 + 0.1, 0.0, 1.0)) + vec3(1.0, 0.8, 0.5) * (6.0 * pow(near, 90.0) + 0.6 * pow(near, 6.0));
}

// Of a ball, by its number.
vec3 colour_of(uint ball)
{
   return 0.5 + 0.45 * cos(vec3(0.0, 2.1, 4.2) + float(ball) * 2.39996);
}

vec3 trace(vec3 origin, vec3 direction)
{
   vec3 light = vec3(1);
   for (uint depth = 0; depth < 6; depth++) {
      rayQueryEXT query;
      rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xff, origin, 1e-3, direction, 1e4);
      while (rayQueryProceedEXT(query)) {
      }
      if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT)
         return light * sky(direction);
      const uint ball = rayQueryGetIntersectionInstanceCustomIndexEXT(query, true);
      const float t = rayQueryGetIntersectionTEXT(query, true);
      const vec3 at = origin + t * direction;
      vec3 normal = vec3(0, 1, 0), colour = vec3(0.75);
      bool is_mirror = false;
      if (ball != 0) { // a ball of many triangles: smooth by the direction from its middle
         normal = normalize(rayQueryGetIntersectionObjectRayOriginEXT(query, true) + t * rayQueryGetIntersectionObjectRayDirectionEXT(query, true));
         colour = colour_of(ball);
         is_mirror = ball % 3 == 0;
      } else if (((int(floor(at.x)) + int(floor(at.z))) & 1) != 0) {
         colour = vec3(0.35, 0.37, 0.4);
      }
      light *= is_mirror ? 0.5 + 0.5 * colour : colour;
      direction = is_mirror ? reflect(direction, normal) : normalize(normal + 0.999 * random_direction());
      origin = at + 1e-3 * normal;
   }
   return vec3(0);
}

void main()
{
   const uvec2 at = gl_GlobalInvocationID.xy;
   if (at.x >= width || at.y >= height)
      return;
   const uint pixel = at.y * width + at.x;
   state = (pixel * 9781u + pass * 6271u) * 2654435761u;
   vec3 sum = vec3(0);
   for (uint i = 0; i < num_samples; i++) {
      const vec2 on = (vec2(at) + vec2(random(), random()) - 0.5 * vec2(width, height)) / float(height);
      sum += trace(vec3(0, 2.6, 9.5), normalize(vec3(on.x, -on.y - 0.18, -1.15)));
   }
   const vec4 all = (pass == 0 ? vec4(0) : sums[pixel]) + vec4(sum, float(num_samples));
   sums[pixel] = all;
   if (pass + 1 == num_passes) {
      const vec3 linear = all.xyz / all.w, mapped = linear * (1.0 + linear / 9.0) / (1.0 + linear);
      const uvec3 bytes = uvec3(pow(mapped, vec3(1.0 / 2.2)) * 255.0 + 0.5);
      pixels[pixel] = min(bytes.x, 255u) | min(bytes.y, 255u) << 8 | min(bytes.z, 255u) << 16 | 0xff000000u;
   }
}
