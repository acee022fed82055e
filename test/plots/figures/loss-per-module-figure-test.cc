// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string run(const std::string& lost) {
    return R"({"frames": {}, "losses": [], "first_loss": null, "lost_by_module": )" + lost + "}";
}

}  // namespace

TEST_CASE("Each run is a panel with a bar for each module and the mean") {
    const TemporaryFolder folder;
    draw_loss_per_module(
        {{folder.write("module.json", run("[0, 0, 9]")), folder.write("rotating.json", run("[3, 3, 3]"))},
         folder / "figure.svg",
         "Ties",
         {"in order"}});
    const std::string gp = folder.read("figure.gp");
    CHECK_THAT(gp, Contains("$run1 << e\n1 0\n2 0\n3 9\ne\n") && Contains("$run2 << e\n1 3\n2 3\n3 3\ne\n"));
    CHECK_THAT(gp, Contains("'in order'") && Contains("'rotating'") && Contains("'mean 3'"));
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("Runs without losses are a figure too, but not files without modules or more than four") {
    const TemporaryFolder folder;
    const std::string lossless = folder.write("a.json", run("[0, 0]"));
    draw_loss_per_module({{lossless}, folder / "figure.svg", "", {}});
    CHECK_THROWS_WITH(draw_loss_per_module({{folder.write("b.json", run("[]"))}, folder / "figure.svg", "", {}}),
                      Contains("b.json: lost_by_module"));
    CHECK_THROWS_AS(
        draw_loss_per_module({{lossless, lossless, lossless, lossless, lossless}, folder / "figure.svg", "", {}}),
        InputError);
    CHECK_THROWS_AS(draw_loss_per_module({{lossless}, folder / "figure.svg", "", {"one", "two"}}), InputError);
}

TEST_CASE("A single module has no tics at parts of a module, and a long name stays above its panel") {
    const TemporaryFolder folder;
    const std::string run = folder.write("one.json", R"({"frames": {}, "losses": [], "lost_by_module": [3]})"),
                      name(200, 'x');
    draw_loss_per_module({{run, run, run}, folder / "figure.svg", "", {name, name, name}});
    const std::string gp = folder.read("figure.gp");
    CHECK_THAT(gp, Contains("set xtics 1\n") && Contains("xx…xx"));
    CHECK_THAT(gp, !Contains(std::string(30, 'x')));
}
