// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore.h"

#include <rapidcheck.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/exact/exact-engine.h"
#include "model/risk/camera-queue.h"
#include "model/risk/direct-risk.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/design/design-search.h"
#include "scenarios/design/explore-result.h"
#include "scenarios/design/ranking.h"
#include "scenarios/design/watershed-curve.h"
#include "scenarios/reader/reader.h"
#include "scenarios/run/run-report.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

CatalogueSwitch entry_of(const std::string& model) { return read_catalogue_switch(model, scenario_folders().front()); }

DesignRequirements wanted(const std::vector<std::string>& overrides = {}) {
    DesignRequirements wanted;
    wanted.scenario = std::string(scenario_folders().front()) + "/explore-nectarcam.toml";
    wanted.overrides = overrides;
    return wanted;
}

RatedDesign explored(const std::string& model, int switches, int uplinks, const std::string& selection = "modulo",
                     const std::vector<std::string>& overrides = {}) {
    ExactEngine engine;
    return explore(wanted(overrides), {model, 265, switches, uplinks, selection}, entry_of(model), engine);
}

/// The scenario of a way, written and read again as a user would.
Scenario written(const DesignRequirements& wanted, const CandidateDesign& stacking) {
    const CatalogueSwitch first = entry_of(stacking.model);
    const std::optional<CatalogueSwitch> second =
        stacking.aggregation.empty() ? std::nullopt : std::optional(entry_of(stacking.aggregation));
    const DesignKeys keys = keys_of(wanted, stacking, first, second ? &*second : nullptr);
    return read_scenario(
        TemporaryFolder().write("way.toml", scenario_text(wanted.scenario, keys.left_out, keys.overrides)));
}

double busiest(const Scenario& scenario, const Outcome& outcome) {
    double most = 0;
    const Network network(scenario);
    for (std::size_t i = 0; i < outcome.uplinks.size(); ++i)
        most = std::max(most, utilisation(outcome.uplinks[i], network.links()[i].rate, outcome.simulated));
    return most;
}

}  // namespace

TEST_CASE("265 modules on 6 switches are 45 on the fullest, and its numbers those of arithmetic") {
    const RatedDesign way = explored("arista-7010t", 6, 1);
    CHECK(way.stacking.modules_of_switch() == 45);
    CHECK(way.fits == RatedDesign::Fit::Yes);
    // 45 slots of 0.872 us are 39.24 us: 25.48 kHz; 7874 triggers a second are 30.9 % of that.
    CHECK(way.saturation_khz == Approx(1e3 / 39.24));
    CHECK(way.load == Approx(39.24 / 127));
    CHECK(way.link_load == Approx(8.72 / 127));
    CHECK(way.capacity == Approx(127 / 39.24));
    // 8.72 us on the link and 39.24 us on the uplink, and a wait of 8 kHz (37.24 us)^2 / 2 / (1 - 8 kHz 37.24 us)
    // = 7.90 us.
    CHECK(way.latency_us == Approx(8.72 + 39.24 + 7.901).epsilon(1e-3));
    // 4 MB are 19230 cells of 208 B, 3205 frames of 6 cells. The m-th event finds (m - 1)(45 - 22.94) frames left.
    REQUIRE(way.watershed);
    CHECK(way.watershed->events_lossless == 144);
    CHECK(way.log_risk->upper < std::log(1e-60));
    CHECK(*way.recovery_us ==
          Approx(3204 * 0.872 / (1 - 39.24 / 127)).epsilon(1e-3));  // but for the frame on its way out
}

TEST_CASE("Groups and builders are judged as a whole network, and each builder needs a link") {
    const TemporaryFolder folder;
    DesignRequirements asked;
    asked.scenario = folder.write("kinds.toml",
                                  "[group.slow]\nmodules = 20\nlink_rate = \"1 Gb/s\"\n"
                                  "[group.fast]\nmodules = 2\nlink_rate = \"10 Gb/s\"\n"
                                  "[trigger]\npattern = \"periodic\"\nrate = \"2 kHz\"\n"
                                  "[switch]\nuplinks = 2\nuplink_rate = \"10 Gb/s\"\n[server]\nbuilders = 2\n");
    ExactEngine engine;
    const auto way = [&](int uplinks) {
        return explore(asked, {"dell-s60", 22, 1, uplinks, "modulo"}, entry_of("dell-s60"), engine);
    };
    const RatedDesign two = way(2);
    // Every second event brings 22 frames of 0.872 us to an uplink: 1 kHz of 19.184 us.
    CHECK(two.load == Approx(0.019184));
    CHECK(two.link_load == Approx(2e3 * 8.72e-6));
    CHECK(two.capacity == Approx(1 / 0.019184));
    REQUIRE(two.log_risk);
    CHECK(two.log_risk->upper == -HUGE_VAL);  // all repeats, and 330 MB hold 22 frames
    CHECK_FALSE(two.sampled);
    CHECK(feasible(two, 1e-9));
    const RatedDesign one = way(1);
    CHECK_FALSE(feasible(one, 1e-9));
    CHECK_THAT(one.remark, StartsWith("server.builders: found 2"));
    CHECK(reason_of(one, 1e-9) == "do not lead to each builder");
}

