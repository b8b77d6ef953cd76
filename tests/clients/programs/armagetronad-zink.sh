# what: Armagetron Advanced, OpenGL's display lists and fixed functions, on zink
# packages: armagetronad libgl1-mesa-dri
# pictures: alike
# seconds: 600
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy HOME=$OUT
shown menu 6 /usr/games/armagetronad -window
