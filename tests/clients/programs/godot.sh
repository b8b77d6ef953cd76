# what: Godot 4, a 3D scene by the Forward+ and the Mobile renderer
# packages: godot
# pictures: same
# seconds: 900
mkdir -p "$OUT/project"
cat >"$OUT/project/project.godot" <<'END'
config_version=5
[application]
run/main_scene="res://main.tscn"
[display]
window/size/viewport_width=480
window/size/viewport_height=320
[rendering]
environment/defaults/default_clear_color=Color(0.1, 0.12, 0.2, 1)
END
cat >"$OUT/project/main.tscn" <<'END'
[gd_scene load_steps=2 format=3]
[ext_resource type="Script" path="res://main.gd" id="1"]
[node name="Main" type="Node3D"]
script = ExtResource("1")
END
cat >"$OUT/project/main.gd" <<'END'
extends Node3D
func _ready():
	var camera = Camera3D.new()
	camera.position = Vector3(0, 1.6, 4)
	camera.rotation_degrees = Vector3(-15, 0, 0)
	add_child(camera)
	var light = DirectionalLight3D.new()
	light.rotation_degrees = Vector3(-50, 30, 0)
	light.shadow_enabled = true
	add_child(light)
	var ground = MeshInstance3D.new()
	ground.mesh = PlaneMesh.new()
	ground.mesh.size = Vector2(8, 8)
	add_child(ground)
	for i in 3:
		var ball = MeshInstance3D.new()
		ball.mesh = SphereMesh.new()
		ball.position = Vector3(i * 1.4 - 1.4, 0.6, 0)
		var material = StandardMaterial3D.new()
		material.albedo_color = Color(0.9, 0.3 * i + 0.1, 0.2)
		material.metallic = 0.4 * i
		material.roughness = 0.3
		ball.material_override = material
		add_child(ball)
	for i in 12:
		await RenderingServer.frame_post_draw
	get_viewport().get_texture().get_image().save_png(OS.get_environment("PICTURE"))
	get_tree().quit()
END
for method in forward_plus mobile; do
	PICTURE=$OUT/$method.png timeout 400 godot --path "$OUT/project" --rendering-method $method --rendering-driver vulkan --audio-driver Dummy >"$OUT/$method.log" 2>&1
	[ -s "$OUT/$method.png" ]
done
verdict "both renderers draw"
