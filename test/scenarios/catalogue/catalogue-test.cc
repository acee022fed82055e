// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/catalogue.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "model/exact/exact-engine.h"
#include "model/exact/n-plus-1.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;
namespace fs = std::filesystem;

namespace {

std::string source_folder() { return std::getenv("WATERSHED_SOURCE"); }

/// A scenario and a switch beside it.
class Scratch {
  public:
    Scratch(const std::string& scenario, const std::string& model)
        : scenario_(folder_.write("scenario.toml", scenario)) {
        fs::create_directory(folder_ / "switches");
        folder_.write("switches/one.toml", model);
    }
    const std::string& scenario() const { return scenario_; }

  private:
    TemporaryFolder folder_;
    std::string scenario_;
};

const std::string kTrigger = "[trigger]\nevents = 1\nseparation = \"0 us\"\n";

Scenario read(const std::string& scenario, const std::string& model, const std::vector<std::string>& overrides = {}) {
    return read_scenario(Scratch(scenario + kTrigger, model).scenario(), overrides);
}

}  // namespace

TEST_CASE("Every switch of the catalogue gives its values with source and standing, and there are at least 25") {
    const auto all = read_catalogue(source_folder() + "/scenarios");
    CHECK(all.size() >= 25);
    for (const CatalogueSwitch& entry : all) {
        INFO(entry.file);
        CHECK_FALSE(entry.name.empty());
        CHECK_FALSE(entry.ports.empty());
        CHECK(entry.find("switch.buffer.size"));
        CHECK(entry.find("switch.buffer.sharing"));
        for (const auto& value : entry.values) {
            INFO(value.key);
            CHECK((!value.value || (!value.source.empty() && !value.standing.empty())));
        }
    }
}

TEST_CASE("At least 12 switches have a memory as their configuration says") {
    int configured = 0;
    for (const CatalogueSwitch& entry : read_catalogue(source_folder() + "/scenarios")) {
        const auto* size = entry.find("switch.buffer.size");
        const auto* alpha = entry.find("switch.buffer.alpha");
        if (size && alpha && size->standing == "from configuration" && alpha->standing == "from configuration")
            ++configured;
    }
    CHECK(configured >= 12);
}

TEST_CASE("Every switch of the catalogue runs, or says which value is unknown") {
    int runs = 0;
    for (const CatalogueSwitch& entry : read_catalogue(source_folder() + "/scenarios")) {
        INFO(entry.file);
        const Scratch scratch("[front_end]\nmodules = 2\n[switch]\nmodel = \"" + entry.file + "\"\n" + kTrigger, "");
        // Speeds that it has: inputs of that of most ports, the uplink of the highest.
        const auto most = std::max_element(entry.ports.begin(), entry.ports.end(),
                                           [](const auto& a, const auto& b) { return a.count < b.count; });
        const std::vector<std::string> speeds{"front_end.link_rate=" + to_text(most->speed),
                                              "switch.uplink_rate=" + to_text(entry.ports.back().speed)};
        try {
            const std::int64_t lost = ExactEngine().run(read_scenario(scratch.scenario(), speeds)).frames_lost();
            CHECK(lost == 0);
            ++runs;
        } catch (const InputError& error) {
            CHECK_THAT(error.what(), Contains("unknown for switch.model"));
        }
    }
    CHECK(runs >= 25);
}

