// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sonic/sonic-switch.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

SonicConfig sonic_file(const std::string& name) {
    return read_sonic_config(std::string(std::getenv("WATERSHED_SOURCE")) + "/scenarios/data/" + name);
}

std::string value_in(const SonicSwitch& imported, const std::string& key) {
    for (const SonicValue& each : imported.values)
        if (each.key == key) return each.value;
    return "none";
}

/// One pool of ingress and one of egress, on 4 ports of 100 Gb/s with 40 m.
SonicConfig small_config() {
    SonicConfig config;
    config.file = "config_db.json";
    config.pools["in"] = {"in", true, false, 2'000'000, 0};
    config.pools["out"] = {"out", false, true, 1'000'000, 0};
    SonicProfile lossless;
    lossless.name = "pg";
    lossless.pool = "in";
    lossless.size = 21248;
    lossless.dynamic_th = 0;
    lossless.xoff = 20000;
    SonicProfile lossy;
    lossy.name = "q";
    lossy.pool = "out";
    lossy.size = 1518;
    lossy.static_th = 400000;
    config.profiles = {{"pg", lossless}, {"q", lossy}};
    for (const std::string port : {"Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12"}) {
        config.ports[port] = {100000, 9100};
        config.cables[port] = 40;
        config.groups.push_back({"BUFFER_PG|" + port + "|3-4", port, 3, 4, "pg"});
        config.queues.push_back({"BUFFER_QUEUE|" + port + "|0-2", port, 0, 2, "q"});
    }
    return config;
}

}  // namespace

// 2 x 9100 B; 100 Gb/s x 2 x 40 m x 5 ns/m = 40000 bits = 5000 B; 60 x 64 B.
TEST_CASE("Headroom is for two frames, the cable in both directions, and the pause") {
    CHECK(needed_headroom(9100, 100000, 40, kPauseResponse.count) == 18200 + 5000 + 3840);
    CHECK(needed_headroom(1500, 10000, 0, 0) == 3000);
    CHECK(needed_headroom(0, 1000, 1, 0) == 2);  // 10 bits
}

// 12766208 B are 61376 cells; 64 groups have 56368 B, 271 cells: 44032 are left, as the catalogue says.
TEST_CASE("A Dell S6000 comes out as the catalogue has it") {
    const SonicSwitch found = switch_from_sonic(sonic_file("sonic-s6000.json"), &chip_memory_named("td2"), "");
    CHECK(found.name == "Force10-S6000");
    CHECK(value_in(found, "buffer.size") == "\"44032 cells\"");
    CHECK(value_in(found, "buffer.alpha") == "\"1/8\"");
    CHECK(value_in(found, "buffer.reserved") == "\"1248 B\"");  // 6 cells
    CHECK(value_in(found, "buffer.headroom") == "\"55120 B\"");
    CHECK(value_in(found, "buffer.headroom_pool") == "none");
    CHECK(value_in(found, "flow_control.xon_offset") == "\"2496 B\"");
    CHECK(found.ports == std::vector<std::pair<std::int64_t, int>>{{40000, 32}});
    REQUIRE(found.headroom.size() == 2);
    CHECK(found.headroom[0].needed == 18200 + 15000 + 3840);  // 300 m at 40 Gb/s
    CHECK(found.headroom[1].needed == 18200 + 2000 + 3840);   // 40 m
    CHECK(value_in(switch_from_sonic(sonic_file("sonic-s6000.json"), &chip_memory_named("td2"), "egress_lossy_profile"),
                   "buffer.alpha") == "8");
}

