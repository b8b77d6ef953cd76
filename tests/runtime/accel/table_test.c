/* SPDX-License-Identifier: MIT
 * The table of structures' addresses. */
#include "runtime/accel/table.h"
#include "tests/test.h"

TEST(many)
{
   struct rt_accel_table *table = rt_accel_table_create();
   for (uint64_t i = 1; i <= 5000; i++)
      CHECK(rt_accel_table_add(table, i * 256, i));
   for (uint64_t i = 1; i <= 5000; i += 2)
      rt_accel_table_remove(table, i * 256);
   for (uint64_t i = 1; i <= 5000; i++)
      CHECK_EQ(rt_accel_table_find(table, i * 256), i % 2 ? 0 : i);
   for (uint64_t i = 5001; i <= 7500; i++)
      CHECK(rt_accel_table_add(table, i * 256, i));
   for (uint64_t i = 5001; i <= 7500; i++)
      CHECK_EQ(rt_accel_table_find(table, i * 256), i);
   CHECK_EQ(rt_accel_table_find(table, 255), 0);
   CHECK_EQ(rt_accel_table_find(table, 0), 0);
   CHECK_EQ(rt_accel_table_find(NULL, 256), 0);
   rt_accel_table_destroy(table);
}

TEST(twice)
{
   struct rt_accel_table *table = rt_accel_table_create();
   CHECK(rt_accel_table_add(table, 512, 10) && rt_accel_table_add(table, 512, 20));
   rt_accel_table_remove(table, 512);
   CHECK_EQ(rt_accel_table_find(table, 512), 20);
   rt_accel_table_remove(table, 512);
   CHECK_EQ(rt_accel_table_find(table, 512), 0);
   rt_accel_table_remove(table, 512);
   rt_accel_table_destroy(table);
}

TEST_MAIN
