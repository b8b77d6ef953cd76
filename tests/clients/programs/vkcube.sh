# what: vkcube of the Vulkan tools
# packages: vulkan-tools
# pictures: alike
shown cube 2 vkcube --suppress_popups
