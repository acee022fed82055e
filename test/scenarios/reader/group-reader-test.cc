// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

namespace watershed {
namespace {

const std::string kCommon =
    "[trigger]\nseparation = \"20 us\"\nevents = 10\n[switch]\nuplinks = 2\n[switch.buffer]\nsize = \"100 frames\"\n";

Scenario read_groups(const std::string& more, const std::vector<std::string>& overrides = {},
                     const Scope& scope = Scope::anything()) {
    const TemporaryFolder folder;
    return read_scenario(scope, folder.write("groups.toml", kCommon + more), overrides);
}

std::string group_refusal(const std::string& more, const Scope& scope = Scope::anything()) {
    try {
        read_groups(more, {}, scope);
    } catch (const InputError& error) {
        const std::string text = error.what();
        return text.substr(text.find("toml") + 4);
    }
    return "none";
}

}  // namespace

TEST_CASE("Groups have what they leave out from [front_end] and [frame], and count on in the order of the file") {
    const Scenario s = read_groups(
        "[frame]\npayload = \"500 B\"\n[front_end]\nlink_rate = \"2 Gb/s\"\n[group.b]\nmodules = 3\npayload = "
        "\"700 B\"\n[group.a]\nmodules = 2\nlink_rate = \"10 Gb/s\"\nclass = 5\nskew = [\"1 us\", \"2 us\"]\ndelay = "
        "\"3 us\"\n",
        {"group.a.gap=4 us"});
    REQUIRE(s.groups.size() == 2);
    CHECK(s.front_end.modules == 5);
    CHECK(s.groups[0].name == "b");
    CHECK(s.groups[0].frame.payload == Bytes{700});
    CHECK(s.groups[0].front_end.link_rate.count == 2'000'000'000);
    CHECK(s.groups[0].front_end.modules_before == 0);
    CHECK(s.groups[1].frame.payload == Bytes{500});
    CHECK(s.groups[1].front_end.link_rate.count == 10'000'000'000);
    CHECK(s.groups[1].front_end.traffic_class == 5);
    CHECK(s.groups[1].front_end.gap == Time{4'000'000});
    CHECK(s.groups[1].front_end.modules_before == 3);
    // The list begins with module 4, the group's first: 1 + 3 us; it stands behind module 3 of a list of two.
    CHECK(s.groups[1].front_end.skew == std::vector<Time>{Time{5'000'000}, Time{4'000'000}});
    CHECK_FALSE(s.groups[0].trigger);
}

TEST_CASE("Modules of [front_end] come first if their number is given, and a group may have a trigger of its own") {
    const Scenario s = read_groups(
        "[front_end]\nmodules = 4\n[group.slow]\nmodules = 1\n[group.slow.trigger]\npattern = \"periodic\"\nrate = "
        "\"1 kHz\"\nevents = 3\n");
    REQUIRE(s.groups.size() == 2);
    CHECK(s.groups[0].name == "front_end");
    CHECK(s.groups[0].front_end.modules == 4);
    CHECK(s.front_end.modules == 5);
    REQUIRE(s.groups[1].trigger);
    CHECK(s.groups[1].trigger->rate.count == 1'000'000'000);
    CHECK(s.groups[1].trigger->events == 3);
    CHECK(s.trigger.events == 10);
}

TEST_CASE("Another size of a group's fragments replaces all that says how large they are") {
    const std::string lists = "[front_end]\nfragments = [\"100 B\", \"200 B\"]\n[group.a]\nmodules = 1\n";
    CHECK(read_groups(lists).groups[0].frame.fragments.payloads.size() == 2);
    const Scenario s = read_groups(lists + "payload = \"300 B\"\n");
    CHECK(s.groups[0].frame.fragments.payloads.empty());
    CHECK(s.groups[0].frame.payload == Bytes{300});
    CHECK(read_groups("[group.a]\nmodules = 1\npayloads = [\"100 B\", \"200 B\"]\n").groups[0].frame.payloads.size() ==
          2);
}

TEST_CASE("What is wrong in a group is refused by file, line and key") {
    CHECK(group_refusal("[group.a]\npayload = \"500 B\"\n") ==
          ":9: group.a.modules: missing, expected the number of modules of the group");
    CHECK(begins_with(group_refusal("[group.a]\nmodules = 1\nuplinks = 2\n"),
                      ":10: group.a.uplinks: unknown key, expected in [group.NAME] one of "));
    CHECK(group_refusal("[group.a]\nmodules = 1\ndelay = \"5\"\n").find(":10: group.a.delay: found \"5\"") == 0);
    CHECK(group_refusal("[group.front_end]\nmodules = 1\n") ==
          ":9: group.front_end: expected a name of letters, digits, - and _, other than \"front_end\"");
    CHECK(group_refusal("[group.a]\nmodules = 1\npayload = \"5000 B\"\n").find(", in [group.a]") != std::string::npos);
    CHECK(group_refusal("[group.a]\nmodules = 1\n[group.a.trigger]\npattern = \"periodic\"\nrate = \"1 kHz\"\nevents = "
                        "3\n") == ":3: trigger.events: has no use here, every group has a trigger of its own");
    CHECK(group_refusal("[server]\nbuilders = 3\n") ==
          ":9: server.builders: found 3, expected no more than the 2 uplinks that lead to the server");
    CHECK(group_refusal("[server]\nassignment = \"by-group\"\n") ==
          ":9: server.assignment: found \"by-group\", expected tables [group.NAME] with it");
    CHECK(group_refusal("[group.a]\nmodules = 1\nswitch = \"left\"\n") ==
          ":10: group.a.switch: found \"left\", expected the name of a switch, such as \"switch\"");
    CHECK(begins_with(group_refusal("[group.a]\n"), ":8: group.a: found no key in this table, expected one of "));
    CHECK(begins_with(group_refusal("[group.a]\nmodules = 1\n[group.a.trigger]\n"),
                      ":10: group.a.trigger: found no key in this table, expected one of "));
    CHECK(group_refusal("[front_end]\nmodules = 2\n[group.front_end]\nmodules = 1\n") ==
          ":11: group.front_end: expected a name of letters, digits, - and _, other than \"front_end\"");
    CHECK(group_refusal("[group.a]\nmodules = 1\n[group.b]\nmodules = 1\n[group.b.trigger]\npattern = "
                        "\"line-rate-plus-burst\"\nevents = 3\n") ==
          ":13: group.b.trigger.pattern: found \"line-rate-plus-burst\", which describes two modules alone");
}

TEST_CASE("Commands that know one kind of module alone refuse groups and builders by key") {
    CHECK(group_refusal("[group.a]\nmodules = 1\n", Scope::camera()) ==
          ":9: group.a: found modules of several kinds, expected one kind for this command; run, map, boundary, risk, "
          "sensitivity, bound, throttle, stagger and draw know them");
    CHECK(group_refusal("[server]\nbuilders = 2\n", Scope::camera()) ==
          ":9: server.builders: found 2, expected 1 for this command; run, map, boundary, risk, sensitivity, bound, "
          "throttle, stagger and draw know them");
}

}  // namespace watershed
