// SPDX-License-Identifier: GPL-2.0-only
#include <CLI/CLI.hpp>
#include <algorithm>

#include "plots/commands/commands.h"
#include "plots/commands/figure-kinds.h"
#include "scenarios/keys/system.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

void plot(std::vector<std::string> arguments) {
    CLI::App app;
    add_plot_command(app);
    arguments.insert(arguments.begin(), "plot");
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(arguments);
}

std::string help(const std::string& kind = "") {
    CLI::App app;
    add_plot_command(app);
    const CLI::App* command = app.get_subcommand("plot");
    return kind.empty() ? command->help() : command->get_subcommand(kind)->help();
}

const std::string kBoundary = "separation_us,events_lossless\n8.72,9058\n20,14620\n30,32092\n40,\n";

}  // namespace

TEST_CASE("plot draws the kind of figure that it is told") {
    const TemporaryFolder folder;
    plot({"watershed", folder.write("s60.csv", kBoundary), "--label", "S60", "--log", "-o", folder / "figure.svg"});
    CHECK_THAT(folder.read("figure.gp"), Contains("title 'S60'") && Contains("set logscale y"));
    plot({"occupancy", "-o", folder / "o.svg", "--capacity", "47 frames", "--first-loss", "10 us",
          folder.write("o.csv", "time_us,frames,bytes\n1,2,3\n9,0,0\n")});
    CHECK_THAT(folder.read("o.gp"), Contains("capacity 47 frames") && Contains("first loss 10 µs"));
}

TEST_CASE("A kind that does not exist, or none, is answered with the kinds there are") {
    std::string names;
    for (const FigureKind& kind : figure_kinds()) names += (names.empty() ? "" : ", ") + kind.name;
    CHECK_THAT(names, StartsWith("watershed, comparison, "));
    CHECK_THROWS_WITH(plot({"histogram", "a.csv", "-o", "b.svg"}),
                      Contains("KIND: found \"histogram\", expected one of " + names));
    CHECK_THROWS_WITH(plot({}), Contains("expected one of " + names));
}

TEST_CASE("A kind needs inputs and an output, and options of another kind are refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(plot({"polygon", "-o", folder / "p.svg"}), CLI::ParseError);
    CHECK_THROWS_AS(plot({"polygon", "fit.json"}), CLI::ParseError);
    CHECK_THROWS_AS(plot({"polygon", "fit.json", "-o", folder / "p.svg", "--capacity", "47 frames"}), CLI::ParseError);
    CHECK_THROWS_AS(plot({"polygon", folder / "missing.json", "-o", folder / "p.svg"}), InputError);
    const std::string steps = folder.write("o.csv", "time_us,frames,bytes\n1,2,3\n");
    CHECK_THROWS_WITH(plot({"occupancy", steps, "-o", folder / "o.svg", "--capacity", "47"}), Contains("--capacity: "));
    CHECK_THROWS_WITH(plot({"occupancy", steps, "-o", folder / "o.svg", "--first-loss", "10"}),
                      Contains("--first-loss: "));
    CHECK(folder.files() == std::set<std::string>{"o.csv"});
}

TEST_CASE("A system names the kinds of figures that draw its runs, and no two systems the same") {
    std::set<std::string> named;
    for (const System& system : all_systems()) {
        CHECK_FALSE(system.figures.empty());
        for (const std::string& kind : system.figures) {
            INFO(system.name << ": " << kind);
            CHECK(named.insert(kind).second);
            CHECK_THAT(help(kind), Contains("watershed plot " + kind + " "));
        }
    }
    // Kinds of systems come after those of the camera.
    const std::string all = help();
    for (const std::string& kind : named) CHECK(all.find("plot " + kind + " ") > all.find("plot pareto "));
}

TEST_CASE("Each kind has a name of its own and says all of itself, and the help has its example") {
    std::set<std::string> names;
    const std::string all = help();
    for (const FigureKind& kind : figure_kinds()) {
        INFO(kind.name);
        CHECK(names.insert(kind.name).second);
        CHECK_FALSE(kind.inputs.empty());
        CHECK_THAT(kind.what_to_see, Catch::Matchers::EndsWith("."));
        CHECK_THAT(kind.example, StartsWith("watershed plot " + kind.name + " ") && Contains(" -o "));
        CHECK_THAT(all, Contains(kind.summary) && Contains("\n  " + kind.example + "\n"));
        CHECK_THAT(help(kind.name), Contains("Example:\n  " + kind.example + "\n"));
    }
}

TEST_CASE("An SVG says in its own words what it shows") {
    const TemporaryFolder folder;
    plot({"comparison", folder.write("s60.csv", kBoundary), "-o", folder / "figure.svg"});
    const auto& kinds = figure_kinds();
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [](const FigureKind& one) { return one.name == "comparison"; });
    CHECK_THAT(folder.read("figure.svg"), Contains("<title>" + kind->summary + "</title>\n<desc>" + kind->what_to_see));
}
