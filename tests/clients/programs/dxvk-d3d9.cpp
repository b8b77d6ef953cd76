// SPDX-License-Identifier: MIT
// For dxvk-d3d9.sh: Direct3D 9 by DXVK without wine. The fixed functions that games of that time drew with, and one draw of shader model 3.
//
//    d3d9 SHADERS OUT.ppm    SHADERS is the folder of vs.d3dbc and ps.d3dbc
#define SDL_MAIN_HANDLED
#include <SDL3/SDL.h>
#include <windows.h>

#include <d3d9.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

enum { WIDTH = 400, HEIGHT = 300 };

static IDirect3DDevice9 *device;

static void check(HRESULT result, const char *what)
{
   if (FAILED(result)) {
      printf("%s: 0x%08lx\n", what, (unsigned long)result);
      exit(1);
   }
}

struct vertex {
   float x, y, z, nx, ny, nz;
   DWORD colour;
   float u, v;
};
static const DWORD VERTEX_FVF = D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_TEX1;

static D3DMATRIX identity()
{
   D3DMATRIX m = {};
   m._11 = m._22 = m._33 = m._44 = 1;
   return m;
}

static D3DMATRIX placed(float x, float y, float z, float angle, float scale)
{
   D3DMATRIX m = identity();
   m._11 = m._33 = cosf(angle) * scale;
   m._31 = sinf(angle) * scale;
   m._13 = -m._31;
   m._22 = scale;
   m._41 = x;
   m._42 = y;
   m._43 = z;
   return m;
}

static D3DMATRIX perspective(float near_z, float far_z)
{
   D3DMATRIX m = {};
   m._11 = 1.6f * HEIGHT / WIDTH;
   m._22 = 1.6f;
   m._33 = far_z / (far_z - near_z);
   m._34 = 1;
   m._43 = -near_z * far_z / (far_z - near_z);
   return m;
}

static std::vector<vertex> sphere(int rings, int sectors)
{
   std::vector<vertex> list;
   auto corner = [&](int i, int j) {
      const float a = (float)M_PI * i / rings, b = 2 * (float)M_PI * j / sectors;
      const float x = sinf(a) * cosf(b), y = cosf(a), z = sinf(a) * sinf(b);
      list.push_back({x, y, z, x, y, z, 0xffffffff, 2.0f * j / sectors, 1.0f * i / rings});
   };
   for (int i = 0; i < rings; i++)
      for (int j = 0; j < sectors; j++)
         for (int k : {0, 1, 2, 2, 1, 3})
            corner(i + (k & 1), j + (k >> 1));
   return list;
}

static IDirect3DTexture9 *checkers()
{
   IDirect3DTexture9 *texture;
   check(device->CreateTexture(64, 64, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL), "CreateTexture");
   for (DWORD level = 0; level < texture->GetLevelCount(); level++) {
      const int size = 64 >> level, cell = size / 8 ? size / 8 : 1;
      D3DLOCKED_RECT locked;
      check(texture->LockRect(level, &locked, NULL, 0), "LockRect");
      for (int y = 0; y < size; y++)
         for (int x = 0; x < size; x++) {
            const bool odd = (x / cell + y / cell) & 1;
            ((DWORD *)((char *)locked.pBits + y * locked.Pitch))[x] = odd ? 0xffe0e0e0 : 0x40c03020;
         }
      texture->UnlockRect(level);
   }
   return texture;
}

// Blocks of DXT1: two colours and a gradient between them.
static IDirect3DTexture9 *compressed()
{
   IDirect3DTexture9 *texture;
   check(device->CreateTexture(32, 32, 1, 0, D3DFMT_DXT1, D3DPOOL_MANAGED, &texture, NULL), "CreateTexture, DXT1");
   D3DLOCKED_RECT locked;
   check(texture->LockRect(0, &locked, NULL, 0), "LockRect, DXT1");
   for (int y = 0; y < 8; y++)
      for (int x = 0; x < 8; x++) {
         const WORD block[4] = {(WORD)(0xf800 - x * 0x1000), (WORD)(0x001f + y * 0x0040), 0xe4e4, 0x1b1b};
         SDL_memcpy((char *)locked.pBits + y * locked.Pitch + x * 8, block, 8);
      }
   texture->UnlockRect(0);
   return texture;
}

