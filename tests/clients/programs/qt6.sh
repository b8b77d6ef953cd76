# what: Qt Quick on Vulkan
# packages: qml-qt6 qml6-module-qtquick qml6-module-qtquick-window
# pictures: same
cat >"$OUT/scene.qml" <<'QML'
import QtQuick
import QtQuick.Window
Window {
    width: 400; height: 300; visible: true; color: "#203040"
    Rectangle { x: 20; y: 20; width: 160; height: 120; radius: 24; rotation: 12; gradient: Gradient { GradientStop { position: 0; color: "orange" } GradientStop { position: 1; color: "purple" } } }
    Text { x: 200; y: 60; text: "Vulkan"; color: "white"; font.pixelSize: 40; font.family: "DejaVu Sans" }
    Rectangle { x: 120; y: 150; width: 200; height: 100; color: "#80ff4020"; border.width: 6; border.color: "white" }
}
QML
export QSG_RHI_BACKEND=vulkan QT_QPA_PLATFORM=xcb QSG_INFO=1
shown quick 8 /usr/lib/qt6/bin/qml "$OUT/scene.qml"
grep -qi 'vulkan' "$OUT/quick.log"
