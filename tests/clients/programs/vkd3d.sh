# what: Direct3D 12 by vkd3d: its demos
# packages: vkd3d-demos
# pictures: alike
for each in triangle teapot gears; do shown $each 5 vkd3d-$each; done
verdict "3 demos draw"
