# what: OpenSCAD, a model with differences and its preview, OpenGL by zink
# packages: openscad libgl1-mesa-dri
# pictures: same
# seconds: 600
export MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink LIBGL_ALWAYS_SOFTWARE=1
cat >"$OUT/model.scad" <<'MODEL'
$fn = 48;
difference() {
   cube(20, center = true);
   sphere(13);
   for (angle = [0, 90]) rotate([angle, 0, 0]) cylinder(h = 30, r = 4, center = true);
}
color("tomato") translate([18, 0, 0]) rotate_extrude() translate([6, 0]) circle(2);
color([0, 0.5, 1, 0.4]) translate([0, 0, 16]) linear_extrude(4, twist = 60) square(12, center = true);
MODEL
openscad --preview=throwntogether --imgsize=512,512 --camera=60,50,45,4,0,2 -o "$OUT/thrown.png" "$OUT/model.scad" >"$OUT/thrown.log" 2>&1
openscad --preview --imgsize=512,512 --camera=60,50,45,4,0,2 -o "$OUT/preview.png" "$OUT/model.scad" >"$OUT/preview.log" 2>&1
