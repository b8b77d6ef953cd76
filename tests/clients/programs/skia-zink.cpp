// SPDX-License-Identifier: MIT
// For skia-zink.sh: Skia's renderer Ganesh, with one sample and with four.
//
//    skia FOLDER    writes FOLDER/samples-1.png and FOLDER/samples-4.png
#include <skia/core/SkBlurTypes.h>
#include <skia/core/SkCanvas.h>
#include <skia/core/SkImage.h>
#include <skia/core/SkMaskFilter.h>
#include <skia/core/SkPath.h>
#include <skia/core/SkPathBuilder.h>
#include <skia/core/SkStream.h>
#include <skia/core/SkSurface.h>
#include <skia/core/SkVertices.h>
#include <skia/effects/SkDashPathEffect.h>
#include <skia/effects/SkGradient.h>
#include <skia/effects/SkImageFilters.h>
#include <skia/effects/SkPerlinNoiseShader.h>
#include <skia/effects/SkRuntimeEffect.h>
#include <skia/encode/SkPngEncoder.h>
#include <skia/gpu/ganesh/GrDirectContext.h>
#include <skia/gpu/ganesh/SkSurfaceGanesh.h>
#include <skia/gpu/ganesh/gl/GrGLDirectContext.h>
#include <skia/gpu/ganesh/gl/GrGLInterface.h>
#include <skia/gpu/ganesh/gl/glx/GrGLMakeGLXInterface.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <GL/glx.h>

enum { WIDTH = 400, HEIGHT = 300 };

static void require(bool good, const char *what)
{
   if (!good) {
      printf("%s fails\n", what);
      exit(1);
   }
}

// A context of OpenGL with a window that is never shown.
static void make_current()
{
   Display *display = XOpenDisplay(NULL);
   require(display != NULL, "XOpenDisplay");
   int wanted[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_STENCIL_SIZE, 8, None};
   XVisualInfo *visual = glXChooseVisual(display, DefaultScreen(display), wanted);
   require(visual != NULL, "glXChooseVisual");
   XSetWindowAttributes attributes = {};
   attributes.colormap = XCreateColormap(display, DefaultRootWindow(display), visual->visual, AllocNone);
   Window window = XCreateWindow(display, DefaultRootWindow(display), 0, 0, 16, 16, 0, visual->depth, InputOutput, visual->visual, CWColormap, &attributes);
   GLXContext context = glXCreateContext(display, visual, NULL, True);
   require(context && glXMakeCurrent(display, window, context), "glXMakeCurrent");
   printf("%s\n", glGetString(GL_RENDERER));
}

static SkPath star(float x, float y, float radius)
{
   SkPathBuilder path;
   for (int i = 0; i < 5; i++) {
      const float angle = (float)M_PI * 0.8f * i;
      const SkPoint point = {x + radius * sinf(angle), y - radius * cosf(angle)};
      i ? path.lineTo(point) : path.moveTo(point);
   }
   path.close();
   path.setFillType(SkPathFillType::kEvenOdd);
   return path.detach();
}

static void gradients(SkCanvas *canvas)
{
   const SkColor4f colours[] = {{1, 0.2f, 0, 1}, {1, 1, 0.3f, 1}, {0, 0.5f, 1, 1}, {0.4f, 0, 0.6f, 1}};
   const SkGradient smooth({colours, SkTileMode::kMirror}, {SkGradient::Interpolation::InPremul::kYes, SkGradient::Interpolation::ColorSpace::kOKLCH});
   const SkGradient plain({colours, SkTileMode::kClamp}, {});
   SkPaint paint;
   paint.setAntiAlias(true);
   const SkPoint line[] = {{10, 10}, {60, 40}};
   paint.setShader(SkShaders::LinearGradient(line, smooth));
   canvas->drawRoundRect(SkRect::MakeXYWH(10, 10, 110, 70), 24, 14, paint);
   paint.setShader(SkShaders::TwoPointConicalGradient({160, 40}, 5, {185, 50}, 45, plain));
   canvas->drawOval(SkRect::MakeXYWH(130, 10, 110, 70), paint);
   paint.setShader(SkShaders::SweepGradient({300, 45}, 0, 360, plain));
   canvas->drawPath(star(300, 48, 44), paint);
   paint.setShader(SkShaders::MakeTurbulence(0.05f, 0.08f, 3, 7));
   canvas->drawRect(SkRect::MakeXYWH(345, 10, 45, 70), paint);
}

