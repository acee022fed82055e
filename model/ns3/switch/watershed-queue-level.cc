// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-queue-level.h"

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

}  // namespace watershed
