// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/almost-full.h"

#include <rapidcheck.h>

#include <sstream>

#include "model/base/serializer.h"
#include "model/exact/exact-engine.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/random-scenario.h"
#include "test/catch.h"

namespace watershed {
namespace {

TriggerRule almost_full(MemorySize level, Time latency) { return {TriggerRule::Kind::AlmostFull, 1, latency, level}; }

/// Its modules and triggers, and of its switch what goes with a look at one memory.
Scenario with_one_memory(const Scenario& scenario) {
    const Switch& from = scenario.network_switch;
    Switch to;
    to.uplinks = from.uplinks;
    to.uplink_rate = from.uplink_rate;
    to.latency = from.latency;
    to.arrival_order = from.arrival_order;
    to.uplink_choice = from.uplink_choice;
    if (from.buffer.sharing == Sharing::DynamicThreshold) to.buffer.sharing = from.buffer.sharing;
    to.buffer.size = from.buffer.size;
    to.buffer.alpha = from.buffer.alpha;
    to.buffer.cell = from.buffer.cell;
    to.buffer.cell_header = from.buffer.cell_header;
    to.buffer.descriptors = from.buffer.descriptors;
    to.buffer.reserved = from.buffer.reserved;
    to.buffer.resume = from.buffer.resume;
    to.buffer.descriptors_resume = from.buffer.descriptors_resume;
    to.buffer.port_limit = from.buffer.port_limit;
    to.buffer.threshold_whole = from.buffer.threshold_whole;
    to.buffer.release = from.buffer.release;
    Scenario plain = scenario;
    plain.network_switch = to;
    return plain;
}

std::string text(const Scenario& scenario) {
    std::ostringstream out;
    out << scenario;
    return out.str();
}

/// Camera with one shared memory and one uplink, from the rule's words alone: no events, no queues, but for each
/// trigger the frames whose time in the memory has begun and not ended.
struct Reference {
    std::int64_t modules, cost, room, level;  ///< cost of a frame, room and level in the unit of the memory
    Time link, uplink, latency, dead_time;
    std::vector<Time> triggers;
    std::int64_t refused = 0, lost = 0;

