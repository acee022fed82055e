// SPDX-License-Identifier: GPL-2.0-only
#include <catch2/catch.hpp>

#include "plots/figures.h"
#include "scenarios/input-error.h"
#include "test/plots/temporary-folder.h"

using namespace watershed;
using Catch::Matchers::Contains;

namespace {

std::string run(double least, double most) {
    return R"({"frames": {}, "losses": [], "latency": {"events": 3, "min_us": )" + std::to_string(least) + R"(, "median_us": )" + std::to_string(least + 1) + R"(, "p99_us": )" + std::to_string(most) +
           R"(, "max_us": )" + std::to_string(most) + R"(, "mean_us": 1, "histogram": {"from_us": )" + std::to_string(least) + R"(, "bin_us": 1, "events": [2, 0, 1]}}})";
}

std::string script(const TemporaryFolder& folder, std::vector<std::string> inputs, std::vector<std::string> labels = {}) {
    draw_latency({std::move(inputs), folder / "figure.svg", "", std::move(labels)});
    CHECK_THAT(folder.read("figure.svg"), Contains("</svg>"));
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("Latencies are drawn as steps, a curve for each run with its median") {
    const TemporaryFolder folder;
    const std::string gp = script(folder, {folder.write("a.json", run(50, 53)), folder.write("b.json", run(60, 63))}, {"netmap"});
    CHECK_THAT(gp, Contains("$run1 << e\n50 0.5\n50 2\n51 2\n51 0.5\n52 0.5\n52 1\n53 1\n53 0.5\ne\n"));
    CHECK_THAT(gp, Contains("netmap: median 51, 99 % 53 µs") && Contains("b: median 61") && !Contains("set logscale x"));
}

TEST_CASE("Long latencies are in milliseconds, and far apart ones on a logarithmic axis") {
    const TemporaryFolder folder;
    CHECK_THAT(script(folder, {folder.write("a.json", run(50, 60'000))}), Contains("complete event / ms") && Contains("set logscale x"));
}

TEST_CASE("A run without a server has no latencies to draw") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(script(folder, {folder.write("a.json", R"({"frames": {}, "losses": [], "latency": null})")}), Contains("[server]"));
}
