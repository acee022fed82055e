// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/balanced-ports.h"

#include "model/base/addresses.h"
#include "model/base/unsupported-key.h"
#include "model/switch/uplinks.h"

namespace watershed {

std::vector<std::int64_t> balanced_source_ports(const Switch& network_switch, const FrontEnd& front_end) {
    const UplinkChoice& choice = network_switch.uplink_choice;
    if (!UplinkChoice::has_ports(choice.fields))
        throw KeyError("switch.uplink_hash",
                       "this hash does not look at ports, expected \"layer3+4\" or \"five-tuple\"");
    std::vector<std::int64_t> ports;
    std::vector<bool> taken(0x10000);
    for (int module = 1; module <= front_end.modules; ++module) {
        Endpoint from = module_endpoint(front_end, module);
        for (int port = kDynamicPorts; port < 0x10000; ++port) {
            from.port = static_cast<std::uint16_t>(port);
            if (taken[from.port]) continue;
            if (flow_hash(from, server_endpoint(0), choice.fields, choice.fold) % network_switch.uplinks !=
                uplink_of(module, network_switch.uplinks))
                continue;
            taken[from.port] = true;
            ports.push_back(port);
            break;
        }
        if (static_cast<int>(ports.size()) < module)
            throw KeyError("front_end.modules", "more than the dynamic ports can balance");
    }
    return ports;
}

}  // namespace watershed
