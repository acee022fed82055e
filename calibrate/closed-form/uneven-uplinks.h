// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>

#include "calibrate/closed-form/burst.h"

/// Loss of uplinks with different numbers of modules that share a memory.
namespace watershed {

/// Order in which modules ask for free places of a full memory: those of the fullest uplink first or last, or in turn
/// with the others. It changes only the numbers of lost frames with uneven uplinks.
enum class AskingOrder { Unknown, FullestFirst, FullestLast, InTurnOthersBegin, InTurn, InTurnFullestBegins };
constexpr AskingOrder kAskingOrders[] = {AskingOrder::Unknown,     AskingOrder::FullestFirst,
                                         AskingOrder::FullestLast, AskingOrder::InTurnOthersBegin,
                                         AskingOrder::InTurn,      AskingOrder::InTurnFullestBegins};

/// Number of uplinks that carry `modules` modules each.
struct UplinkLoad {
    std::int64_t modules = 0, uplinks = 0;
};

/// Loads of all uplinks, the fullest first; the last ones may have 0 uplinks.
struct UplinkLoads : std::array<UplinkLoad, 3> {
    std::int64_t most() const { return front().modules; }
    std::int64_t least() const {
        return (*this)[2].uplinks > 0 ? (*this)[2].modules : (*this)[1].uplinks > 0 ? (*this)[1].modules : most();
    }
    bool even() const { return least() == most(); }
};

/// Returns the loads of N modules over k uplinks, of which the first N mod k carry one module more.
UplinkLoads even_loads(std::int64_t modules, std::int64_t uplinks);

/// Overflow of a burst towards uneven uplinks.
struct UnevenOverflow {
    double frames = 0;
    double unknown = 0;  ///< uncertainty of `frames` by the asking order for free places
};

/// Returns the overflow of uneven uplinks. Frames leave a full memory evenly but enter in proportion to the loads, so
/// the fullest queue takes over until the others are idle; then all lose the same fraction. An average over asking
/// orders; whole places if the order is given.
/// @param drained  frames that a busy uplink sends from the first trigger to the last; not negative
UnevenOverflow overflow_of_uneven(const UplinkLoads& loads, const Burst& burst, double room, double drained,
                                  AskingOrder order);

}  // namespace watershed
