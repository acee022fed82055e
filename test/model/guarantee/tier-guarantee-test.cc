// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <random>

#include "model/exact/exact-engine.h"
#include "model/frontend/stream-train.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/guarantee/witness.h"
#include "model/network/network.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

/// 400 ns for a frame on uplinks of the first tier, 250 ns on those of the second.
Scenario two_tiers(int modules, int switches) {
    Scenario scenario = small(modules, 1, 400, Time{0});
    scenario.network_switch.count = switches;
    scenario.aggregation = small(1, 1, 250, Time{0}).network_switch;
    return scenario;
}

/// Most that a queue holds, and longest stay of a frame.
struct Followed {
    std::int64_t frames = 0;
    Time delay{0};
};

/// All queues of a network whose inputs take turns and whose frames last whole picoseconds, frame by frame.
/// @param end  when the last frame has left
std::vector<Followed> follow(const Scenario& scenario, const std::vector<Time>& triggers, Time& end) {
    const Network network(scenario);
    std::vector<std::vector<Time>> on_link(network.links().size());
    std::vector<Followed> most(network.links().size());
    for (const Network::Switch& self : network.switches()) {
        std::vector<std::vector<Time>> arrivals(static_cast<std::size_t>(self.settings.uplinks));
        const auto arrive = [&](int input, Time time) {
            arrivals[static_cast<std::size_t>(input % self.settings.uplinks)].push_back(time);
        };
        for (int module = 0; module < self.modules; ++module) {
            Time free{0};
            for (const Time& trigger : triggers)
                for (int i = 0; i < scenario.frame.fragments.number; ++i)
                    arrive(module, free = std::max(free, trigger) + ns(1000));
        }
        for (std::size_t i = 0; i < self.feeds.size(); ++i)
            for (const Time& time : on_link[static_cast<std::size_t>(self.feeds[i])])
                arrive(self.modules + static_cast<int>(i), time);
        for (std::size_t uplink = 0; uplink < arrivals.size(); ++uplink) {
            const std::size_t link = static_cast<std::size_t>(self.first_link) + uplink;
            const Time slot{1'000'000'000'000'000 / network.links()[link].rate.count};
            std::vector<Time>& left = on_link[link];
            std::sort(arrivals[uplink].begin(), arrivals[uplink].end());
            for (const Time& time : arrivals[uplink]) {
                const Time start = std::max(time + self.settings.latency, left.empty() ? Time{0} : left.back());
                left.push_back(start + slot);
                const auto gone = std::upper_bound(left.begin(), left.end(), time) - left.begin();
                most[link].frames = std::max(most[link].frames, static_cast<std::int64_t>(left.size()) - gone);
                most[link].delay = std::max(most[link].delay, left.back() - time);
                end = std::max(end, left.back());
            }
        }
    }
    return most;
}

/// Switches behind modules, before one or two others, before a last one; each of these may have modules, too.
Scenario random_tiers(std::mt19937_64& random) {
    const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    const auto rate = [&] {
        constexpr std::int64_t kSlots[] = {50, 80, 100, 125, 200, 250, 400, 500};
        return BitRate{1'000'000'000'000 / kSlots[draw(0, 7)]};
    };
    const auto fill = [&](Switch& each) {
        each.uplinks = draw(1, 2);
        each.uplink_rate = rate();
        each.latency = ns(draw(0, 1) * draw(0, 1500));
        each.arrival_order = static_cast<ArrivalOrder>(draw(0, 2));
        const Sharing policies[] = {Sharing::Shared, Sharing::PerOutput, Sharing::DynamicThreshold};
        each.buffer.sharing = policies[draw(0, 2)];
        each.buffer.alpha = Ratio{draw(1, 4), draw(1, 2)};
    };
    Scenario scenario = two_tiers(0, 1);
    const int first = draw(2, 4), second = draw(1, 2);
    if (draw(0, 1) == 0) {
        scenario.front_end.modules = draw(first, first * 6);
        fill(scenario.network_switch);
        fill(*scenario.aggregation);
        scenario.network_switch.count = first;
        scenario.aggregation->count = second;
        return scenario;
    }
    scenario.aggregation.reset();
    for (int i = 0; i <= first + second; ++i) {
        Node node{"n" + std::to_string(i), i < first ? draw(1, 6) : draw(0, 1) * draw(0, 2), {"server"}, {}, {}};
        fill(node.network_switch);
        if (draw(0, 2) == 0) node.rates = {rate(), rate()};
        if (i < first) node.to = {"n" + std::to_string(first + i % second), "n" + std::to_string(first + second)};
        if (i >= first && i < first + second) node.to = {"n" + std::to_string(first + second)};
        scenario.front_end.modules += node.modules;
        scenario.nodes.push_back(node);
    }
    return scenario;
}

}  // namespace

