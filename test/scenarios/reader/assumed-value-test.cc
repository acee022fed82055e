// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/assumed-value.h"

#include <filesystem>
#include <fstream>

#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A scenario of a switch of which little is known.
struct LittleKnown {
    std::filesystem::path folder = std::filesystem::temp_directory_path() / "watershed-assumed-value-test";

    LittleKnown() {
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "box.toml") << "name = \"Box\"\n[switch]\nlatency = "
                                              "\"unknown\"\n[switch.buffer]\nsharing = \"shared\"\nsize = \"1 MB\"\n"
                                              "cell = \"unknown\"\nalpha = \"unknown\"\n";
        std::ofstream(folder / "scenario.toml")
            << "[trigger]\npattern = \"burst\"\nseparation = \"20 us\"\nevents = 1\n[switch]\nmodel = \"box.toml\"\n";
    }
    ~LittleKnown() { std::filesystem::remove_all(folder); }

    void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }

    std::string assumed(const std::vector<std::string>& overrides,
                        const std::string& scenario = "scenario.toml") const {
        std::vector<AssumedValue> values;
        read_scenario((folder / scenario).string(), overrides, &values);
        return comment(values);
    }
};

}  // namespace

TEST_CASE("What is unknown of a switch, and has a use, is assumed and told") {
    const LittleKnown box;
    CHECK(box.assumed({}) ==
          "# assumed: switch.buffer.cell = none, unknown for box.toml\n# assumed: switch.latency = 0 us, unknown for "
          "box.toml\n");
}

TEST_CASE("What the scenario gives is not assumed, nor what would have no use") {
    const LittleKnown box;
    CHECK(box.assumed({"switch.latency=0 us", "switch.buffer.cell=208 B"}).empty());
    CHECK_THAT(box.assumed({"switch.latency=3 us", "switch.buffer.size=100 frames"}),
               !Contains("assumed"));  // frames take no cells
}

TEST_CASE("A value of the switch model that the scenario overrides is told, and one that it repeats is not") {
    const LittleKnown box;
    CHECK_THAT(box.assumed({"switch.buffer.size=2 MB"}),
               Contains("# overridden: switch.buffer.size = 1 MB of box.toml, by 2 MB of --set\n"));
    CHECK_THAT(box.assumed({"switch.buffer.size=1 MB"}), !Contains("overridden"));
    CHECK_THAT(box.assumed({"switch.buffer.size=2 MB", "switch.buffer.size=1 MB"}),
               !Contains("overridden"));                                     // the last one counts
    CHECK_THAT(box.assumed({"switch.uplinks=2"}), !Contains("overridden"));  // of which the model says nothing
}

TEST_CASE(
    "A model that is put into a scenario with a memory of its own does not bring its memory, and the scenario's is "
    "named") {
    const LittleKnown box;
    box.write("own.toml",
              "[trigger]\npattern = \"burst\"\nseparation = \"20 us\"\nevents = 1\n[switch.buffer]\nsharing = "
              "\"per-input\"\nsize = \"46 frames\"\n");
    const std::string file = (box.folder / "own.toml").string();
    CHECK(box.assumed({"switch.model=box.toml", "switch.latency=1 us"}, "own.toml") ==
          "# overridden: switch.buffer.sharing = shared of box.toml, by per-input of " + file + "\n" +
              "# overridden: switch.buffer.size = 1 MB of box.toml, by 46 frames of " + file + "\n");
}

TEST_CASE("What a node or a second tier overrides is told of it alone") {
    const LittleKnown box;
    box.write("nodes.toml",
              "[front_end]\nmodules = 2\n[trigger]\npattern = \"burst\"\nseparation = \"20 us\"\nevents = "
              "1\n[switch]\nlatency = \"1 us\"\n"
              "[switch.buffer]\nsharing = \"shared\"\nsize = \"3 MB\"\ncell = \"208 B\"\n"
              "[node.a]\nmodules = 1\nmodel = \"box.toml\"\n[node.b]\nmodules = 1\nmodel = \"box.toml\"\nbuffer.size = "
              "\"4 MB\"\n");
    CHECK(box.assumed({}, "nodes.toml") == "# overridden: node.b.buffer.size = 1 MB of box.toml, by 4 MB of " +
                                               (box.folder / "nodes.toml").string() + "\n");
    CHECK_THAT(box.assumed({"aggregation.model=box.toml", "aggregation.buffer.size=5 MB"}),
               Contains("# overridden: aggregation.buffer.size = 1 MB of box.toml, by 5 MB of --set\n"));
}

TEST_CASE("A run that needs what is unknown is refused") {
    const LittleKnown box;
    CHECK_THROWS_AS(box.assumed({"switch.buffer.sharing=dynamic-threshold"}), InputError);
    CHECK(must_be_known("switch.buffer.size", {}));
    CHECK(!must_be_known("switch.latency", {}));
    CHECK(!must_be_known("switch.buffer.dram_rate", {}));
    Switch deep;
    deep.buffer.dram = MemorySize{1, MemorySize::Unit::Frame};
    CHECK(must_be_known("switch.buffer.dram_rate", deep));
    CHECK(must_be_known("switch.buffer.dram_from", deep));
}
