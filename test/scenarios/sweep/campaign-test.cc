// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/campaign.h"

#include <filesystem>
#include <stdexcept>

#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

TEST_CASE("A campaign gives back what was stored, and goes on only with the same request") {
    const TemporaryFolder folder;
    const std::string file = folder / "x.sqlite";
    const Request request{{{"scenario", "a = 1\nb = 2\n"}, {"engine", "ns3"}}, 3, "# made by\n", "a = 1 # of two\n"};
    const auto with = [&](const std::string& name, const std::string& value) {
        Request other = request;
        other.facts[name] = value;
        return other;
    };
    {
        Campaign campaign(file, request, false);
        campaign.store(2, "two\n");
        campaign.store(0, "zero\n");
    }
    Campaign campaign(file, request, true);
    CHECK(campaign.stored() == std::map<std::size_t, std::string>{{0, "zero\n"}, {2, "two\n"}});
    CHECK(campaign.header() == "# made by\n");
    Request commented = request;
    commented.scenario = "a = 1\n";
    CHECK_NOTHROW(Campaign(file, commented, true));
    CHECK(Campaign(file).pieces() == 3);

    CHECK_THROWS_WITH(Campaign(file, request, false), Contains("--resume"));
    CHECK_THROWS_WITH(Campaign(file, with("scenario", "a = 1\nb = 3\n"), true),
                      Contains("another scenario") && Contains("b = 2") && Contains("b = 3"));
    CHECK_THROWS_AS(Campaign(file, with("engine", "exact"), true), InputError);

    campaign.remove();
    CHECK(folder.files().empty());
}

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
