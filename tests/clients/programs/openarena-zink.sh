# what: OpenArena (Quake III's engine), a level seen from where one starts, OpenGL on zink
# packages: openarena libgl1-mesa-dri
# pictures: alike
# seconds: 400
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy
shown level $((40 * PATIENCE)) /usr/games/openarena +set r_fullscreen 0 +set r_mode 3 +set cl_renderer opengl2 +set com_introplayed 1 +set g_gametype 0 +set bot_enable 0 +devmap oa_dm1
