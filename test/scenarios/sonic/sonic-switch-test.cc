// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sonic/sonic-switch.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <tuple>

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
    // Bytes, if cells are unknown: the largest frames have the shortest gaps.
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

// 7326924 B is a limit beside the 44032 cells that the inputs share; 12766208 B are all 61376 cells, and static_th is
// no less.
TEST_CASE("A switch has the ingress and the egress of the same numbers") {
    const auto of = [](const std::string& profile) {
        return switch_from_sonic(sonic_file("sonic-s6000.json"), &chip_memory_named("td2"), profile);
    };
    const SonicSwitch lossless = of(""), lossy = of("egress_lossy_profile");
    CHECK(lossless.other == "egress_lossless_profile");
    CHECK(lossy.other == "ingress_lossy_profile");
    const std::vector<std::tuple<std::string, std::string, std::string>> expected{
        {"buffer.accounting", "\"both\"", "\"both\""},
        {"buffer.size", "\"44032 cells\"", "\"44032 cells\""},
        {"buffer.alpha", "\"1/8\"", "8"},
        {"buffer.egress_size", "\"12766208 B\"", "\"7326924 B\""},
        {"buffer.egress_alpha", "none", "8"},
        {"buffer.egress_reserved", "none", "\"1518 B\""},
        {"buffer.reserved", "\"1248 B\"", "none"},
        {"buffer.port_limit", "none", "none"}};
    for (const auto& [key, paused, dropped] : expected) {
        CAPTURE(key);
        CHECK(value_in(lossless, key) == paused);
        CHECK(value_in(lossy, key) == dropped);
    }
    CHECK_THAT(report_of(lossless), Contains("and beside them of egress_lossless_profile") &&
                                        Contains("limits of the egress of other queues, which --profile takes: "
                                                 "egress_lossy_profile (") &&
                                        Contains("frames on headroom take of egress_lossless_pool"));
    CHECK(json_of(lossy)["other_profile"] == "ingress_lossy_profile");
}