    void run(const std::vector<Time>& offered) {
        struct Stay {
            Time from, to;
        };
        std::vector<Stay> stays;
        const auto held = [&](Time at) {
            return cost *
                   std::count_if(stays.begin(), stays.end(), [&](const Stay& s) { return s.from <= at && at < s.to; });
        };
        Time link_free{0}, uplink_free{0};
        for (const Time time : offered) {
            const bool dead = !triggers.empty() && time < triggers.back() + dead_time;
            if (dead || held(time - latency) >= level) {
                ++refused;
                continue;
            }
            triggers.push_back(time);
            const Time arrival = link_free = std::max(time, link_free) + link;
            for (std::int64_t module = 0; module < modules; ++module) {
                if (held(arrival) + cost > room) {
                    ++lost;
                    continue;
                }
                uplink_free = std::max(arrival, uplink_free) + uplink;
                stays.push_back({arrival, uplink_free});
            }
        }
    }
};

}  // namespace

TEST_CASE("Triggers that an almost-full rule refuses and frames lost are those of its words, in both engines") {
    std::int64_t some_refused = 0, some_lost = 0;
    CHECK(rc::check("a synchronous camera with one uplink", [&] {
        // 1000 B on a link of 1 Gb/s last 8 us; times are multiples of 2 us, so that much happens at one instant.
        Scenario s;
        s.frame.payload = Bytes{934};
        s.front_end.modules = *rc::gen::inRange(1, 6);
        const int pace = *rc::gen::element(1, 2, 4);
        s.network_switch.uplink_rate = BitRate{pace * std::int64_t{1'000'000'000}};
        // In memory a frame is 980 B, which are 4 cells of 256 B. Beside cells a level in bytes is rounded up to cells.
        const int counted = *rc::gen::inRange(0, 4);
        constexpr MemorySize::Unit kUnits[] = {MemorySize::Unit::Frame, MemorySize::Unit::Byte, MemorySize::Unit::Cell,
                                               MemorySize::Unit::Byte};
        constexpr std::int64_t kCosts[] = {1, 980, 4, 4}, kCell = 256;
        const std::int64_t cost = kCosts[counted];
        if (counted > 1) s.network_switch.buffer.cell = Bytes{kCell};
        const std::int64_t room = *rc::gen::inRange<std::int64_t>(cost, 16 * cost);
        s.network_switch.buffer.size = {room, counted == 1   ? MemorySize::Unit::Byte
                                              : counted == 0 ? MemorySize::Unit::Frame
                                                             : MemorySize::Unit::Cell};
        const std::int64_t level = *rc::gen::inRange<std::int64_t>(1, 16 * cost);
        const std::int64_t stated = counted == 3 ? level * kCell - *rc::gen::inRange<std::int64_t>(0, kCell) : level;
        const auto time = [](int from, int to) { return Time{*rc::gen::inRange(from, to) * std::int64_t{2'000'000}}; };
        s.trigger.pattern = Trigger::Pattern::File;
        Time last{0};
        for (int i = *rc::gen::inRange(1, 40); i > 0; --i) s.trigger.times.push_back(last += time(0, 12));
        s.trigger.dead_time = time(0, 6);
        s.trigger.rules = {almost_full({stated, kUnits[counted]}, time(0, 20))};
        Reference reference{
            s.front_end.modules, cost, room, level, Time{8'000'000}, Time{8'000'000 / pace}, s.trigger.rules[0].time,
            s.trigger.dead_time, {}};
        reference.run(s.trigger.times);
        const Outcome exact = ExactEngine().run(s);
        RC_ASSERT(exact.triggers == reference.triggers);
        RC_ASSERT(exact.triggers_refused == reference.refused);
        RC_ASSERT(exact.frames_lost() == reference.lost);
        RC_ASSERT(Ns3Engine().run(s) == exact);
        some_refused += counted > 1 && reference.refused > 0;
        some_lost += counted > 1 && reference.refused > 0 && reference.lost > 0;
    }));
    CHECK(some_refused > 10);
    CHECK(some_lost > 5);
}

TEST_CASE(
    "Both engines agree under an almost-full rule, whatever the camera, and a level out of reach changes nothing") {
    std::int64_t cases = 0, refusing = 0, lossy = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        Scenario s = with_one_memory(random_scenario(seed));
        if (s.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) continue;
        ++cases;
        INFO(text(s));
        Outcome without = ExactEngine().run(s);
        const Time slot = Serializer(s.front_end.link_rate).send(Time{0}, frames_of_fragment(s.frame)[0].wire).time;
        const MemorySize::Unit unit = MemoryUnits(s.network_switch.buffer).unit();
        s.trigger.rules.push_back(almost_full({INT64_MAX, unit}, slot * static_cast<std::int64_t>(seed % 4)));
        Outcome never = ExactEngine().run(s);
        REQUIRE(static_cast<std::int64_t>(never.triggers.size()) == never.events_sent);
        without.triggers = never.triggers;
        without.triggers_refused = never.triggers_refused;
        REQUIRE(never == without);
        const std::int64_t part = unit == MemorySize::Unit::Byte ? without.peak_bytes.count : without.peak_frames;
        s.trigger.rules.back().level.amount = std::max<std::int64_t>(1, part * static_cast<std::int64_t>(seed % 5) / 4);
        const Outcome exact = ExactEngine().run(s);
        REQUIRE(Ns3Engine().run(s) == exact);
        refusing += exact.triggers_refused > never.triggers_refused;
        lossy += exact.triggers_refused > never.triggers_refused && exact.frames_lost() > 0;
    }
    CHECK(cases > 200);
    CHECK(refusing > 50);
    CHECK(lossy > 20);
}

TEST_CASE("Where not one memory is meant, or others know triggers before, an almost-full rule is refused by key") {
    const auto key_of = [](const auto& change) {
        Scenario s;
        s.trigger.pattern = Trigger::Pattern::Poisson;
        s.trigger.rate = Frequency{8'000'000'000};
        s.trigger.events = 3;
        s.trigger.rules = {almost_full({10}, Time{0})};
        s.network_switch.buffer.size = {46};
        change(s);
        std::string keys[2];
        Ns3Engine ns3;
        ExactEngine exact;
        Engine* const engines[] = {&exact, &ns3};
        for (int i = 0; i < 2; ++i) try {
                engines[i]->run(s);
            } catch (const KeyError& error) {
                keys[i] = error.key;
            }
        CHECK(keys[0] == keys[1]);
        return keys[0];
    };
    CHECK(key_of([](Scenario&) {}).empty());
    CHECK(key_of([](Scenario& s) { s.network_switch.count = 2; }) == "switch.count");
    CHECK(key_of([](Scenario& s) { s.aggregation = s.network_switch; }) == "aggregation");
    CHECK(key_of([](Scenario& s) { s.network_switch.buffer.sharing = Sharing::PerInput; }) == "switch.buffer.sharing");
    CHECK(key_of([](Scenario& s) { s.network_switch.buffer.sharing = Sharing::PerOutput; }) == "switch.buffer.sharing");
    CHECK(key_of([](Scenario& s) { s.network_switch.buffer.slices = 2; }) == "switch.buffer.slices");
    CHECK(key_of([](Scenario& s) { s.network_switch.cut_through = true; }) == "switch.cut_through");
    CHECK(key_of([](Scenario& s) { s.network_switch.input_fifo = MemorySize{4}; }) == "switch.input_fifo");
    CHECK(key_of([](Scenario& s) { s.traffic.emplace_back(); }) == "traffic");
    CHECK(key_of([](Scenario& s) { s.server.receiver.emplace(); }) == "server");
    CHECK(key_of([](Scenario& s) { s.trigger.rules.push_back(s.trigger.rules[0]); }) == "trigger.rules");
    CHECK(key_of([](Scenario& s) { s.trigger.rules[0].level.unit = MemorySize::Unit::Byte; }) == "trigger.rules");
}

}  // namespace watershed
