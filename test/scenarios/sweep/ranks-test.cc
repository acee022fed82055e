// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/ranks.h"

#include <map>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A process that nobody started among others is the first and does all pieces, known by their numbers") {
    Ranks ranks;
    CHECK(ranks.first());
    for (const int jobs : {1, 2}) {
        std::map<std::size_t, std::string> told;
        ranks.do_pieces(
            jobs, {4, 7, 2}, [](std::size_t piece) { return std::to_string(piece * piece); },
            [&](std::size_t piece, const std::string& result) { told[piece] += result; });
        CHECK(told == std::map<std::size_t, std::string>{{2, "4"}, {4, "16"}, {7, "49"}});
    }
}