TEST_CASE("What two switches send to a third comes no faster than their uplinks send it") {
    // 3 and 2 frames, one in 400 ns each: at 0, 0, 400, 400, 800 ns. Of 2, 4 and 5 of them 0, 1 and 3 have left.
    Scenario scenario = two_tiers(5, 2);
    auto guarantee = Guarantee::of(scenario, {{}, {{1, ns(4000)}}});
    REQUIRE(guarantee);
    REQUIRE(guarantee->switches.size() == 3);
    CHECK_FALSE(guarantee->exact);
    CHECK(guarantee->switches[0].queues[0].frames == 3);
    CHECK(guarantee->switches[2].queues[0].modules == 5);
    CHECK(guarantee->switches[2].queues[0].frames == 3);
    CHECK(guarantee->switches[2].queues[0].load == Approx(5 * 0.25 / 4));
    CHECK(guarantee->switches[2].queues[0].delay_s == Approx(600e-9));  // 4 x 250 - 400
    CHECK(guarantee->switches[2].needed() == MemorySize{3, MemorySize::Unit::Frame});
    CHECK(ample_run(scenario, guarantee->witness).switches[2].peak_frames == 3);
    SECTION("a latency of 500 ns lets one of five leave in 800 ns") {
        scenario.aggregation->latency = ns(500);
        guarantee = Guarantee::of(scenario, {{}, {{1, ns(4000)}}});
        CHECK(guarantee->switches[2].queues[0].frames == 4);
        CHECK(guarantee->switches[2].queues[0].delay_s == Approx(1100e-9));
        CHECK(ample_run(scenario, guarantee->witness).switches[2].peak_frames == 4);
    }
    SECTION("two triggers 1 us apart are one burst behind uplinks that need 1.2 us for one of them") {
        // 6 frames of each, one in 400 ns: of 2, 4, 6, 8, 10, 12 in 400 ns steps 0, 1, 3, 4, 6, 8 have left.
        guarantee = Guarantee::of(two_tiers(6, 2), {{}, {{2, ns(5000)}}});
        CHECK(guarantee->switches[0].frames == 4);  // 6 - floor(1000 / 400)
        CHECK(guarantee->switches[2].frames == 4);
        CHECK(guarantee->witness == std::vector<Time>{Time{0}, ns(1000)});
        CHECK(ample_run(two_tiers(6, 2), guarantee->witness).switches[2].peak_frames == 4);
    }
    SECTION("5 frames of 250 ns need 1250 ns; a picosecond less, and there is no bound") {
        CHECK(Guarantee::of(scenario, {{}, {{1, ns(1250)}}})->bounded);
        guarantee = Guarantee::of(scenario, {{}, {{1, ns(1250) - Time{1}}}});
        CHECK_FALSE(guarantee->bounded);
        CHECK(guarantee->switches[0].bounded);
        CHECK_FALSE(guarantee->switches[2].bounded);
        CHECK(guarantee->least_distance == ns(1250));
        CHECK_FALSE(guarantee->fits());
    }
    SECTION("an uplink is bounded by what the links that lead to it can bring") {
        // Each of two takes 1600 ns for 4 frames, which may come each 1000 ns, and sends 3 at most in that time.
        scenario = two_tiers(8, 2);
        const auto bounded_with = [&](std::int64_t slot) {
            scenario.aggregation->uplink_rate = BitRate{1'000'000'000'000 / slot};
            guarantee = Guarantee::of(scenario, {{}, {{1, ns(1000)}}});
            CHECK_FALSE(guarantee->switches[0].bounded);
            return guarantee->switches[2].bounded;
        };
        CHECK(bounded_with(160));
        CHECK_FALSE(bounded_with(200));  // as fast as both, but 3 each in 1000 ns are not ruled out
    }
    SECTION("queues of equally many modules differ by the links that bring them") {
        // 3 frames each, one in 400 ns to uplink 1, one in 50 ns to uplink 2: there 1 and 3 wait. With alpha 1 the
        // third finds 2 of its own, less than what 3 of all leave free.
        Node top{"top", 0, {"server"}, {}, scenario.aggregation.value()};
        top.network_switch.uplinks = 2;
        top.network_switch.buffer.sharing = Sharing::DynamicThreshold;
        scenario.aggregation.reset();
        scenario.front_end.modules = 6;
        scenario.nodes = {{"slow", 3, {"top"}, {}, scenario.network_switch},
                          {"fast", 3, {"top"}, {}, small(1, 1, 50, Time{0}).network_switch},
                          top};
        for (Node& node : scenario.nodes) node.network_switch.count = 1;
        guarantee = Guarantee::of(scenario, {{}, {{1, ns(4000)}}});
        CHECK(guarantee->switches[2].queues[0].frames == 1);
        CHECK(guarantee->switches[2].queues[1].frames == 3);
        CHECK(guarantee->switches[2].needed() == MemorySize{6, MemorySize::Unit::Frame});
    }
    SECTION("it fits if each switch does") {
        scenario.network_switch.buffer.size = scenario.aggregation->buffer.size = {3, MemorySize::Unit::Frame};
        CHECK(Guarantee::of(scenario, {{}, {{1, ns(4000)}}})->fits());
        scenario.aggregation->buffer.size.amount = 2;
        CHECK_FALSE(Guarantee::of(scenario, {{}, {{1, ns(4000)}}})->fits());
    }
}