TEST_CASE("Too few ports are too few, and faster ones that may do are not known to") {
    const RatedDesign no = explored("dell-s60", 6, 1);
    CHECK(no.fits == RatedDesign::Fit::Unknown);  // 44 ports of 1 Gb/s, 45 needed, and three of 10 Gb/s left
    CHECK_THAT(no.remark, Contains("44 ports of 1 Gb/s") && Contains("45 are needed") && !Contains("second tier"));
    CHECK(no.log_risk);
    CHECK_FALSE(feasible(no, 0.5));
    const RatedDesign none = explored("dell-s60", 4, 1);
    CHECK(none.fits == RatedDesign::Fit::No);
    CHECK(none.unstated.empty());  // nothing more is asked of it
    CHECK(explored("dell-s60", 7, 1).fits == RatedDesign::Fit::Yes);
    CHECK(explored("dell-s60", 7, 5).fits == RatedDesign::Fit::No);
}

TEST_CASE("An unknown memory stays unknown, and says so") {
    const RatedDesign way = explored("juniper-ex4300", 6, 1);
    CHECK_FALSE(way.log_risk);
    CHECK_FALSE(way.watershed);
    CHECK(way.remark == "switch.buffer.sharing: unknown, --set switch.buffer.sharing=VALUE tells it");
    CHECK(way.load > 0);
    CHECK_FALSE(feasible(way, 0.5));
}

TEST_CASE("Where neither risk nor bound is calculated both reasons are told, and one that is the same for both once") {
    const RatedDesign way = explored("arista-7010t", 6, 1, "modulo", {"front_end.jitter=1 ns"});
    CHECK_FALSE(way.log_risk);
    const std::string calculated = "neither the risk nor a bound of it can be calculated: ",
                      jitter = "front_end.jitter: the modules no longer send one frame each at the same instants";
    CHECK(way.remark == calculated + jitter);
    // A bound knows gaps, the chain does not.
    const std::string both = explored("arista-7010t", 6, 1, "modulo",
                                      {"front_end.jitter=1 ns", "front_end.gap=1 us", "front_end.fragments=2"})
                                 .remark;
    CHECK_THAT(both, StartsWith(calculated + jitter + "; "));
}

TEST_CASE("What is assumed or recalled of a switch is told, and such a risk is not known") {
    using Standing = RatedDesign::Standing;
    const RatedDesign assumed = explored("arista-7010t", 6, 1);
    CHECK(assumed.standing() == Standing::Assumed);
    REQUIRE(assumed.unstated.size() == 1);
    CHECK(to_text(assumed.unstated.front()) == "assumed: switch.latency = 0 us, unknown for arista-7010t");
    CHECK(explored("arista-7010t", 6, 1, "modulo", {"switch.latency=1 us"}).standing() == Standing::Known);
    const RatedDesign recalled = explored("cisco-3750x", 6, 1, "modulo", {"switch.latency=1 us"});
    CHECK(recalled.standing() == Standing::Recalled);
    CHECK(std::any_of(recalled.unstated.begin(), recalled.unstated.end(), [](const Unstated& each) {
        return to_text(each) == "recalled: 48 ports of 1 Gb/s of cisco-3750x";
    }));
    CHECK_FALSE(
        explored("cisco-3750x", 6, 1, "modulo", {"switch.latency=1 us", "switch.ports=48 x 1 Gb/s + 2 x 10 Gb/s"})
            .rests_on(Unstated::Standing::Recalled));
    CHECK(explored("juniper-ex4300", 6, 1).standing() == Standing::Unknown);
}

