// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/text-line.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A line of a report ends without blanks, and keeps those before its words and its newlines") {
    CHECK(text_line("  %-6s%3d  %s\n", "lost", 7, "") == "  lost    7\n");
    CHECK(text_line("  %-6s%3d  %s\n", "lost", 7, "full") == "  lost    7  full\n");
    CHECK(text_line("\n  %s", "link") == "\n  link");
    CHECK(text_line("%s\n", "") == "\n");
    CHECK(text_line("%s", "") == "");
}
