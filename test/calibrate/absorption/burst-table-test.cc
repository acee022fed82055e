// SPDX-License-Identifier: GPL-2.0-only
#include <sstream>

#include "calibrate/absorption/absorption-fit.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

CsvTable csv(const std::string& text) {
    std::istringstream in(text);
    return CsvTable::read(in, "table.csv");
}

}  // namespace

TEST_CASE("A table is known by frame_bytes, and split by switch in the order of the file") {
    const BurstTable table = burst_table_from(csv(
        "# made "
        "up\nswitch,frame_bytes,max_burst_lossless_frames,drops_at_burst_plus_1\nA,64,100,1\nB,64,50,\nA,256,40,2\n"));
    REQUIRE(table.parts.size() == 2);
    CHECK(table.parts[0].name == "A");
    REQUIRE(table.parts[0].rows.size() == 2);
    CHECK(table.parts[0].rows[1].row == 3);
    CHECK(table.parts[0].rows[1].line == 5);
    CHECK(table.parts[0].rows[1].drops == 2);
    CHECK_FALSE(table.parts[1].rows[0].drops);
    CHECK_FALSE(is_burst_table(csv("ports,payload_bytes\n1,1\n")));
    CHECK_FALSE(burst_table_from(csv("lossless,frame_bytes\n7,64\n")).parts.front().name);
}

TEST_CASE("A wrong cell is refused with its line") {
    const std::string header = "frame_bytes,max_burst_lossless_frames,drops_at_burst_plus_1\n";
    for (const std::string row : {"64,-1,1", "0,5,1", "64,nan,1", "64,5,0", "64,5,900", "70000,5,1"})
        CHECK_THROWS_WITH(burst_table_from(csv(header + "64,100,1\n" + row + "\n")), Contains("table.csv:3"));
    CHECK_THROWS_AS(burst_table_from(csv(header)), InputError);
    CHECK_THROWS_WITH(burst_table_from(csv("frame_bytes,drops\n64,1\n")), Contains("max_burst_lossless_frames"));
}