TEST_CASE("Modules that send more than their links carry make no way, whatever the switch") {
    // 100 kHz before 2 us of dead time are 83.3 kHz; 1 Gb/s carries a frame of 1090 B in 8.72 us, 114.7 kHz, and two of
    // them 57 kHz.
    const RatedDesign enough = explored("arista-7010t", 53, 1, "modulo", {"trigger.rate=100 kHz"});
    CHECK(enough.link_load == Approx(8.72 / 12));
    CHECK(feasible(enough, 1e-9));
    const RatedDesign more =
        explored("arista-7010t", 53, 1, "modulo", {"trigger.rate=100 kHz", "front_end.fragments=2"});
    CHECK(more.link_load == Approx(2 * 8.72 / 12));
    CHECK_FALSE(feasible(more, 0.5));
    CHECK_FALSE(more.log_risk);
    CHECK_THAT(more.remark, Contains("front_end.link_rate: the modules' links would have to carry 145.3 %"));
}

TEST_CASE("What a scenario says of its own memory is left aside for the catalogue's switch, unless --set says it") {
    DesignRequirements of_file;
    of_file.scenario =
        std::string(scenario_folders().front()) + "/camera-1to1.toml";  // [switch.buffer] of 7000 frames per input
    const CatalogueSwitch entry = entry_of("arista-7010t");
    std::vector<std::string> left_out;
    const CandidateDesign stacking{"arista-7010t", 265, 6, 1, "modulo"};
    CHECK(read_camera(of_file, stacking, entry, nullptr, &left_out).network_switch.buffer.size.amount == 4'000'000);
    CHECK_THAT(left_out, Catch::Matchers::VectorContains(std::string("switch.buffer")));
    // With a second tier the model alone is replaced; without one all of it goes, and --set's words of it.
    of_file.overrides = {"aggregation.uplinks=2"};
    const auto leaves_out = [](const DesignKeys& keys, const std::string& name) {
        return std::count(keys.left_out.begin(), keys.left_out.end(), name) == 1;
    };
    const DesignKeys alone = keys_of(of_file, stacking, entry), before = keys_of(of_file, stacking, entry, &entry);
    CHECK((leaves_out(alone, "aggregation") && !leaves_out(alone, "aggregation.model")));
    CHECK((leaves_out(before, "aggregation.model") && !leaves_out(before, "aggregation")));
    CHECK(std::count(alone.overrides.begin(), alone.overrides.end(), "aggregation.uplinks=2") == 0);
    CHECK(std::count(before.overrides.begin(), before.overrides.end(), "aggregation.uplinks=2") == 1);
    of_file.overrides = {"switch.buffer.size=1 MB"};
    CHECK(read_camera(of_file, stacking, entry).network_switch.buffer.size.amount == 1'000'000);
}

TEST_CASE("A hash gives the switches of a camera different loads, and the busiest uplink of all counts") {
    // 40 modules on 4 switches, two uplinks each: 5 modules on each by turns; a hash gives some uplink more.
    ExactEngine engine;
    const CatalogueSwitch entry = entry_of("arista-7010t");
    const DesignRequirements of_camera = wanted({"trigger.rate=30 kHz"});
    const CandidateDesign stacking{"arista-7010t", 40, 4, 3, "hash"};
    const RatedDesign way = explore(of_camera, stacking, entry, engine);
    Scenario camera = written(of_camera, stacking);
    camera.trigger.events = 5000;
    CHECK(way.load == Approx(busiest(camera, engine.run(camera))).epsilon(0.03));
    CHECK(way.load > 1.3 * explore(of_camera, {"arista-7010t", 40, 4, 3, "modulo"}, entry, engine).load);
}

TEST_CASE("A second tier is given whole links, so that one of its uplinks may carry twice what another does") {
    // The camera of the issue: 6 links into 5 interfaces are 89 modules on one of them, 44 or 45 on the others.
    ExactEngine engine;
    const DesignRequirements of_camera =
        wanted({"trigger.rate=12 kHz", "trigger.dead_time=5 us", "frame.payload=1400 B"});
    const CatalogueSwitch first = entry_of("edgecore-4610"), second = entry_of("dell-s4810");
    const RatedDesign alone = explore(of_camera, {"edgecore-4610", 265, 6, 1, "modulo"}, first, engine);
    CHECK(feasible(alone, 1e-6));
    const RatedDesign way = explore_behind(of_camera, {&alone}, {&first}, 5, {second}, true).front();
    // 89 frames of 1466 B at 10 Gb/s in 5 us + 83.3 us.
    CHECK(way.load == Approx(89 * 1.1728 / (5 + 1e3 / 12)));
    CHECK_FALSE(feasible(way, 0.5));
    CHECK_THAT(way.remark, Contains("second tier: an uplink would have to carry 118.2 %"));
    CHECK(explore_behind(of_camera, {&alone}, {&first}, 4, {second}, true).front().load > 1);  // 6 = 2 + 2 + 1 + 1
}

