// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string ejfat_script(const TemporaryFolder& folder, const std::string& run, void (*draw)(const FigureRequest&)) {
    draw({{folder.write("run.json", run)}, folder / "figure.svg", "", {}});
    return folder.read("figure.gp");
}

/// Two epochs of one node.
std::string control_run(const std::string& fill, const std::string& slots, const std::string& seconds) {
    const std::string epoch = R"({"slots": [)" + slots + R"(], "decided_s": )" + seconds + "}";
    return R"({"system": "ejfat", "set_point": 0, "runs": [{"nodes": [{}], "samples": [{"time_s": )" + seconds +
           R"(, "fill": [)" + fill + R"(]}], "epochs": [)" + epoch + "," + epoch + "]}]}";
}

}  // namespace

TEST_CASE("An event that takes no time has its hops all the same") {
    const TemporaryFolder folder;
    CHECK_THAT(ejfat_script(folder, R"({"system": "ejfat", "runs": [{"event_bytes": 0, "latency_us": {
                                        "flight_to_balancer": {"mean": 0}, "flight_to_node": {"mean": 0},
                                        "flight": {"mean": 0}, "reassembly": {"mean": 0}, "transport": {"mean": 0},
                                        "sum_of_hops": 0}}]})",
                            draw_ejfat_latency),
               Contains("set xrange [0:1]") && Contains("reassembly 0 µs"));
}

TEST_CASE("Queues that stay empty and epochs without time have axes, and large numbers a common power") {
    const TemporaryFolder folder;
    CHECK_THAT(ejfat_script(folder, control_run("0", "0", "0"), draw_ejfat_control),
               Contains("set xrange [0:1]") && Contains("set yrange [0:1]"));
    CHECK_THAT(ejfat_script(folder, control_run("2e9", "3e9", "8e10"), draw_ejfat_control),
               Contains("'time / (10⁹ s)'") && Contains("'slots / 10⁹'") && Contains("'queue filled / (10⁹ %)'") &&
                   Contains("set xrange [0:80]"));
}
