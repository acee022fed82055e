// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

const std::string kHeader =
    "ports,saturation_khz,payload_limit_khz,payload_ip_udp_limit_khz,frame_limit_khz,wire_limit_khz\n";

std::string script(const TemporaryFolder& folder, const std::string& rows) {
    draw_saturation({{folder.write("saturation.csv", kHeader + rows)}, folder / "figure.svg", "", {}});
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("At 44 ports the figure says why the paper's 27 kHz and the wire's 26.06 kHz differ") {
    // 10 Gb/s over 44 ports of 8 (1024 + 28) bits is 27.00 kHz, of 8 (1024 + 66) bits 26.06 kHz.
    const TemporaryFolder folder;
    const std::string gp = script(folder,
                                  "28,40.958,43.597,42.437,41.722,40.957\n44,26.063,27.743,27.005,26.551,26.064\n48,23."
                                  "89,25.43,24.75,24.34,23.89\n");
    CHECK_THAT(gp, Contains("44 ports: 26.06 kHz on the wire") &&
                       Contains("the paper''s 27 kHz counts payload + UDP + IP only"));
    CHECK_THAT(gp, Contains("frame size = Ethernet frame"));
    CHECK_THAT(gp, Contains("$saturation << e\n28 40.958 40.957\n44 26.063 "));
}

TEST_CASE("Where few ports cannot fill the uplink the figure says what limits them") {
    // A slot of 1090 B takes 8.72 us on a module's own link of 1 Gb/s: 114.7 kHz, whatever the uplink could carry.
    const TemporaryFolder folder;
    CHECK_THAT(script(folder, "4,114.679,305.2,297.1,292,286.7\n44,26.063,27.743,27.005,26.551,26.064\n"),
               Contains("limited by'.\"\\n\".'the modules'' links'"));
    CHECK_THAT(script(folder, "12,95.56,101.7,99,97.4,95.57\n44,26.063,27.743,27.005,26.551,26.064\n"),
               !Contains("limited by"));
}

TEST_CASE("Between the rows the limits fall as one over the ports") {
    // 44 x 26 kHz = 22 x 52 kHz = 1144 kHz, and so at 33 ports 1144 / 33 = 34.67 kHz.
    const TemporaryFolder folder;
    CHECK_THAT(script(folder, "22,52,52,52,52,52\n44,26,26,26,26,26\n"),
               Contains("\n33 34.6666666667 34.6666666667 34.6666666667 34.6666666667\n"));
}

TEST_CASE("Other ports or payloads than the paper's are explained by their own numbers") {
    const TemporaryFolder folder;
    const std::string gp = script(folder, "20,100,120.5,112,105,100\n");
    CHECK_THAT(gp, Contains("20 ports: 100 kHz on the wire") && Contains("counting payload + UDP + IP only: 112 kHz") &&
                       !Contains("paper"));
}