static IDirect3DCubeTexture9 *surroundings()
{
   IDirect3DCubeTexture9 *texture;
   check(device->CreateCubeTexture(16, 1, 0, D3DFMT_X8R8G8B8, D3DPOOL_MANAGED, &texture, NULL), "CreateCubeTexture");
   for (int face = 0; face < 6; face++) {
      D3DLOCKED_RECT locked;
      check(texture->LockRect((D3DCUBEMAP_FACES)face, 0, &locked, NULL, 0), "LockRect, cube");
      for (int y = 0; y < 16; y++)
         for (int x = 0; x < 16; x++)
            ((DWORD *)((char *)locked.pBits + y * locked.Pitch))[x] = D3DCOLOR_XRGB(face * 50, x * 16, y * 16);
      texture->UnlockRect((D3DCUBEMAP_FACES)face, 0);
   }
   return texture;
}

static void state(D3DRENDERSTATETYPE name, DWORD value)
{
   check(device->SetRenderState(name, value), "SetRenderState");
}

static void state(D3DRENDERSTATETYPE name, float value)
{
   DWORD bits;
   SDL_memcpy(&bits, &value, 4);
   state(name, bits);
}

static void stage(DWORD number, D3DTEXTUREOP op, DWORD a, DWORD b)
{
   device->SetTextureStageState(number, D3DTSS_COLOROP, op);
   device->SetTextureStageState(number, D3DTSS_COLORARG1, a);
   device->SetTextureStageState(number, D3DTSS_COLORARG2, b);
}

static void lights()
{
   D3DLIGHT9 sun = {};
   sun.Type = D3DLIGHT_DIRECTIONAL;
   sun.Diffuse = {0.7f, 0.7f, 0.6f, 1};
   sun.Direction = {0.5f, -1, 0.7f};
   D3DLIGHT9 lamp = {};
   lamp.Type = D3DLIGHT_POINT;
   lamp.Diffuse = {0.1f, 0.3f, 1, 1};
   lamp.Specular = {1, 1, 1, 1};
   lamp.Position = {-1, 1.5f, 2};
   lamp.Range = 20;
   lamp.Attenuation1 = 0.4f;
   D3DLIGHT9 spot = lamp;
   spot.Type = D3DLIGHT_SPOT;
   spot.Diffuse = {1, 0.9f, 0.1f, 1};
   spot.Position = {2, 3, 4};
   spot.Direction = {0, -1, 0.2f};
   spot.Theta = 0.4f;
   spot.Phi = 0.9f;
   spot.Falloff = 1;
   const D3DLIGHT9 all[] = {sun, lamp, spot};
   for (DWORD i = 0; i < 3; i++) {
      check(device->SetLight(i, &all[i]), "SetLight");
      check(device->LightEnable(i, TRUE), "LightEnable");
   }
   D3DMATERIAL9 material = {};
   material.Diffuse = {1, 1, 1, 1};
   material.Ambient = {1, 1, 1, 1};
   material.Specular = {0.8f, 0.8f, 0.8f, 1};
   material.Power = 20;
   device->SetMaterial(&material);
   state(D3DRS_LIGHTING, (DWORD)TRUE);
   state(D3DRS_SPECULARENABLE, (DWORD)TRUE);
   state(D3DRS_AMBIENT, (DWORD)0xff303040);
}

static void draw_at(const D3DMATRIX &world, const std::vector<vertex> &list, D3DPRIMITIVETYPE type)
{
   device->SetTransform(D3DTS_WORLD, &world);
   const UINT count = type == D3DPT_TRIANGLELIST ? (UINT)list.size() / 3 : type == D3DPT_POINTLIST ? (UINT)list.size() : (UINT)list.size() - 2;
   check(device->DrawPrimitiveUP(type, count, list.data(), sizeof(vertex)), "DrawPrimitiveUP");
}

