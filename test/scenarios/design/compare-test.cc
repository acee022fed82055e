// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/compare.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/design/prices.h"
#include "scenarios/reader/reader.h"
#include "scenarios/run/simulators.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/known.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;
using Json = nlohmann::ordered_json;

namespace {

/// Two designs: three switches, and the same before a second tier.
Json designs(const std::vector<std::string>& overrides, const Prices& prices = {}) {
    const TemporaryFolder folder;
    const std::string camera =
        "[front_end]\nmodules = 6\n[trigger]\npattern = \"burst\"\nevents = 2\nseparation = \"20 us\"\n"
        "[switch]\ncount = 3\n[switch.buffer]\nsharing = \"shared\"\nsize = \"100 frames\"\n";
    CompareOptions options;
    options.scenarios = {
        folder.write("one.toml", camera),
        folder.write(
            "two.toml",
            camera +
                "[aggregation]\nuplinks = 1\n[aggregation.buffer]\nsharing = \"shared\"\nsize = \"100 frames\"\n")};
    options.overrides = overrides;
    options.limit = 10;
    return compared_designs(options, prices, exact_only().engine);
}

Json design(const std::string& name, std::int64_t lost, const Json& price) {
    return {{"name", name},
            {"risk", nullptr},
            {"events_lossless", nullptr},
            {"events_unknown_beyond", 10},
            {"frames", {{"lost", lost}}},
            {"latency", nullptr},
            {"price", price}};
}

}  // namespace

TEST_CASE("A design costs what all of its switches do, the second tier's too") {
    const Json two = designs({}, {{{"switch", {100, std::nullopt}}}, "EUR"});
    CHECK(two[0].at("switches") == Json{{"switch", 3}});
    CHECK(two[0].at("price") == 300);
    CHECK(two[1].at("switches") == Json{{"switch", 4}});
    CHECK(two[1].at("price") == 400);
    CHECK(two[0].at("power").is_null());
    const std::string table = designs_as_table({{"separation_us", 20}, {"designs", two}});
    CHECK_THAT(table.substr(0, table.find('\n')), Contains("one") && EndsWith("two"));  // each has a column
}

TEST_CASE("An override with a number is that design's alone") {
    const Json two = designs({"trigger.events=3", "2:front_end.modules=9"});
    CHECK(two[0].at("modules") == 6);
    CHECK(two[1].at("modules") == 9);
    for (const Json& each : two) CHECK(each.at("events").at("sent") == 3);
    CHECK_THROWS_AS(designs({"3:front_end.modules=9"}), InputError);
}

TEST_CASE("Of what only some designs have least of nothing is named best, and what all have alike is said so") {
    const Json result{{"designs", {design("a", 0, 300), design("b", 0, 200), design("c", 0, 200)}}};
    CHECK(best_designs(result) == std::vector<std::string>{"Fewest frames lost in the run: all alike."});
    const Json cheap{{"designs", {design("a", 0, 300), design("b", 1, 200)}}};
    CHECK(best_designs(cheap) ==
          std::vector<std::string>{"Fewest frames lost in the run: a (0).", "Cheapest: b (200)."});
}

