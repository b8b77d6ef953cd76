# SPDX-License-Identifier: MIT
# For vtk-zink.sh: FOLDER SCENE draws one of the functions below into FOLDER/SCENE.png.
import os
import sys

import vtk


def actor(source, colour, **properties):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    made = vtk.vtkActor()
    made.SetMapper(mapper)
    made.GetProperty().SetColor(*colour)
    for name, value in properties.items():
        getattr(made.GetProperty(), 'Set' + name)(value)
    return made


def sphere(x, y, z, radius=0.5):
    made = vtk.vtkSphereSource()
    made.SetCenter(x, y, z)
    made.SetRadius(radius)
    made.SetThetaResolution(32)
    made.SetPhiResolution(24)
    return made


def volume(renderer):
    wavelet = vtk.vtkRTAnalyticSource()
    wavelet.SetWholeExtent(-16, 16, -16, 16, -16, 16)
    mapper = vtk.vtkGPUVolumeRayCastMapper()
    mapper.SetInputConnection(wavelet.GetOutputPort())
    colours, opacity = vtk.vtkColorTransferFunction(), vtk.vtkPiecewiseFunction()
    for value, rgb, alpha in ((40, (0, 0, 0.4), 0), (120, (0.2, 0.6, 0.9), 0.02), (200, (1, 0.8, 0.2), 0.15), (270, (1, 0.2, 0.1), 0.6)):
        colours.AddRGBPoint(value, *rgb)
        opacity.AddPoint(value, alpha)
    made = vtk.vtkVolume()
    made.SetMapper(mapper)
    made.GetProperty().SetColor(colours)
    made.GetProperty().SetScalarOpacity(opacity)
    made.GetProperty().ShadeOn()
    made.GetProperty().SetInterpolationTypeToLinear()
    renderer.AddVolume(made)


def translucent(renderer):
    renderer.UseDepthPeelingOn()
    renderer.SetMaximumNumberOfPeels(6)
    renderer.SetOcclusionRatio(0)
    for i in range(5):
        renderer.AddActor(actor(sphere(i * 0.5, 0.2 * (i % 2), 0.3 * i), (0.2 * i, 0.5, 1 - 0.2 * i), Opacity=0.45))
    around, lines = sphere(1, 0, 0.6, 1.4), vtk.vtkOutlineFilter()
    lines.SetInputConnection(around.GetOutputPort())
    tubes = vtk.vtkTubeFilter()
    tubes.SetInputConnection(lines.GetOutputPort())
    tubes.SetRadius(0.03)
    tubes.SetNumberOfSides(8)
    renderer.AddActor(actor(tubes, (1, 1, 1)))


def materials(renderer):
    for i in range(4):
        made = actor(sphere(i * 1.1, 0, 0), (0.9, 0.6, 0.3), Metallic=i / 3, Roughness=0.2 + 0.2 * i)
        made.GetProperty().SetInterpolationToPBR()
        renderer.AddActor(made)
    light = vtk.vtkLight()
    light.SetPosition(2, 4, 4)
    light.SetFocalPoint(1.6, 0, 0)
    renderer.AddLight(light)
    text = vtk.vtkTextActor()
    text.SetInput('VTK on zink')
    text.GetTextProperty().SetFontSize(22)
    text.SetPosition(12, 10)
    renderer.AddViewProp(text)
    renderer.UseFXAAOn()


def occluded(renderer):
    renderer.UseSSAOOn()
    renderer.SetSSAORadius(0.6)
    renderer.SetSSAOBias(0.01)
    renderer.SetSSAOKernelSize(32)
    plane = vtk.vtkPlaneSource()
    plane.SetOrigin(-3, -0.5, -3)
    plane.SetPoint1(3, -0.5, -3)
    plane.SetPoint2(-3, -0.5, 3)
    renderer.AddActor(actor(plane, (0.8, 0.8, 0.8)))
    cube = vtk.vtkCubeSource()
    renderer.AddActor(actor(cube, (0.4, 0.7, 0.9), EdgeVisibility=True, LineWidth=2))
    renderer.AddActor(actor(sphere(1, 0, 0.4), (0.9, 0.4, 0.4)))


def draw(scene, path):
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(0.1, 0.12, 0.18)
    scene(renderer)
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0 if scene is translucent else 4)
    window.SetSize(320, 240)
    window.AddRenderer(renderer)
    renderer.ResetCamera()
    renderer.GetActiveCamera().Azimuth(25)
    renderer.GetActiveCamera().Elevation(20)
    renderer.ResetCameraClippingRange()
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(path)
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()
    print('\n'.join(line for line in window.ReportCapabilities().splitlines() if 'OpenGL' in line))
    print('drawn', scene.__name__, flush=True)
    os._exit(0)  # VTK does not outlive its window


draw(globals()[sys.argv[2]], f'{sys.argv[1]}/{sys.argv[2]}.png')
