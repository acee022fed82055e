// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/validate/comparison.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "scenarios/validate/comparison-text.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const Comparisons::Quantity kRate{"rate", "Gb/s"};

Simulated of(double value) { return {value, "scenario", {"key"}}; }

}  // namespace

TEST_CASE("A number agrees up to its tolerance and differs beyond it, above and below") {
    Comparisons compare("system");
    for (const double simulated : {9.0, 11.0, 8.99, 11.01}) compare.predicted(kRate, 10, of(simulated), {1, {}});
    CHECK(compare.all()[0].verdict == Verdict::Agrees);
    CHECK(compare.all()[1].verdict == Verdict::Agrees);
    CHECK(compare.all()[2].verdict == Verdict::Differs);
    CHECK(compare.all()[3].verdict == Verdict::Differs);
}

TEST_CASE("An explanation excuses only the number that it names") {
    Comparisons compare("system");
    for (const double simulated : {6001.0, 6500.0, 7001.0})
        compare.predicted({"depth", "frames"}, 7000, of(simulated), {5, {}}, contradiction(6000, "8000 - 2000 = 6000"));
    CHECK(compare.all()[0].verdict == Verdict::PublicationInconsistent);
    CHECK(compare.all()[0].explanation == "8000 - 2000 = 6000");
    CHECK(compare.all()[1].verdict == Verdict::Differs);
    CHECK(compare.all()[1].explanation.empty());
    CHECK(compare.all()[2].verdict == Verdict::Agrees);
    compare.predicted({"depth", "frames"}, 7000, of(6001), {5, {}}, limit_of_model(6000, "frames are cells"));
    CHECK(compare.all()[3].verdict == Verdict::Explained);
    CHECK_THROWS_AS(compare.predicted({"depth", "frames"}, 7000, of(6001), {5, {}}, limit_of_model(6000, "")),
                    std::logic_error);
    // A tolerance that is wide for a small number does not widen what is explained.
    for (const double simulated : {2.1, 2.3})
        compare.predicted(kRate, 76, of(simulated), {4, {}}, limit_of_model(2, "no jitter"));
    CHECK(compare.all()[4].verdict == Verdict::Explained);
    CHECK(compare.all()[5].verdict == Verdict::Differs);
}

TEST_CASE("What is not a number never agrees, and nothing explains it") {
    Comparisons compare("system");
    const double none = std::numeric_limits<double>::quiet_NaN();
    compare.predicted(kRate, 10, of(none), {1, {}}, limit_of_model(none, "nothing"));
    CHECK(compare.all()[0].verdict == Verdict::Differs);
}

TEST_CASE("A tolerance above 10 % needs a reason, whatever the basis") {
    Comparisons compare("system");
    CHECK_NOTHROW(compare.predicted(kRate, -10, of(10), {1, {}}));
    CHECK_NOTHROW(compare.predicted(kRate, 10, of(10), {1.01, "one digit"}));
    CHECK_THROWS_AS(compare.predicted(kRate, 10, of(10), {1.01, {}}), std::logic_error);
    CHECK_THROWS_AS(compare.predicted(kRate, 0, of(0), {0.1, {}}), std::logic_error);
    CHECK_THROWS_AS(compare.calibrated(kRate, 10, of(10), {1.01, {}}), std::logic_error);
    CHECK_THROWS_AS(compare.theory(kRate, 10, 10, {1.01, {}}, "formula"), std::logic_error);
    CHECK_THROWS_AS(compare.arithmetic(kRate, 10, 10, {1.01, {}}, "sum"), std::logic_error);
    CHECK(compare.all().size() == 2);
}

TEST_CASE("A basis is refused without what it rests on") {
    Comparisons compare("system");
    CHECK_THROWS_AS(compare.predicted(kRate, 10, {10, "", {"key"}}, {1, {}}), std::logic_error);
    CHECK_THROWS_AS(compare.predicted(kRate, 10, {10, "scenario", {}}, {1, {}}), std::logic_error);
    CHECK_THROWS_AS(compare.calibrated(kRate, 10, {10, "scenario", {}}, {1, {}}), std::logic_error);
    CHECK_THROWS_AS(compare.theory(kRate, 10, 10, {1, {}}, ""), std::logic_error);
    CHECK_THROWS_AS(compare.arithmetic(kRate, 10, 10, {1, {}}, ""), std::logic_error);
    CHECK(compare.all().empty());
}

TEST_CASE("Only predicted numbers are said to agree, and every basis is counted apart") {
    Comparisons compare("system");
    compare.predicted(kRate, 10, of(10), {1, {}});
    compare.predicted(kRate, 10, of(12), {1, {}});
    compare.predicted(kRate, 10, of(12), {1, {}}, limit_of_model(12, "why"));
    compare.calibrated(kRate, 10, of(10), {1, {}});
    compare.theory(kRate, 10, 10, {1, {}}, "formula");
    compare.arithmetic(kRate, 10, 10, {1, {}}, "sum");
    compare.predicted(kRate, 10, of(10), {1, {}});
    compare.was_configured();
    const auto json = to_json(compare.all());
    const char* expected[][2] = {
        {"predicted", "agrees"},        {"predicted", "differs"},    {"predicted", "differs, explained"},
        {"calibrated", "reached"},      {"theory", "as calculated"}, {"arithmetic", "adds up"},
        {"configured", "as configured"}};
    for (std::size_t i = 0; i < json.size(); ++i) {
        CHECK(json[i]["basis"] == expected[i][0]);
        CHECK(json[i]["verdict"] == expected[i][1]);
        CHECK(verdict_named(expected[i][0], expected[i][1]) ==
              std::pair{compare.all()[i].basis, compare.all()[i].verdict});
    }
    CHECK_FALSE(verdict_named("calibrated", "agrees"));
    const Tally tally(compare.all());
    CHECK(tally.rows(Basis::Predicted) == 3);
    CHECK(tally.unexplained() == 1);
    CHECK(tally.text() ==
          "1 of 3 predicted numbers agree. Others differ: 0 because the publication contradicts itself, 1 by known "
          "limits of the model, 1 without explanation.\n"
          "1 of 1 calibrated numbers are reached.\n1 of 1 numbers come out as they were configured.\n1 of 1 numbers "
          "agree with the formula.\n1 of 1 sums add up.\n");
}

TEST_CASE("The JSON names what the table shows, the keys, and the difference, which is simulated less published") {
    Comparisons compare("system");
    compare.from("section 1");
    compare.predicted(kRate, 10, {9.5, "one", {"link.rate"}}, {2, "read from a figure"}, "a remark");
    compare.calibrated(kRate, 10, {9.5, "one", {"link.delay", "link.loss"}}, {1, {}});
    const auto json = to_json(compare.all());
    REQUIRE(json.size() == 2);
    CHECK(json[0]["system"] == "system");
    CHECK(json[0]["source"] == "section 1");
    CHECK(json[0]["difference"] == -0.5);
    CHECK(json[0]["scenario"] == "one");
    CHECK(json[0]["depends_on"] == std::vector<std::string>{"link.rate"});
    CHECK(json[0]["tolerance_reason"] == "read from a figure");
    CHECK(json[1]["calibrated_keys"] == std::vector<std::string>{"link.delay", "link.loss"});

    std::ostringstream text;
    print(text, compare.all());
    CHECK(text.str().find("  rate      Gb/s         10        9.5        -0.5          2  agrees\n      a remark\n     "
                          " tolerance: read from a figure\n") != std::string::npos);
    CHECK(text.str().find("      calibrated to it: link.delay, link.loss of one\n") != std::string::npos);
}
