// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/campaign.h"

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
