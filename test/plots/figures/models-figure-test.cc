// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string fit(const std::string& models) {
    return R"({"status": "separated", "depth": {"unit": "bytes"}, "service_rate": {}, "ports": 44, "payload_bytes": 1024, "models": )" +
           models + "}";
}

}  // namespace

TEST_CASE("Models are listed by falling probability, the infeasible ones apart") {
    const TemporaryFolder folder;
    const std::string models =
        R"([{"name": "shared-frames", "feasible": false, "probability": 0.0002}, {"name": "shared-bytes", "feasible": true, "probability": 0.9},
                                   {"name": "per-input-bytes", "feasible": true, "probability": 0.0998}])";
    draw_models({{folder.write("fit.json", fit(models))}, folder / "figure.svg", "", {}});
    const std::string gp = folder.read("figure.gp");
    CHECK_THAT(gp, Contains("$feasible << e\n90 0\n9.98 1\ne\n") && Contains("$infeasible << e\n0.02 2\ne\n"));
    CHECK_THAT(gp, Contains("'shared-bytes' 0, 'per-input-bytes' 1, 'shared-frames' 2"));
    CHECK_THAT(gp, Contains("'90 %'") && Contains("'< 0.1 %'"));
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("The chosen kind has a colour of its own, which is not that of a kind that bursts contradict") {
    const TemporaryFolder folder;
    const std::string models =
        R"([{"name": "shared-frames", "feasible": false, "probability": 0.9}, {"name": "shared-bytes", "feasible": false, "probability": 0.1}], "model": "shared-frames")";
    draw_models({{folder.write("fit.json", fit(models))}, folder / "figure.svg", "", {}});
    const std::string gp = folder.read("figure.gp");
    CHECK_THAT(gp, Contains("$chosen << e\n90 0\ne\n") && Contains("$infeasible << e\n10 1\ne\n"));
    CHECK_THAT(gp, Contains("#0072B2' title 'chosen, though bursts contradict it'"));
    CHECK_THAT(gp, Contains("#D55E00' title 'contradicted by bursts'") && !Contains("set label 'chosen'"));
}

TEST_CASE("A fit without models cannot be drawn as such") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(draw_models({{folder.write("fit.json", fit("[]"))}, folder / "figure.svg", "", {}}),
                      Contains("models: found none"));
}
