/* SPDX-License-Identifier: MIT
 * A Direct3D 11 program for dxvk.sh: draws dxvk.hlsl into a texture and writes it as a portable pixmap.
 *
 *    dxvk.exe SHADERS OUT.ppm    SHADERS is the folder of vs.dxbc, gs.dxbc, vs_point.dxbc, gs_point.dxbc, vs_patch.dxbc, hs.dxbc, ds.dxbc, ps.dxbc */
#define COBJMACROS
#define INITGUID
#include <d3d11.h>

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 320, HEIGHT = 240 };

static void check(HRESULT result, const char *what)
{
   if (FAILED(result)) {
      printf("%s: 0x%08lx\n", what, (unsigned long)result);
      exit(1);
   }
}

static void *read_file(const char *folder, const char *name, size_t *size)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/%s.dxbc", folder, name);
   FILE *file = fopen(path, "rb");
   void *data = malloc(1 << 20);
   *size = file && data ? fread(data, 1, 1 << 20, file) : 0;
   if (!*size) {
      printf("%s: cannot be read\n", path);
      exit(1);
   }
   fclose(file);
   return data;
}

static ID3D11Device *device;
static ID3D11DeviceContext *context;

static ID3D11Texture2D *make_texture(D3D11_USAGE usage, UINT bind, UINT access)
{
   const D3D11_TEXTURE2D_DESC desc = {.Width = WIDTH, .Height = HEIGHT, .MipLevels = 1, .ArraySize = 1,
      .Format = DXGI_FORMAT_R8G8B8A8_UNORM, .SampleDesc = {1, 0}, .Usage = usage, .BindFlags = bind, .CPUAccessFlags = access};
   ID3D11Texture2D *texture;
   check(ID3D11Device_CreateTexture2D(device, &desc, NULL, &texture), "CreateTexture2D");
   return texture;
}

/* Names of shaders; NULL: the stage is not there. */
static void draw(const char *folder, const char *vs_name, const char *hs_name, const char *ds_name, const char *gs_name, D3D11_PRIMITIVE_TOPOLOGY topology)
{
   size_t size;
   ID3D11VertexShader *vs;
   ID3D11HullShader *hs = NULL;
   ID3D11DomainShader *ds = NULL;
   ID3D11GeometryShader *gs = NULL;
   ID3D11PixelShader *ps;
   void *code = read_file(folder, vs_name, &size);
   check(ID3D11Device_CreateVertexShader(device, code, size, NULL, &vs), "CreateVertexShader");
   if (hs_name) {
      code = read_file(folder, hs_name, &size);
      check(ID3D11Device_CreateHullShader(device, code, size, NULL, &hs), "CreateHullShader");
      code = read_file(folder, ds_name, &size);
      check(ID3D11Device_CreateDomainShader(device, code, size, NULL, &ds), "CreateDomainShader");
   }
   if (gs_name) {
      code = read_file(folder, gs_name, &size);
      check(ID3D11Device_CreateGeometryShader(device, code, size, NULL, &gs), "CreateGeometryShader");
   }
   code = read_file(folder, "ps", &size);
   check(ID3D11Device_CreatePixelShader(device, code, size, NULL, &ps), "CreatePixelShader");
   ID3D11DeviceContext_VSSetShader(context, vs, NULL, 0);
   ID3D11DeviceContext_HSSetShader(context, hs, NULL, 0);
   ID3D11DeviceContext_DSSetShader(context, ds, NULL, 0);
   ID3D11DeviceContext_GSSetShader(context, gs, NULL, 0);
   ID3D11DeviceContext_PSSetShader(context, ps, NULL, 0);
   ID3D11DeviceContext_IASetPrimitiveTopology(context, topology);
   ID3D11DeviceContext_Draw(context, 3, 0);
}

