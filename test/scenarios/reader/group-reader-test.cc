// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/event-train.h"
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

std::string group_refusal(const std::string& more, const std::vector<std::string>& overrides = {},
                          const Scope& scope = Scope::anything()) {
    try {
        read_groups(more, overrides, scope);
    } catch (const InputError& error) {
        const std::string text = error.what();
        const std::size_t file = text.find("toml");
        return file == std::string::npos ? text : text.substr(file + 4);
    }
    return "none";
}

}  // namespace

TEST_CASE("Groups have what they leave out from [front_end] and [frame], and count on in the order of the file") {
    const Scenario s = read_groups(
        "[frame]\npayload = \"500 B\"\n[front_end]\nlink_rate = \"2 Gb/s\"\n[group.b]\nmodules = 3\npayload = "
        "\"700 B\"\n[group.a]\nmodules = 2\nlink_rate = \"10 Gb/s\"\nclass = 5\nskew = [\"1 us\", \"2 us\"]\ndelay = "
        "\"3 us\"\n",
        {"group.a.gap=4 us", "group.a.fragments=2"});
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

TEST_CASE("A table makes equal groups, and tables of their names change one each") {
    const std::string array =
        "[group.t-3]\nmodules = 5\n[group.t]\nmodules = 2\ncopies = 4\ndelay = \"1 us\"\nskew = [\"2 us\", \"4 "
        "us\"]\n[group.t.trigger]\npattern = \"poisson\"\nrate = \"1 kHz\"\nevents = 3\n[group.b]\nmodules = 1\n";
    const Scenario s = read_groups(array, {"group.t-2.payload=100 B", "group.t-2.trigger.rate=2 kHz"});
    REQUIRE(s.groups.size() == 5);
    CHECK(s.front_end.modules == 2 + 2 + 5 + 2 + 1);
    const std::vector<std::string> names{"t-1", "t-2", "t-3", "t-4", "b"};
    const std::vector<int> modules{2, 2, 5, 2, 1}, before{0, 2, 4, 9, 11};
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(s.groups[i].name == names[i]);
        CHECK(s.groups[i].front_end.modules == modules[i]);
        CHECK(s.groups[i].front_end.modules_before == before[i]);
    }
    CHECK(s.groups[1].frame.payload == Bytes{100});
    CHECK(s.groups[1].trigger->rate.count == 2'000'000'000);
    CHECK(s.groups[3].trigger->rate.count == 1'000'000'000);
    CHECK(s.groups[2].front_end.skew == s.groups[0].front_end.skew);  // four modules before it are two turns
    CHECK(s.groups[3].front_end.skew != s.groups[0].front_end.skew);  // behind nine: listed from its own first module
    CHECK(*train_of(s.groups[0], s).next() != *train_of(s.groups[2], s).next());
    CHECK(read_groups(array, {"group.t.copies=3"}).groups.size() == 4);
    CHECK(read_groups("[group.t]\nmodules = 2\ncopies = 1\n").groups[0].name == "t");
    CHECK(group_refusal(array + "[group.t-5]\nmodules = 1\n") ==
          ":22: group.t-5: found the name of a copy, expected one of the 4 that [group.t] makes: t-1 to t-4, "
          "without `copies`");
    CHECK(begins_with(group_refusal(array, {"group.t-02.payload=100 B"}),
                      "--set: group.t-02: found the name of a copy, expected one of the 4 that [group.t] makes: t-1 "));
    CHECK_THAT(group_refusal(array, {"group.t_2.payload=100 B"}),
               Contains("group.t_2.modules: missing") && Contains("or a copy: t-1 to t-4"));
    CHECK(begins_with(group_refusal(array, {"group.t-3.copies=2"}), "--set: group.t-3: found the name of a copy"));
    CHECK(begins_with(group_refusal(array + "[group.t-1]\ncopies = 2\n"), ":22: group.t-1: found the name of a copy"));
    CHECK(
        begins_with(group_refusal("[group.t]\nmodules = 1\ncopies = 0\n"), ":10: group.t.copies: found 0, expected "));
    CHECK(begins_with(group_refusal("[group.t]\ncopies = 2\n"), ":9: group.t.modules: missing"));
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
    CHECK(
        group_refusal("[group.a]\nmodules = 1\n[group.b]\nmodules = 1\n[group.b.trigger]\nrate = \"1 kHz\"\n") ==
        ": group.b.trigger.separation: missing, expected with pattern \"burst\"; the trigger of a group takes nothing "
        "from [trigger], not its pattern either");
    CHECK(begins_with(group_refusal("[group.a]\nmodules = 1\n[group.fast]\nmodules = 64\nlink_rate = \"10 Gb/s\"\n",
                                    {"switch.ports=48 x 1 Gb/s + 4 x 10 Gb/s"}),
                      ":11: group.fast.modules: found 64 inputs beside 2 uplinks, expected no more than the 4 ports"));
    CHECK(begins_with(group_refusal("[group.fast]\nmodules = 2\nlink_rate = \"40 Gb/s\"\n",
                                    {"switch.ports=48 x 1 Gb/s + 4 x 10 Gb/s"}),
                      ":10: group.fast.link_rate: found 2 inputs of 40 Gb/s, expected a speed of the ports"));
    CHECK(group_refusal("[group.a]\nmodules = 1\n[server]\nassignment = \"by-group\"\norder = \"random\"\n") ==
          ":11: server.assignment: has no use here: with server.order = \"random\" the builder of each module is drawn "
          "for each event");
    CHECK(group_refusal("[server]\norder = \"shifted\"\ncopies = \"all\"\n") ==
          ":9: server.order: has no use here: with server.copies = \"all\" each builder gets all frames");
    CHECK(group_refusal("[server]\nassignment = \"in-turn\"\ncopies = \"all\"\n") ==
          ":9: server.assignment: has no use here: with server.copies = \"all\" each builder gets all frames");
}

TEST_CASE("Commands that know one kind of module alone refuse groups and builders by key") {
    CHECK(group_refusal("[group.a]\nmodules = 1\n", {}, Scope::camera()) ==
          ":9: group.a: found modules of several kinds, expected one kind for this command; run, map, boundary, risk, "
          "size, explore, compare, sensitivity, bound, throttle, stagger and draw know them");
    CHECK(group_refusal("[server]\nbuilders = 2\n", {}, Scope::camera()) ==
          ":9: server.builders: found 2, expected 1 for this command; run, map, boundary, risk, size, explore, "
          "compare, sensitivity, bound, throttle, stagger and draw know them");
    CHECK(group_refusal("[server]\nbuilders = 2\ncopies = \"all\"\n", {}, Scope::camera().with_groups()) ==
          ":10: server.copies: found \"all\", expected \"one\" for this command; run, boundary, risk, sensitivity, "
          "compare and draw know copies");
    CHECK(group_refusal("[server]\ncopies = \"all\"\n", {}, Scope::camera()) == "none");  // one builder gets all anyway
}

}  // namespace watershed