TEST_CASE("Smallest is a risk whose upper limit lies below the lower limits of all others: two limits have no order") {
    const auto with_risks = [](const std::vector<Known>& risks) {
        Json result{{"designs", Json::array()}};
        for (std::size_t i = 0; i < risks.size(); ++i) {
            Json& one = result["designs"].emplace_back(design(std::string(1, static_cast<char>('a' + i)), 1, nullptr));
            add_risk_members(one["risk"], risks[i]);
        }
        return best_designs(result);
    };
    const auto says = [&](const std::vector<Known>& risks, const std::string& line) {
        const std::vector<std::string> lines = with_risks(risks);
        return std::find(lines.begin(), lines.end(), line) != lines.end();
    };
    const auto names_one = [&](const std::vector<Known>& risks) {
        return with_risks(risks).front().rfind("Smallest risk", 0) == 0;
    };
    CHECK(says({Known::exactly(1e-5), Known::exactly(1e-6)}, "Smallest risk: b (10⁻⁶)."));
    CHECK(says({Known::exactly(1e-5), Known::at_most(1e-6)}, "Smallest risk: b (≤ 10⁻⁶)."));
    CHECK(says({Known::exactly(1e-5), Known::exactly(1e-5)}, "Smallest risk: all alike."));
    CHECK(says({Known::exactly(0), Known::exactly(1e-5)}, "Smallest risk: a (never)."));
    CHECK_FALSE(names_one({Known::at_most(1e-5), Known::at_most(1e-6)}));
    CHECK_FALSE(names_one({Known::at_most(1e-5), Known::at_most(1e-5)}));
    CHECK_FALSE(names_one({Known::exactly(1e-5), Known::sample(1e-7, 1e-6, 1e-4)}));
    CHECK_FALSE(names_one({Known::exactly(1e-3), Known::exactly(1e-5), Known::sample(0, 0, 1e-4)}));
    CHECK(says({Known::exactly(1e-3), Known::sample(1e-7, 1e-6, 1e-5)}, "Smallest risk: b (10⁻⁶, sampled)."));
}

TEST_CASE(
    "The switches of a scenario that names each are counted by model, and random triggers have a load and a risk") {
    const TemporaryFolder folder;
    const std::string buffer = "buffer = { sharing = \"shared\", size = \"100 frames\" }\n";
    CompareOptions options;
    options.scenarios = {
        folder.write("named.toml", "[trigger]\npattern = \"poisson\"\nrate = \"1 kHz\"\nevents = 10\n[node.core]\n" +
                                       buffer + "[node.left]\nto = [\"core\"]\nmodules = 22\n" + buffer +
                                       "[node.right]\nto = [\"core\"]\nmodules = 22\n" + buffer),
        folder.write("one.toml",
                     "[trigger]\npattern = \"poisson\"\nrate = \"1 kHz\"\nevents = 10\n[switch]\n" + buffer)};
    options.limit = 10;
    const Json two = compared_designs(options, {}, exact_only().engine);
    CHECK(two[0].at("switches") == Json{{"switch", 3}});
    CHECK(two[1].at("switches") == Json{{"switch", 1}});
    CHECK(two[1].at("load").get<double>() == Approx(44 * 0.872e-3 / (1 + 2e-3)));  // a frame of 0.872 us at 10 Gb/s
    CHECK_FALSE(two[1].at("risk").is_null());
    for (const Json& each : designs({})) {
        CHECK(each.at("load").is_null());
        CHECK(each.at("risk").is_null());
    }
}

TEST_CASE("Only digits before a colon are the number of a scenario, and it is one of those there are") {
    for (const char* number : {"0", "3", "12345"}) {
        const std::string text = std::string(number) + ":trigger.events=3";
        CHECK_THROWS_WITH(designs({text}), Contains("--set: found \"" + text + "\"") && Contains("1 to 2"));
    }
    CHECK_THROWS_AS(designs({":trigger.events=3"}), InputError);
    CHECK(designs({"1:trigger.events=3"})[0].at("events").at("sent") == 3);
}

