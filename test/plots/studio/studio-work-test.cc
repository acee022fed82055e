// SPDX-License-Identifier: GPL-2.0-only
#include "plots/studio/studio-work.h"

#include <filesystem>

#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

// A trigger costs 2 and each of its 28 frames 0.01 where they are counted, 0.1 where they are followed: see
// cost_of_event().
TEST_CASE("The work of a request is known by its triggers before it begins") {
    const TemporaryFolder folder;
    const auto scenario = [&](const std::string& trigger) {
        folder.write("scenario.toml",
                     "[frame]\npayload = '1024 B'\n[front_end]\nmodules = 28\nlink_rate = '1 Gb/s'\n[trigger]\n" +
                         trigger +
                         "\n[switch]\nuplinks = 1\nuplink_rate = '10 Gb/s'\n[switch.buffer]\nsharing = 'shared'\n"
                         "size = '46 frames'\n");
    };
    scenario("pattern = 'burst'\nseparation = '8.72 us'\nevents = 100");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder / "");
    const double of_event = frames_to_follow({"run", "scenario.toml"}) / 100;
    CHECK(of_event == Approx(2.28));
    CHECK(frames_to_follow({"run", "scenario.toml", "--set=trigger.events=10000000000"}) == Approx(1e10 * of_event));
    CHECK(frames_to_follow({"map", "scenario.toml", "--events=1:1000:10:log", "--separation=9us:20us:7"}) ==
          Approx(7 * 1000 * of_event));
    CHECK(frames_to_follow({"risk", "scenario.toml", "--events=1000"}) == Approx(1000 * of_event));
    CHECK(frames_to_follow({"bound", "scenario.toml"}) == 0);
    scenario("pattern = 'poisson'\nrate = '1 kHz'\nduration = '10 s'");
    CHECK(frames_to_follow({"run", "scenario.toml"}) == Approx(10'000 * of_event));
    std::filesystem::current_path(before);
}