// Strokes, dashes and curves; a clip that is not a rectangle; a blurred shadow.
static void paths(SkCanvas *canvas)
{
   SkPaint paint;
   paint.setAntiAlias(true);
   paint.setStyle(SkPaint::kStroke_Style);
   paint.setStrokeWidth(7);
   paint.setStrokeJoin(SkPaint::kRound_Join);
   paint.setColor(0xff80e0ff);
   SkPathBuilder curve;
   curve.moveTo(15, 170).cubicTo(60, 60, 70, 240, 125, 110).quadTo(140, 80, 150, 160);
   const SkPath path = curve.detach();
   canvas->drawPath(path, paint);
   const float dashes[] = {12, 5, 3, 5};
   paint.setPathEffect(SkDashPathEffect::Make(dashes, 0));
   paint.setStrokeWidth(2);
   paint.setColor(0xffffffff);
   canvas->drawPath(path, paint);
   canvas->save();
   canvas->clipPath(star(205, 145, 50), true);
   canvas->clipRRect(SkRRect::MakeRectXY(SkRect::MakeXYWH(160, 100, 80, 75), 20, 20), SkClipOp::kIntersect, true);
   canvas->clear(0xff306030);
   SkPaint rays;
   rays.setAntiAlias(true);
   rays.setColor(0xffffe080);
   for (int i = 0; i < 12; i++)
      canvas->drawLine(205, 145, 205 + 70 * cosf(i * 0.5236f), 145 + 70 * sinf(i * 0.5236f), rays);
   canvas->restore();
   SkPaint shadow;
   shadow.setAntiAlias(true);
   shadow.setColor(0xc0000000);
   shadow.setMaskFilter(SkMaskFilter::MakeBlur(kNormal_SkBlurStyle, 5));
   canvas->drawRRect(SkRRect::MakeRectXY(SkRect::MakeXYWH(262, 106, 110, 66), 12, 12), shadow);
   shadow.setMaskFilter(NULL);
   shadow.setColor(0xfff0f0f8);
   canvas->drawRRect(SkRRect::MakeRectXY(SkRect::MakeXYWH(258, 100, 110, 66), 12, 12), shadow);
}

// Every separable and non-separable mode, each over what lies there: many of them read the destination.
static void blends(SkCanvas *canvas)
{
   for (int mode = 0; mode <= (int)SkBlendMode::kLastMode; mode++) {
      const float x = 12 + (mode % 15) * 25, y = 190 + (mode / 15) * 26;
      canvas->saveLayer(SkRect::MakeXYWH(x, y, 22, 22), NULL);
      SkPaint paint;
      paint.setAntiAlias(true);
      paint.setColor(0xc0e06020);
      canvas->drawCircle(x + 8, y + 9, 8, paint);
      paint.setColor(0xa02060ff);
      paint.setBlendMode((SkBlendMode)mode);
      canvas->drawCircle(x + 14, y + 13, 8, paint);
      canvas->restore();
   }
}

