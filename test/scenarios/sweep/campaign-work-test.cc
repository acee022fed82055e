// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/campaign-work.h"

#include <filesystem>
#include <stdexcept>

#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

CampaignWork of_four_pieces(const std::string& output, bool resume) {
    return {"map", "separations", {{{"engine", "exact"}}, 4, "# header\n", ""}, output, resume, 1};
}

}  // namespace

TEST_CASE("Work that failed goes on with what is missing, and gives what undisturbed work gives") {
    const TemporaryFolder folder;
    const std::string kept = folder / "x.sqlite";
    Ranks ranks;
    std::vector<std::size_t> did;
    const auto piece_until = [&](std::size_t broken) {
        return [&did, broken](std::size_t piece) {
            if (piece == broken) throw std::runtime_error("broken");
            did.push_back(piece);
            return "piece " + std::to_string(piece) + "\n";
        };
    };
    CHECK_THROWS_WITH(do_campaign(of_four_pieces(kept, false), ranks, piece_until(2)), "broken");
    CHECK_THROWS_AS(do_campaign(of_four_pieces(kept, false), ranks, piece_until(9)), InputError);
    const CampaignResults resumed = do_campaign(of_four_pieces(kept, true), ranks, piece_until(9));
    CHECK(did == std::vector<std::size_t>{0, 1, 2, 3});
    CHECK(resumed.header == "# header\n");
    CHECK(resumed.pieces == do_campaign(of_four_pieces(folder / "x.csv", false), ranks, piece_until(9)).pieces);
    resumed.written(kept);
    CHECK(std::filesystem::exists(kept));
}

TEST_CASE("What is quickly done leaves nothing beside its output") {
    const TemporaryFolder folder;
    Ranks ranks;
    const auto piece = [](std::size_t) { return std::string("x\n"); };
    const CampaignResults results = do_campaign(of_four_pieces(folder / "x.csv", false), ranks, piece);
    CHECK(results.pieces.size() == 4);
    CHECK(folder.files().empty());
    CHECK_THROWS_AS(do_campaign(of_four_pieces("-", true), ranks, piece), InputError);
}