TEST_CASE("Designs have names that differ: the label, or the file's, with its folder where two are alike") {
    const TemporaryFolder folder;
    const std::string camera =
        "[front_end]\nmodules = 6\n[trigger]\npattern = \"burst\"\nevents = 2\nseparation = \"20 us\"\n"
        "[switch.buffer]\nsharing = \"shared\"\nsize = \"100 frames\"\n";
    std::filesystem::create_directory(folder / "a");
    std::filesystem::create_directory(folder / "b");
    const std::string first = folder.write("a/x.toml", camera), second = folder.write("b/x.toml", camera),
                      third = folder.write("a/y.toml", camera);
    const auto names = [](const std::vector<std::string>& scenarios, const std::vector<std::string>& labels) {
        CompareOptions options;
        options.scenarios = scenarios;
        options.labels = labels;
        options.limit = 10;
        std::vector<std::string> all;
        for (const Json& each : compared_designs(options, {}, exact_only().engine)) all.push_back(each.at("name"));
        return all;
    };
    using Names = std::vector<std::string>;
    CHECK(names({first, second, third}, {}) == Names{"a/x", "b/x", "y"});
    CHECK(names({first, second}, {"one"}) == Names{"one", "x"});
    CHECK_THROWS_WITH(names({first, first}, {}), Contains("two designs with the name \"a/x\""));
    CHECK_THROWS_WITH(names({first}, {"one", "two"}), StartsWith("--label: found 2 labels, expected at most 1"));
}

TEST_CASE("Groups and builders are compared as whole networks; what another command refuses is said, not drawn") {
    const TemporaryFolder folder;
    // Both builders together are given 2 x 2000 + 2 x 1000 B of payload an event, in turn: 10.4 us of each one's link.
    const std::string groups =
        "[group.a]\nmodules = 2\npayload = \"2000 B\"\nmtu = \"9000 B\"\n[group.b]\nmodules = 2\n"
        "payload = \"1000 B\"\n[trigger]\npattern = \"periodic\"\nrate = \"1 kHz\"\nevents = 10\n[switch]\nuplinks = "
        "2\n"
        "uplink_rate = \"1 Gb/s\"\nbuffer = { sharing = \"shared\", size = \"20 kB\" }\n[server]\nbuilders = 2\n";
    const std::string stream = "[traffic.s]\nrate = \"1 Gb/s\"\npayload = \"1000 B\"\n";
    CompareOptions options;
    options.scenarios = {
        folder.write("groups.toml", groups),
        folder.write("own.toml",
                     groups + "[group.b.trigger]\npattern = \"periodic\"\nrate = \"50 Hz\"\nduration = \"40 ms\"\n"),
        folder.write("stream.toml", groups + stream)};
    options.limit = 100;
    options.separation = Time{20'000'000};
    const Json all = compared_designs(options, {}, exact_only().engine);
    const Scenario bursts = read_scenario(Scope::own_bursts().with_groups(), options.scenarios[0]);
    const auto engine = exact_only().engine("exact", {});
    CHECK(all[0].at("events_lossless") ==
          find_boundary(*engine, bursts, options.separation, 100).events_lossless.value());
    CHECK(all[0].at("risk").at("probability") == 0);  // at 1 kHz each event has left before the next
    CHECK(all[0].at("load").get<double>() == Approx(1e3 * 1e-9 * 8 * (2 * 2066 + 2 * 1066) / 2).epsilon(0.01));
    REQUIRE(all[0].at("watershed").size() > 1);
    for (const Json& point : all[0].at("watershed"))
        CHECK(point.at(1) ==
              find_boundary(*engine, bursts, Time{std::llround(1e6 * point.at(0).get<double>())}, 100'000)
                  .events_lossless.value());
    CHECK_THAT(all[1].at("no_boundary").get<std::string>(), Contains("group.b.trigger: found a trigger of its own"));
    CHECK(all[1].at("no_watershed") == all[1].at("no_boundary"));
    CHECK(burst_text(all[1]) == "–");
    CHECK_FALSE(all[1].at("risk").is_null());
    CHECK_THAT(all[2].at("no_risk").get<std::string>(), StartsWith("traffic: "));
    CHECK(all[2].at("load").is_null());
    CHECK(all[2].at("no_boundary").is_null());
    CHECK_THAT(designs_as_table({{"separation_us", 20}, {"designs", all}}),
               Contains("No risk of stream: traffic: ") && Contains("No watershed of own: "));
}