// A program in Skia's language over an image, filters of images, vertices with colours, a perspective.
static void effects(SkCanvas *canvas)
{
   auto [effect, error] = SkRuntimeEffect::MakeForShader(SkString(R"(
      uniform shader child;
      uniform float2 middle;
      half4 main(float2 p) {
         float2 d = p - middle;
         float r = length(d);
         half4 c = child.eval(p + 3.0 * sin(r * 0.5) * normalize(d + 0.001));
         for (int i = 0; i < 3; i++) c.rgb = mix(c.rgb, c.brg, half(0.2 * fract(r * 0.04 * float(i))));
         return c;
      })"));
   require(effect != NULL, "SkRuntimeEffect");
   const SkColor4f two[] = {{0.1f, 0.2f, 0.5f, 1}, {1, 0.8f, 0.5f, 1}};
   SkRuntimeShaderBuilder builder(effect);
   builder.child("child") = SkShaders::RadialGradient({50, 270}, 14, SkGradient({two, SkTileMode::kRepeat}, {}));
   builder.uniform("middle") = SkV2{60, 268};
   SkPaint paint;
   paint.setShader(builder.makeShader());
   canvas->drawRect(SkRect::MakeXYWH(10, 245, 100, 48), paint);

   SkPaint filtered;
   filtered.setAntiAlias(true);
   filtered.setColor(0xff40ff90);
   filtered.setImageFilter(SkImageFilters::DropShadow(4, 4, 2, 2, 0xff000000, SkImageFilters::MatrixConvolution({3, 3},
      (const float[]){-1, -1, -1, -1, 9, -1, -1, -1, -1}, 1, 0, {1, 1}, SkTileMode::kDecal, false, NULL)));
   canvas->drawPath(star(160, 270, 24), filtered);
   filtered.setImageFilter(SkImageFilters::Erode(1, 1, SkImageFilters::Blur(3, 1, NULL)));
   canvas->drawPath(star(220, 270, 24), filtered);

   const SkPoint corners[] = {{260, 290}, {285, 246}, {310, 290}, {335, 246}};
   const SkColor of_corners[] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffff00};
   canvas->drawVertices(SkVertices::MakeCopy(SkVertices::kTriangleStrip_VertexMode, 4, corners, NULL, of_corners), SkBlendMode::kDst, SkPaint());
   canvas->save();
   SkM44 perspective;
   perspective.setRC(3, 0, 0.008f);
   canvas->translate(345, 268);
   canvas->concat(perspective);
   SkPaint box;
   box.setAntiAlias(true);
   box.setColor(0xffd0a0ff);
   for (int i = 0; i < 4; i++)
      canvas->drawRect(SkRect::MakeXYWH(i * 16, -20 + i * 3, 11, 38 - 6 * i), box);
   canvas->restore();
}

static void draw(SkCanvas *canvas)
{
   canvas->clear(0xff182848);
   gradients(canvas);
   paths(canvas);
   blends(canvas);
   effects(canvas);
}

static const SkImageInfo INFO = SkImageInfo::Make(WIDTH, HEIGHT, kRGBA_8888_SkColorType, kPremul_SkAlphaType, SkColorSpace::MakeSRGB());

static void save(const SkPixmap &pixels, const std::string &path)
{
   SkFILEWStream file(path.c_str());
   require(SkPngEncoder::Encode(&file, pixels, {}), "SkPngEncoder");
}

int main(int argc, char **argv)
{
   if (argc != 2)
      return 2;
   make_current();
   sk_sp<GrDirectContext> context = GrDirectContexts::MakeGL(GrGLInterfaces::MakeGLX());
   require(context != NULL, "Ganesh");
   for (int samples : {1, 4}) {
      sk_sp<SkSurface> surface = SkSurfaces::RenderTarget(context.get(), skgpu::Budgeted::kYes, INFO, samples, NULL);
      require(surface != NULL, "the render target");
      draw(surface->getCanvas());
      std::vector<uint32_t> pixels(WIDTH * HEIGHT);
      require(surface->readPixels(INFO, pixels.data(), WIDTH * 4, 0, 0), "readPixels");
      save(SkPixmap(INFO, pixels.data(), WIDTH * 4), std::string(argv[1]) + "/samples-" + std::to_string(samples) + ".png");
      printf("drawn, samples: %d\n", samples);
   }
   return 0;
}
