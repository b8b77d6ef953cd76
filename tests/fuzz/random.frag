#version 450
layout(location = 0) flat in uvec4 words[4];
layout(location = 0) out uvec4 colors[4];
void main()
{
   for (int i = 0; i < 4; i++)
      colors[i] = words[i];
}