TEST_CASE("First tiers with the same links are rated with each second tier as each of them alone is") {
    ExactEngine engine;
    const std::vector<CatalogueSwitch> seconds = read_catalogue(scenario_folders().front());
    const std::vector<CatalogueSwitch> models{entry_of("arista-7010t"), entry_of("dell-s60"), entry_of("cisco-4948e")};
    int rated = 0;
    // The last scenario states all that is assumed of two of the models, and nothing is proven of the one before it.
    for (const std::vector<std::string>& set : std::vector<std::vector<std::string>>{
             {},
             {"aggregation.latency=3 us"},
             {"trigger.pattern=periodic", "trigger.rate=9 kHz"},
             {"switch.latency=1 us", "switch.buffer.cell=1 B", "aggregation.buffer.size=2 MB"}}) {
        const DesignRequirements of_camera = wanted(set);
        std::vector<RatedDesign> alone;
        for (const CatalogueSwitch& each : models)
            alone.push_back(explore(of_camera, {each.id, 265, 6, 2, "hash"}, each, engine));
        std::vector<const RatedDesign*> firsts;
        std::vector<const CatalogueSwitch*> entries;
        for (std::size_t i = 0; i < models.size(); ++i)
            if (feasible(alone[i], of_camera.loss)) firsts.push_back(&alone[i]), entries.push_back(&models[i]);
        REQUIRE(firsts.size() > 1);
        for (const bool unsure : {false, true}) {
            const auto together = explore_behind(of_camera, firsts, entries, 4, seconds, unsure);
            for (std::size_t i = 0; i < firsts.size(); ++i) {
                const auto one = explore_behind(of_camera, {firsts[i]}, {entries[i]}, 4, seconds, unsure);
                for (std::size_t second = 0; second < seconds.size(); ++second) {
                    CAPTURE(set, entries[i]->id, seconds[second].id);
                    const RatedDesign& both = together[i * seconds.size() + second];
                    CHECK(to_json(explored_members(), both, kToProcesses) ==
                          to_json(explored_members(), one[second], kToProcesses));
                    rated += both.log_risk.has_value();
                }
            }
        }
    }
    CHECK(rated > 100);
}

TEST_CASE("Links are the same where switches differ in memory, ports and latency alone") {
    const CandidateDesign design{"a", 265, 6, 2, "hash"};
    const CatalogueSwitch a = entry_of("arista-7010t"), b = entry_of("dell-s60");
    CHECK(same_links(design, a, design, b));
    for (const auto change :
         {+[](CandidateDesign& d) { d.modules = 264; }, +[](CandidateDesign& d) { d.switches = 5; },
          +[](CandidateDesign& d) { d.uplinks = 1; }, +[](CandidateDesign& d) { d.selection = "modulo"; }}) {
        CandidateDesign other = design;
        change(other);
        CHECK_FALSE(same_links(design, a, other, a));
    }
    CatalogueSwitch cut_through = a;
    cut_through.values.push_back({"switch.cut_through", KeyValue{true}, "", "", ""});
    CHECK_FALSE(same_links(design, a, design, cut_through));
}

