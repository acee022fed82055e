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
