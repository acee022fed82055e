// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/fill/ns3-stopped-switch.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <vector>

#include "model/base/frame.h"
#include "model/base/serializer.h"
#include "model/exact/exact-run.h"
#include "model/ns3/base/ns3-session.h"
#include "model/ns3/base/watershed-time.h"
#include "model/ns3/helper/watershed-helper.h"

namespace watershed {
namespace {

/// Slow links for the frames, so that the pauses which are told again and again while the switch is drained are few.
constexpr BitRate kLink{1'000'000'000};

/// The wait between two frames: the first has arrived, and the switch has told its sender.
Time step_of(const NetworkScenario& scenario) {
    return Serializer(kLink).send(Time{0}, frames_of_fragment(scenario.frame).front().wire).time * 2;
}

/// More frames than the switch holds.
std::int64_t most_held(const NetworkScenario& scenario) {
    const Buffer& buffer = scenario.network_switch.buffer;
    const MemoryUnits units(buffer);
    const std::int64_t cost = units.cost(frames_of_fragment(scenario.frame).front().buffer);
    const int groups = scenario.front_end.modules;
    return (units.amount("switch.buffer.size", buffer.size) / buffer.slices +
            (units.amount("switch.buffer.reserved", buffer.reserved) +
             units.amount("switch.buffer.headroom", buffer.headroom)) *
                groups) /
               cost +
           buffer.egress_pipeline + 2 * groups + 2;
}

/// The first frame of an uplink leaves after `filling`.
BitRate slow_rate(const NetworkScenario& scenario, Time filling) {
    const Bytes wire = frames_of_fragment(scenario.frame).front().wire;
    const double seconds = in_seconds(filling);
    return BitRate{std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(wire.count) * 8 / seconds))};
}

NetworkScenario stopped(NetworkScenario scenario, std::int64_t frames) {
    scenario.trigger = Trigger{};
    scenario.trigger.pattern = Trigger::Pattern::File;  // without a time: only offer() sends
    scenario.trigger.events.reset();
    scenario.front_end.link_rate = kLink;
    scenario.network_switch.uplink_rate =
        slow_rate(scenario, step_of(scenario) * std::min(frames, most_held(scenario)));
    return scenario;
}

class StoppedNs3 final : public TxDisabledSwitch {
  public:
    StoppedNs3(const NetworkScenario& scenario, std::int64_t frames)
        : scenario_(stopped(scenario, frames)),
          camera_(WatershedHelper().Install(scenario_)),
          step_(step_of(scenario_)),
          frame_time_(Serializer(scenario_.network_switch.uplink_rate)
                          .send(Time{0}, frames_of_fragment(scenario_.frame).front().wire)
                          .time),
          events_(camera_.senders.size()),
          paused_(camera_.senders.size()) {
        WatershedSwitchImpl& at = camera_.SwitchOf(0);
        at.TraceConnectWithoutContext("Drop", ns3::MakeCallback(&StoppedNs3::dropped, this));
        at.TraceConnectWithoutContext("Pause", ns3::MakeCallback(&StoppedNs3::paused, this));
        run(Time{1});  // applications start
    }

    Fate offer(int input) override {
        const auto number = static_cast<std::size_t>(input);
        const SwitchMemory& memory = camera_.SwitchOf(0).GetMemory();
        const std::int64_t frames = memory.frames(), headroom = memory.headroom_of_input(input);
        lost_ = nullptr;
        camera_.senders[number]->Trigger(++events_[number], Now());
        run(step_);
        Fate fate;
        fate.lost = lost_;
        fate.in_memory = memory.frames() > frames;
        fate.on_headroom = memory.headroom_of_input(input) > headroom;
        fate.paused = paused_[number];
        return fate;
    }

    bool release(int input) override {
        // The first frame has been on its way out since it came, so that one leaves at each multiple of its time.
        const Time next = frame_time_ * ++released_ + step_;
        if (next > Now()) run(next - Now());
        return paused_[static_cast<std::size_t>(input)];
    }

  private:
    void run(Time time) {
        ns3::Simulator::Stop(ToNs3(time));
        ns3::Simulator::Run();
    }
    void dropped(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause& cause) { lost_ = &cause; }
    void paused(std::uint32_t input, std::uint32_t quanta, std::uint32_t) { paused_[input] = quanta > 0; }

    Ns3Session session_;
    NetworkScenario scenario_;
    WatershedCamera camera_;
    Time step_;
    Time frame_time_;
    const LossCause* lost_ = nullptr;
    std::vector<std::int64_t> events_;
    std::vector<bool> paused_;
    std::int64_t released_ = 0;
};

}  // namespace

std::unique_ptr<TxDisabledSwitch> stop_in_ns3(const NetworkScenario& scenario, std::int64_t frames) {
    if (scenario.network_switch.buffer.classes > 1)
        throw NoEvent("several groups of one input are filled by the exact engine alone");
    return std::make_unique<StoppedNs3>(scenario, frames);
}

}  // namespace watershed