TEST_CASE(
    "Random designs lose no more, and keep their links as busy, as explore says of them: each is written, read and "
    "simulated") {
    ExactEngine engine;
    int lossy = 0, behind_links = 0, other_rate = 0, hashed = 0, told = 0;
    REQUIRE(rc::check([&] {
        const std::string model = *rc::gen::element<std::string>("arista-7010t", "edgecore-4610", "cisco-4948e");
        const int switches = *rc::gen::inRange(1, 4), uplinks = *rc::gen::inRange(1, 4),
                  modules = switches * *rc::gen::inRange(10, 30) + *rc::gen::inRange(0, 3);
        const int fragments = *rc::gen::element(1, 1, 2), interfaces = *rc::gen::inRange(1, 4);
        const bool two_tiers = switches * uplinks > interfaces && *rc::gen::arbitrary<bool>();
        const std::string second_rate = *rc::gen::element<std::string>("2.5", "5", "10", "25", "40");
        const double second_slot = 0.872e-6 * 10 / std::stod(second_rate);
        const double busiest_events =
            1 / (fragments * modules *
                 std::max(0.872e-6 / switches, two_tiers ? second_slot / std::min(switches, interfaces) : 0));  // about
        const auto rate = static_cast<std::int64_t>(busiest_events * *rc::gen::inRange(30, 99) / 100);
        const auto kilobytes = [&](int of_modules) {
            return std::to_string(fragments * of_modules * *rc::gen::inRange(14, 80) / 10) + " kB";
        };
        DesignRequirements of_camera =
            wanted({"trigger.rate=" + std::to_string(rate) + " Hz", "front_end.fragments=" + std::to_string(fragments),
                    "switch.buffer.size=" + kilobytes(modules / switches)});
        of_camera.loss = 0.9;  // most bounds suffice for that, so that few chains have to be worked through
        if (two_tiers)
            of_camera.overrides.insert(
                of_camera.overrides.end(),
                {"aggregation.buffer.size=" + kilobytes(modules), "aggregation.uplink_rate=" + second_rate + " Gb/s",
                 "aggregation.ports=48 x 10 Gb/s + 4 x " + second_rate + " Gb/s"});
        const CandidateDesign stacking{model, modules, switches, uplinks,
                                       *rc::gen::element<std::string>("modulo", "hash")};
        RatedDesign way = explore(of_camera, stacking, entry_of(model), engine);
        if (two_tiers) {
            RC_PRE(feasible(way, 0.999));
            const CatalogueSwitch entry = entry_of(model);
            const RatedDesign alone = way;
            way = explore_behind(of_camera, {&alone}, {&entry}, interfaces, {entry_of("arista-7150s")}, true).front();
        }
        RC_PRE(way.fits == RatedDesign::Fit::Yes && way.load < 0.999 && way.link_load < 0.999);
        Scenario camera = written(of_camera, way.stacking);
        camera.trigger.events = 3000;
        const Outcome outcome = engine.run(camera);
        const Enclosure seen = loss_probability({count_incomplete(engine, camera, 3000, 1)});
        lossy += seen.estimate > 0.001;
        behind_links += two_tiers;
        other_rate += two_tiers && second_rate != "10" && way.log_risk;
        hashed += stacking.selection == "hash" && uplinks > 1;
        // 3000 random gaps scatter by 2 % in sum.
        RC_ASSERT(busiest(camera, outcome) <= way.load * 1.08);
        if (outcome.frames_lost() == 0) RC_ASSERT(busiest(camera, outcome) >= way.load * 0.92);
        if (!way.log_risk) return;
        told += way.log_risk->upper < 0;
        // Three times the half of an interval of 95 %: of so many designs some are unlucky.
        const double upper = std::exp(way.log_risk->upper), lower = std::exp(way.log_risk->lower);
        RC_ASSERT(seen.estimate - 3 * (seen.estimate - seen.lower) <= upper);
        RC_ASSERT(seen.estimate + 3 * (seen.upper - seen.estimate) >= lower);
    }));
    // All kinds of designs are among the hundred, whatever the seed.
    CHECK(lossy > 0);
    CHECK(behind_links > 3);
    CHECK(other_rate > 3);
    CHECK(hashed > 3);
    CHECK(told > 15);
}

TEST_CASE("The first is cheapest if prices are known, else has fewest switches; the Pareto front is not dominated") {
    std::vector<RatedDesign> ways;
    for (const auto& [model, switches, uplinks] : {std::tuple("arista-7010t", 7, 1), std::tuple("arista-7010t", 6, 2),
                                                   std::tuple("arista-7010t", 6, 1), std::tuple("arista-7048t", 6, 1)})
        ways.push_back(explored(model, switches, uplinks));
    std::vector<RatedDesign> unpriced = ways;
    rank(unpriced, 1e-9);
    CHECK(unpriced.front().stacking.model == "arista-7048t");  // as few switches and interfaces, and more memory
    CHECK(unpriced.front().pareto);
    CHECK(unpriced.back().stacking.switches == 7);
    CHECK(unpriced.back().rank == 4);
    CHECK_FALSE(unpriced.back().pareto);
    for (RatedDesign& way : ways)
        way.price = way.stacking.switches * (way.stacking.model == "arista-7010t" ? 1000.0 : 5000.0);
    rank(ways, 1e-9);
    CHECK(ways.front().stacking.model == "arista-7010t");
    CHECK(ways.front().stacking.interfaces() == 6);
    CHECK(ways.front().pareto);
    ways.front().refuted = true;
    rank(ways, 1e-9);
    CHECK(ways.front().stacking.interfaces() != 6);
    CHECK(ways.back().rank == 0);
    CHECK(std::string(reason_of(ways.back(), 1e-9)) == "lost too many events when simulated");
}

