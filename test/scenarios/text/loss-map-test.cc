// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/loss-map.h"

#include <sstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const std::string kHeader = "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n";

LossMap read(const std::string& text) {
    std::istringstream in(text);
    return read_loss_map(in, "map.csv");
}

}  // namespace

TEST_CASE("A loss map is read in any column order, extra columns ignored") {
    const LossMap map = read(
        "frames_received,note,ports,events,separation_us,payload_bytes,frames_sent\n3034,x,44,100,2000.5,1024,4400\n");
    REQUIRE(map.rows.size() == 1);
    CHECK(map.rows[0].ports == 44);
    CHECK(map.rows[0].payload == Bytes{1024});
    CHECK(map.rows[0].separation == Time{2'000'500'000});
    CHECK(map.rows[0].events == 100);
    CHECK(map.rows[0].frames_lost() == 1366);
    CHECK_FALSE(map.rows[0].lossless());
    CHECK_FALSE(map.rows[0].worst_trigger_lateness);
    CHECK(map.rows[0].line == 2);
}

TEST_CASE("The lateness of a burst's triggers is read where it was recorded") {
    const LossMap map = read(
        "ports,payload_bytes,separation_us,events,frames_sent,frames_received,worst_trigger_lateness_us\n4,100,1,1,4,4,"
        "28.5\n4,100,1,1,4,4,\n");
    CHECK(map.rows[0].worst_trigger_lateness == Time{28'500'000});
    CHECK_FALSE(map.rows[1].worst_trigger_lateness);
}

TEST_CASE("A burst may name the number of uplinks that it congested, at most as many as ports") {
    const std::string header =
        "ports,payload_bytes,separation_us,events,frames_sent,frames_received,congested_uplinks\n";
    const LossMap map = read(header + "4,100,1,1,4,4,2\n4,100,1,1,4,4,\n");
    CHECK(map.rows[0].congested_uplinks == 2);
    CHECK_FALSE(map.rows[1].congested_uplinks);
    CHECK_THROWS_WITH(read(header + "4,100,1,1,4,4,5\n"),
                      Contains(":2") && Contains("congested_uplinks") && Contains("at most as many uplinks as ports"));
}

TEST_CASE("Rows that cannot be true are refused by line") {
    CHECK_THROWS_WITH(read(kHeader), Contains("the map is empty"));
    CHECK_THROWS_WITH(read("ports,events\n1,2\n"), Contains("column payload_bytes is missing"));
    CHECK_THROWS_WITH(read(kHeader + "44,1024,8.72,2,88,89\n"),
                      Contains("map.csv:2: frames_received") && Contains("at most the 88 frames sent"));
    // A number of frames that no measurement lasts for, and that would overflow
    CHECK_THROWS_WITH(read(kHeader + "24,1024,10,9000000000000000000,1920,1920\n"),
                      Contains("map.csv:2: events") && Contains("at most 1000000000000 frames in a burst"));
    CHECK_NOTHROW(read(kHeader + "1000,1024,10,1000000000,1920,1920\n"));
    CHECK_THROWS_AS(read(kHeader + "44,1024,nan,2,88,88\n"), InputError);
    CHECK_THROWS_AS(read(kHeader + "44,1024,-1,2,88,88\n"), InputError);
    CHECK_THROWS_AS(read(kHeader + "0,1024,1,2,88,88\n"), InputError);
    CHECK_THROWS_AS(read(kHeader + "44,1024,1,0,0,0\n"), InputError);
    CHECK_THROWS_AS(read(kHeader + "44,1024,1,2,88\n"), InputError);
}

TEST_CASE("A map that was written reads back as the same map") {
    LossMapRow row;
    row.ports = 44;
    row.payload = Bytes{1024};
    row.separation = Time{8'720'001};
    row.events = 9059;
    row.frames_sent = 398'596;
    row.frames_received = 398'580;
    std::ostringstream out;
    write_loss_map_header(out);
    write_loss_map_rows(out, {row});
    CHECK(out.str() == kHeader + "44,1024,8.720001,9059,398596,398580\n");
    const LossMap map = read("# made by a test\n" + out.str());
    REQUIRE(map.rows.size() == 1);
    CHECK(map.rows[0].separation == row.separation);
    CHECK(map.rows[0].frames_lost() == 16);
}

TEST_CASE("A boundary leaves the cell empty where no length loses") {
    std::ostringstream out;
    write_boundary(out, {{Time{8'720'000}, 9058}, {Time{40'000'000}, std::nullopt}});
    CHECK(out.str() == "separation_us,events_lossless\n8.72,9058\n40,\n");
}

TEST_CASE("Nobody need have counted what arrived where the most in use is known") {
    const LossMap some = read(
        "ports,payload_bytes,separation_us,events,frames_sent,frames_received,peak_bytes\n4,100,1,1,4,,584\n4,100,1,1,"
        "4,3,438\n");
    CHECK_FALSE(some.rows[0].counted);
    CHECK(some.rows[1].counted);
    CHECK(some.rows[1].frames_lost() == 1);
    const std::string without = "ports,payload_bytes,separation_us,events,frames_sent,peak_bytes\n";
    CHECK_FALSE(read(without + "4,100,1,1,4,584\n").rows[0].counted);
    CHECK_THROWS_WITH(read(without + "4,100,1,1,4,\n"), Contains("frames_received"));
    CHECK_THROWS_WITH(read(kHeader + "4,100,1,1,4,\n"), Contains(":2: frames_received"));
    CHECK_THROWS_WITH(read("ports,payload_bytes,separation_us,events,frames_sent\n4,100,1,1,4\n"),
                      Contains("frames_received"));
}

TEST_CASE("The most that was in use is read in bytes or cells, with what the counter resolves, and where losses were") {
    const std::string columns =
        "ports,payload_bytes,separation_us,events,frames_sent,frames_received,peak_bytes,peak_cells,peak_resolution,"
        "lost_at\n";
    const LossMap map =
        read(columns + "4,100,1,1,4,4,4264,,208,none\n4,100,1,1,4,3,,21,,switch 1; socket 2\n4,100,1,1,4,4,,,,\n");
    REQUIRE(map.rows[0].peak);
    CHECK(map.rows[0].peak->amount == 4264);
    CHECK_FALSE(map.rows[0].peak->cells);
    CHECK(map.rows[0].peak->resolution == 208);
    CHECK(map.rows[0].lost_at == "none");
    REQUIRE(map.rows[1].peak);
    CHECK(map.rows[1].peak->amount == 21);
    CHECK(map.rows[1].peak->cells);
    CHECK(map.rows[1].peak->resolution == 1);
    CHECK(map.rows[1].lost_at == "switch 1; socket 2");
    CHECK_FALSE(map.rows[2].peak);
    CHECK(map.doubtful_columns.empty());
    CHECK_THROWS_WITH(read(columns + "4,100,1,1,4,4,4264,21,,\n"), Contains(":2: peak_cells"));
    CHECK_THROWS_WITH(read(columns + "4,100,1,1,4,4,0,,,\n"), Contains(":2: peak_bytes"));
    CHECK_THROWS_WITH(read(columns + "4,100,1,1,4,4,1,,0,\n"), Contains(":2: peak_resolution"));
}
