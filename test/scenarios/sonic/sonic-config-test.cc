// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sonic/sonic-config.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Configuration read of a file with that text.
SonicConfig sonic_config_of(const std::string& text) {
    const auto path = std::filesystem::temp_directory_path() / ("sonic-config-test-" + std::to_string(::getpid()));
    std::ofstream(path) << text;
    struct Gone {
        std::filesystem::path path;
        ~Gone() { std::filesystem::remove(path); }
    } gone{path};
    return read_sonic_config(path.string());
}

const std::string kSonicPool = R"("BUFFER_POOL": {"in": {"size": "1000", "type": "ingress", "xoff": "200"}})";

std::string with_profile(const std::string& fields, const std::string& more = "") {
    return "{" + kSonicPool + R"(, "BUFFER_PROFILE": {"p": {)" + fields + "}}" + more + "}";
}

}  // namespace

TEST_CASE("Keys of a dump of the database are read as those of its tables") {
    const std::string pool = R"({"BUFFER_POOL|in": {"size": "1000", "type": "ingress"},)";
    for (const char* profile : {R"({"pool": "in", "dynamic_th": "1"})",
                                R"({"type": "hash", "ttl": -1, "value": {"pool": "in", "dynamic_th": "1"}})"}) {
        const SonicConfig config = sonic_config_of(pool + R"("BUFFER_PROFILE|p": )" + profile +
                                                   R"(, "BUFFER_PG|Ethernet0|3-4": {"profile": "p"}})");
        CHECK(config.pools.at("in").size == 1000);
        CHECK(config.profiles.at("p").dynamic_th == 1);
        REQUIRE(config.groups.size() == 1);
        CHECK(config.groups.front().count() == 2);
    }
}

TEST_CASE("References are read as old and new releases write them") {
    for (const char* pool : {"in", "[BUFFER_POOL|in]"})
        for (const char* profile : {"p", "[BUFFER_PROFILE|p]"}) {
            const SonicConfig config = sonic_config_of(with_profile(
                R"("pool": ")" + std::string(pool) + R"(", "size": "16", "dynamic_th": "-3", "xoff": "64")",
                R"(, "BUFFER_PG": {"Ethernet0,Ethernet4|3-4": {"profile": ")" + std::string(profile) +
                    R"("}, "host|asic0|Ethernet8|0": {"profile": "p"}, "Ethernet9|1": {"profile": "NULL"}})"));
            CHECK(config.pools.at("in").xoff == 200);
            CHECK(config.profiles.at("p").pool == "in");
            CHECK(config.profiles.at("p").dynamic_th == -3);
            CHECK(config.profiles.at("p").xoff == 64);
            REQUIRE(config.groups.size() == 3);
            CHECK(config.groups[0].port == "Ethernet0");
            CHECK(config.groups[0].count() == 2);
            CHECK(config.groups[1].port == "Ethernet4");
            CHECK(config.groups[2].port == "Ethernet8");
            CHECK(config.groups[2].count() == 1);
            CHECK(config.calculated == std::vector<std::string>{"BUFFER_PG|Ethernet9|1"});
        }
}

TEST_CASE("Ports have a speed, an MTU and a cable") {
    const SonicConfig config = sonic_config_of(with_profile(
        R"("pool": "in")", R"(, "PORT": {"Ethernet0": {"speed": "40000", "mtu": 1500}, "Ethernet4": {"speed": "10000"}},
                        "CABLE_LENGTH": {"AZURE": {"Ethernet0": "300m"}},
                        "DEVICE_METADATA": {"localhost": {"hwsku": "Force10-S6000"}})"));
    CHECK(config.ports.at("Ethernet0").speed == 40000);
    CHECK(config.ports.at("Ethernet0").mtu == 1500);
    CHECK(config.ports.at("Ethernet4").mtu == 9100);
    CHECK(config.cables.at("Ethernet0") == 300);
    CHECK(config.hwsku == "Force10-S6000");
}

// As sonic-utilities pull request 344 shows it.
TEST_CASE("What mmuconfig prints has pools and profiles") {
    const SonicConfig config = sonic_config_of(
        "Pool: ingress_lossless_pool\n----  --------\nxoff  3855488\ntype  ingress\nmode  dynamic\nsize  11213696\n"
        "----  --------\n\nProfile: pg_lossless_100000_5m_profile\n----------  -----\nxon_offset  2288\n"
        "dynamic_th  -4\nxon         2288\nxoff        165568\npool        [BUFFER_POOL|ingress_lossless_pool]\n"
        "size        1248\n----------  -----\n\nTotal pools: 1\n");
    CHECK(config.pools.at("ingress_lossless_pool").size == 11213696);
    CHECK(config.profiles.at("pg_lossless_100000_5m_profile").xoff == 165568);
    CHECK(config.ports.empty());
}

TEST_CASE("What is wrong is named by table, entry and field") {
    const auto refused = [](const std::string& text, const std::string& names) {
        INFO(text);
        CHECK_THROWS_WITH(sonic_config_of(text), Contains(names));
    };
    refused("{}", "BUFFER_POOL: missing");
    refused("[]", "found no object, expected the tables");
    refused("{\"BUFFER_POOL\": 1}", "BUFFER_POOL: found no object");
    refused("{" + kSonicPool + "}", "BUFFER_PROFILE: missing");
    refused("{\n\"BUFFER_POOL\": }", ":2: found");
    refused(R"({"BUFFER_POOL": {"in": {"type": "ingress"}}, "BUFFER_PROFILE": {"p": {}}})",
            "BUFFER_POOL|in: size: missing");
    refused(R"({"BUFFER_POOL": {"in": {"size": "1", "type": "up"}}, "BUFFER_PROFILE": {"p": {}}})",
            "BUFFER_POOL|in: type: found \"up\", expected ingress, egress or both");
    refused(with_profile(R"("pool": "out")"), "BUFFER_PROFILE|p: pool: found \"out\", expected one of in");
    refused(with_profile(R"("pool": "in", "xoff": "64k")"), "BUFFER_PROFILE|p: xoff: found \"64k\", expected bytes");
    refused(with_profile(R"("pool": "in", "size": "-1")"), "BUFFER_PROFILE|p: size: found \"-1\"");
    refused(with_profile(R"("pool": "in", "dynamic_th": "0", "static_th": "1")"), "static_th: conflicts");
    refused(with_profile(R"("pool": "in")", R"(, "BUFFER_PG": {"Ethernet0|3": {"profile": "q"}})"),
            "BUFFER_PG|Ethernet0|3: profile: found \"q\", expected one of p");
    for (const char* key : {"Ethernet0", "Ethernet0|", "Ethernet0|4-3", "Ethernet0|a", "|3", "Ethernet0|3-99"})
        refused(
            with_profile(R"("pool": "in")", R"(, "BUFFER_QUEUE": {")" + std::string(key) + R"(": {"profile": "p"}})"),
            "BUFFER_QUEUE|" + std::string(key));
    refused(with_profile(R"("pool": "in")", R"(, "PORT": {"Ethernet0": {}})"), "PORT|Ethernet0: speed: missing");
    refused(with_profile(R"("pool": "in")", R"(, "CABLE_LENGTH": {"AZURE": {"Ethernet0": "far"}})"),
            "CABLE_LENGTH|AZURE: Ethernet0: found \"far\"");
    refused("Pool: in\ntype ingress\n", "BUFFER_PROFILE: missing");
    refused("Pool:\n", ":1: found no name");
}