TEST_CASE("The risk of a way is exact from a chain, a bound behind links that fill a memory, and else unknown") {
    ExactEngine engine;
    const DesignRequirements of_camera = wanted({"switch.buffer.size=60 kB", "aggregation.buffer.size=1 MB"});
    const auto kind = [](const RatedDesign& way) { return std::string(risk_kind(way.risk())); };
    const CatalogueSwitch first = entry_of("arista-7010t"), second = entry_of("arista-7150s");
    const RatedDesign alone = explore(of_camera, {"arista-7010t", 265, 6, 1, "modulo"}, first, engine);
    CHECK(kind(alone) == "exact");
    CHECK(kind(explore_behind(of_camera, {&alone}, {&first}, 2, {second}, true).front()) == "bound");
    // Two links of 10 Gb/s into each of 40 Gb/s, for which one frame of each link has room: as without a second tier.
    const DesignRequirements faster = wanted({"switch.buffer.size=60 kB", "aggregation.uplink_rate=40 Gb/s",
                                              "aggregation.ports=48 x 10 Gb/s + 4 x 40 Gb/s"});
    const RatedDesign whole = explore_behind(faster, {&alone}, {&first}, 3, {second}, true).front();
    CHECK(kind(whole) == "exact");
    CHECK(whole.log_risk->upper == alone.log_risk->upper);
    CHECK_FALSE(whole.bounded);
    CHECK(kind(explored("juniper-ex4300", 6, 1)) == "unknown");
    // At a fixed rate each event of 45 frames is incomplete where 10 kB hold at most nine of them, or none is.
    const std::string fixed = "trigger.pattern=periodic";
    CHECK(explored("arista-7010t", 6, 1, "modulo", {fixed}).log_risk.value().upper == -INFINITY);
    CHECK(explored("arista-7010t", 6, 1, "modulo", {fixed, "switch.buffer.size=10 kB"}).log_risk.value().lower == 0);
}

TEST_CASE("The load that explore tells is that of a long run") {
    // Runs with one seed share their triggers: 2000 of them scatter by 2 % together, 200,000 by 0.2 %.
    ExactEngine engine;
    const DesignRequirements of_camera = wanted();
    const CandidateDesign stacking{"arista-7010t", 265, 6, 2, "hash"};
    const RatedDesign way = explore(of_camera, stacking, entry_of("arista-7010t"), engine);
    Scenario camera = written(of_camera, stacking);
    camera.trigger.events = 200'000;
    CHECK(busiest(camera, engine.run(camera)) == Approx(way.load).epsilon(0.01));
}

TEST_CASE("A way goes to another process and back bit for bit") {
    for (const double loss : {1e-9, 0.0}) {
        DesignRequirements asked = wanted();
        asked.loss = loss;
        ExactEngine engine;
        const RatedDesign way = explore(asked, {"cisco-3750x", 265, 6, 2, "hash"}, entry_of("cisco-3750x"), engine);
        const nlohmann::ordered_json packed = to_json(explored_members(), way, kToProcesses);
        RatedDesign back;
        read(explored_members(), back, nlohmann::ordered_json::parse(packed.dump()), kToProcesses);
        CHECK(to_json(explored_members(), back, kToProcesses) == packed);
        CHECK(to_json(explored_members(), back) == to_json(explored_members(), way));
        CHECK(way.dead_time_us.has_value() == (loss == 0));
    }
}

TEST_CASE("Who wants no loss at all has the ways of which the bound proves it, and the dead time from which it does") {
    // 45 frames of 1090 B take 39.24 us on an uplink. A memory for fewer would lose some of them alone.
    const auto way = [](const std::string& dead_time, const std::string& model, int switches, int uplinks) {
        DesignRequirements asked = wanted({"trigger.dead_time=\"" + dead_time + "\""});
        asked.loss = 0;
        ExactEngine engine;
        return explore(asked, {model, 265, switches, uplinks, "modulo"}, entry_of(model), engine);
    };
    const RatedDesign proven = way("39.24 us", "cisco-4948e", 6, 1), open = way("39.239 us", "cisco-4948e", 6, 1);
    CHECK(feasible(proven, 0));
    CHECK_FALSE(feasible(open, 0));
    CHECK(feasible(open, 1e-9));
    for (const RatedDesign& each : {proven, open}) CHECK(each.dead_time_us.value() == Approx(39.24));
    CHECK(reason_of(open, 0) == "may lose a frame when triggers come as close as they may");
    // Four uplinks carry the frames of at most eight modules each in less than a module's link takes for the next one.
    const RatedDesign always = way("2 us", "cisco-4948e", 9, 4);
    CHECK(feasible(always, 0));
    CHECK(always.dead_time_us == 0.0);
    CHECK(feasible(way("1 ms", "dell-6248", 6, 1), 0));  // no frame waits in its input FIFOs
}

