// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/other-places.h"

#include <rapidcheck.h>

#include <map>
#include <tuple>

#include "model/exact/frame-log.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

MemorySize frames(std::int64_t amount) { return {amount, MemorySize::Unit::Frame}; }

int draw(int from, int to) { return *rc::gen::inRange(from, to + 1); }

/// Returns a time on a link, ns, that divides 1 s, so that rates are whole.
std::int64_t draw_slot() { return *rc::gen::element<std::int64_t>(100, 200, 250, 400, 500, 625, 800, 1000, 1250); }

/// A camera at random, and distances of triggers with which its uplinks send all that comes.
struct Asked {
    Scenario scenario;
    AdmittedTriggers admitted;

    static Asked draw_one() {
        const int uplinks = draw(1, 2), modules = draw(1, 4);
        const std::int64_t slot = draw_slot();
        Asked asked{small(modules * uplinks, uplinks, slot, Time{0}, ns(500 * draw(0, 3))), {}};
        const int fragments = draw(1, 2), burst = draw(1, 4);
        asked.scenario.frame.fragments = fragments;
        asked.admitted.spacings = {{1, ns(100 * draw(0, 20))},
                                   {burst, ns(modules * fragments * slot * burst + 100 * draw(0, 20))}};
        return asked;
    }
    void out_of_step() {
        FrontEnd& front_end = scenario.front_end;
        front_end.jitter = ns(100 * draw(0, 30));
        front_end.skew = {ns(0), ns(100 * draw(0, 30))};
        if (draw(0, 2) == 0) front_end.clock = {{0}, {draw(-9, 9) * 1'000'000}};
    }
    std::optional<Guarantee> guarantee(UnsupportedKey* why = nullptr) const {
        return Guarantee::of(scenario, admitted, why);
    }
    std::vector<Time> random_train(std::mt19937_64& random) const {
        return admitted_train(admitted.spacings, 10, drawing(random));
    }
    /// Returns the frames lost of a train in orders of frames of one instant, until some are.
    std::int64_t lost(const std::vector<Time>& train, unsigned orders) const {
        Scenario run = scenario;
        std::int64_t lost = 0;
        for (const ArrivalOrder order : {ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random})
            for (run.seed = 1; lost == 0 && run.seed <= (order == ArrivalOrder::Random ? orders : 1U); ++run.seed) {
                run.network_switch.arrival_order = order;
                lost += ExactEngine().run(with_triggers(run, train)).frames_lost();
            }
        return lost;
    }
};

/// Returns the longest time from the arrival of a frame at the switch until it has left, in a run.
Time longest_delay(const Scenario& scenario, const std::vector<Time>& train) {
    std::map<std::tuple<std::int64_t, int, int>, Time> came;
    Time longest{0};
    const auto ignore = [](const auto&...) {};
    log_frames(with_ample_memory(with_triggers(scenario, train), 1'000'000), nullptr,
               {[&](const FrameId& id, int link, Time, Time end) {
                    const auto [at, first] = came.try_emplace({id.event, id.module, id.frame}, end);
                    if (!first) longest = std::max(longest, link < 0 ? at->second - end : end - at->second);
                },
                ignore, ignore});
    return longest;
}

Time delay_of(const Guarantee& guarantee) {
    double longest = 0;
    for (const QueueGuarantee& queue : guarantee.switches[0].queues) longest = std::max(longest, queue.delay_s);
    return Time{std::int64_t(longest * 1e12) + 1};
}

std::string refused_key(const Scenario& scenario) {
    UnsupportedKey why;
    return Guarantee::of(scenario, &why) ? "" : why.key;
}

}  // namespace