TEST_CASE("No admitted train exceeds what is bound of tiers: no queue, no memory, no delay, and no frame is lost") {
    std::mt19937_64 random(5);
    const auto draw = drawing(random);
    int bounded = 0, one_train = 0, fed = 0, reached = 0;
    for (int i = 0; i < 1400; ++i) {
        Scenario scenario = random_tiers(random);
        if (draw(0, 3) == 0) scenario.frame.fragments = static_cast<int>(draw(2, 3));
        const std::vector<TriggerSpacing> spacings{{1, ns(100 * draw(0, 60))}, {3, ns(100 * draw(0, 150))}};
        const auto random_train = [&] { return admitted_train(spacings, 10, draw); };
        AdmittedTriggers admitted{{}, spacings};
        if (draw(0, 4) == 0) admitted = {random_train(), {}};
        UnsupportedKey why;
        const auto guarantee = Guarantee::of(scenario, admitted, &why);
        INFO(why.text());
        REQUIRE(guarantee);
        if (!guarantee->bounded) continue;
        ++bounded;
        one_train += guarantee->one_train;
        const Network network(scenario);
        std::vector<std::int64_t> most_frames(network.links().size());
        for (int trial = 0; trial < (guarantee->one_train ? 1 : 4); ++trial) {
            const std::vector<Time> train = trial == 0 ? guarantee->witness : random_train();
            Time end{0};
            const std::vector<Followed> most = follow(scenario, train, end);
            const Outcome outcome = ample_run(scenario, train);
            CAPTURE(i, trial);
            REQUIRE(outcome.simulated == end);
            for (std::size_t s = 0; s < guarantee->switches.size(); ++s) {
                REQUIRE(outcome.switches[s].peak_frames <= guarantee->switches[s].frames);
                for (std::size_t q = 0; q < guarantee->switches[s].queues.size(); ++q) {
                    const auto link = static_cast<std::size_t>(network.switches()[s].first_link) + q;
                    const QueueGuarantee& queue = guarantee->switches[s].queues[q];
                    REQUIRE(most[link].frames <= queue.frames);
                    REQUIRE(static_cast<double>(most[link].delay.count()) <= queue.delay_s * 1e12 + 0.5);
                    most_frames[link] = std::max(most_frames[link], most[link].frames);
                }
            }
            // Each memory is just what its bound asks for, of which a switch before may hold back frames.
            Scenario own = scenario;
            std::size_t number = 0;
            for (Node& node : own.nodes) {
                const auto self = std::find_if(guarantee->switches.begin(), guarantee->switches.end(),
                                               [&](const SwitchGuarantee& each) { return each.name == node.name; });
                node.network_switch.buffer.size = *self->needed();
            }
            if (own.aggregation) {
                own.network_switch.buffer.size = own.aggregation->buffer.size = {0, MemorySize::Unit::Frame};
                for (const SwitchGuarantee& each : guarantee->switches) {
                    auto& of = number++ < static_cast<std::size_t>(own.network_switch.count) ? own.network_switch
                                                                                             : *own.aggregation;
                    of.buffer.size.amount = std::max(of.buffer.size.amount, each.needed()->amount);
                }
            }
            REQUIRE(Guarantee::of(own, admitted)->fits());
            REQUIRE(ExactEngine().run(with_triggers(own, train)).frames_lost() == 0);
        }
        for (std::size_t s = 0; s < guarantee->switches.size(); ++s)
            for (std::size_t q = 0; q < guarantee->switches[s].queues.size(); ++q) {
                if (network.switches()[s].feeds.empty() || guarantee->switches[s].queues[q].modules == 0) continue;
                ++fed;
                reached += guarantee->switches[s].queues[q].frames ==
                           most_frames[static_cast<std::size_t>(network.switches()[s].first_link) + q];
            }
    }
    CAPTURE(bounded, one_train, fed, reached);
    CHECK(bounded > 1000);
    CHECK(one_train > 150);
    CHECK(fed > 1000);
    CHECK(reached * 10 > fed * 7);
}

