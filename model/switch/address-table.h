// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace watershed {

/// Ports behind which a switch has addresses: learned from frames, until that expires, or stated for good.
template <class Moment>
class AddressTable {
  public:
    AddressTable() = default;
    AddressTable(const AddressTable&) = delete;
    AddressTable& operator=(const AddressTable&) = delete;
    static constexpr std::uint32_t kNowhere = UINT32_MAX;

    void learn(std::uint64_t address, std::uint32_t port, const Moment& expires) {
        Place& place = place_of(address);
        place.learned = port;
        place.expires = expires;
    }
    void state(std::uint64_t address, std::uint32_t port) { place_of(address).stated = port; }

    /// The port, or kNowhere.
    std::uint32_t learned(std::uint64_t address, const Moment& now) {
        const Place& place = place_of(address);
        return place.expires > now ? place.learned : kNowhere;
    }
    std::uint32_t stated(std::uint64_t address) { return place_of(address).stated; }

  private:
    struct Place {
        std::uint32_t learned = kNowhere, stated = kNowhere;
        Moment expires{};  ///< nothing is learned at that moment or later
    };

    struct Recent {
        std::uint64_t address = 0;
        Place* place = nullptr;
    };

    /// Recent addresses are found without a search. Addresses differ in their last byte most.
    Place& place_of(std::uint64_t address) {
        Recent& recent = recent_[(address >> 40) % recent_.size()];
        if (!recent.place || recent.address != address) recent = {address, &places_[address]};
        return *recent.place;
    }

    std::unordered_map<std::uint64_t, Place> places_;
    std::array<Recent, 64> recent_{};
};

}  // namespace watershed
