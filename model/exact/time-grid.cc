// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/time-grid.h"

#include "model/base/timestamp.h"
#include "model/frontend/front-end.h"
#include "model/frontend/module-groups.h"
#include "model/frontend/stream-train.h"
#include "model/network/network.h"

namespace watershed {
namespace {

class Grid {
  public:
    void add(BitRate rate, ClockTolerance tolerance = {}) {
        constexpr std::int64_t kBytePicoseconds = 8'000'000'000'000;  // at 1 b/s
        if (tolerance.count == 0 && kBytePicoseconds % rate.count == 0) return;
        const Wide denominator = TransmissionTime::of(Bytes{1}, rate, tolerance).denominator;
        const Wide factor = denominator / common_divisor(ticks_, denominator);  // factor that the grid lacks
        if (factor <= Wide{TimeGrid::kFinest} / ticks_)
            ticks_ *= factor;
        else
            whole_ = false;
    }

    ExactTimes result() const {
        const Wide finer = whole_ ? 1 : Wide{TimeGrid::kFinest} / ticks_;
        return {TimeGrid{static_cast<std::uint64_t>(ticks_ * finer)}, whole_};
    }

  private:
    Wide ticks_ = 1;
    bool whole_ = true;
};

}  // namespace

TickDuration span_of(const TransmissionTime& slot, BitRate rate, TimeGrid grid) {
    if (slot.floor() > kLongestSlot.count()) throw TimeExceeded(rate);
    return {Time{static_cast<std::int64_t>(slot.floor())},
            static_cast<std::uint64_t>(slot.numerator % slot.denominator * (grid.ticks / slot.denominator))};
}

ExactTimes exact_times(const NetworkScenario& scenario) {
    // Rates that many frames share come first, in case not all fit.
    Grid grid;
    std::vector<BitRate> fabrics;
    if (has_one_switch(scenario)) {
        grid.add(scenario.network_switch.uplink_rate);
        if (const auto& fabric = scenario.network_switch.fabric_rate) fabrics.push_back(*fabric);
    } else {
        const Network network(scenario);
        for (const Network::Link& link : network.links()) grid.add(link.rate);
        for (const Network::Switch& each : network.switches())
            if (const auto& fabric = each.settings.fabric_rate) fabrics.push_back(*fabric);
    }
    const std::vector<Group> groups = ModuleGroups(scenario).all();
    for (const Group& group : groups) grid.add(group.front_end.link_rate);
    for (const BitRate fabric : fabrics) grid.add(fabric);
    for (const TrafficStream& stream : scenario.traffic) grid.add(link_of_stream(stream, scenario));
    for (const Group& group : groups) {
        const int clocks = is_synchronous(group.front_end) ? 1 : group.front_end.modules;
        for (int module = 1; module <= clocks; ++module)
            grid.add(group.front_end.link_rate, module_timing(group.front_end, scenario.seed, module).tolerance);
    }
    return grid.result();
}

}  // namespace watershed
