// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// The bursts that a pulse generator can be set to.
struct Generator {
    Time step{10'000};                  ///< separations are multiples of it
    std::vector<Time> separations;      ///< or only these, ascending, where there are any
    std::vector<std::int64_t> lengths;  ///< burst lengths in events, ascending; empty: any up to `longest`
    std::int64_t longest = 1'000'000;
    Time shortest{0};  ///< separation

    /// The setting closest to what is wanted.
    Time nearest(Time separation) const;
    std::int64_t nearest(std::int64_t events) const;
    /// The shortest setting that is not less than what is wanted, or the largest there is.
    Time at_least(Time separation) const;
    std::int64_t at_least(std::int64_t events) const;
};

}  // namespace watershed
