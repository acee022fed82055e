// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/queue-model.h"

#include <rapidcheck.h>

#include <cmath>

#include "calibrate/closed-form/feasible-region.h"
#include "model/exact/exact-engine.h"
#include "test/calibrate/reference-queue.h"
#include "test/catch.h"

using namespace watershed;

namespace {

struct Case {
    QueueModel model;
    Burst burst;
    QueueSetting setting;
    std::int64_t drained = 0;  ///< by an uplink that is never idle
};

Case any_case() {
    Case one;
    QueueSetting& setting = one.setting;
    setting.uplinks = *rc::gen::inRange(1, 4);
    setting.ports = *rc::gen::inRange(1, 25);
    setting.sharing = *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
    setting.room = setting.sharing == Buffer::Sharing::Shared ? setting.ports + *rc::gen::inRange<std::int64_t>(0, 60)
                                                              : *rc::gen::inRange<std::int64_t>(1, 10);
    setting.events = *rc::gen::inRange(1, 40);
    setting.slot = *rc::gen::inRange<std::int64_t>(500, 1500);
    // From hardly anything drained to more than all that comes.
    setting.spacing =
        1 + setting.slot * setting.ports * *rc::gen::inRange<std::int64_t>(1, 1100) / (1000 * setting.uplinks);
    one.model = {setting.sharing, MemorySize::Unit::Frame};
    one.burst.ports = setting.ports;
    one.burst.uplinks = setting.uplinks;
    one.burst.events = setting.events;
    one.burst.spacing = Time{setting.spacing};
    one.burst.wire = one.burst.buffer = 1;
    one.drained = (setting.events - 1) * setting.spacing / setting.slot;
    return one;
}

QueueModel cells_of(std::int64_t cell, std::int64_t header) {
    QueueModel model;
    model.unit = MemorySize::Unit::Cell;
    model.cell = cell;
    model.header = header;
    return model;
}

Burst burst_with(std::int64_t amount, bool cells, std::int64_t resolution = 1) {
    Burst burst;
    burst.ports = 4;
    burst.events = 10;
    burst.buffer = 1066;
    burst.wire = 1066;
    burst.peak = PeakReading{amount, cells, resolution};
    return burst;
}

}  // namespace

TEST_CASE(
    "The closed form tells lossless from lossy bursts like a queue that moves frame by frame, and never counts too "
    "many losses") {
    REQUIRE(rc::check([] {
        const Case one = any_case();
        const std::int64_t closed = frames_lost(one.model, one.burst, one.setting.room, one.drained),
                           lost = lost_frame_by_frame(one.setting);
        RC_ASSERT((closed > 0) == (lost > 0));
        RC_ASSERT(closed <= lost);
    }));
}

TEST_CASE(
    "With room for one event and one frame per uplink more, the closed form of shared memory counts losses to the "
    "frame") {
    REQUIRE(rc::check([] {
        Case one = any_case();
        RC_PRE(one.model.sharing == Buffer::Sharing::Shared);
        one.setting.room = std::max(one.setting.room, least_busy_room(one.model, one.burst));
        RC_ASSERT(frames_lost(one.model, one.burst, one.setting.room, one.drained) == lost_frame_by_frame(one.setting));
    }));
}

TEST_CASE("The range of drained frames that explains a burst contains what was drained") {
    REQUIRE(rc::check([] {
        Case one = any_case();
        one.burst.lost = lost_frame_by_frame(one.setting);
        one.burst.lossy = one.burst.lost > 0;
        one.burst.counted = *rc::gen::arbitrary<bool>();
        const auto range = drain_range(one.model, one.burst, one.setting.room);
        RC_ASSERT(range.has_value());
        RC_ASSERT(range->least <= one.drained);
        RC_ASSERT(one.drained <= range->most);
    }));
}

TEST_CASE("The half-planes of a burst contain the truth") {
    REQUIRE(rc::check([] {
        Case one = any_case();
        one.burst.lost = lost_frame_by_frame(one.setting);
        one.burst.lossy = one.burst.lost > 0;
        one.burst.counted = *rc::gen::arbitrary<bool>();
        const double rate = 8e12 / static_cast<double>(one.setting.slot), depth = static_cast<double>(one.setting.room);
        // Whatever is known already, as long as the truth is in it.
        const double wide = *rc::gen::inRange(1, 100);
        const auto known = ConvexPolygon::rectangle(std::max(0.0, depth - wide), depth + wide, rate / (1 + wide / 10),
                                                    rate * (1 + wide / 10));
        for (const HalfPlane& side : burst_bounds(one.model, one.burst, known).sides)
            RC_ASSERT(side.margin(depth, rate) >= -1e-6);
    }));
}

