// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"

/// What switches and hosts count, as the outputs of their tools have it; and where frames were lost, as far as that
/// tells.
namespace watershed {

/// Where a frame may be lost, in the order of its way. The cable damages it, the card misses it for want of its own
/// memory, the ring for want of descriptors, the kernel and the socket refuse it.
enum class Place { Sender, Switch, Cable, Card, Ring, Kernel, Socket };
constexpr Place kPlaces[] = {Place::Sender, Place::Switch, Place::Cable, Place::Card,
                             Place::Ring,   Place::Kernel, Place::Socket};
std::string to_text(Place place);
/// @throws InputError for a name that is none of them
Place place_named(const std::string& name);

struct Counter {
    /// Harmless are totals, sizes and the like, which tell of no loss; of a counter that is not known nobody knows.
    enum class What { Lost, Arrived, Sent, Octets, PeakBytes, PeakCells, Harmless, NotKnown };
    std::string name;    ///< as its tool has it, with the device where there are several
    std::string device;  ///< interface, port or pool
    What what = What::Lost;
    Place place = Place::Card;
    std::int64_t value = 0;
    bool told = false;  ///< somebody said what it counts
    bool is_peak() const { return what == What::PeakBytes || what == What::PeakCells; }
};
/// With its device.
inline std::string name_of(const Counter& counter) {
    return counter.name + (counter.device.empty() ? "" : " of " + counter.device);
}

/// The counters of one file, by where they are counted. Those of a switch's port are no arrivals at the server. Read
/// are `ethtool -S`, `nstat` (also with -j), `tc -j -s qdisc` (one output a line where there are several, of which the
/// largest backlog is the peak), `ip -j -s link`, `devlink -j sb occupancy show`, SONiC's `show
/// buffer_pool|queue|priority-group watermark`, and a table (CSV) with the columns counter, value, what (lost, arrived,
/// sent, bytes, peak_bytes or peak_cells) and place.
/// @param where  else than the format's own place: "switch" for a queue of the kernel that is what is measured
/// @throws InputError for any other text
std::vector<Counter> read_counters(const std::string& file, const std::optional<Place>& where = {});
std::vector<Counter> counters_from(const std::string& text, const std::string& name,
                                   const std::optional<Place>& where = {});

/// What somebody says that counters count, by their names, in which # may stand for a number.
struct ToldCounter {
    std::string name;
    Counter::What what = Counter::What::Lost;  ///< Lost, Arrived or Harmless
    bool means(const Counter& counter) const;
};
/// "NAME=lost", received or ignore. @throws InputError for anything else
ToldCounter told_counter(const std::string& text);
/// Those that are told count so. What was lost or arrived there adds up.
void count_as_told(std::vector<Counter>& counters, const std::vector<ToldCounter>& told);

/// What was counted meanwhile. One that is not known is left out where it did not rise, unless it counts a loss of the
/// switch by its name. @throws InputError for a counter that was set back
std::vector<Counter> between(const std::vector<Counter>& before, const std::vector<Counter>& after,
                             const std::string& name);

/// What the ports of a scenario can carry.
struct CounterLimits {
    Time interval{0};  ///< between the counters before and after
    BitRate port;      ///< the fastest
    BitRate all;       ///< together, for counters that no device has
};

/// A counter that counts more than its port carries meanwhile, such as 500 Gb/s on a port of 100 Gb/s (sonic-buildimage
/// issue 29615); empty where there is none. Bytes count as they are, frames as the smallest.
std::string impossible_counter(const std::vector<Counter>& counted, const CounterLimits& limits);

/// What one device lost at a place.
struct DeviceLoss {
    std::string device;     ///< empty where the counter names none
    std::string by;         ///< the counter that saw most, with its device
    std::int64_t lost = 0;  ///< frames
};

/// What counters say of one place.
struct PlaceLoss {
    Place place = Place::Switch;
    bool counted = false;             ///< some counter looks at this place
    std::int64_t lost = 0;            ///< frames of all devices, as the counter that saw most of each has it
    std::string by;                   ///< these counters
    std::vector<DeviceLoss> devices;  ///< that lost any
    double probability = 0;           ///< that a frame which is missing was lost here
    double low = 0, high = 0;         ///< between which it lies whatever the places without counters did
};

/// Those that rose and are not known, and are no sum of such that are.
std::vector<Counter> not_known(const std::vector<Counter>& counted);
/// "drop_tail rose by 15, which is not known: …"; empty for none.
std::string not_known_text(const std::vector<Counter>& counters);

struct Blame {
    std::int64_t sent = 0, arrived = 0;
    std::string arrived_by;         ///< the counter that says so, or how it follows
    bool arrival_known = true;      ///< by a counter or otherwise
    std::int64_t unexplained = 0;   ///< missing, and counted nowhere
    std::vector<PlaceLoss> places;  ///< all, in the order of a frame's way
    std::vector<std::string> contradictions;
    std::vector<Counter> not_known;  ///< that rose
    std::int64_t missing() const { return sent - arrived; }
    const PlaceLoss& at(Place place) const { return places[std::size_t(place)]; }
};

/// Attributes losses to places. Drivers count one loss under several names, so the largest counter of a place and
/// device counts; devices and told counters add up. Unexplained losses are attributed evenly to places without
/// counters.
/// @param sent      frames
/// @param arrived   frames, if known otherwise; else by the counters
Blame blame_for(std::int64_t sent, const std::optional<std::int64_t>& arrived, const std::vector<Counter>& counted);

/// "switch 120; socket 3": for the column lost_at; "none" where nothing was counted.
inline std::string lost_at_text(const Blame& blame) {
    std::string text;
    for (const PlaceLoss& one : blame.places)
        if (one.lost > 0) text += (text.empty() ? "" : "; ") + to_text(one.place) + " " + std::to_string(one.lost);
    return text.empty() ? "none" : text;
}
/// What such a cell counts. @throws std::invalid_argument that says what was found and expected
std::vector<Counter> counters_of_lost_at(const std::string& text);

}  // namespace watershed
