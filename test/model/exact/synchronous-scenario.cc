// SPDX-License-Identifier: GPL-2.0-only
#include "test/model/exact/synchronous-scenario.h"

#include <algorithm>
#include <initializer_list>

#include "model/base/frame.h"
#include "model/base/random.h"
#include "model/base/serializer.h"
#include "model/base/timestamp.h"

namespace watershed {
namespace {

/// Draws that depend on the seed alone.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : seed_(seed) {}
    std::int64_t operator()(std::int64_t low, std::int64_t high) {
        return low + uniform_up_to(mixed(mixed(seed_) ^ ++drawn_), high - low);
    }
    bool chance(int percent) { return (*this)(1, 100) <= percent; }
    template <class T>
    T one_of(std::initializer_list<T> values) {
        return values.begin()[(*this)(0, static_cast<std::int64_t>(values.size()) - 1)];
    }

  private:
    std::uint64_t seed_;
    std::uint64_t drawn_ = 0;
};

}  // namespace

Scenario random_camera(std::uint64_t seed) {
    Draw draw(seed);
    Scenario s;
    s.seed = seed;
    s.frame.payload = Bytes{draw.one_of<std::int64_t>({1024, 18, draw(0, 1472)})};
    FrontEnd& front_end = s.front_end;
    front_end.modules = static_cast<int>(draw(1, 12));
    const auto rate = [&] {
        return BitRate{draw.one_of<std::int64_t>(
            {1'000'000'000, 3'000'000'000, 10'000'000'000, draw(100'000'000, 12'000'000'000)})};
    };
    front_end.link_rate = rate();
    if (draw.chance(30)) front_end.clock = {ClockTolerance{draw(-100'000, 100'000)}};
    if (draw.chance(30)) front_end.skew = {Time{draw(0, 3'000'000)}};
    const Bytes wire = frames_of_fragment(s.frame).front().wire;
    const Time slot = Serializer(front_end.link_rate).send(Time{0}, wire).time;

    Switch& network_switch = s.network_switch;
    network_switch.uplinks = static_cast<int>(draw.one_of<std::int64_t>({1, 1, 2, 3}));
    // Often just what the modules fill.
    network_switch.uplink_rate =
        draw.chance(40) ? BitRate{front_end.link_rate.count * draw(1, front_end.modules) + draw(-1, 1)} : rate();
    if (draw.chance(40))
        network_switch.latency = Time{draw.one_of<std::int64_t>(
            {1, slot.count() - 1, slot.count(), slot.count() + 1, draw(0, 4 * slot.count())})};
    network_switch.arrival_order = draw.one_of({ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random});
    network_switch.uplink_choice.rule =
        draw.one_of({UplinkChoice::Rule::Modulo, UplinkChoice::Rule::Modulo, UplinkChoice::Rule::RoundRobin,
                     UplinkChoice::Rule::Hash, UplinkChoice::Rule::Static});
    network_switch.uplink_choice.list = {draw(1, network_switch.uplinks), draw(1, network_switch.uplinks), 1};

    Buffer& buffer = network_switch.buffer;
    buffer.sharing = draw.one_of(
        {Buffer::Sharing::Shared, Buffer::Sharing::Shared, Buffer::Sharing::PerInput, Buffer::Sharing::PerOutput});
    buffer.size = {draw(0, buffer.sharing == Buffer::Sharing::PerInput ? 6 : 5 * front_end.modules),
                   MemorySize::Unit::Frame};
    if (draw.chance(40)) {
        buffer.size = {buffer.size.amount * frames_of_fragment(s.frame).front().buffer.count + draw(0, 30),
                       MemorySize::Unit::Byte};
        if (draw.chance(50)) buffer.cell = Bytes{draw(1, 300)};
    }
    if (draw.chance(20)) buffer.descriptors = draw(1, 4 * front_end.modules);
    if (draw.chance(20)) buffer.release = Buffer::Release::Start;

    Trigger& trigger = s.trigger;
    trigger.pattern = draw.one_of({Trigger::Pattern::Burst, Trigger::Pattern::Burst, Trigger::Pattern::Bursts,
                                   Trigger::Pattern::Periodic, Trigger::Pattern::Poisson});
    trigger.events = draw(1, 60);
    const TransmissionTime out = TransmissionTime::of(wire, network_switch.uplink_rate);
    const auto drained = static_cast<std::int64_t>(out.ceil()) * front_end.modules / network_switch.uplinks;
    trigger.separation = Time{draw.one_of<std::int64_t>(
        {0, slot.count(), slot.count() - 1, drained, drained + draw(-2, 2) * (drained > 2), draw(0, 2 * drained)})};
    trigger.rate = Frequency{1'000'000'000'000'000'000 / std::max<std::int64_t>(1000, trigger.separation.count())};
    trigger.bursts = draw(1, 3);
    trigger.period = trigger.separation * *trigger.events + Time{draw(0, 4 * drained)};
    if (draw.chance(20)) trigger.dead_time = Time{draw(0, 2 * slot.count())};
    if (draw.chance(20)) trigger.duration = Time{draw(0, 40 * slot.count())};
    return s;
}

}  // namespace watershed
