// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/comparison.h"

#include "test/catch.h"

#include <nlohmann/json.hpp>
#include <sstream>

using namespace watershed;

TEST_CASE("A number agrees up to its tolerance and differs beyond it, above and below") {
    Comparisons compare("system");
    for (const double simulated : {9.0, 11.0, 8.99, 11.01}) compare.set({"rate", "Gb/s"}, 10, simulated, 1);
    CHECK(compare.all()[0].verdict == Verdict::Agrees);
    CHECK(compare.all()[1].verdict == Verdict::Agrees);
    CHECK(compare.all()[2].verdict == Verdict::Differs);
    CHECK(compare.all()[3].verdict == Verdict::Differs);
}

TEST_CASE("A contradiction of the publication excuses only the number that its arithmetic gives") {
    Comparisons compare("system");
    compare.set_contradicted({"depth", "frames"}, 7000, 6001, 5, 6000, "8000 - 2000 = 6000");
    compare.set_contradicted({"depth", "frames"}, 7000, 6500, 5, 6000, "8000 - 2000 = 6000");
    compare.set_contradicted({"depth", "frames"}, 7000, 7001, 5, 6000, "8000 - 2000 = 6000");
    CHECK(compare.all()[0].verdict == Verdict::PublicationInconsistent);
    CHECK(compare.all()[1].verdict == Verdict::Differs);
    CHECK(compare.all()[2].verdict == Verdict::Agrees);
}

TEST_CASE("What is not a number never agrees") {
    Comparisons compare("system");
    compare.set({"rate", "Gb/s"}, 10, std::numeric_limits<double>::quiet_NaN(), 1);
    CHECK(compare.all()[0].verdict == Verdict::Differs);
}

TEST_CASE("The JSON names what the table shows, and the difference is simulated less published") {
    Comparisons compare("system");
    compare.from("section 1");
    compare.set({"rate", "Gb/s"}, 10, 9.5, 1, "a remark");
    const auto json = to_json(compare.all());
    REQUIRE(json.size() == 1);
    CHECK(json[0]["system"] == "system");
    CHECK(json[0]["source"] == "section 1");
    CHECK(json[0]["difference"] == -0.5);
    CHECK(json[0]["verdict"] == "agrees");

    std::ostringstream text;
    print(text, compare.all());
    CHECK(text.str().find("rate      Gb/s         10        9.5        -0.5          1  agrees") != std::string::npos);
    CHECK(text.str().find("    a remark\n") != std::string::npos);
}
