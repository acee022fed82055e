// SPDX-License-Identifier: GPL-2.0-only
#include <filesystem>

#include "calibrate/measure/measuring.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

BurstRecord record(std::int64_t received) {
    BurstRecord result;
    result.row = {2, Bytes{100}, Time{1'500'000}, 5, 10, received, Time{250'000}};
    return result;
}

}  // namespace

TEST_CASE("A measured map is a loss map that other commands read") {
    const TemporaryFolder folder;
    const std::string file = folder / "map.csv";
    GrowingLossMap map(file);
    CHECK_FALSE(std::filesystem::exists(file));  // nothing is measured yet
    map.add(record(7));
    map.add(record(10));
    const LossMap read = read_loss_map(file);
    REQUIRE(read.rows.size() == 2);
    CHECK(read.rows[0].ports == 2);
    CHECK(read.rows[0].payload == Bytes{100});
    CHECK(read.rows[0].separation == Time{1'500'000});
    CHECK(read.rows[0].events == 5);
    CHECK(read.rows[0].frames_lost() == 3);
    CHECK(read.rows[0].worst_trigger_lateness == Time{250'000});
    CHECK(read.rows[1].lossless());
}

TEST_CASE("Why a burst is set aside cannot be a row") {
    const TemporaryFolder folder;
    GrowingLossMap map(folder / "map.csv");
    map.add(record(7));
    map.add(record(10), "the ring was full\n2,100,1.5,5,10,10");
    CHECK(read_loss_map(folder / "map.csv").rows.size() == 1);
}

TEST_CASE("The first burst with a peak brings the column, and the rows before it have none") {
    const TemporaryFolder folder;
    const std::string file = folder / "map.csv";
    GrowingLossMap map(file);
    map.add(record(7));
    map.add(record(7), "late");
    BurstRecord with_peak = record(10);
    with_peak.row.peak = PeakReading{4264, false, 1066};
    map.add(with_peak);
    map.add(record(9));
    const LossMap read = read_loss_map(file);
    REQUIRE(read.rows.size() == 3);
    CHECK_FALSE(read.rows[0].peak);
    REQUIRE(read.rows[1].peak);
    CHECK(read.rows[1].peak->amount == 4264);
    CHECK(read.rows[1].peak->resolution == 1066);
    CHECK_FALSE(read.rows[2].peak);
}

TEST_CASE("A burst that is set aside is a comment with its reason, and no row") {
    const TemporaryFolder folder;
    const std::string file = folder / "map.csv";
    GrowingLossMap map(file);
    map.add(record(7));
    map.add(record(1), "the receive ring had no room for 6 frames");
    CHECK(read_loss_map(file).rows.size() == 1);
    CHECK(map.map().rows.size() == 1);
    CHECK(folder.read("map.csv").find(
              "# set aside: 2,100,1.5,5,10,1,0.25,,,,,: the receive ring had no room for 6 frames\n") !=
          std::string::npos);
}

TEST_CASE("A measured map goes on where it was, whatever the order of its columns") {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "map.csv",
        "# mine\nevents,ports,payload_bytes,separation_us,frames_sent,frames_received,who\n3,2,100,1,6,6,me\n");
    {
        GrowingLossMap map(file);
        REQUIRE(map.map().rows.size() == 1);
        map.add(record(4));
    }
    CHECK(folder.read("map.csv") ==
          "# "
          "mine\nevents,ports,payload_bytes,separation_us,frames_sent,frames_received,who\n3,2,100,1,6,6,me\n5,2,100,1."
          "5,10,4,\n");
    CHECK(GrowingLossMap(file).map().rows.size() == 2);
}

TEST_CASE("A map of another rig is not continued, and both are named") {
    const TemporaryFolder folder;
    const std::string file = folder / "map.csv", mine = "from eth1 to ssh a\nb, s.toml";
    GrowingLossMap(file, false, mine).add(record(7));
    CHECK(folder.read("map.csv").find("\n# rig: from eth1 to ssh a b, s.toml\nports,") != std::string::npos);
    CHECK(GrowingLossMap(file, false, mine).map().rows.size() == 1);
    CHECK(GrowingLossMap(file).map().rows.size() == 1);
    CHECK_THROWS_WITH(GrowingLossMap(file, false, "from eth2 to eth3, s.toml"),
                      Contains(file) && Contains("another rig, \"from eth1 to ssh a b, s.toml\"") &&
                          Contains("expected that of \"from eth2 to eth3, s.toml\""));
    // A table that names none is anybody's.
    const std::string other =
        folder.write("other.csv", "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n");
    CHECK(GrowingLossMap(other, false, mine).map().rows.empty());
}

TEST_CASE("A file that is no map, or cannot be written, is refused before the first burst") {
    const TemporaryFolder folder;
    const std::string file = folder.write("other.csv", "a,b\n");
    CHECK_THROWS_AS(GrowingLossMap(file), InputError);
    CHECK_THROWS_AS(GrowingLossMap("-"), InputError);
    CHECK_THROWS_AS(GrowingLossMap(folder / "no-folder/map.csv"), InputError);
    CHECK(folder.read("other.csv") == "a,b\n");
}
