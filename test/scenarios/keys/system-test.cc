// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/system.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Every system is found by its name, and neither the camera nor an unknown name is one") {
    for (const System& system : all_systems()) CHECK(find_system(system.name) == &system);
    CHECK(find_system("camera") == nullptr);
    CHECK(find_system("") == nullptr);
}
