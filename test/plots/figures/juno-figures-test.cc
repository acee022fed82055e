// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string ipbus_run(const std::string& numbers, int block_words) {
    return R"({"system": "ipbus", "channels": 3, "pattern": "periodic", "fifo_bytes": 4000, )" + numbers +
           R"(, "runs": [{"block_words": )" + std::to_string(block_words) +
           R"(, "units": 1, "transferred_mbps": 0, "data_mbps": 0, "rate_hz": 0, "survival": 0}]})";
}

constexpr auto kIdle = R"("bus_mbps": 0, "waveform_bytes": 0)";

std::string ipbus_script(const TemporaryFolder& folder, const std::string& run, void (*draw)(const FigureRequest&)) {
    draw({{folder.write("run.json", run)}, folder / "figure.svg", "", {}});
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("Where nothing was read each figure of JUNO has axes all the same") {
    const TemporaryFolder folder;
    CHECK_THAT(ipbus_script(folder, ipbus_run(kIdle, 64), draw_juno_block), Contains("set yrange [0:1]"));
    CHECK_THAT(ipbus_script(folder, ipbus_run(kIdle, 64), draw_juno_units),
               Contains("set xrange [0:1]") && Contains("set yrange [0:1]"));
    CHECK_NOTHROW(ipbus_script(folder, ipbus_run(kIdle, 64), draw_juno_survival));
}

TEST_CASE("Blocks without a word have no place on a logarithmic axis, which is said") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(ipbus_script(folder, ipbus_run(kIdle, 0), draw_juno_block),
                      Contains("run.json: found no point") && Contains("block / words"));
}
