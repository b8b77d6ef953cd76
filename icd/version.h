/* SPDX-License-Identifier: MIT
 * The version of Vulkan that a device has: the one definition. The build reads it too, for the loader's manifest. */
#pragma once

/* Of the highest version 1.x whose mandatory parts all work. */
#define ICD_DEVICE_MINOR 4
