# what: Qt Quick 3D's examples on Vulkan: principled materials, shadows, reflections, order-independent transparency, volumes, morphing, particles
# packages: qt6-quick3d-examples qml6-module-qtquick3d qml6-module-qtquick3d-helpers qml6-module-qtquick3d-effects qml6-module-qtquick3d-particles3d qml6-module-qtquick3d-assetutils qml6-module-qtquick-controls qml6-module-qtquick-layouts qml6-module-qtquick-window qml6-module-qtquick-dialogs qml6-module-qtquick-timeline qml6-module-qt-labs-platform
# pictures: alike
# seconds: 900
export QSG_RHI_BACKEND=vulkan QT_QPA_PLATFORM=xcb QSG_INFO=1
examples=/usr/lib/x86_64-linux-gnu/qt6/examples/quick3d
number=0
for each in principledmaterial cascadedshadowmaps reflectionprobes screenspacereflections orderindependenttransparency/oit3d volumeraycaster custommaterial \
	morphing skinning instancing extensions/stenciloutline3d particles3d; do
	name=${each##*/}
	folder=${each%/oit3d}
	shown "$name" $((5 * PATIENCE)) "$examples/$folder/bin/$name"
	grep -qi vulkan "$OUT/$name.log"
	number=$((number + 1))
done
verdict "$number examples draw"