TEST_CASE("What a queue delays comes closer together behind it, by as much as its longest delay exceeds its shortest") {
    // 3 and 3 frames of 400 ns beside one of a stream each 4000 ns: at the first switch 4 frames of 400 ns, which leave
    // 400 to 1600 ns after they came. At the next one, of 250 ns, 3 + 3 + 1 come in 2 x 400 ns at least.
    Scenario scenario = two_tiers(6, 2);
    scenario.traffic = {stream("other", 4000)};
    const auto guarantee = Guarantee::of(scenario, {{}, {{1, ns(5000)}}});
    REQUIRE(guarantee);
    const auto& queue = [&](std::size_t at) { return guarantee->switches[at].queues[0]; };
    CHECK(queue(0).frames == 4);
    CHECK(queue(0).streams == 1);
    CHECK(queue(0).delay_s == Approx(1600e-9));
    CHECK(queue(1).frames == 3);
    CHECK(queue(1).streams == 0);
    // The stream's come 4000 - 1200 ns apart or more. At 0, 400 and 800 ns 3, 5 and 7 have come, and 0, 1 and 3 left.
    CHECK(queue(2).streams == 1);
    CHECK(queue(2).frames == 4);
    CHECK(queue(2).delay_s == Approx((7 * 250 - 800) * 1e-9));
    CHECK(queue(2).load == Approx(6 * 250 / 5000.0 + 250 / 4000.0));
    CHECK(guarantee->switches[2].needed() == MemorySize{4, MemorySize::Unit::Frame});
    CHECK_FALSE(guarantee->exact);
    SECTION("a stream at the last switch meets all") {
        scenario.traffic[0].at_switch = "aggregation";
        const auto there = Guarantee::of(scenario, {{}, {{1, ns(5000)}}});
        CHECK(there->switches[0].queues[0].frames == 3);
        CHECK(there->switches[2].queues[0].streams == 1);
        CHECK(there->switches[2].queues[0].frames == 4);
    }
    SECTION("where a queue has no bound, none that it leads to has one") {
        scenario.network_switch.uplink_rate = BitRate{1'000'000'000'000 / 1600};
        const auto none = Guarantee::of(scenario, {{}, {{1, ns(5000)}}});
        CHECK_FALSE(none->switches[0].bounded);
        CHECK(none->switches[1].bounded);
        CHECK_FALSE(none->switches[2].bounded);
        CHECK(none->switches[2].queues[0].streams == 1);
        CHECK(none->switches[2].queues[0].load == Approx(6 * 250 / 5000.0 + 250 / 4000.0));
    }
}

