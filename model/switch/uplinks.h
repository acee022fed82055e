// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/addresses.h"
#include "model/frontend/module-ports.h"
#include "model/switch/switch.h"

namespace watershed {

/// The uplink (from 0) that carries a module's frames: modules take turns by their number.
constexpr int uplink_of(int module, int uplinks) { return (module - 1) % uplinks; }

/// The hash by which a switch spreads flows over its uplinks, before it is reduced modulo their number.
/// Over the bytes of these fields, in this order and each with the highest byte first: layer 2: MAC addresses of
/// destination and source; layer 3: IPv4 addresses of source and destination; layers 3 and 4: the same, then the UDP
/// ports of source and destination; five-tuple: the same, then the byte of the protocol (17 for UDP). Crc16:
/// CRC-16-CCITT, x^16 + x^12 + x^5 + 1, from 0xffff. Xor: exclusive or of all 16-bit words, then of its two bytes.
std::uint16_t flow_hash(const Endpoint& from, const Endpoint& to, UplinkChoice::Fields fields, UplinkChoice::Fold fold);
/// Returns the hash of the bytes themselves.
std::uint16_t flow_hash(const std::vector<std::uint8_t>& bytes, UplinkChoice::Fold fold);

/// Chooses the uplink of each frame.
class UplinkSelector {
  public:
    /// For a switch whose inputs each belong to a module.
    UplinkSelector(const Switch& network_switch, const FrontEnd& front_end)
        : UplinkSelector(network_switch, front_end, front_end.modules) {}
    /// For any switch: inputs take turns or are listed as modules are; a hash still looks at the module's addresses.
    /// @param front_end  whose frames it sees
    UplinkSelector(const Switch& network_switch, const FrontEnd& front_end, int inputs);

    /// The uplink, from 0, of the next frame that the switch decides on; to be asked once for each.
    /// @param input from 0, @param module from 1
    int next(int input, int module) {
        if (uplinks_ == 1) return 0;
        if (uplink_.empty()) return static_cast<int>(frames_++ % uplinks_);
        return uplink_[static_cast<std::size_t>(by_module_ ? module - 1 : input)];
    }
    int next(int module) { return next(module - 1, module); }
    /// Returns true if the module, not the input, decides.
    bool is_by_module() const { return by_module_; }

  private:
    std::vector<int> uplink_;  ///< uplink of each module or input; empty if frames take turns
    bool by_module_;
    std::int64_t uplinks_;
    std::int64_t frames_ = 0;
};

}  // namespace watershed