static void set_state(void)
{
   const float offset[4] = {-0.05f, 0.05f, 0, 0};
   const D3D11_BUFFER_DESC desc = {.ByteWidth = sizeof(offset), .Usage = D3D11_USAGE_IMMUTABLE, .BindFlags = D3D11_BIND_CONSTANT_BUFFER};
   const D3D11_SUBRESOURCE_DATA data = {.pSysMem = offset};
   const D3D11_BLEND_DESC blend = {.RenderTarget = {{.BlendEnable = TRUE, .SrcBlend = D3D11_BLEND_SRC_ALPHA, .DestBlend = D3D11_BLEND_INV_SRC_ALPHA,
      .BlendOp = D3D11_BLEND_OP_ADD, .SrcBlendAlpha = D3D11_BLEND_ONE, .DestBlendAlpha = D3D11_BLEND_ZERO, .BlendOpAlpha = D3D11_BLEND_OP_ADD,
      .RenderTargetWriteMask = D3D11_COLOR_WRITE_ENABLE_ALL}}};
   const D3D11_RASTERIZER_DESC raster = {.FillMode = D3D11_FILL_SOLID, .CullMode = D3D11_CULL_NONE, .DepthClipEnable = TRUE};
   const D3D11_VIEWPORT viewport = {0, 0, WIDTH, HEIGHT, 0, 1};
   ID3D11Buffer *buffer;
   ID3D11BlendState *blend_state;
   ID3D11RasterizerState *raster_state;
   check(ID3D11Device_CreateBuffer(device, &desc, &data, &buffer), "CreateBuffer");
   check(ID3D11Device_CreateBlendState(device, &blend, &blend_state), "CreateBlendState");
   check(ID3D11Device_CreateRasterizerState(device, &raster, &raster_state), "CreateRasterizerState");
   ID3D11DeviceContext_VSSetConstantBuffers(context, 0, 1, &buffer);
   ID3D11DeviceContext_OMSetBlendState(context, blend_state, NULL, ~0u);
   ID3D11DeviceContext_RSSetState(context, raster_state);
   ID3D11DeviceContext_RSSetViewports(context, 1, &viewport);
}

static void write_picture(ID3D11Texture2D *target, const char *path)
{
   ID3D11Texture2D *staging = make_texture(D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ);
   D3D11_MAPPED_SUBRESOURCE mapped;
   FILE *file = fopen(path, "wb");
   ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)staging, (ID3D11Resource *)target);
   check(ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped), "Map");
   if (!file)
      exit(1);
   fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
   for (UINT y = 0; y < HEIGHT; y++)
      for (UINT x = 0; x < WIDTH; x++)
         fwrite((const BYTE *)mapped.pData + y * mapped.RowPitch + x * 4, 1, 3, file);
   fclose(file);
}

int main(int argc, char **argv)
{
   const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_10_1, D3D_FEATURE_LEVEL_10_0};
   const float background[4] = {0.1f, 0.15f, 0.3f, 1};
   D3D_FEATURE_LEVEL level;
   ID3D11RenderTargetView *view;
   if (argc != 3)
      return 2;
   check(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, levels, 4, D3D11_SDK_VERSION, &device, &level, &context), "D3D11CreateDevice");
   printf("feature level %d.%d\n", level >> 12, level >> 8 & 15);
   ID3D11Texture2D *target = make_texture(D3D11_USAGE_DEFAULT, D3D11_BIND_RENDER_TARGET, 0);
   check(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)target, NULL, &view), "CreateRenderTargetView");
   ID3D11DeviceContext_ClearRenderTargetView(context, view, background);
   ID3D11DeviceContext_OMSetRenderTargets(context, 1, &view, NULL);
   set_state();
   draw(argv[1], "vs", NULL, NULL, "gs", D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
   draw(argv[1], "vs_point", NULL, NULL, "gs_point", D3D11_PRIMITIVE_TOPOLOGY_POINTLIST);
   if (level >= D3D_FEATURE_LEVEL_11_0)
      draw(argv[1], "vs_patch", "hs", "ds", NULL, D3D11_PRIMITIVE_TOPOLOGY_3_CONTROL_POINT_PATCHLIST);
   write_picture(target, argv[2]);
   return 0;
}