// The ground in vertex fog, anisotropically filtered; balls with a dot product of textures, a reflected cube map, alpha test and table fog.
static void scene(const std::vector<vertex> &ball)
{
   IDirect3DTexture9 *board = checkers(), *blocks = compressed();
   IDirect3DCubeTexture9 *around = surroundings();
   device->SetSamplerState(0, D3DSAMP_MINFILTER, D3DTEXF_ANISOTROPIC);
   device->SetSamplerState(0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
   device->SetSamplerState(0, D3DSAMP_MIPFILTER, D3DTEXF_LINEAR);
   device->SetSamplerState(0, D3DSAMP_MAXANISOTROPY, 8);
   state(D3DRS_FOGENABLE, (DWORD)TRUE);
   state(D3DRS_FOGCOLOR, (DWORD)0xff8090b0);
   state(D3DRS_FOGVERTEXMODE, (DWORD)D3DFOG_LINEAR);
   state(D3DRS_FOGSTART, 4.0f);
   state(D3DRS_FOGEND, 14.0f);
   device->SetTexture(0, board);
   stage(0, D3DTOP_MODULATE, D3DTA_TEXTURE, D3DTA_DIFFUSE);
   const std::vector<vertex> ground = {{-8, -1, 1, 0, 1, 0, 0xffffffff, 0, 0}, {-8, -1, 16, 0, 1, 0, 0xffffffff, 0, 6},
                                       {8, -1, 16, 0, 1, 0, 0xffffffff, 6, 6}, {8, -1, 1, 0, 1, 0, 0xffffffff, 6, 0}};
   draw_at(identity(), ground, D3DPT_TRIANGLEFAN);

   state(D3DRS_FOGVERTEXMODE, (DWORD)D3DFOG_NONE);
   state(D3DRS_FOGTABLEMODE, (DWORD)D3DFOG_EXP2);
   state(D3DRS_FOGDENSITY, 0.05f);
   device->SetTexture(0, blocks);
   stage(0, D3DTOP_DOTPRODUCT3, D3DTA_TEXTURE, D3DTA_DIFFUSE);
   draw_at(placed(-1.8f, 0, 4, 0.3f, 0.8f), ball, D3DPT_TRIANGLELIST);

   device->SetTexture(0, around);
   stage(0, D3DTOP_ADDSIGNED, D3DTA_TEXTURE, D3DTA_DIFFUSE);
   device->SetTextureStageState(0, D3DTSS_TEXCOORDINDEX, D3DTSS_TCI_CAMERASPACEREFLECTIONVECTOR);
   device->SetTextureStageState(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_COUNT3);
   draw_at(placed(0, 0, 5, 0, 0.9f), ball, D3DPT_TRIANGLELIST);
   device->SetTextureStageState(0, D3DTSS_TEXCOORDINDEX, 0);
   device->SetTextureStageState(0, D3DTSS_TEXTURETRANSFORMFLAGS, D3DTTFF_DISABLE);

   device->SetTexture(0, board);
   stage(0, D3DTOP_SELECTARG1, D3DTA_TEXTURE, D3DTA_DIFFUSE);
   state(D3DRS_ALPHATESTENABLE, (DWORD)TRUE);
   state(D3DRS_ALPHAREF, (DWORD)128);
   state(D3DRS_ALPHAFUNC, (DWORD)D3DCMP_GREATER);
   state(D3DRS_CULLMODE, (DWORD)D3DCULL_NONE);
   draw_at(placed(1.7f, 0, 4, 0, 0.8f), ball, D3DPT_TRIANGLELIST);
   state(D3DRS_ALPHATESTENABLE, (DWORD)FALSE);
   state(D3DRS_FOGTABLEMODE, (DWORD)D3DFOG_NONE);
   state(D3DRS_FOGENABLE, (DWORD)FALSE);
}

// A ball that a plane cuts, seen where its shadow in the stencil is not; sprites of points; lines.
static void overlays(const std::vector<vertex> &ball)
{
   device->SetTexture(0, NULL);
   stage(0, D3DTOP_SELECTARG2, D3DTA_TEXTURE, D3DTA_DIFFUSE);
   device->SetTextureStageState(0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG2);
   const float plane[4] = {0.3f, 1, 0, -1.1f};
   device->SetClipPlane(0, plane);
   state(D3DRS_CLIPPLANEENABLE, (DWORD)1);
   state(D3DRS_STENCILENABLE, (DWORD)TRUE);
   state(D3DRS_STENCILPASS, (DWORD)D3DSTENCILOP_INCRSAT);
   draw_at(placed(0, 1.2f, 6, 0, 0.8f), ball, D3DPT_TRIANGLELIST);
   state(D3DRS_CLIPPLANEENABLE, (DWORD)0);
   state(D3DRS_STENCILFUNC, (DWORD)D3DCMP_EQUAL);
   state(D3DRS_STENCILPASS, (DWORD)D3DSTENCILOP_KEEP);
   state(D3DRS_LIGHTING, (DWORD)FALSE);
   state(D3DRS_ZENABLE, (DWORD)FALSE);
   state(D3DRS_ALPHABLENDENABLE, (DWORD)TRUE);
   state(D3DRS_SRCBLEND, (DWORD)D3DBLEND_SRCALPHA);
   state(D3DRS_DESTBLEND, (DWORD)D3DBLEND_ONE);
   const std::vector<vertex> glow = {{-1.6f, 0.7f, 5, 0, 0, 1, 0x6000ff40, 0, 0}, {1.6f, 0.7f, 5, 0, 0, 1, 0x60ff8000, 0, 0},
                                     {-1.6f, 2.2f, 5, 0, 0, 1, 0x600040ff, 0, 0}, {1.6f, 2.2f, 5, 0, 0, 1, 0x60ff00ff, 0, 0}};
   draw_at(identity(), glow, D3DPT_TRIANGLESTRIP);
   state(D3DRS_STENCILENABLE, (DWORD)FALSE);

   state(D3DRS_POINTSPRITEENABLE, (DWORD)TRUE);
   state(D3DRS_POINTSCALEENABLE, (DWORD)TRUE);
   state(D3DRS_POINTSIZE, 0.3f);
   state(D3DRS_POINTSCALE_A, 0.0f);
   state(D3DRS_POINTSCALE_C, 1.0f);
   device->SetTexture(0, checkers());
   stage(0, D3DTOP_MODULATE2X, D3DTA_TEXTURE, D3DTA_DIFFUSE);
   std::vector<vertex> sprites;
   for (int i = 0; i < 8; i++)
      sprites.push_back({i * 0.6f - 2.1f, -0.7f, 2.5f + i, 0, 0, 1, 0xc0ffff80, 0, 0});
   draw_at(identity(), sprites, D3DPT_POINTLIST);
   state(D3DRS_POINTSPRITEENABLE, (DWORD)FALSE);
   state(D3DRS_POINTSCALEENABLE, (DWORD)FALSE);
   state(D3DRS_ALPHABLENDENABLE, (DWORD)FALSE);
}

static std::vector<DWORD> code_of(const std::string &path)
{
   size_t size = 0;
   void *data = SDL_LoadFile(path.c_str(), &size);
   if (!data) {
      printf("%s: cannot be read\n", path.c_str());
      exit(1);
   }
   return std::vector<DWORD>((DWORD *)data, (DWORD *)data + size / 4);
}

// Instances by SetStreamSourceFreq, placed by the vertex shader; a scissor rectangle; sRGB writes.
static void shaders(const std::string &folder)
{
   IDirect3DVertexShader9 *vs;
   IDirect3DPixelShader9 *ps;
   check(device->CreateVertexShader(code_of(folder + "/vs.d3dbc").data(), &vs), "CreateVertexShader");
   check(device->CreatePixelShader(code_of(folder + "/ps.d3dbc").data(), &ps), "CreatePixelShader");
   const D3DVERTEXELEMENT9 elements[] = {{0, 0, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_POSITION, 0},
                                         {1, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_TEXCOORD, 0}, D3DDECL_END()};
   const float corners[] = {-1, -1, -1, 1, 1, -1, 1, 1};
   const float places[] = {-0.75f, 0.75f, 0.2f, 3, -0.35f, 0.8f, 0.15f, 5, 0.8f, 0.7f, 0.25f, 9};
   const WORD indices[] = {0, 1, 2, 2, 1, 3};
   IDirect3DVertexDeclaration9 *declaration;
   IDirect3DVertexBuffer9 *buffers[2];
   IDirect3DIndexBuffer9 *index;
   void *map;
   check(device->CreateVertexDeclaration(elements, &declaration), "CreateVertexDeclaration");
   check(device->CreateVertexBuffer(sizeof(corners), 0, 0, D3DPOOL_MANAGED, &buffers[0], NULL), "CreateVertexBuffer");
   check(device->CreateVertexBuffer(sizeof(places), D3DUSAGE_DYNAMIC, 0, D3DPOOL_DEFAULT, &buffers[1], NULL), "CreateVertexBuffer");
   check(device->CreateIndexBuffer(sizeof(indices), 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, &index, NULL), "CreateIndexBuffer");
   check(buffers[0]->Lock(0, 0, &map, 0), "Lock");
   SDL_memcpy(map, corners, sizeof(corners));
   buffers[0]->Unlock();
   check(buffers[1]->Lock(0, 0, &map, D3DLOCK_DISCARD), "Lock");
   SDL_memcpy(map, places, sizeof(places));
   buffers[1]->Unlock();
   check(index->Lock(0, 0, &map, 0), "Lock");
   SDL_memcpy(map, indices, sizeof(indices));
   index->Unlock();
   device->SetVertexShader(vs);
   device->SetPixelShader(ps);
   device->SetVertexDeclaration(declaration);
   device->SetStreamSource(0, buffers[0], 0, 8);
   device->SetStreamSourceFreq(0, D3DSTREAMSOURCE_INDEXEDDATA | 3);
   device->SetStreamSource(1, buffers[1], 0, 16);
   device->SetStreamSourceFreq(1, D3DSTREAMSOURCE_INSTANCEDATA | 1u);
   device->SetIndices(index);
   const RECT inner = {10, 5, WIDTH - 10, HEIGHT / 2};
   device->SetScissorRect(&inner);
   state(D3DRS_SCISSORTESTENABLE, (DWORD)TRUE);
   state(D3DRS_SRGBWRITEENABLE, (DWORD)TRUE);
   const float tint[4] = {1, 0.6f, 0.3f, 1};
   device->SetPixelShaderConstantF(0, tint, 1);
   check(device->DrawIndexedPrimitive(D3DPT_TRIANGLELIST, 0, 0, 4, 0, 2), "DrawIndexedPrimitive");
}

static void save(IDirect3DSurface9 *target, const char *path)
{
   IDirect3DSurface9 *plain, *copy;
   check(device->CreateRenderTarget(WIDTH, HEIGHT, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &plain, NULL), "CreateRenderTarget");
   check(device->CreateOffscreenPlainSurface(WIDTH, HEIGHT, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL), "CreateOffscreenPlainSurface");
   check(device->StretchRect(target, NULL, plain, NULL, D3DTEXF_NONE), "StretchRect");
   check(device->GetRenderTargetData(plain, copy), "GetRenderTargetData");
   D3DLOCKED_RECT locked;
   check(copy->LockRect(&locked, NULL, D3DLOCK_READONLY), "LockRect");
   FILE *file = fopen(path, "wb");
   fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
   for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
         const DWORD c = ((DWORD *)((char *)locked.pBits + y * locked.Pitch))[x];
         const unsigned char rgb[3] = {(unsigned char)(c >> 16), (unsigned char)(c >> 8), (unsigned char)c};
         fwrite(rgb, 1, 3, file);
      }
   fclose(file);
}

