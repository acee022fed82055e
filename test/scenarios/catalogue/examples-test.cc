// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/examples.h"

#include <filesystem>

#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;
namespace fs = std::filesystem;

namespace {

/// Scenarios as they come with the program.
class Shipped {
  public:
    Shipped() {
        for (const char* name : {"switches", "other", "profiles"}) fs::create_directory(folder_ / name);
        folder_.write("plain.toml", "# A plain one.\n# Run:  watershed run scenarios/plain.toml\n");
        folder_.write("rates.toml", "# Rates.\n[trigger]\nfile = \"profiles/rates.csv\"\n");
        folder_.write("profiles/rates.csv", "time_s,rate_hz\n0,1\n");
        folder_.write("other/one.toml", "# Of another system.\n");
        folder_.write("switches/deep.toml", "# A switch\n");
    }
    std::string path() const { return folder_ / ""; }
    std::vector<Example> all() const { return examples({"/nowhere", path()}); }

  private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("Scenarios are listed with their first lines, those in folders last, and switches are none") {
    const Shipped shipped;
    CHECK(listed(shipped.all(), [](const Example& each) { return each.name + ": " + each.title; }) ==
          "plain: A plain one., rates: Rates., other/one: Of another system.");
}

TEST_CASE("Where no folder is there the error names those that were looked for") {
    CHECK_THROWS_WITH(examples({"/nowhere/a", "/nowhere/b"}),
                      Contains("were not found, expected them in /nowhere/a or /nowhere/b"));
}

TEST_CASE("A scenario that is not there is answered with the one that was likely meant") {
    const Shipped shipped;
    const std::vector<Example> all = shipped.all();
    CHECK(example_named("plain", all).title == "A plain one.");
    CHECK_THROWS_WITH(example_named("plian", all), Contains("found \"plian\"") && Contains("did you mean plain?"));
    CHECK_THROWS_WITH(example_named("one", all), Contains("did you mean other/one?"));
}

TEST_CASE("A copy says how it is run from where it is, and overwrites nothing") {
    const Shipped shipped;
    const TemporaryFolder folder;
    const std::string mine = folder / "mine.toml";
    const std::vector<Example> all = shipped.all();
    CHECK(copy_example(example_named("plain", all), mine) == std::vector<std::string>{mine});
    CHECK(folder.read("mine.toml") == "# A plain one.\n# Run:  watershed run " + mine + "\n");
    CHECK_THROWS_WITH(copy_example(example_named("rates", all), mine), Contains("mine.toml: exists already"));
    CHECK(folder.read("mine.toml").substr(0, 3) == "# A");
}

TEST_CASE("Files that a scenario names are copied beside it, and stay as they are where they are alike") {
    const Shipped shipped;
    const TemporaryFolder folder;
    const Example rates = example_named("rates", shipped.all());
    CHECK(copy_example(rates, folder / "a.toml").size() == 2);
    CHECK(folder.read("profiles/rates.csv") == "time_s,rate_hz\n0,1\n");
    CHECK(copy_example(rates, folder / "b.toml").size() == 2);
    folder.write("profiles/rates.csv", "mine\n");
    CHECK_THROWS_WITH(copy_example(rates, folder / "c.toml"), Contains("rates.csv: exists already"));
    CHECK_FALSE(fs::exists(folder / "c.toml"));
}
