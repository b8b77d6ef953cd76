/* SPDX-License-Identifier: MIT
 * What client_child_compare() makes of what its children print. It runs in a child itself, so that its lines can be read. */
#include "tests/client/child.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 2048 };

static const struct client_configuration levels[] = {{"4", "1", NULL}, {"4", "1", "v1"}, {"4", "2", "v9"}}; /* no machine has the last */
static const struct client_configuration lanes[] = {{"4", "1", NULL}, {"8", "1", NULL}, {"4", NULL, "v9"}};

/* What comparing them prints, all lines. True: it ends well. */
static bool compare(const char *configurations, char text[SIZE])
{
   const char *const arguments[] = {"child_test", configurations, NULL};
   const struct client_variable none[] = {{NULL, NULL}};
   struct client_child process = client_child_start(none, arguments);
   text[fread(text, 1, SIZE - 1, process.out)] = '\0';
   return client_child_finish(&process);
}

TEST(a_level_that_is_not_there_is_skipped)
{
   char text[SIZE];
   CHECK(compare("--levels", text));
   CHECK(!strcmp(text, "4 lanes, 2 threads, v9: skipped, the machine has no such level\n2 passed, 0 failed, 1 skipped\n"));
}

TEST(what_differs_has_failed)
{
   char text[SIZE];
   CHECK(!compare("--lanes", text));
   CHECK(strstr(text, "8 lanes, 1 threads, its level: right 8\n") != NULL);
   CHECK(strstr(text, "\n1 passed, 1 failed, 1 skipped\n") != NULL);
}

int main(int argc, char **argv)
{
   const char *argument = argc > 1 ? argv[1] : "";
   if (!strcmp(argument, "--levels"))
      return client_child_compare("child_test", levels, sizeof(levels) / sizeof(levels[0]));
   if (!strcmp(argument, "--lanes"))
      return client_child_compare("child_test", lanes, sizeof(lanes) / sizeof(lanes[0]));
   if (!strcmp(argument, "--child"))
      return printf("right %s\n", getenv("VK_SWRAST_LANES")) < 0;
   return test_run_all(argc, argv);
}
