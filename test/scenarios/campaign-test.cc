// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/campaign.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "scenarios/input-error.h"

using namespace watershed;
using Catch::Matchers::Contains;

namespace {

struct Folder {
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("watershed-campaign-" + std::to_string(getpid()));
};

}  // namespace

TEST_CASE("A campaign gives back what was stored, and goes on only with the same request") {
    const Folder folder;
    const std::string file = folder.path / "x.sqlite";
    const Request request{{"scenario", "a = 1\nb = 2\n"}, {"engine", "ns3"}};
    {
        Campaign campaign(file, request, 3, "# made by\n", false);
        campaign.store(2, "two\n");
        campaign.store(0, "zero\n");
    }
    Campaign campaign(file, request, 3, "# another command\n", true);
    CHECK(campaign.stored() == std::map<std::size_t, std::string>{{0, "zero\n"}, {2, "two\n"}});
    CHECK(campaign.header() == "# made by\n");
    CHECK(Campaign(file).pieces() == 3);

    CHECK_THROWS_WITH(Campaign(file, request, 3, "", false), Contains("--resume"));
    CHECK_THROWS_WITH(Campaign(file, {{"scenario", "a = 1\nb = 3\n"}, {"engine", "ns3"}}, 3, "", true), Contains("another scenario") && Contains("b = 2") && Contains("b = 3"));
    CHECK_THROWS_AS(Campaign(file, {{"scenario", "a = 1\nb = 2\n"}, {"engine", "exact"}}, 3, "", true), InputError);

    campaign.remove();
    CHECK(std::filesystem::is_empty(folder.path));
}
