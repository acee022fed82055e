// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/known.h"

#include <rapidcheck.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "test/catch.h"

using namespace watershed;

namespace {

const double kTen = std::log(10);

std::string cell(const Known& known, int digits = 3) { return known.cell(readable_chance_of_log10, digits); }
std::string words(const Known& known, NumberText number, int digits = 3) { return known.words(number, digits); }

/// Any kind of knowledge of a number between 1e-400 and 1.
Known any_known() {
    const double low = -*rc::gen::inRange(0, 921), width = *rc::gen::element(0.0, 0.2, 3.0);
    Known known{low - width, low, low, *rc::gen::arbitrary<bool>()};
    if (*rc::gen::inRange(0, 3) == 0) known.lower = -Known::kInfinite;
    return known;
}

}  // namespace

TEST_CASE("A limit is rounded outward, so that it holds as it is printed") {
    CHECK(cell(Known::at_most(1.4349e-14)) == "≤ 1.44 × 10⁻¹⁴");
    CHECK(words(Known::at_most(1.4349e-14), readable_chance_of_log10) == "at most 1.44 × 10⁻¹⁴");
    CHECK(cell(Known::at_least(0.25004)) == "≥ 25 %");
    CHECK(words(Known::between(2.004, 2.5, 2.996), readable_of_log10) == "between 2 and 3");
    REQUIRE(rc::check([] {
        const double value = *rc::gen::inRange(1, 1'000'000) * 1e-9;
        const int digits = *rc::gen::inRange(1, 6);
        RC_ASSERT(std::pow(10, rounded_log10(std::log10(value), digits, Rounded::Up)) >= value * (1 - 1e-8));
        RC_ASSERT(std::pow(10, rounded_log10(std::log10(value), digits, Rounded::Down)) <= value * (1 + 1e-8));
    }));
}

TEST_CASE("A number says how it is known") {
    using Kind = Known::Kind;
    CHECK(Known::exactly(0.5).kind() == Kind::Exact);
    CHECK(Known::exactly(0).is_zero());
    CHECK(Known::at_most(0.5).kind() == Kind::AtMost);
    CHECK(Known::at_least(0.5).kind() == Kind::AtLeast);
    CHECK(Known::between(0.2, 0.3, 0.5).kind() == Kind::Between);
    CHECK(Known::sample(0.2, 0.3, 0.5).kind() == Kind::Sampled);
    CHECK(Known::unknown().kind() == Kind::Unknown);
    CHECK(cell(Known::sample(1e-6, 1.1e-5, 1e-4)) == "1.1 × 10⁻⁵, sampled");
    CHECK(cell(Known::sample(0, 0, 1e-4)) == "≤ 10⁻⁴, sampled");
    CHECK(cell(Known::between(1e-6, 1e-5, 1e-4)) == "≤ 10⁻⁴");
    CHECK(cell(Known::between(0.9e-5, 1e-5, 1.1e-5)) == "10⁻⁵");
    CHECK(cell(Known::unknown()) == "unknown");
    CHECK(words(Known::sample(0, 0, 0.5), readable_of_log10) == "at most 0.5 with 95 % confidence");
    CHECK(words(Known::sample(1, 2, 3), readable_of_log10) == "2 (1 to 3 with 95 % confidence)");
    CHECK(words(Known::sample(1.007, 2, 3.003), readable_of_log10) == "2 (1 to 3.01 with 95 % confidence)");
    // A limit of 1 on a probability is none.
    CHECK(cell(Known::at_most(1).as_probability()) == "unknown");
    CHECK(cell(Known::between(0.25, 1, 1).as_probability()) == "≥ 25 %");
    CHECK(cell(Known::exactly(1).as_probability()) == "100 %");
}

TEST_CASE("Arithmetic keeps how a number is known: a rate at most gives years at least") {
    constexpr double kYear = 365.25 * 86400;
    const Known rate = Known::at_most(1 / (166.5 * kYear));
    CHECK(words(inverse(rate), readable_seconds_of_log10, 4) == "at least 166.5 years");
    CHECK(words(rate * 1e-3, readable_of_log10).rfind("at most ", 0) == 0);
    CHECK(words(inverse(Known::exactly(0)), readable_of_log10) == "without limit");
    const Known sum = Known::exactly(1) + Known::at_most(2);
    CHECK(words(sum, readable_of_log10) == "between 1 and 3");
    CHECK(words(Known::exactly(1) + Known::unknown(), readable_of_log10) == "at least 1");
    CHECK((Known::exactly(1) + Known::sample(1, 2, 3)).sampled);
    REQUIRE(rc::check([] {
        const Known one = any_known();
        const Known back = inverse(inverse(one));
        RC_ASSERT(back.lower == one.lower && back.upper == one.upper && back.sampled == one.sampled);
        RC_ASSERT((one * 3).kind() == one.kind());
        RC_ASSERT((one + any_known()).upper >= one.upper);
    }));
}

TEST_CASE("Two upper limits have no order, nor have intervals that meet") {
    CHECK(certainly_less(Known::exactly(1), Known::exactly(2)));
    CHECK_FALSE(certainly_less(Known::at_most(1), Known::at_most(2)));
    CHECK(certainly_less(Known::at_most(1), Known::exactly(2)));
    CHECK_FALSE(certainly_less(Known::sample(1, 2, 4), Known::exactly(3)));
    CHECK_FALSE(certainly_less(Known::unknown(), Known::exactly(3)));
    CHECK(certainly_alike(Known::exactly(1), Known::exactly(1)));
    CHECK_FALSE(certainly_alike(Known::at_most(1), Known::at_most(1)));
}

TEST_CASE("The members of a risk say how it is known, beyond the doubles too, and are read again") {
    REQUIRE(rc::check([] {
        const Known known = any_known();
        nlohmann::ordered_json json;
        add_risk_members(json, known);
        const Known back = risk_of_members(nlohmann::ordered_json::parse(json.dump()));
        const auto close = [](double a, double b) { return a == b || std::abs(a - b) < 1e-9 * std::abs(a); };
        RC_ASSERT(close(back.lower, known.lower) && close(back.estimate, known.estimate) &&
                  close(back.upper, known.upper) && back.sampled == known.sampled);
        RC_ASSERT(std::string(risk_kind(back)) == json.at("risk_kind").get<std::string>());
        RC_ASSERT(json.contains(known.sampled ? "interval95" : "bounds"));
    }));
    // As documents before "log10_at_least" have it.
    nlohmann::ordered_json old{{"probability", 0.0},
                               {"bounds", {0.0, 0.0}},
                               {"risk_kind", "exact"},
                               {"log10_probability", -344.25},
                               {"log10_at_most", -344.19}};
    CHECK(cell(risk_of_members(old)) == "5.62 × 10⁻³⁴⁵");
    old["risk_kind"] = "bound";
    CHECK(cell(risk_of_members(old)) == "≤ 6.46 × 10⁻³⁴⁵");
    CHECK(risk_of_members({{"probability", 0.0}, {"bounds", {0.0, 0.0}}, {"log10_probability", nullptr}}).is_zero());
    CHECK(risk_of_members(old).lower / kTen == -HUGE_VAL);
}