// sonic-buildimage issue 28657: 258035400 B and 81553920 B are 614370 and 194176 cells of 420 B.
TEST_CASE("A configuration that asks for more than the chip has is refused") {
    CHECK_THROWS_WITH(switch_from_sonic(sonic_file("sonic-nh4210.json"), &chip_memory_named("th6"), ""),
                      Contains("sonic-nh4210.json: BUFFER_POOL|ingress_lossless_pool: ") &&
                          Contains("808546 cells of 420 B") && Contains("expected at most the 636183 cells"));
    // As its makers mend it, the pool without the headroom; the groups have 11 cells each.
    SonicConfig mended = sonic_file("sonic-nh4210.json");
    mended.pools["ingress_lossless_pool"].size -= mended.pools["ingress_lossless_pool"].xoff;
    const SonicSwitch found = switch_from_sonic(mended, &chip_memory_named("th6"), "");
    CHECK(found.memory.back().asked == 614370 + 512 * 11);
    CHECK(value_in(found, "buffer.headroom_pool") == "\"81553920 B\"");
    // Each group asks for so much more that they do not fit.
    mended.profiles["pg_lossless_400000_40m_profile"].size = 42000;
    CHECK_THROWS_WITH(switch_from_sonic(mended, &chip_memory_named("th6"), ""),
                      Contains("BUFFER_PG: ") && Contains("665570 cells") && Contains("636183"));
}

TEST_CASE("Groups that ask for more than a pool that holds them are refused") {
    SonicConfig config = small_config();
    config.profiles["pg"].size = 300000;
    // 8 groups of 1443 cells, of 9616 in the pool.
    CHECK_THROWS_WITH(switch_from_sonic(config, &chip_memory_named("td2"), ""),
                      Contains("BUFFER_PG: ") && Contains("11544 cells") && Contains("the 9615 cells of in"));
}

TEST_CASE("What egress has beside the headroom tells that the pool does not hold it") {
    SonicConfig config = small_config();
    config.pools["in"].xoff = 100'000;
    config.pools["out"].size = 2'100'000;
    CHECK(value_in(switch_from_sonic(config, &chip_memory_named("td3"), ""), "buffer.size") == "\"2000000 B\"");
    config.pools["out"].size = 2'000'000;
    CHECK(value_in(switch_from_sonic(config, &chip_memory_named("td3"), ""), "buffer.size") != "\"2000000 B\"");
}

TEST_CASE("A static threshold is a limit, and without a chip its cells are unknown") {
    const SonicSwitch found = switch_from_sonic(small_config(), nullptr, "q");
    CHECK(value_in(found, "buffer.sharing") == "\"shared\"");
    CHECK(value_in(found, "buffer.port_limit") == "\"400000 B\"");
    CHECK(value_in(found, "buffer.size") == "\"1000000 B\"");
    CHECK(value_in(found, "buffer.cell") == "\"unknown\"");
    CHECK(found.memory.empty());
    REQUIRE_FALSE(found.left_out.empty());
    CHECK_THAT(found.left_out.back(), Contains("no --asic"));
}

TEST_CASE("Too little headroom is said, and what nobody knows is not guessed") {
    SonicConfig config = small_config();
    const std::string report = report_of(switch_from_sonic(config, nullptr, ""));
    CHECK_THAT(report, Contains("27040") && Contains("20000  short by 7040 B"));
    config.cables.clear();
    CHECK_THAT(report_of(switch_from_sonic(config, nullptr, "")), Contains("unknown") && !Contains("short"));
    CHECK(json_of(switch_from_sonic(config, nullptr, ""))["headroom"][0]["needed_bytes"].is_null());
}

TEST_CASE("Without priority groups and queues a profile must be named, unless one alone is lossless") {
    SonicConfig config = small_config();
    config.groups.clear();
    config.queues.clear();
    CHECK(switch_from_sonic(config, nullptr, "").profile == "pg");
    config.profiles["pg"].xoff.reset();
    CHECK_THROWS_WITH(switch_from_sonic(config, nullptr, ""), Contains("expected --profile with one of pg, q"));
    CHECK_THROWS_WITH(switch_from_sonic(config, nullptr, "qq"), Contains("--profile: found \"qq\""));
    config.profiles["q"].static_th.reset();
    CHECK_THROWS_WITH(switch_from_sonic(config, nullptr, "q"), Contains("BUFFER_PROFILE|q: found neither"));
}