static void make_device(SDL_Window *window)
{
   IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
   D3DADAPTER_IDENTIFIER9 id = {};
   check(d3d ? d3d->GetAdapterIdentifier(0, 0, &id) : E_FAIL, "GetAdapterIdentifier");
   printf("adapter %s\n", id.Description);
   D3DPRESENT_PARAMETERS present = {};
   present.Windowed = TRUE;
   present.SwapEffect = D3DSWAPEFFECT_DISCARD;
   present.BackBufferFormat = D3DFMT_X8R8G8B8;
   present.BackBufferWidth = WIDTH;
   present.BackBufferHeight = HEIGHT;
   present.hDeviceWindow = (HWND)window;
   check(d3d->CreateDevice(0, D3DDEVTYPE_HAL, (HWND)window, D3DCREATE_HARDWARE_VERTEXPROCESSING, &present, &device), "CreateDevice");
}

int main(int argc, char **argv)
{
   if (argc != 3)
      return 2;
   SDL_Init(SDL_INIT_VIDEO);
   make_device(SDL_CreateWindow("d3d9", WIDTH, HEIGHT, SDL_WINDOW_VULKAN));
   IDirect3DSurface9 *target, *depth;
   check(device->CreateRenderTarget(WIDTH, HEIGHT, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &target, NULL), "CreateRenderTarget");
   check(device->CreateDepthStencilSurface(WIDTH, HEIGHT, D3DFMT_D24S8, D3DMULTISAMPLE_4_SAMPLES, 0, TRUE, &depth, NULL), "CreateDepthStencilSurface");
   device->SetRenderTarget(0, target);
   device->SetDepthStencilSurface(depth);
   device->Clear(0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0xff8090b0, 1, 0);
   IDirect3DQuery9 *query;
   check(device->CreateQuery(D3DQUERYTYPE_OCCLUSION, &query), "CreateQuery");
   check(device->BeginScene(), "BeginScene");
   const D3DMATRIX view = identity(), projection = perspective(1, 40);
   device->SetTransform(D3DTS_VIEW, &view);
   device->SetTransform(D3DTS_PROJECTION, &projection);
   check(device->SetFVF(VERTEX_FVF), "SetFVF");
   lights();
   query->Issue(D3DISSUE_BEGIN);
   const std::vector<vertex> ball = sphere(24, 32);
   scene(ball);
   query->Issue(D3DISSUE_END);
   overlays(ball);
   shaders(argv[1]);
   check(device->EndScene(), "EndScene");
   save(target, argv[2]);
   DWORD samples = 0;
   while (query->GetData(&samples, sizeof(samples), D3DGETDATA_FLUSH) == S_FALSE)
      SDL_Delay(1);
   printf("samples %s\n", samples ? "counted" : "none");
   check(device->Present(NULL, NULL, NULL, NULL), "Present");
   return samples ? 0 : 1;
}