TEST_CASE("Who wants no loss at all has it behind a second tier, too, where each of its links is done with an event") {
    // Six links into two interfaces: 133 modules on one, whose frames take 115.976 us; into one: 265 and 231.08 us.
    const auto way = [](const std::string& dead_time, int interfaces) {
        DesignRequirements asked = wanted({"trigger.dead_time=\"" + dead_time + "\""});
        asked.loss = 0;
        ExactEngine engine;
        const CatalogueSwitch first = entry_of("cisco-4948e"), second = entry_of("dell-s4810");
        const RatedDesign alone = explore(asked, {"cisco-4948e", 265, 6, 1, "modulo"}, first, engine);
        return explore_behind(asked, {&alone}, {&first}, interfaces, {second}, true).front();
    };
    for (const RatedDesign& each : {way("115.976 us", 2), way("231.08 us", 1)}) {
        CHECK(feasible(each, 0));
        CHECK(each.watershed);
    }
    for (const RatedDesign& each : {way("115.975 us", 2), way("231.079 us", 1)}) {
        CHECK_FALSE(feasible(each, 0));
        CHECK(reason_of(each, 0) == "may lose a frame when triggers come as close as they may");
    }
    CHECK(way("1 ms", 2).dead_time_us.value() == Approx(115.976));
    CHECK(way("1 ms", 1).dead_time_us.value() == Approx(231.08));
}

/// The second tier of the scenario of shared data: what bursts lose is decided by both tiers.
const std::string kTiers =
    "[frame]\npayload = \"1024 B\"\n[front_end]\nmodules = 30\nlink_rate = \"1 Gb/s\"\n[trigger]\npattern = "
    "\"burst\"\nevents = 2\nseparation = \"20 us\"\n[switch]\ncount = 3\nuplinks = 1\nuplink_rate = \"10 Gb/s\"\n"
    "[switch.buffer]\nsharing = \"shared\"\nsize = \"100 frames\"\n[aggregation]\nuplinks = 1\nuplink_rate = \"20 "
    "Gb/s\"\n[aggregation.buffer]\nsharing = \"shared\"\nsize = \"100 frames\"\n";

TEST_CASE("The watershed of two tiers is what find_boundary() answers for the whole network") {
    // Ten modules bring 8.72 us of work to each first uplink, and their 30 frames 13.08 us to the last.
    const TemporaryFolder folder;
    const Scenario camera = read_scenario(Scope::own_bursts(), folder.write("tiers.toml", kTiers));
    Scenario first = camera;
    first.aggregation.reset();
    ExactEngine engine;
    const WatershedCurve curve = watershed_curve(camera, engine), alone = watershed_curve(first, engine);
    REQUIRE(curve.points.size() > 10);
    CHECK(curve.why_none.empty());
    // With several tiers the last point lies a picosecond beyond.
    CHECK(curve.points.back().first == Approx(13.080001).epsilon(1e-8));
    CHECK_FALSE(curve.points.back().second);
    CHECK(alone.points.back().first == Approx(8.72).epsilon(1e-8));
    int lossy = 0;
    for (const auto& [separation, events] : curve.points) {
        const Boundary boundary = find_boundary(engine, camera, Time{std::llround(separation * 1e6)}, 1'000'000);
        CHECK(boundary.events_lossless == events);
        lossy += separation > 8.73 && events;
    }
    CHECK(lossy > 5);  // where the first tier alone never loses
}

TEST_CASE("Where the watershed of several tiers takes too long, there is none, and the reason is told") {
    const TemporaryFolder folder;
    const Scenario deep = read_scenario(Scope::own_bursts(), folder.write("tiers.toml", kTiers),
                                        {"aggregation.buffer.size=10 GB", "switch.buffer.size=10 GB"});
    ExactEngine engine;
    const WatershedCurve curve = watershed_curve(deep, engine);
    CHECK(curve.points.empty());
    CHECK_THAT(curve.why_none, Contains("lose nothing") && Contains("too long"));
    CHECK(curve.why_none_json() == curve.why_none);
}

