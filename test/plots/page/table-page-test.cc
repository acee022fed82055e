// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/pages.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

const std::string kMap = "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n";

}  // namespace

TEST_CASE("A map tells the longest burst that arrived complete and the shortest that did not") {
    const TemporaryFolder folder;
    const std::string page = page_of_table(folder.write("map.csv", kMap + "2,1024,10,4,8,8\n"
                                                                          "2,1024,10,5,10,10\n"
                                                                          "2,1024,10,7,14,13\n"
                                                                          "2,1024,10,9,18,14\n"
                                                                          "2,1024,20,9,18,18\n"));
    CHECK_THAT(page, Contains("Of 5 bursts, 3 arrived complete and 2 lost frames."));
    CHECK_THAT(page, Contains("5 events still arrived complete, and 7 events lost frames."));
}

TEST_CASE("A map in which every burst lost frames has no place between") {
    const TemporaryFolder folder;
    const std::string page = page_of_table(folder.write("map.csv", kMap + "2,1024,10,7,14,13\n2,1024,20,9,18,14\n"));
    CHECK_THAT(page, Contains("0 arrived complete and 2 lost frames.") && !Contains("At the shortest separation"));
}

TEST_CASE("A table that no command writes is refused with its columns, and with what was likely meant") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(
        page_of_table(folder.write("mine.csv", "switch,price\na,3\n")),
        Contains("mine.csv: found the columns switch,price, expected a table that a command writes: map ("));
    CHECK_THROWS_WITH(page_of_table(folder.write(
                          "map.csv", "ports,payload_bytes,separation_us,events,frames_sent,frames_recieved\n")),
                      Contains("frames_recieved: did you mean frames_received?"));
}

TEST_CASE("Tables of other commands are shown as they are, and that of several depths is not taken for one boundary") {
    const TemporaryFolder folder;
    CHECK_THAT(page_of_table(folder.write("depths.csv", "separation_us,depth,events_lossless\n9,1000,4\n9,2000,8\n")),
               Contains("depths.csv") && Contains("2000") && !Contains("Which bursts does it survive?"));
    for (const char* table : {"ports,saturation_khz\n4,300\n",
                              "rate_khz,loss,uplinks,load,frames,bytes,frames_at_least\n8,1e-9,1,0.3,32,34240,32\n",
                              "time_us,frames,bytes\n0,1,1070\n", "strategy,bursts\ngrid,4\n"})
        CHECK_THAT(page_of_table(folder.write("other.csv", table)), Contains("other.csv"));
}
