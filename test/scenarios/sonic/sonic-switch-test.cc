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

// A frame of 9100 + 18 + 20 B on the link, a pause of 64 + 20 B; 100 Gb/s x 2 x 40 m x 5 ns/m = 40000 bits = 5000 B;
// 60 x 64 B.
TEST_CASE("A pause waits for a frame, passes the cable twice, and is obeyed") {
    CHECK(bytes_until_paused(9100, 100000, 40, kPauseResponse.count) == 9138 + 84 + 5000 + 3840);
    CHECK(bytes_until_paused(1500, 10000, 0, 0) == 1538 + 84);
    CHECK(bytes_until_paused(0, 1000, 1, 0) == 38 + 84 + 2);  // 10 bits
}

TEST_CASE("Headroom is for whole cells of the frames that take most of them for their time on the link") {
    // 145 B and 64 B stored with them take 2 cells of 208 B: 416 B in the time of 165 B, against 208 B in that of 84 B.
    // Within 19141 B begin 117 of them, the last one 1 B before the end.
    CHECK(needed_headroom(165 * 116 + 1, 127, 208, 64).cells == 234);
    CHECK(needed_headroom(165 * 116 + 1, 127, 208, 64).worst == 145);
    CHECK(needed_headroom(165 * 116 + 1, 9100, 208, 64).cells == 232 + 45);  // 9118 + 64 B: 44.1 cells
    // Smallest frames waste most of cells of 256 B with nothing beside: 256 B in 84 B against 512 B in 277 B.
    CHECK(needed_headroom(84 * 10 + 1, 46, 256, 0).cells == 11);
    CHECK(needed_headroom(84 * 10 + 1, 1500, 256, 0).worst == 64);
    // Where cells are unknown, bytes: the largest frames have the shortest gaps.
    CHECK(needed_headroom(1538 * 10 + 1, 1500, 1, 0).cells == 11 * 1518);
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
    // 9138 + 84 + 3840 B and 15000 B, 300 m at 40 Gb/s, or 2000 B, 40 m: 340.1 and 182.6 cells by 165 B, and 45.
    CHECK(found.headroom[0].needed == 208 * (340 + 45));
    CHECK(found.headroom[1].needed == 208 * (182 + 45));
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
    CHECK_THAT(report, Contains("27139") && Contains("20000  short by 7139 B"));
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
