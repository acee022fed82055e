// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/ingest/counters.h"

/// Where frames were lost, as far as counters tell.
namespace watershed {

/// What counters say of one place.
struct PlaceLoss {
    Place place = Place::Switch;
    bool counted = false;      ///< some counter looks at this place
    std::int64_t lost = 0;     ///< frames, as the counter that saw most has it
    std::string by;            ///< that counter
    double probability = 0;    ///< that a frame which is missing was lost here
    double low = 0, high = 0;  ///< between which it lies whatever the places without counters did
};

struct Blame {
    std::int64_t sent = 0;
    std::int64_t arrived = 0;
    std::string arrived_by;         ///< the counter that says so, or how it follows
    std::int64_t unexplained = 0;   ///< missing, and counted nowhere
    std::vector<PlaceLoss> places;  ///< all, in the order of a frame's way
    std::vector<std::string> contradictions;
    std::int64_t missing() const { return sent - arrived; }
    const PlaceLoss& at(Place place) const { return places[static_cast<std::size_t>(place)]; }
};

/// Drivers count one loss under several names, so of one place and device the largest counts, and devices add up. What
/// no counter explains was lost at a place without counters, each as likely; where every place has one, nobody knows.
/// @param sent      frames
/// @param arrived   frames, where that is known otherwise; else the counters say it, and where none does, what was not
///                  counted as lost arrived
Blame blame_for(std::int64_t sent, const std::optional<std::int64_t>& arrived, const std::vector<Counter>& counted);

/// "switch 120; socket 3": for the column lost_at; "none" where nothing was counted.
std::string lost_at_text(const Blame& blame);
/// What such a cell counts. @throws std::invalid_argument that says what was found and expected
std::vector<Counter> counters_of_lost_at(const std::string& text);

}  // namespace watershed
