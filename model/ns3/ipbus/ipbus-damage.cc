// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ipbus/ipbus-damage.h"

#include "model/base/random.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(IpbusDamage);

ns3::TypeId IpbusDamage::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::IpbusDamage")
                                       .SetParent<ns3::ErrorModel>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<IpbusDamage>();
    return tid;
}

bool IpbusDamage::DoCorrupt(ns3::Ptr<ns3::Packet>) {
    return uniform_up_to(random_bits(m_seed, Stream::IpbusLoss, ++m_arrived), m_oneIn - 1) == 0;
}

}  // namespace watershed
