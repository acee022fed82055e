// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/reader.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

TEST_CASE("A scenario's values do not depend on comments, order or the way tables are written") {
    const TemporaryFolder folder;
    const std::string expected =
        "front_end.modules = 3\nfront_end.skew = [ \"1 ns\", \"2 ns\" ]\nswitch.buffer.size = \"46 frames\"\n";
    CHECK(scenario_values(
              folder.write(
                  "a.toml",
                  "[switch.buffer]\nsize = \"46 frames\"\n[front_end]\nmodules = 3\nskew = [\"1 ns\", \"2 ns\"]\n"),
              {}) == expected);
    CHECK(scenario_values(
              folder.write(
                  "b.toml",
                  "# a remark\nswitch = { buffer.size = '46 frames' }\nfront_end.skew = [\n  '1 ns',\n  '2 ns' ]\n"
                  "front_end.modules = 0x3 # few\n[trigger]\nevents = 5\n"),
              {}, "trigger") == expected);
}

TEST_CASE("An override wins over the file, quoted or not") {
    const TemporaryFolder folder;
    const std::string file = folder.write("a.toml", "[switch]\nuplinks = 1\n[switch.buffer]\nsize = \"46 frames\"\n");
    CHECK(scenario_values(file, {"switch.uplinks=2", "switch.buffer.size=300 frames"}) ==
          "switch.buffer.size = \"300 frames\"\nswitch.uplinks = 2\n");
    CHECK(scenario_values(file, {"switch.buffer.size=\"300 frames\""}) ==
          "switch.buffer.size = \"300 frames\"\nswitch.uplinks = 1\n");
}

TEST_CASE("The values of a switch that is named belong to the scenario") {
    const TemporaryFolder folder;
    folder.write("mine.toml",
                 "name = \"mine\"\n[switch]\nlatency = \"unknown\"\n[switch.buffer]\nsize = { value = \"46 frames\", "
                 "source = \"s\", standing = \"read\" }\n");
    const std::string file = folder.write("a.toml", "[switch]\nmodel = \"mine.toml\"\n");
    const std::string values = scenario_values(file, {});
    CHECK(values == "switch.model = \"mine.toml\"\n  switch.buffer.size = \"46 frames\"\n  switch.latency = unknown\n");
    CHECK(scenario_values(folder.write("b.toml", ""), {"switch.model=mine.toml"}) == values);
}
