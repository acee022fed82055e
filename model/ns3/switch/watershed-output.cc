// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-output.h"

#include <ns3/trace-source-accessor.h>

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedQueueLevel);

ns3::TypeId WatershedQueueLevel::GetTypeId() {
    static const char* const kCallback = "ns3::TracedValueCallback::Uint32";
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedQueueLevel")
            .SetParent<ns3::Object>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedQueueLevel>()
            .AddTraceSource("PacketsInQueue", "Frames that wait here.",
                            ns3::MakeTraceSourceAccessor(&WatershedQueueLevel::m_packets), kCallback)
            .AddTraceSource("BytesInQueue", "Bytes, as the memory counts them.",
                            ns3::MakeTraceSourceAccessor(&WatershedQueueLevel::m_bytes), kCallback);
    return tid;
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