namespace {

/// The exact engine's count for a switch with a feature; uneven loads are a static list whose first uplink is the
/// fullest.
struct FeatureCase {
    QueueModel model;
    Burst burst;
    std::int64_t depth = 0;
    double rate = 10e9;
    std::int64_t lost = 0;
};

FeatureCase measured_with(Feature feature, int uplinks, int most_events = 300) {
    FeatureCase one;
    Scenario scenario;
    Buffer& buffer = scenario.network_switch.buffer;
    one.model.feature = feature;
    one.burst.ports = *rc::gen::inRange(12, 60) / uplinks * uplinks;
    one.burst.uplinks = uplinks;
    one.burst.events = *rc::gen::inRange(2, most_events);
    one.burst.payload = 1024;
    one.burst.wire = 1090;
    one.burst.buffer = 1070;
    one.burst.spacing = one.burst.separation =
        Time{*rc::gen::inRange<std::int64_t>(8'720, 9'000 + 400 * one.burst.ports / uplinks) * 1000};
    one.depth = *rc::gen::inRange(200, 3000);
    buffer.size = {one.depth, MemorySize::Unit::Frame};
    switch (feature) {
        case Feature::Descriptors:
            one.model.value = *rc::gen::inRange(200, 3000);
            buffer.descriptors = static_cast<std::int64_t>(one.model.value);
            break;
        case Feature::Resume: {
            const int percent = *rc::gen::inRange(0, 101);
            one.model.value = percent / 100.0 + 1e-12;
            buffer.resume = Ratio{percent, 100};
            break;
        }
        case Feature::DynamicThreshold: {
            const int alpha = *rc::gen::inRange(1, 17);
            one.model.value = alpha / 8.0;
            buffer.sharing = Buffer::Sharing::DynamicThreshold;
            buffer.alpha = Ratio{alpha, 8};
            break;
        }
        case Feature::UnevenUplinks: {
            const std::int64_t fullest = *rc::gen::inRange(one.burst.ports / uplinks, one.burst.ports + 1);
            one.model.value = static_cast<double>(fullest) / static_cast<double>(one.burst.ports);
            scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
            // The fullest uplink's modules lie evenly among the others.
            for (std::int64_t module = 0, other = 0; module < one.burst.ports; ++module) {
                const bool mine = (module + 1) * fullest / one.burst.ports > module * fullest / one.burst.ports;
                scenario.network_switch.uplink_choice.list.push_back(mine ? 1 : 2 + other++ % (uplinks - 1));
            }
            break;
        }
        case Feature::Reserve:
        case Feature::OutputReserve: {
            const std::int64_t each = *rc::gen::inRange(1, 100);
            if (*rc::gen::arbitrary<bool>()) one.burst.ports += *rc::gen::inRange(0, uplinks);
            one.model.owners = static_cast<std::int64_t>(one.model.owners_in(one.burst)) + *rc::gen::inRange(0, 10);
            if (feature == Feature::Reserve) buffer.accounting = Buffer::Accounting::Ingress;
            buffer.reserved = {each, MemorySize::Unit::Frame};
            one.depth += each * one.model.owners;
            one.model.value = static_cast<double>(each * one.model.owners) / static_cast<double>(one.depth);
            break;
        }
        case Feature::None: break;
    }
    scenario.front_end.modules = static_cast<int>(one.burst.ports);
    scenario.network_switch.uplinks = uplinks;
    scenario.trigger.separation = one.burst.separation;
    scenario.trigger.events = one.burst.events;
    one.lost = ExactEngine().run(scenario).frames_lost();
    one.burst.lost = one.lost;
    one.burst.lossy = one.lost > 0;
    return one;
}

std::int64_t closed_form(const FeatureCase& one) {
    return frames_lost(one.model, one.burst, one.model.room(one.burst, one.depth),
                       static_cast<std::int64_t>(one.burst.drain() * one.rate * (1 + 1e-12)));
}

}  // namespace

TEST_CASE("Descriptors lose what the exact engine counts, to the frame") {
    REQUIRE(rc::check([] {
        const FeatureCase one = measured_with(Feature::Descriptors, *rc::gen::inRange(1, 4));
        RC_ASSERT(closed_form(one) == one.lost);
    }));
}

