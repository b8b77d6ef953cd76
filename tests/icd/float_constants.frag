// SPDX-License-Identifier: MIT
// A NaN that is a constant, beside one that is computed.
#version 450
layout(push_constant) uniform Push { uint number; float negative; };
layout(location = 0) out vec4 constants;
layout(location = 1) out vec4 computed;

void main()
{
   constants = vec4(-(0.0 / 0.0), 0.0 / 0.0, sqrt(negative), 1.0);
   computed = vec4(sqrt(negative), -sqrt(negative), 2.0, 3.0);
}