TEST_CASE("Where the keys do not say both sides, the switch has one and the report tells why") {
    SonicConfig config = small_config();
    const auto report = [&](const std::string& profile) {
        const SonicSwitch found = switch_from_sonic(config, &chip_memory_named("spectrum"), profile);
        CHECK(found.other.empty() == (value_in(found, "buffer.egress_size") == "none"));
        CHECK((value_in(found, "buffer.accounting") == "\"both\"") != found.other.empty());
        return report_of(found);
    };
    CHECK_THAT(report(""), Contains("limits of the egress (of other numbers than these groups), which --profile"));
    CHECK_THAT(report("q"), Contains("limits of the ingress (of other numbers than these queues)"));
    for (SonicUse& use : config.queues) use.first = 4, use.last = 6;  // the groups are 3 and 4
    CHECK_THAT(report(""), Contains("(static_th of q or pg is a limit of one side, and switch.buffer.port_limit"));
    config.profiles["q"].static_th = 1'000'000;  // all of its pool
    CHECK_THAT(report(""), Contains("and beside them of q"));
    config.groups.resize(1);
    config.queues = {{"BUFFER_QUEUE|Ethernet8|3-4", "Ethernet8", 3, 4, "q"}};  // frames leave by another port
    CHECK_THAT(report(""), Contains("and beside them of q"));
    config.pools["out"].size = 0;
    CHECK_THAT(report(""), Contains("(q has no threshold, or its pool no size)"));
    config.pools["out"].size = 16'777'152;
    config.queues.clear();
    CHECK_THAT(report(""), Contains("none has a queue or priority group in the file; --profile NAME,NAME"));
    CHECK_THAT(report("pg,q"), Contains("limits of the egress (static_th of q or pg"));  // 1 MB of 16.8 MB
    config.profiles["q"].static_th.reset();
    config.profiles["q"].dynamic_th = 7;  // no limit on a Spectrum
    CHECK_THAT(report("pg,q"), Contains("and beside them of q"));
    CHECK(value_in(switch_from_sonic(config, &chip_memory_named("spectrum"), "pg,q"), "buffer.egress_size") ==
          "\"145269 cells\"");
    CHECK_THROWS_WITH(report("pg,pg"), Contains("found \"pg\" beside \"pg\", expected one of the egress"));
    CHECK_THROWS_WITH(report("pg,p"), Contains("--profile: found \"p\""));
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

// Each is confirmed by the engine: enough by runs of frames of all numbers of cells that lose nothing, not enough by
// the loss of the frames that need most.
TEST_CASE("What is said of the headroom of random ports is what runs show") {
    std::mt19937 random(20261);
    const auto one_of = [&](const auto& values) { return values[random() % values.size()]; };
    const std::vector<std::int64_t> speeds{1000, 10000, 25000, 40000, 50000, 100000, 200000, 400000},
        mtus{1500, 1522, 9000, 9100, 9216}, responses{0, 672, 3840, 10000};
    std::vector<const ChipMemory*> chips;
    for (const ChipMemory& chip : chip_memories())
        if (chip.header) chips.push_back(&chip);
    const char* const many = std::getenv("WATERSHED_MANY_PORTS");  // as many as 200 have been tried
    for (int each = 0; each < (many ? std::atoi(many) : 20); ++each) {
        const ChipMemory& chip = *one_of(chips);
        SonicConfig config = small_config();
        const std::int64_t speed = one_of(speeds), mtu = one_of(mtus), metres = std::int64_t(random() % 300),
                           response = one_of(responses);
        for (auto& [name, port] : config.ports) port = {speed, mtu};
        for (auto& [name, cable] : config.cables) cable = metres;
        const NeededHeadroom needed =
            needed_headroom(bytes_until_paused(mtu, speed, metres, response), mtu, chip.cell, *chip.header);
        const auto row = [&](std::int64_t xoff) {
            config.profiles["pg"].size = config.profiles["pg"].xoff.emplace(xoff);
            config.pools["in"].size = chip.cells / 2 * chip.cell;
            return switch_from_sonic(config, &chip, "", Bytes{response}).headroom.front();
        };
        if (8 * needed.cells > chip.cells * 2 / 5) continue;  // eight groups
        INFO(chip.name << ", " << speed << " Mb/s, MTU " << mtu << ", " << metres << " m, " << response << " B");
        const SonicHeadroom enough = row(needed.cells * chip.cell), less = row((needed.cells - 1) * chip.cell);
        REQUIRE(enough.needed == needed.cells * chip.cell);
        REQUIRE(enough.trial.runs > 20 * mtu / 9216);
        REQUIRE(enough.trial.lost == 0);
        REQUIRE(less.trial.lost > 0);
    }
}

TEST_CASE("A port of 40 Gb/s with 300 m of cable loses 64 B frames with what sufficed for bytes") {
    SonicConfig config = small_config();
    for (auto& [name, port] : config.ports) port.speed = 40000;
    for (auto& [name, cable] : config.cables) cable = 300;
    config.profiles["pg"].xoff = 37100;
    CHECK_THAT(report_of(switch_from_sonic(config, &chip_memory_named("td2"), "")),
               Contains("short by 42980 B: a run of frames of 64 B loses"));
    config.profiles["pg"].xoff = config.profiles["pg"].size = 80080;
    CHECK_THAT(report_of(switch_from_sonic(config, &chip_memory_named("td2"), "")), Contains("runs lose nothing"));
}

TEST_CASE("A pool of egress is a limit, which may be above the memory") {
    SonicConfig config = small_config();
    config.pools["out"].size = 16'777'152;
    const SonicSwitch found = switch_from_sonic(config, &chip_memory_named("spectrum"), "q");
    CHECK(value_in(found, "buffer.size") == "\"145269 cells\"");
    CHECK_THAT(report_of(found), Contains("size of out above the 145269 cells") && Contains("limits of the ingress"));
}

TEST_CASE("The step above a Spectrum's largest alpha is no limit, and it is said what is assumed") {
    SonicConfig config = small_config();
    config.profiles["q"].static_th.reset();
    config.profiles["q"].dynamic_th = config.profiles["pg"].dynamic_th = 7;
    const auto of = [&](const char* chip, const char* profile) {
        return switch_from_sonic(config, chip ? &chip_memory_named(chip) : nullptr, profile);
    };
    CHECK(value_in(of("spectrum", "q"), "buffer.sharing") == "\"shared\"");
    CHECK(value_in(of("spectrum", "q"), "buffer.alpha") == "none");
    CHECK_THAT(report_of(of("spectrum", "q")), Contains("dynamic_th 7 of q: assumed is no limit"));
    CHECK(value_in(of("spectrum", "pg"), "flow_control.alpha") == "64");
    CHECK(value_in(of("td2", "q"), "buffer.alpha") == "128");
    CHECK_THAT(report_of(of(nullptr, "q")), Contains("assumed is 128"));
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
