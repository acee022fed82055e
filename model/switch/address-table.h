// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <unordered_map>

namespace watershed {

/// Ports behind which a switch has addresses: learned from frames, until that expires, or stated for good.
template <class Moment>
class AddressTable {
  public:
    static constexpr std::uint32_t kNowhere = UINT32_MAX;

    void learn(std::uint64_t address, std::uint32_t port, const Moment& expires) {
        Place& place = places_[address];
        place.learned = port;
        place.expires = expires;
    }
    void state(std::uint64_t address, std::uint32_t port) { places_[address].stated = port; }

    /// The port, or kNowhere.
    std::uint32_t learned(std::uint64_t address, const Moment& now) const {
        const auto found = places_.find(address);
        return found != places_.end() && found->second.expires > now ? found->second.learned : kNowhere;
    }
    std::uint32_t stated(std::uint64_t address) const {
        const auto found = places_.find(address);
        return found == places_.end() ? kNowhere : found->second.stated;
    }

  private:
    struct Place {
        std::uint32_t learned = kNowhere, stated = kNowhere;
        Moment expires{};  ///< nothing is learned at that moment or later
    };

    std::unordered_map<std::uint64_t, Place> places_;
};

}  // namespace watershed
