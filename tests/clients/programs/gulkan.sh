# what: gulkan's cube
# packages: libgulkan-utils
# pictures: alike
shown cube 2 gulkan-cube
