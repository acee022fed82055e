// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/kept-frames.h"

#include <random>

#include "model/exact/exact-engine.h"
#include "model/guarantee/witness.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

/// Returns a switch whose uplinks share so many frames.
Switch sharing(int uplinks, std::int64_t frames, Ratio alpha) {
    Switch network_switch;
    network_switch.uplinks = uplinks;
    network_switch.buffer.sharing = Sharing::DynamicThreshold;
    network_switch.buffer.size = {frames, MemorySize::Unit::Frame};
    network_switch.buffer.alpha = alpha;
    return network_switch;
}

}  // namespace

TEST_CASE("Queues that are filled one after the other leave B / (1 + alpha)^n") {
    const auto kept = [](const Switch& of) { return kept_frames(of, Bytes{100}, Bytes{100}); };
    // 64, 32 and 16 of 128 frames are left to the last of 4 queues, which takes half of that.
    CHECK(kept(sharing(1, 128, Ratio{1, 1})) == 64);
    CHECK(kept(sharing(2, 128, Ratio{1, 1})) == 32);
    CHECK(kept(sharing(4, 128, Ratio{1, 1})) == 8);
    CHECK(kept(sharing(2, 90, Ratio{2, 1})) == 20);
    CHECK(kept(sharing(2, 90, Ratio{1, 2})) == 20);
    Switch reserved = sharing(4, 128, Ratio{1, 1});
    reserved.buffer.reserved = {3, MemorySize::Unit::Frame};
    CHECK(kept(reserved) == 11);
    Switch other = sharing(4, 128, Ratio{1, 1});
    other.buffer.sharing = Sharing::Shared;
    CHECK_FALSE(kept(other));
    other = sharing(4, 128, Ratio{1, 1});
    other.buffer.slices = 2;
    CHECK_FALSE(kept(other));
}

TEST_CASE("A long frame behind short ones takes more than alpha of what is free") {
    Scenario scenario = small(2, 2, 100'000, ns(100'000'000));
    Switch& network_switch = scenario.network_switch;
    network_switch.buffer = sharing(2, 1, Ratio{1, 1}).buffer;
    network_switch.buffer.size = {3000, MemorySize::Unit::Byte};
    // 23 frames of 64 B are 1472 B, less than the 1528 B that they leave free, and are let past by one of 512 B. It
    // leaves 1016 B free, of which a first frame of 512 B takes more than it leaves.
    CHECK(kept_frames(network_switch, Bytes{64}, Bytes{512}) == 1);
    CHECK(kept_frames(network_switch, Bytes{512}, Bytes{512}) == 2);
    Group other{"other", scenario.frame, scenario.front_end, Time{0}, std::nullopt, ""};
    other.front_end.modules = 1;
    Group own = other;
    own.name = "own";
    own.front_end.modules_before = 1;
    own.front_end.skew = {ns(20'000)};  // as the last frame of the other is in, and before one has left
    std::vector<Bytes> payloads(23, Bytes{18});
    payloads.push_back(Bytes{466});
    other.frame.fragments = FragmentList(std::move(payloads));
    const auto lost_of = [&](int frames) {
        own.frame.fragments = FragmentList(std::vector<Bytes>(static_cast<std::size_t>(frames), Bytes{466}));
        scenario.groups = {other, own};
        const auto guarantee = Guarantee::of(scenario);
        REQUIRE(guarantee);
        CHECK(guarantee->switches[0].kept == 1);
        return ExactEngine().run(with_triggers(scenario, {Time{0}})).lost_by_module;
    };
    CHECK(lost_of(1) == std::vector<std::int64_t>{0, 0});
    CHECK(lost_of(2) == std::vector<std::int64_t>{0, 1});
}

TEST_CASE("A queue loses no frame while it holds what the bound keeps for it, and one more in the worst order") {
    std::mt19937_64 random(3);
    const auto draw = drawing(random);
    int reached = 0, none = 0, unlike = 0;
    for (int i = 0; i < 300; ++i) {
        const int uplinks = static_cast<int>(draw(2, 4));
        Scenario scenario = small(1, uplinks, 1000, ns(100'000), ns(100'000));
        Switch& network_switch = scenario.network_switch;
        Buffer& buffer = network_switch.buffer;
        buffer.sharing = Sharing::DynamicThreshold;
        buffer.alpha = Ratio{draw(1, 3), draw(1, 3)};
        const std::int64_t size = draw(1, 40);
        buffer.size = {size, MemorySize::Unit::Frame};
        if (draw(0, 1) == 0) buffer.size = {size * 105 + draw(0, 104), MemorySize::Unit::Byte};
        if (draw(0, 2) == 0) buffer.reserved = {1, MemorySize::Unit::Frame};
        if (buffer.reserved.amount > 0 && buffer.size.unit == MemorySize::Unit::Byte)
            buffer.reserved = {105, buffer.size.unit};
        network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
        std::vector<std::int64_t>& list = network_switch.uplink_choice.list;
        list = {1};
        const bool streams = draw(0, 2) == 0;
        if (streams) {
            TrafficStream other = stream("other", draw(300, 3000));
            other.payload = Bytes{draw(18, 300)};
            scenario.traffic = {other};
        }
        const auto guarantee = Guarantee::of(scenario);
        const std::int64_t other = streams ? scenario.traffic[0].payload.count + 46 : 105;
        const auto kept = kept_frames(network_switch, Bytes{std::min<std::int64_t>(105, other)},
                                      Bytes{std::max<std::int64_t>(105, other)});
        REQUIRE(kept);
        if (guarantee) CHECK(guarantee->switches[0].kept == kept);
        const auto lost_of_last = [&] {
            scenario.front_end.modules = static_cast<int>(list.size());
            const std::vector<std::int64_t> listed = list;
            if (streams) list.push_back(1);
            const Outcome outcome = ExactEngine().run(with_triggers(scenario, {Time{0}}));
            if (streams) list.pop_back();
            std::int64_t lost = 0;
            for (std::size_t module = 0; module < listed.size(); ++module)
                if (listed[module] == uplinks) lost += outcome.lost_by_module[module];
            return lost;
        };
        CAPTURE(i, *kept, uplinks, size, streams);
        // One queue after the other gets all that it takes, or frames come in any order.
        for (int trial = 0; trial < 10; ++trial) {
            list.clear();
            for (int uplink = 1; uplink < uplinks; ++uplink)
                list.insert(list.end(), static_cast<std::size_t>(trial == 0 ? size + 2 : draw(0, size + 2)),
                            std::int64_t{uplink});
            list.insert(list.end(), static_cast<std::size_t>(*kept), std::int64_t{uplinks});
            if (list.empty()) continue;
            if (trial > 0) std::shuffle(list.begin(), list.end(), random);
            REQUIRE(lost_of_last() == 0);
            none += *kept == 0;
            if (trial > 0 || streams) continue;
            list.push_back(uplinks);
            REQUIRE(lost_of_last() == 1);
            ++reached;
        }
        unlike += streams;
    }
    CHECK(reached > 100);
    CHECK(unlike > 50);
    CHECK(none < 1500);
}