TEST_CASE("A memory with a part reserved for each input or output loses what the exact engine counts, to the frame") {
    for (const Feature feature : {Feature::Reserve, Feature::OutputReserve})
        REQUIRE(rc::check([&] {
            const FeatureCase one = measured_with(feature, *rc::gen::inRange(1, 4));
            RC_LOG() << to_text(feature) << " " << one.burst.ports << " ports " << one.burst.uplinks << " uplinks "
                     << one.burst.events << " events, depth " << one.depth << " value " << one.model.value << ": "
                     << closed_form(one) << " for " << one.lost;
            RC_ASSERT((closed_form(one) > 0) == one.burst.lossy);
            RC_ASSERT(closed_form(one) == one.lost);
        }));
}

TEST_CASE("Uneven uplinks lose when the exact engine does, and about as much: the fullest takes the memory over") {
    REQUIRE(rc::check([] {
        const FeatureCase one = measured_with(Feature::UnevenUplinks, *rc::gen::inRange(2, 5));
        RC_ASSERT((closed_form(one) > 0) == one.burst.lossy);
        // Modules that ask last decide about a frame or two of each event.
        RC_ASSERT(std::abs(closed_form(one) - one.lost) <= 2 * one.burst.ports + 2 * one.burst.events);
    }));
}

TEST_CASE(
    "Uneven uplinks lose as much as the exact engine counts where the order is given in which their modules ask for "
    "free places") {
    // Two uplinks, in most bursts to one frame in a hundred: the rest is when the others' queue is empty, and which
    // event drains a frame more.
    int close = 0, lossy = 0;
    for (const int fullest : {24, 26, 28, 31, 34})
        for (const AskingOrder order :
             {AskingOrder::FullestFirst, AskingOrder::FullestLast, AskingOrder::InTurnOthersBegin}) {
            for (int part = 0; part < 12; ++part) {
                Scenario scenario;
                Burst burst;
                burst.ports = 44, burst.uplinks = 2, burst.payload = 1024, burst.wire = 1090, burst.buffer = 1070,
                burst.events = 900;
                burst.spacing = burst.separation = Time{9'000'000 + 1'370'000 * part};
                QueueModel model;
                model.feature = Feature::UnevenUplinks, model.value = fullest / 44.0, model.order = order;
                scenario.front_end.modules = 44;
                scenario.network_switch.uplinks = 2;
                scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
                scenario.network_switch.buffer.size = {3000, MemorySize::Unit::Frame};
                scenario.trigger.separation = burst.separation;
                scenario.trigger.events = burst.events;
                for (int module = 0; module < 44; ++module) {
                    const bool first =
                        module<fullest, last = module >= 44 - fullest, in_turn = (module + 1) * fullest / 44> module *
                        fullest / 44;
                    const bool mine = order == AskingOrder::FullestFirst  ? first
                                      : order == AskingOrder::FullestLast ? last
                                                                          : in_turn;
                    scenario.network_switch.uplink_choice.list.push_back(mine ? 1 : 2);
                }
                const auto lost = static_cast<double>(ExactEngine().run(scenario).frames_lost());
                if (lost == 0) continue;
                ++lossy;
                close += std::abs(overflow(model, burst, 3000, 10e9) - lost) <= 0.01 * lost + 2;
            }
        }
    INFO(close << " of " << lossy);
    CHECK(lossy > 100);
    CHECK(close >= 0.9 * lossy);
}

TEST_CASE("A resume level loses what the exact engine counts, to the frame of one uplink") {
    REQUIRE(rc::check([] {
        const FeatureCase one = measured_with(Feature::Resume, 1);
        RC_ASSERT((closed_form(one) > 0) == one.burst.lossy);
        if (one.burst.lossy)
            RC_ASSERT(overflow(one.model, one.burst, static_cast<double>(one.depth), one.rate * (1 + 1e-12)) ==
                      static_cast<double>(one.lost));
        if (!one.burst.lossy) RC_ASSERT(overflow(one.model, one.burst, static_cast<double>(one.depth), one.rate) <= 1);
    }));
}

