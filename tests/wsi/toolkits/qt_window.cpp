/* SPDX-License-Identifier: MIT
 * A window of Qt 6: opened, resized, closed. */
#include "tests/wsi/toolkits/frames.h"

#include <QGuiApplication>
#include <QVulkanInstance>
#include <QWindow>

int main(int argc, char **argv)
{
   QGuiApplication application(argc, argv);
   QVulkanInstance instance;
   if (!instance.create())
      qFatal("QVulkanInstance::create: error %d", instance.errorCode());
   {
      QWindow window;
      window.setSurfaceType(QSurface::VulkanSurface);
      window.setVulkanInstance(&instance);
      window.setFlags(Qt::FramelessWindowHint);
      window.setGeometry(0, 0, frames_steps[0].width, frames_steps[0].height);
      window.show();
      application.processEvents();
      const VkSurfaceKHR surface = QVulkanInstance::surfaceForWindow(&window);
      if (!surface)
         qFatal("QVulkanInstance::surfaceForWindow");

      const auto get_address =
         reinterpret_cast<PFN_vkGetInstanceProcAddr>(instance.getInstanceProcAddr("vkGetInstanceProcAddr"));
      struct frames *frames = frames_create(get_address, instance.vkInstance(), surface);
      for (const struct frames_step &step : frames_steps) {
         window.resize(step.width, step.height);
         while (!frames_show(frames, &step))
            application.processEvents();
      }
      frames_destroy(frames);
   }
   return 0;
}
