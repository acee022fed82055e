// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

/// Draws of two kinds; the depth of the first is twice its number, and nothing scatters.
std::string draws(int count, bool varies = true) {
    std::string text =
        "# watershed\ndraw,kind,depth,depth_bytes,service_rate,scatter_frames,alpha,log_likelihood,log_likelihood_1\n";
    for (int i = 1; i <= count; ++i) {
        const int depth = varies ? 2 * i : 2;
        text += std::to_string(i) + (i % 4 == 0 ? ",shared-bytes-dynamic-threshold," : ",shared-bytes,") +
                std::to_string(depth) + ',' + std::to_string(depth) + ',' +
                (varies ? std::to_string(1'000'000 + i * i) : "1000000") + ",0," +
                (i % 4 == 0 ? std::to_string(varies ? 0.1 * i : 0.1) : "") + ",-1,-1\n";
    }
    return text;
}

std::string drawn(const TemporaryFolder& folder, const std::string& text) {
    draw_corner({{folder.write("draws.csv", text)}, folder / "figure.svg", "", {}});
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("Each parameter that varies has a panel of its own and one with each other, with units") {
    const TemporaryFolder folder;
    const std::string gp = drawn(folder, draws(100));
    CHECK_THAT(gp, Contains("'depth / bytes'") && Contains("service rate"));
    CHECK_THAT(gp, Contains("$depth_bytes_service_rate_1 << e\n") && Contains("$depth_bytes_service_rate_2 << e\n"));
    // A column without variation is not drawn; alpha is one of a quarter of the draws.
    CHECK_THAT(gp,
               !Contains("scatter") && Contains("$depth_bytes_alpha_2 << e\n") && !Contains("$depth_bytes_alpha_1"));
    CHECK_THAT(gp, Contains("shared-bytes, 75 %") && Contains("draws.csv (100 draws over all kinds)"));
    CHECK(titles_not_drawn(gp, folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("A histogram has its median and the ends of its 95 % interval as lines") {
    const TemporaryFolder folder;
    // Depths 2, 4, ... 200: the 2nd, 49th and 96th from 0 on are 6, 100 and 194.
    const std::string gp = drawn(folder, draws(100));
    for (const char* at : {"6", "100", "194"})
        CHECK_THAT(gp, Contains(std::string("set arrow from first ") + at + ", graph 0 to first " + at + ", graph 1"));
}

TEST_CASE("Draws that are all alike have nothing to show, and another table is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(drawn(folder, draws(100, false)), Contains("draws.csv: corner: every parameter is the same"));
    CHECK_THROWS_WITH(drawn(folder, "separation_us,events_lossless\n9,5\n"),
                      Contains("expected draws (CSV from watershed fit --draws)"));
    CHECK_THROWS_WITH(drawn(folder, "draw,kind,depth_bytes\n1,shared-bytes,x\n"), Contains("draws.csv:2: depth_bytes"));
}