TEST_CASE(
    "Of many falls to a resume level those in the middle are taken together: what is sent is known, so that only how "
    "full the memory ends is open") {
    int many = 0;
    REQUIRE(rc::check([&] {
        FeatureCase one = measured_with(Feature::Resume, 1, 20'000);
        if (!one.burst.lossy) return;
        const double lost = overflow(one.model, one.burst, static_cast<double>(one.depth), one.rate * (1 + 1e-12)),
                     off = lost - static_cast<double>(one.lost);
        many += off != 0;
        RC_ASSERT(std::abs(off) <=
                  static_cast<double>(one.depth) * (1 - one.model.value) + static_cast<double>(one.burst.ports));
    }));
    CHECK(many > 0);
}

TEST_CASE(
    "A dynamic threshold loses when the exact engine does, and as much, to half a frame that each uplink has begun to "
    "send") {
    REQUIRE(rc::check([] {
        const int uplinks = *rc::gen::inRange(1, 5);
        const FeatureCase one = measured_with(Feature::DynamicThreshold, uplinks);
        RC_PRE(one.model.room(one.burst, one.depth) >= one.burst.ports);  // else uplinks may fall idle
        RC_ASSERT((closed_form(one) > 0) == one.burst.lossy);
        // Each of k queues that are full together may hold a frame more than the least of them.
        RC_ASSERT(std::abs(closed_form(one) - one.lost) < uplinks);
        if (one.burst.lossy)
            RC_ASSERT(std::abs(overflow(one.model, one.burst, static_cast<double>(one.depth), one.rate) -
                               static_cast<double>(one.lost)) <= uplinks / 2.0 + 1e-6);
    }));
}

TEST_CASE("Half-planes of features contain the truth, and the range of drained frames that explains a flag does") {
    REQUIRE(rc::check([] {
        const Feature feature = *rc::gen::element(Feature::Descriptors, Feature::Resume, Feature::UnevenUplinks,
                                                  Feature::Reserve, Feature::OutputReserve);
        const FeatureCase one = measured_with(
            feature, feature == Feature::Descriptors || feature == Feature::Resume ? 1 : *rc::gen::inRange(2, 5));
        const double wide = *rc::gen::inRange(1, 100), depth = static_cast<double>(one.depth);
        const auto known = ConvexPolygon::rectangle(std::max(0.0, depth - wide), depth + wide,
                                                    one.rate / (1 + wide / 10), one.rate * (1 + wide / 10));
        for (const HalfPlane& side : burst_bounds(one.model, one.burst, known).sides)
            RC_ASSERT(side.margin(depth, one.rate) >= -1e-6);
        const auto range = drain_range(one.model, one.burst, one.model.room(one.burst, one.depth));
        const auto drained = static_cast<std::int64_t>(one.burst.drain() * one.rate * (1 + 1e-12));
        RC_ASSERT(range.has_value());
        RC_ASSERT(range->least <= drained);
        RC_ASSERT(drained <= range->most);
    }));
}

TEST_CASE("A kind of memory has a name, and words for those who do not know the name") {
    QueueModel model;
    model.unit = MemorySize::Unit::Byte;
    CHECK(model.words() == "one memory for all inputs, counted in bytes");
    model.sharing = Buffer::Sharing::PerInput, model.unit = MemorySize::Unit::Frame;
    model.feature = Feature::DynamicThreshold;
    CHECK(model.name() == "per-input-frames-dynamic-threshold");
    CHECK(model.words() == "a memory for each input, counted in frames, with dynamic threshold");
}

TEST_CASE("A counter of bytes takes a frame's own bytes, or the whole cells that it fills") {
    const QueueModel frames, cells = cells_of(208, 8);  // 1074 B fill six cells, 1248 B
    CHECK(counter_cost(frames, burst_with(1, false)) == 1066);
    CHECK(counter_cost(cells, burst_with(1, false)) == 1248);
    CHECK(counter_cost(cells, burst_with(1, true)) == 6);
    CHECK(counter_cost(frames, burst_with(1, true)) == 1);
}

TEST_CASE("A memory has room for what was in use in it, less what the counter cannot resolve") {
    const QueueModel shared;
    CHECK(least_room(shared, burst_with(10 * 1066, false)) == 10);
    CHECK(least_room(shared, burst_with(10 * 1066, false, 1066)) == 9);
    CHECK(least_room(shared, burst_with(1'000'000, false)) == 40);  // no more than were sent
    QueueModel per_input;
    per_input.sharing = Buffer::Sharing::PerInput;  // 10 frames in 4 memories: 3 in one of them at least
    CHECK(least_room(per_input, burst_with(10 * 1066, false)) == 3);
    Burst none = burst_with(1, false);
    none.peak.reset();
    CHECK(least_room(shared, none) == 0);
}
