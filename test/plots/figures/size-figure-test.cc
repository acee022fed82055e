// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

const std::string kHeader = "rate_khz,loss,uplinks,load,frames,bytes\n";

std::string script(const TemporaryFolder& folder, const std::string& rows) {
    draw_size({{folder.write("size.csv", kHeader + rows)}, folder / "figure.svg", "", {}});
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("Each chance has a colour, each number of uplinks a dash, and the rate at which an uplink is full a line") {
    // Without dead time the load is proportional to the rate: 10 kHz fill 0.4 of an uplink that is full at 25 kHz.
    const TemporaryFolder folder;
    const std::string gp = script(
        folder,
        "10,1e-6,1,0.4,300,321000\n24,1e-6,1,0.96,900,963000\n10,1e-09,1,0.4,400,428000\n24,1e-09,1,0.96,1400,1498000\n"
        "10,1e-06,2,0.2,200,214000\n24,1e-06,2,0.48,250,267500\n");
    CHECK_THAT(
        gp, Contains("title '10⁻⁶'") && Contains("title '10⁻⁹'") && Contains("'1 uplink'") && Contains("'2 uplinks'"));
    CHECK_THAT(gp, Contains("full at 25.00 kHz") && !Contains("full at 50"));
    CHECK_THAT(gp, Contains("$size1 << e\n10 300\n24 900\n") && Contains("$size3 << e\n10 200\n24 250\n"));
}

TEST_CASE("A memory that may be more than is needed is one that is enough") {
    const TemporaryFolder folder;
    const auto drawn = [&](const std::string& at_least) {
        const std::string table = folder.write("size.csv",
                                               "rate_khz,loss,uplinks,load,frames,bytes,frames_at_least\n"
                                               "10,1e-6,1,0.4,300,321000," +
                                                   at_least + "\n");
        draw_size({{table}, folder / "figure.svg", "", {}});
        return folder.read("figure.gp");
    };
    CHECK_THAT(drawn("300"), Contains("memory needed / frames") && Contains("memory needed / kB"));
    CHECK_THAT(drawn("1"), Contains("memory that is enough / frames") && !Contains("needed"));
}

TEST_CASE("Rates at which no memory is enough end the curve") {
    const TemporaryFolder folder;
    CHECK_THAT(script(folder, "20,3e-05,1,0.8,300,321000\n30,3e-05,1,1.2,,\n"),
               Contains("$size1 << e\n20 300\ne") && Contains("title '3e-05'"));
}

TEST_CASE("A table without a curve, or with cells that are no numbers, is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(script(folder, "30,1e-05,1,1.2,,\n"), Contains("no rate"));
    CHECK_THROWS_WITH(script(folder, "30,2,1,0.9,10,10\n"), Contains("size.csv:2") && Contains("probability"));
    CHECK_THROWS_WITH(script(folder, "x,1e-5,1,0.9,10,10\n"), Contains("size.csv:2") && Contains("rate_khz"));
}

TEST_CASE("The memory of each tier has a dash of its own, and one scale in kB where their frames take as much") {
    const TemporaryFolder folder;
    const auto drawn = [&](const std::string& bytes) {
        const std::string both = folder.write("both.csv",
                                              "rate_khz,loss,uplinks,load,frames,bytes,memory_of\n"
                                              "10,1e-6,1,0.4,300,321000,switch\n10,1e-6,1,0.3,9," +
                                                  bytes + ",aggregation\n");
        draw_size({{both}, folder / "both.svg", "", {}});
        return folder.read("both.gp");
    };
    CHECK_THAT(drawn("9630"), Contains("'[switch], 1 uplink'") && Contains("'[aggregation], 1 uplink'") &&
                                  Contains("\n10 300\n") && Contains("\n10 9\n") && Contains(" / kB"));
    CHECK_THAT(drawn("9999"), !Contains(" / kB"));
}
