// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <boost/range/algorithm.hpp>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// What a burst is set to.
struct BurstSetting {
    int ports = 1;
    Bytes payload{1024};
    Time separation{0};
    std::int64_t events = 1;
    std::optional<int> uplinks{};  ///< over which the burst is spread; absent: as many as the switch has

    /// A single event is the same burst at any separation.
    bool operator<(const BurstSetting& other) const {
        const auto all = [](const BurstSetting& one) {
            return std::make_tuple(one.ports, one.payload, one.events > 1 ? one.separation : Time{0}, one.events,
                                   one.uplinks);
        };
        return all(*this) < all(other);
    }
};

/// The bursts that a pulse generator can be set to.
struct Generator {
    Time step{10'000};                  ///< separations are multiples of it
    std::vector<Time> separations;      ///< or only these, ascending, where there are any
    std::vector<std::int64_t> lengths;  ///< burst lengths in events, ascending; empty: any up to `longest`
    std::int64_t longest = 1'000'000;
    Time shortest{0};  ///< separation

    /// The setting closest to what is wanted.
    Time nearest(Time separation) const {
        if (!separations.empty()) return nearest_of(separations, separation);
        const Time wanted = std::max(separation, shortest), below = step * (wanted.count() / step.count());
        return below < shortest ? below + step : closest(below, below + step, wanted);
    }
    std::int64_t nearest(std::int64_t events) const {
        return lengths.empty() ? std::clamp<std::int64_t>(events, 1, longest) : nearest_of(lengths, events);
    }
    /// The shortest setting that is not less than what is wanted, or the largest there is.
    Time at_least(Time separation) const {
        return separations.empty() ? step * ceil_div(std::max(separation, shortest).count(), step.count())
                                   : first_from(separations, separation);
    }
    std::int64_t at_least(std::int64_t events) const {
        return lengths.empty() ? std::clamp<std::int64_t>(events, 1, longest) : first_from(lengths, events);
    }

  private:
    /// Of two neighbouring settings the closer one, the lower where both are as close.
    template <class Value>
    static Value closest(Value below, Value above, Value wanted) {
        return wanted - below <= above - wanted ? below : above;
    }

    template <class Value>
    static Value first_from(const std::vector<Value>& settings, Value wanted) {
        const auto found = boost::lower_bound(settings, wanted);
        return found == settings.end() ? settings.back() : *found;
    }

    template <class Value>
    static Value nearest_of(const std::vector<Value>& settings, Value wanted) {
        const auto found = boost::lower_bound(settings, wanted);
        if (found == settings.begin()) return settings.front();
        if (found == settings.end()) return settings.back();
        return closest(*std::prev(found), *found, wanted);
    }
};

}  // namespace watershed
