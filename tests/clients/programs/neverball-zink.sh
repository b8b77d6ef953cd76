# what: Neverball, OpenGL of the old school, on zink
# packages: neverball libgl1-mesa-dri
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy
shown menu 12 /usr/games/neverball # the menu is before a flight over a level: no picture is like another
