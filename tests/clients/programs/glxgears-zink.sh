# what: glxgears on zink
# packages: mesa-utils libgl1-mesa-dri
# pictures: alike
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
shown gears 4 glxgears
