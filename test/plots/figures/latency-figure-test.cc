// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string run(const std::string& edges_us, double median_us) {
    return R"({"frames": {}, "losses": [], "latency": {"median_us": )" + std::to_string(median_us) +
           R"(, "p99_us": 3000, "histogram": {"edges_us": )" + edges_us + R"(, "events": [2, 0, 1]}}})";
}

std::string script(const TemporaryFolder& folder, std::vector<std::string> inputs,
                   std::vector<std::string> labels = {}) {
    draw_latency({std::move(inputs), folder / "figure.svg", "", std::move(labels)});
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("Latencies are drawn as steps, a curve for each run with its median") {
    const TemporaryFolder folder;
    const std::string gp = script(
        folder,
        {folder.write("a.json", run("[50, 51, 52, 53]", 51)), folder.write("b.json", run("[60, 61, 62, 63]", 61))},
        {"netmap"});
    CHECK_THAT(gp, Contains("$run1 << e\n50 0.5\n50 2\n51 2\n51 0.5\n52 0.5\n52 1\n53 1\n53 0.5\ne\n"));
    CHECK_THAT(gp, Contains("netmap: median 51 µs, 99 % 3 ms") && Contains("b: median 61 µs"));
}

TEST_CASE("The time that 99 % keep to is dashed in SVG, too") {
    const TemporaryFolder folder;
    draw_latency({{folder.write("a.json", run("[50, 500, 4000, 4900]", 60))}, folder / "figure.svg", "", {}});
    CHECK_THAT(folder.read("figure.svg"), Contains("stroke-dasharray"));
}

TEST_CASE("Latencies of 0 have no place on a logarithmic axis, and are refused by the file's name") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(script(folder, {folder.write("a.json", run("[0, 51, 52, 53]", 51))}),
                      Contains("a.json: latency: edges_us: found 0"));
}

TEST_CASE("Long latencies are in milliseconds") {
    const TemporaryFolder folder;
    CHECK_THAT(script(folder, {folder.write("a.json", run("[50, 500, 5000, 50000]", 51))}),
               Contains("complete event / ms") && Contains("0.05 2\n0.5 2\n"));
}

TEST_CASE("A run without a server has no latencies to draw") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(script(folder, {folder.write("a.json", R"({"frames": {}, "losses": [], "latency": null})")}),
                      Contains("[server]"));
}

TEST_CASE("A histogram without all of its edges is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(script(folder, {folder.write("a.json", run("[1, 2]", 1))}), Contains("edges_us"));
}
