// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/assumed-value.h"

#include "test/catch.h"

#include <filesystem>
#include <fstream>

#include "scenarios/input-error.h"
#include "scenarios/reader.h"

using namespace watershed;

namespace {

/// A scenario of a switch of which little is known.
struct LittleKnown {
    std::filesystem::path folder = std::filesystem::temp_directory_path() / "watershed-assumed-value-test";

    LittleKnown() {
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "box.toml") << "name = \"Box\"\n[switch]\nlatency = \"unknown\"\n[switch.buffer]\nsharing = \"shared\"\nsize = \"1 MB\"\n"
                                              "cell = \"unknown\"\nalpha = \"unknown\"\n";
        std::ofstream(folder / "scenario.toml") << "[trigger]\npattern = \"burst\"\nseparation = \"20 us\"\nevents = 1\n[switch]\nmodel = \"box.toml\"\n";
    }
    ~LittleKnown() { std::filesystem::remove_all(folder); }

    std::string assumed(const std::vector<std::string>& overrides) const {
        std::vector<AssumedValue> values;
        read_scenario((folder / "scenario.toml").string(), overrides, &values);
        return comment(values);
    }
};

}  // namespace

TEST_CASE("What is unknown of a switch, and has a use, is assumed and told") {
    const LittleKnown box;
    CHECK(box.assumed({}) == "# assumed: switch.buffer.cell = none, unknown for box.toml\n# assumed: switch.latency = 0 us, unknown for box.toml\n");
}

TEST_CASE("What the scenario gives is not assumed, nor what would have no use") {
    const LittleKnown box;
    CHECK(box.assumed({"switch.latency=0 us", "switch.buffer.cell=208 B"}).empty());
    CHECK(box.assumed({"switch.latency=3 us", "switch.buffer.size=100 frames"}).empty());   // frames take no cells
}

TEST_CASE("A run that needs what is unknown is refused") {
    const LittleKnown box;
    CHECK_THROWS_AS(box.assumed({"switch.buffer.sharing=dynamic-threshold"}), InputError);
    CHECK(must_be_known("switch.buffer.size", {}));
    CHECK(!must_be_known("switch.latency", {}));
}
