// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-output.h"

#include "model/ns3/device/watershed-attribute.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedQueueLevel);

ns3::TypeId WatershedQueueLevel::GetTypeId() {
    using Self = WatershedQueueLevel;
    static const WatershedTypeId<Self, ns3::Object> type(ns3::TypeId("ns3::WatershedQueueLevel"), [](auto& table) {
        const char* const callback = "ns3::TracedValueCallback::Uint32";
        table.Trace("PacketsInQueue", &Self::m_packets, callback, "Frames that wait here.");
        table.Trace("BytesInQueue", &Self::m_bytes, callback, "Bytes, as the memory counts them.");
    });
    return type.id;
}

WatershedOutput::Queue* WatershedOutput::Next(const Timestamp& now) {
    if (!control.empty()) return &control;
    const auto may_go = [&](std::size_t each) {
        return !queues[each].empty() && (queues[each].front().is_own || gates[each].is_open(now.time));
    };
    if (!scheduler) return may_go(0) ? queues.data() : nullptr;
    const auto chosen = scheduler->next(
        (1u << queues.size()) - 1, [&](std::size_t each) { return may_go(each) && queues[each].front().ready <= now; },
        [&](std::size_t each) { return device->WireSize(queues[each].front().frame); });
    return chosen ? &queues[*chosen] : nullptr;
}

}  // namespace watershed