TEST_CASE("No stream, jitter, bucket or scheduler exceeds what is bound of tiers") {
    std::mt19937_64 random(7);
    const auto draw = drawing(random);
    int bounded = 0, of_stream = 0, delays = 0, half = 0;
    for (int i = 0; i < 500; ++i) {
        Scenario scenario = random_tiers(random);
        std::vector<Switch*> switches{&scenario.network_switch};
        if (scenario.aggregation) switches.push_back(&*scenario.aggregation);
        for (Node& node : scenario.nodes) switches.push_back(&node.network_switch);
        for (Switch* each : switches) {
            each->buffer = {};
            each->buffer.size = {1'000'000, MemorySize::Unit::Frame};
            each->scheduling.kind = static_cast<Scheduling::Kind>(draw(0, 3));
            each->scheduling.quantum = Bytes{draw(64, 400)};
        }
        const Network network(scenario);
        scenario.front_end.traffic_class = static_cast<int>(draw(0, 2));
        for (std::int64_t k = draw(0, 2); k > 0; --k) {
            TrafficStream other = stream("other" + std::to_string(k), 100 * draw(30, 100));
            other.traffic_class = static_cast<int>(draw(0, 2));
            other.payload = Bytes{draw(0, 200)};
            other.clock = {draw(0, 1) * 10'000'000};
            const auto place = static_cast<std::size_t>(draw(0, static_cast<int>(network.switches().size()) - 1));
            other.at_switch = network.switches()[place].name;
            scenario.traffic.push_back(other);
        }
        FrontEnd& front_end = scenario.front_end;
        if (draw(0, 2) == 0) front_end.jitter = ns(100 * draw(1, 20));
        if (draw(0, 3) == 0) front_end.skew_spread = ns(draw(0, 3000));
        std::vector<TriggerSpacing> spacings{{1, ns(100 * draw(20, 60))}};
        if (draw(0, 2) == 0) spacings.push_back({draw(2, 4), ns(100 * draw(20, 100)), true});
        AdmittedTriggers admitted{{}, spacings};
        if (draw(0, 3) == 0) admitted = {admitted_train(spacings, 10, draw), {}};
        UnsupportedKey why;
        const auto guarantee = Guarantee::of(scenario, admitted, &why);
        INFO(why.text());
        if (!guarantee) REQUIRE((why.key == "traffic" || why.key == "trigger"));
        if (!guarantee || !guarantee->bounded) continue;
        ++bounded;
        for (int trial = 0; trial < 6; ++trial) {
            const std::vector<Time> train = guarantee->one_train ? admitted.train
                                            : trial == 0         ? guarantee->witness
                                                                 : admitted_train(spacings, 10, draw);
            scenario.seed = static_cast<std::uint64_t>(draw(1, 1'000'000));
            const Outcome outcome = ample_run(scenario, train);
            CAPTURE(i, trial);
            for (std::size_t s = 0; s < guarantee->switches.size(); ++s) {
                const SwitchGuarantee& each = guarantee->switches[s];
                REQUIRE(outcome.switches[s].name == each.name);
                REQUIRE(outcome.switches[s].peak_frames <= each.frames);
                REQUIRE(outcome.switches[s].peak_bytes.count <= each.bytes);
                half += outcome.switches[s].peak_frames * 2 >= each.frames;
                ++delays;
            }
            for (std::size_t k = 1; k < outcome.streams.size(); ++k) {
                of_stream += outcome.streams[k].frames_received > 0;
                // From switch to switch, each queue at its longest for any frame of the class.
                double longest = 0;
                for (const SwitchGuarantee& each : guarantee->switches) {
                    double most = 0;
                    for (const QueueGuarantee& queue : each.queues) most = std::max(most, queue.delay_s);
                    longest += most;
                }
                const Bytes wire = frame_of_stream(scenario.traffic[k - 1], scenario.frame).wire;
                const double link = 0.08e-9 * static_cast<double>(wire.count);
                REQUIRE(in_seconds(outcome.streams[k].latency_most) <= longest + link * 1.02);
            }
        }
    }
    CAPTURE(bounded, of_stream, delays, half);
    CHECK(bounded > 200);
    CHECK(of_stream > 500);
    CHECK(half * 4 > delays * 3);
}