TEST_CASE("The five switches of a published N+1 test lose what was measured") {
    // Miercom report 100827: longest lossless burst and drops when it is one longer, for 64, 256, 1024 and 1518 B.
    struct Measured {
        const char* id;
        std::int64_t lossless[4];
        std::int64_t drops[4];
    };
    const Measured switches[] = {{"cisco-2960", {525, 267, 107, 76}, {1, 1, 1, 1}},
                                 {"cisco-3750x", {441, 220, 87, 62}, {1, 1, 1, 1}},
                                 {"dell-6248", {98, 92, 91, 64}, {45, 45, 46, 3}},
                                 {"hp-e5500g", {255, 252, 251, 251}, {126, 126, 126, 126}},
                                 {"nortel-4548gt", {309, 304, 115, 76}, {76, 77, 117, 79}}};
    ExactEngine engine;
    for (const Measured& measured : switches) {
        const std::string speed = measured.id == std::string("cisco-2960") ? "100 Mb/s" : "1 Gb/s";  // Fast Ethernet
        const std::vector<std::string> keys{std::string("switch.model=") + measured.id, "front_end.link_rate=" + speed,
                                            "switch.uplink_rate=" + speed};
        Scenario scenario =
            read_scenario(Scope::line_rate_plus_burst(), source_folder() + "/scenarios/n-plus-1.toml", keys);
        const std::int64_t sizes[] = {64, 256, 1024, 1518};
        for (int i = 0; i < 4; ++i) {
            INFO(measured.id << ", " << sizes[i] << " B");
            scenario.frame.payload = Bytes{sizes[i]} - kHeadersAndFcs;
            const NPlusOne found = find_n_plus_one(engine, scenario, 100'000);
            REQUIRE(found.lossless);
            CHECK(100 * std::abs(*found.lossless - measured.lossless[i]) <=
                  std::max<std::int64_t>(200, 3 * measured.lossless[i]));
            CHECK(10 * std::abs(found.drops - measured.drops[i]) <= std::max<std::int64_t>(20, measured.drops[i]));
        }
    }
}

TEST_CASE("The scenario has the last word over its switch model, and --set over both") {
    const std::string model =
        "[switch.buffer]\nsharing = \"dynamic-threshold\"\nalpha = 2\ncell = { value = \"208 B\", standing = \"read\", "
        "source = \"a book\" }\nsize = \"9 MB\"\n";
    const Scenario plain = read("[switch]\nmodel = \"one\"\n", model);
    CHECK(plain.network_switch.buffer.alpha == Ratio{2, 1});
    CHECK(plain.network_switch.buffer.cell == Bytes{208});
    const Scenario own =
        read("[switch]\nmodel = \"one\"\n[switch.buffer]\nsharing = \"shared\"\nsize = \"100 frames\"\n", model);
    CHECK(own.network_switch.buffer.size == MemorySize{100, MemorySize::Unit::Frame});
    CHECK(own.network_switch.buffer.cell == Bytes{0});  // no cells in a memory of frames
    CHECK(read("[switch]\nmodel = \"one\"\n", model, {"switch.buffer.alpha=8"}).network_switch.buffer.alpha ==
          Ratio{8, 1});
}

TEST_CASE("A run that needs an unknown value says so, and one that is given it runs") {
    const std::string model =
        "[switch.buffer]\nsharing = \"dynamic-threshold\"\nalpha = \"unknown\"\nsize = \"9 MB\"\n";
    CHECK_THROWS_WITH(
        read("[switch]\nmodel = \"one\"\n", model),
        Contains("switch.buffer.alpha: unknown for switch.model \"one\", expected a value in the scenario"));
    CHECK(read("[switch]\nmodel = \"one\"\n[switch.buffer]\nalpha = \"1/2\"\n", model).network_switch.buffer.alpha ==
          Ratio{1, 2});
    CHECK_THROWS_WITH(read("[switch]\nmodel = \"two\"\n", model),
                      Contains("switch.model: found \"two\", expected a switch that `watershed switches` lists"));
}

TEST_CASE("What is wrong in a switch file is named by its line") {
    CHECK_THROWS_WITH(
        read("[switch]\nmodel = \"one\"\n", "[switch.buffer]\nsize = { value = \"9 MB\", standing = \"guessed\" }\n"),
        Contains("one.toml:2") && Contains("standing: found \"guessed\""));
    CHECK_THROWS_WITH(read("[switch]\nmodel = \"one\"\n", "[switch.buffer]\nsize = \"9 lumps\"\n"),
                      Contains("one.toml:2: switch.buffer.size: found \"9 lumps\""));
    CHECK_THROWS_WITH(read("[switch]\nmodel = \"one\"\n", "[switch.buffer]\ndepth = \"9 MB\"\n"),
                      Contains("one.toml:2: switch.buffer.depth: unknown key"));
    CHECK_THROWS_WITH(read("[switch]\nmodel = \"one\"\nuplink_rate = \"1 Gb/s\"\n[front_end]\nmodules = 30\n",
                           "[ports]\n\"1 Gb/s\" = 24\n[switch.buffer]\nsize = \"9 MB\"\n"),
                      Contains("front_end.modules: found 30 beside 1 uplinks, expected no more than the 24 ports of 1 "
                               "Gb/s of switch.model"));
}
