// SPDX-License-Identifier: GPL-2.0-only
#define CATCH_CONFIG_RUNNER
#include "test/catch.h"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