TEST_CASE("What is not covered of tiers is refused by its key") {
    const AdmittedTriggers admitted{{}, {{1, ns(4000)}}};
    const auto refused = [&](const auto& change) {
        Scenario scenario = two_tiers(6, 2);
        change(scenario);
        UnsupportedKey why;
        return Guarantee::of(scenario, admitted, &why) ? "" : why.key;
    };
    CHECK(refused([](Scenario&) {}).empty());
    CHECK(refused([](Scenario& s) { s.front_end.jitter = ns(10); }).empty());
    const auto with_stream = [](Scenario& s) { s.traffic = {stream("other", 9000)}; };
    CHECK(refused(with_stream).empty());
    CHECK(refused([&](Scenario& s) {
              with_stream(s);
              s.aggregation->buffer.sharing = Sharing::PerOutput;
              s.network_switch.buffer.queues = 2, s.network_switch.buffer.queue_split = true;
          }).empty());
    CHECK(refused([&](Scenario& s) {
              with_stream(s);
              s.traffic[0].at_switch = "aggregation";
              s.network_switch.buffer.sharing = Sharing::PerInput;
          }).empty());
    CHECK(refused([&](Scenario& s) {
              with_stream(s);
              s.network_switch.buffer.sharing = Sharing::PerInput;
          }) == "switch.buffer.sharing");
    CHECK(refused([](Scenario& s) { s.aggregation->cut_through = s.network_switch.cut_through = true; }).empty());
    CHECK(refused([](Scenario& s) {  // as fast as the links that lead to it
              s.aggregation->cut_through = true;
              s.aggregation->uplink_rate = s.network_switch.uplink_rate;
          }) == "aggregation.cut_through");
    CHECK(refused([](Scenario& s) {
              s.network_switch.cut_through = true;
              s.network_switch.uplink_rate = s.front_end.link_rate;
          }) == "switch.cut_through");
    CHECK(refused([](Scenario& s) { s.aggregation->flow_control.kind = FlowControl::Kind::Pause; }) ==
          "aggregation.flow_control.kind");
    CHECK(refused([](Scenario& s) { s.aggregation->buffer.sharing = Sharing::PerInput; }) ==
          "aggregation.buffer.sharing");
    for (const UplinkChoice::Rule rule :
         {UplinkChoice::Rule::RoundRobin, UplinkChoice::Rule::Hash, UplinkChoice::Rule::Random})
        CHECK(refused([&](Scenario& s) {
                  s.aggregation->uplinks = 2;
                  s.aggregation->uplink_choice.rule = rule;
              }) == "aggregation.uplink_selection");
}

TEST_CASE("Uplinks of one switch may have several rates, each with the bound of its own") {
    // 4 and 3 modules: of two triggers the first uplink sends 2 frames in 1000 ns, the other all 3 of the first.
    Scenario scenario = small(7, 2, 500, Time{0});
    Node node{"n", 7, {"server"}, {}, scenario.network_switch};
    node.rates = {BitRate{2'000'000'000}, BitRate{8'000'000'000}};
    scenario.nodes = {node};
    const auto guarantee = Guarantee::of(scenario, {{}, {{1, ns(1000)}, {2, ns(4000)}}});
    REQUIRE(guarantee);
    const std::vector<QueueGuarantee>& queues = guarantee->switches[0].queues;
    CHECK(queues[0].frames == 6);
    CHECK(queues[0].delay_s == Approx(3e-6));
    CHECK(queues[0].load == Approx(1));
    CHECK(queues[1].frames == 3);
    CHECK(queues[1].delay_s == Approx(375e-9));
    CHECK(queues[1].load == Approx(6 * 0.125 / 4));
    CHECK(guarantee->frames() == 9);
    CHECK(ample_run(scenario, guarantee->witness).peak_frames == 9);
}
