# what: GTK 4 drawing on Vulkan
# packages: gtk-4-examples
# pictures: alike
export GSK_RENDERER=vulkan GTK_A11Y=none GDK_BACKEND=x11 GSETTINGS_BACKEND=memory
shown widgets 8 gtk4-widget-factory