TEST_CASE("The ports that the scenario gives its second tier are those that must suffice") {
    const TemporaryFolder folder;
    const std::string text = std::string("[front_end]\nmodules = 265\nlink_rate = \"1 Gb/s\"\n") +
                             "[trigger]\npattern = \"poisson\"\nrate = \"8 kHz\"\n[switch]\nmodel = "
                             "\"arista-7010t\"\ncount = 6\n[aggregation]\nmodel = \"arista-7150s\"\nuplinks = 2\n";
    const auto fit = [&](const std::string& ports) {
        DesignRequirements asked;
        asked.scenario = folder.write("camera.toml", text + ports);
        ExactEngine engine;
        const CatalogueSwitch entry = entry_of("arista-7010t");
        const RatedDesign first = explore(asked, {"arista-7010t", 265, 6, 1, "modulo"}, entry, engine);
        return explore_behind(asked, {&first}, {&entry}, 2, {entry_of("arista-7150s")}, true).front().fits;
    };
    // Behind a single switch, too, the remark says whose ports are too few.
    ExactEngine engine;
    const CatalogueSwitch switch_of_all = entry_of("arista-7010t");
    const DesignRequirements few = wanted({"aggregation.ports=1 x 10 Gb/s", "aggregation.uplink_rate=10 Gb/s"});
    const RatedDesign one = explore(few, {"arista-7010t", 40, 1, 1, "modulo"}, switch_of_all, engine);
    CHECK(one.fits == RatedDesign::Fit::Yes);
    CHECK_THAT(explore_behind(few, {&one}, {&switch_of_all}, 1, {entry_of("arista-7150s")}, true).front().remark,
               StartsWith("second tier: "));
    CHECK(fit("") == RatedDesign::Fit::Yes);
    CHECK(fit("ports = \"8 x 10 Gb/s\"\n") == RatedDesign::Fit::Yes);
    CHECK(fit("ports = \"7 x 10 Gb/s\"\n") == RatedDesign::Fit::No);
}

TEST_CASE("Each combination is tried once, with no more uplinks than the fullest switch has modules") {
    const auto tried = [](const std::string& counts, const std::string& uplinks, const std::string& selections) {
        CatalogueSwitch entry;
        entry.id = "a";
        DesignSpace asked;
        asked.counts = counts;
        asked.uplinks = uplinks;
        asked.selections = selections;
        std::vector<std::string> all;
        for (const CandidateDesign& each : candidate_designs(asked, {entry}, 5))
            all.push_back(std::to_string(each.uplinks) + " " + each.selection);
        return all;
    };
    // 5 modules on 2 switches are 3 and 2: three uplinks are tried, four are not.
    CHECK(tried("2", "1,3,4", "modulo") == std::vector<std::string>{"1 modulo", "3 modulo"});
    CHECK_THROWS_WITH(tried("2", "4", "modulo"), Contains("1 has more uplinks than a switch has modules"));
    // One uplink needs no selection, so that it is tried with the first alone.
    CHECK(tried("1", "1,2", "hash,modulo") == std::vector<std::string>{"1 modulo", "2 hash", "2 modulo"});
}

TEST_CASE("A second tier of the same rate has fewer interfaces to the server than links lead to it") {
    DesignSpace asked;
    asked.models = "arista-7010t";
    asked.modules = 265;
    asked.counts = "6";
    asked.uplinks = "1";
    asked.selections = "modulo";
    asked.aggregations = "arista-7150s";
    asked.interfaces = "5,6";
    asked.jobs = 1;
    DesignRequirements wanted;
    wanted.scenario = std::string(scenario_folders().front()) + "/explore-nectarcam.toml";
    const auto catalogue = read_catalogue(scenario_folders().front());
    ExactEngine engine;
    const auto interfaces = [&] {
        const auto all = candidate_designs(asked, switches_named("--switches", asked.models, catalogue), 265);
        std::vector<int> counts;
        for (const RatedDesign& way : find_ways(asked, wanted, all, catalogue, engine).ways)
            if (!way.stacking.aggregation.empty()) counts.push_back(way.stacking.server_interfaces);
        return counts;
    };
    CHECK(interfaces() == std::vector<int>{5});
    wanted.overrides = {"aggregation.uplink_rate=40 Gb/s"};
    CHECK(interfaces() == std::vector<int>{5, 6});
}
