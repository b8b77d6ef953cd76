/* SPDX-License-Identifier: MIT
 * Standard sample locations. */
#include "runtime/draw/samples.h"

static const uint8_t locations_1[1][2] = {{8, 8}};
static const uint8_t locations_2[2][2] = {{12, 12}, {4, 4}};
static const uint8_t locations_4[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
static const uint8_t locations_8[8][2] = {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}};
static const uint8_t locations_16[16][2] = {{9, 9},  {7, 5}, {5, 10}, {12, 7}, {3, 6}, {10, 13}, {13, 11}, {11, 3},
                                            {6, 14}, {8, 1}, {4, 2},  {2, 12}, {0, 8}, {15, 4},  {14, 15}, {1, 0}};

const uint8_t (*rt_sample_locations(uint32_t samples))[2]
{
   switch (samples) {
   case 2:
      return locations_2;
   case 4:
      return locations_4;
   case 8:
      return locations_8;
   case 16:
      return locations_16;
   default:
      return locations_1;
   }
}
