// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-reasons.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "test/catch.h"

using namespace watershed;
using Json = nlohmann::ordered_json;

TEST_CASE("Only a risk that is surely above the wanted loses too many events; between its bounds little is known") {
    const auto reason = [](double lower, double upper) {
        Explored way;
        way.fits = Explored::Fit::Yes;
        way.log_risk = Bracket{std::log(lower), std::log(upper), std::log(upper)};
        return reason_of(way, 1e-9);
    };
    CHECK(reason(1e-8, 1e-7) == "lose too many events");
    CHECK_THAT(reason(1e-10, 1e-8), Contains("not known to lose few enough"));
}

TEST_CASE("Of a switch whose ways all fell out before they were tried the commonest reason is told") {
    const Json result{{"ways", Json::array()}, {"names", Json::object()}};
    const Json list = switches_of(result, {{"a", {{"cost much", 2}, {"draw much", 3}, {"need much", 1}}}});
    REQUIRE(list.size() == 1);
    CHECK(list[0].at("why") == "its ways draw much");
    CHECK(list[0].at("ways") == 6);
}