TEST_CASE("No frame cuts through to a faster uplink, so the bound is that of a switch that stores and forwards") {
    Scenario scenario = small(10, 1, 200, ns(2000), ns(1000));
    scenario.network_switch.buffer.size = frames(15);
    scenario.network_switch.cut_through = true;
    scenario.network_switch.cut_through_after = Bytes{80};
    const auto guarantee = Guarantee::of(scenario);
    REQUIRE(guarantee);
    CHECK(guarantee->exact);
    CHECK(guarantee->fits());
    CHECK(guarantee->frames() == 15);
    const Outcome run = ExactEngine().run(with_triggers(scenario, guarantee->witness));
    CHECK(run.frames_cut_through == 0);
    CHECK(run.peak_frames == 15);
    scenario.network_switch.uplink_rate = scenario.front_end.link_rate;
    scenario.trigger.dead_time = ns(10'000);
    CHECK(refused_key(scenario) == "switch.cut_through");
}

TEST_CASE("With input FIFOs a memory that fits loses nothing, and less memory may be enough") {
    Scenario scenario = small(10, 1, 200, ns(2000));
    scenario.network_switch.input_fifo = frames(1);
    scenario.network_switch.buffer.size = frames(10);
    CHECK(Guarantee::of(scenario)->fits());
    CHECK_FALSE(Guarantee::of(scenario)->exact);
    scenario.network_switch.buffer.size = frames(1);
    const auto less = Guarantee::of(scenario);
    CHECK_FALSE(less->fits());
    CHECK_FALSE(less->exact);
    CHECK(less->other_places);
    CHECK(ExactEngine().run(with_triggers(scenario, less->witness)).frames_lost() == 0);
}

TEST_CASE("Virtual output queues of modules in step hold what a queue for each uplink holds, by output and by input") {
    int fits = 0, lossy = 0, by_input = 0, deep = 0;
    CHECK(rc::check("in random trains and in the witness", [&] {
        Asked asked = Asked::draw_one();
        Switch& self = asked.scenario.network_switch;
        self.queueing = Queueing::VirtualOutput;
        Buffer& buffer = self.buffer;
        buffer.size = frames(draw(2, 20));
        buffer.sharing = Sharing::named(*rc::gen::element("shared", "per-input", "per-output", "dynamic-threshold"));
        buffer.alpha = Ratio{draw(1, 4), draw(1, 3)};
        if (buffer.sharing == Sharing::DynamicThreshold && draw(0, 1) == 0)
            buffer.accounting = Buffer::Accounting::Ingress;
        if (buffer.sharing->pools == SharingPolicy::Pools::One) buffer.slices = draw(1, 2);
        const bool by_turns = buffer.slices > 1 && buffer.accounting == Buffer::Accounting::Ingress;
        const auto ample = asked.guarantee();
        RC_ASSERT(ample && ample->bounded);
        if (draw(0, 1) == 0) buffer.size = ample->switches[0].needed().value_or(buffer.size);
        if (draw(0, 1) == 0 && buffer.size.amount > 1) --buffer.size.amount;
        const auto guarantee = asked.guarantee();
        RC_ASSERT(guarantee && guarantee->exact == !by_turns);
        by_input += buffer.sharing == Sharing::PerInput || buffer.accounting == Buffer::Accounting::Ingress;
        deep += guarantee->switches[0].queues[0].by_input > 1;
        RC_ASSERT(ample_run(asked.scenario, guarantee->witness).peak_frames == guarantee->frames());
        if (!guarantee->fits()) {
            ++lossy;
            RC_ASSERT(by_turns || asked.lost(guarantee->witness, 200) > 0);
            return;
        }
        ++fits;
        std::mt19937_64 random(draw(0, 1'000'000));
        RC_ASSERT(asked.lost(guarantee->witness, 20) == 0);
        RC_ASSERT(delay_of(*guarantee) - longest_delay(asked.scenario, guarantee->witness) <= Time{1});
        for (int i = 0; i < 20; ++i) {
            const std::vector<Time> train = asked.random_train(random);
            RC_ASSERT(asked.lost(train, 4) == 0);
            RC_ASSERT(longest_delay(asked.scenario, train) <= delay_of(*guarantee));
        }
    }));
    INFO(fits << " fit, " << lossy << " lose, " << by_input << " by input, " << deep << " deep");
    CHECK(fits > 20);
    CHECK(lossy > 10);
    CHECK(by_input > 20);
    CHECK(deep > 10);
}

TEST_CASE("Virtual output queues of modules out of step lose nothing where the bound says so, and some do with less") {
    int found = 0, tight = 0;
    CHECK(rc::check("in random trains, skews, jitters and clocks", [&] {
        Asked asked = Asked::draw_one();
        asked.out_of_step();
        Buffer& buffer = asked.scenario.network_switch.buffer;
        asked.scenario.network_switch.queueing = Queueing::VirtualOutput;
        buffer.sharing = Sharing::named(*rc::gen::element("shared", "per-input", "dynamic-threshold"));
        if (buffer.sharing == Sharing::DynamicThreshold && draw(0, 1) == 0)
            buffer.accounting = Buffer::Accounting::Ingress;
        const auto guarantee = asked.guarantee();
        if (!guarantee || !guarantee->bounded) return;  // too many frames to follow, or triggers faster than links
        ++found;
        buffer.size = guarantee->switches[0].needed().value();
        std::mt19937_64 random(draw(0, 1'000'000));
        bool loses = false;
        for (int i = 0; i < 30; ++i) {
            const std::vector<Time> train = i == 0 ? guarantee->witness : asked.random_train(random);
            RC_ASSERT(asked.lost(train, 4) == 0);
            RC_ASSERT(ample_run(asked.scenario, train).peak_frames <= guarantee->frames());
            RC_ASSERT(longest_delay(asked.scenario, train) <= delay_of(*guarantee));
            Asked less = asked;
            if (--less.scenario.network_switch.buffer.size.amount > 0) loses = loses || less.lost(train, 4) > 0;
        }
        tight += loses;
    }));
    INFO(tight << " of " << found);
    CHECK(found > 50);
    CHECK(8 * tight > found);
}

TEST_CASE("A memory with a second tier loses nothing where the bound says so") {
    int fits = 0, moves = 0, tight = 0, lossy = 0;
    CHECK(rc::check("in random trains, and if modules are out of step", [&] {
        Asked asked = Asked::draw_one();
        const bool in_step = draw(0, 1) == 0;
        if (!in_step) asked.out_of_step();
        Buffer& buffer = asked.scenario.network_switch.buffer;
        buffer.size = frames(draw(1, 30));
        buffer.dram = frames(draw(1, 40));
        buffer.dram_from = frames(draw(0, 4));
        buffer.dram_rate = BitRate{1'000'000'000'000 / draw_slot()};
        UnsupportedKey why;
        auto guarantee = asked.guarantee(&why);
        if (!guarantee) RC_ASSERT((why.key == "switch.buffer.dram_rate" || why.key == "trigger"));
        if (!guarantee || !guarantee->bounded) return;
        if (const auto needed = guarantee->switches[0].needed(); needed && draw(0, 2) > 0) {
            buffer.size = *needed;
            guarantee = asked.guarantee();
            RC_ASSERT(guarantee->fits());
        }
        std::mt19937_64 random(draw(0, 1'000'000));
        bool loses = false;
        for (int i = 0; i < 20; ++i) {
            const std::vector<Time> train = i == 0 ? guarantee->witness : asked.random_train(random);
            const Outcome run = ExactEngine().run(with_triggers(asked.scenario, train));
            RC_ASSERT(run.peak_frames <= guarantee->frames());
            const Outcome ample = ample_run(asked.scenario, train);
            RC_ASSERT(ample.peak_frames <= guarantee->frames());
            if (run.frames_lost() == 0) RC_ASSERT(run.peak_frames == ample.peak_frames);
            moves += run.frames_to_dram > 0;
            if (guarantee->fits()) RC_ASSERT(asked.lost(train, 4) == 0);
            Asked less = asked;
            less.scenario.network_switch.buffer.size.amount /= 2;
            loses = loses || (less.scenario.network_switch.buffer.size.amount > 0 && less.lost(train, 4) > 0);
        }
        if (guarantee->exact && !guarantee->fits()) RC_ASSERT(asked.lost(guarantee->witness, 4) > 0);
        if (guarantee->exact && in_step)
            RC_ASSERT(ample_run(asked.scenario, guarantee->witness).peak_frames == guarantee->frames());
        fits += guarantee->fits();
        lossy += !guarantee->fits();
        tight += guarantee->fits() && loses;
    }));
    INFO(fits << " fit, " << tight << " lose with half, " << lossy << " may lose, " << moves << " moves");
    CHECK(fits > 30);
    CHECK(moves > 100);
    CHECK(4 * tight > fits);
    CHECK(lossy > 5);
}

TEST_CASE("A memory whose queues stay in the first tier is bounded as one without a second") {
    Scenario scenario = small(10, 1, 200, ns(2000));
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.size = frames(10);
    buffer.dram = frames(100);
    buffer.dram_from = frames(10);
    buffer.dram_rate = BitRate{1'000'000'000'000 / 2000};  // a frame in 2 us or less
    CHECK(Guarantee::of(scenario)->exact);
    CHECK(Guarantee::of(scenario)->fits());
    buffer.dram_from = frames(9);
    CHECK(refused_key(scenario) == "switch.buffer.dram_rate");  // 10 in 2 us are 20 us of writing
    // Written in 200 ns each, they begin to leave 2 us and a rounding after they came: 20 wait when the next ten have
    // come, and nine have left when ten more come.
    buffer.dram_rate = BitRate{1'000'000'000'000 / 200};
    const auto moving = Guarantee::of(scenario);
    REQUIRE(moving);
    CHECK_FALSE(moving->exact);
    CHECK(moving->other_places);
    CHECK(moving->frames() == 21);
    CHECK(moving->fits() == false);
    CHECK(moving->switches[0].needed() == frames(20));  // nine stay, ten are to be written, one more by the rounding
    buffer.dram = frames(20);
    CHECK_FALSE(Guarantee::of(scenario)->fits());
    CHECK_FALSE(Guarantee::of(scenario)->switches[0].needed());
}

TEST_CASE("Other places that no bound covers are refused by their key") {
    const auto refused = [](const auto& change) {
        Scenario scenario = small(4, 2, 100, ns(4000));
        scenario.network_switch.queueing = Queueing::VirtualOutput;
        change(scenario);
        return refused_key(scenario);
    };
    CHECK(refused([](Scenario&) {}).empty());
    CHECK(refused([](Scenario& s) { s.network_switch.queueing = Queueing::InputFifo; }) == "switch.queueing");
    CHECK(refused([](Scenario& s) { s.network_switch.fabric_rate = BitRate{1'000'000'000}; }) == "switch.fabric_rate");
    CHECK(refused([](Scenario& s) { s.traffic = {stream("other", 10'000)}; }) == "switch.queueing");
    CHECK(refused([](Scenario& s) { s.frame.fragments = FragmentList({Bytes{59}, Bytes{99}}); }) == "switch.queueing");
    CHECK(refused([](Scenario& s) { s.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin; }) ==
          "switch.queueing");
    CHECK(refused([](Scenario& s) {
              s.network_switch.count = 2;
              s.aggregation = s.network_switch;
              s.aggregation->count = s.aggregation->uplinks = 1;
              s.aggregation->queueing = Queueing::Output;
          }) == "switch.queueing");
}

TEST_CASE("A second tier is refused where more than the size of the first refuses a frame") {
    const auto refused = [](const auto& change) {
        Scenario scenario = small(3, 1, 100, ns(4000));
        Buffer& buffer = scenario.network_switch.buffer;
        buffer.size = frames(3), buffer.dram = frames(9), buffer.dram_from = frames(2);
        buffer.dram_rate = BitRate{1'000'000'000'000 / 100};
        change(buffer);
        return refused_key(scenario);
    };
    CHECK(refused([](Buffer&) {}).empty());
    // All three frames of an event wait at once, and each of these rules refuses one of them.
    const std::vector<void (*)(Buffer&)> rules{
        [](Buffer& buffer) {
            buffer.wred_from = frames(1), buffer.wred_to = frames(2), buffer.wred_probability = {1, 1};
        },
        [](Buffer& buffer) { buffer.port_limit = frames(2); }, [](Buffer& buffer) { buffer.slices = 3; },
        [](Buffer& buffer) {
            buffer.sharing = Sharing::DynamicThreshold, buffer.alpha = {1, 2};
        },
        [](Buffer& buffer) { buffer.descriptors = 2; }};
    for (const auto& rule : rules) {
        CHECK(refused(rule) == "switch.buffer.dram");
        Scenario scenario = small(3, 1, 100, ns(4000));
        scenario.network_switch.buffer.size = frames(3);
        rule(scenario.network_switch.buffer);
        CHECK_FALSE(Guarantee::of(scenario)->fits());
    }
}
