// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <set>

#include "scenarios/keys/keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/system-run.h"
#include "scenarios/run/udpmon-run.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Every system has a name of its own, and all of its keys are in the table of that name") {
    std::set<std::string> names{"camera"};
    for (const System& system : all_systems()) {
        INFO(system.name);
        CHECK(names.insert(system.name).second);
        CHECK_FALSE(system.help.empty());
        REQUIRE(system.keys);
        const auto keys = system.keys();
        REQUIRE_FALSE(keys.empty());
        for (const ScenarioKey& key : keys) CHECK(key.name.rfind(system.name + ".", 0) == 0);
    }
}

TEST_CASE("A key that a system requires is one of its keys, has no default and says that it is required") {
    for (const System& system : all_systems()) {
        const auto keys = system.keys();
        for (const std::string& required : system.required) {
            INFO(system.name << "." << required);
            const auto key = std::find_if(keys.begin(), keys.end(), [&](const ScenarioKey& each) {
                return each.name == system.name + "." + required;
            });
            REQUIRE(key != keys.end());
            CHECK(key->default_value.empty());
            CHECK(key->meaning.find("required with system \"" + system.name + "\"") != std::string::npos);
        }
    }
}

TEST_CASE("Every system can be run by one engine, and one that has a publication is compared with it") {
    for (const System& system : all_systems()) {
        INFO(system.name);
        CHECK((system.engine == "ns3" || system.engine == "exact"));
        CHECK(system.run);
        CHECK(system.published.empty() == !system.validate);
    }
}

TEST_CASE("A system simulates by what main() gives for it, with the parameters and the seed of its scenario") {
    Scenario scenario;
    scenario.seed = 7;
    Udpmon& udpmon = scenario.of<Udpmon>();
    udpmon.payloads = {Bytes{100}, Bytes{200}};
    udpmon.spacings = {Time{0}};
    TypeMap systems;
    Simulators simulators;
    simulators.systems = [&]() -> const TypeMap& { return systems; };
    std::vector<std::int64_t> seen;
    systems.of<UdpmonSimulator>() = [&](const Udpmon&, Bytes payload, std::size_t, std::uint64_t seed,
                                        const std::string&) {
        seen.push_back(payload.count);
        CHECK(seed == 7);
        UdpmonResult result;
        result.sent = 10;
        return result;
    };
    const auto json = nlohmann::json::parse(find_system("udpmon")->run(scenario, simulators, "").json());
    CHECK(seen == std::vector<std::int64_t>{100, 200});
    CHECK(json["system"] == "udpmon");
    CHECK(json["engine"] == "ns3");
    CHECK(json["frames"]["sent"] == 20);
}
