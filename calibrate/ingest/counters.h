// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"

/// What switches and hosts count: the outputs of their tools.
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
    enum class What { Lost, Arrived, Sent, Octets, PeakBytes, PeakCells };
    std::string name;    ///< as its tool has it, with the device where there are several
    std::string device;  ///< interface, port or pool
    What what = What::Lost;
    Place place = Place::Card;
    std::int64_t value = 0;
    bool is_peak() const { return what == What::PeakBytes || what == What::PeakCells; }
};

/// The counters of one file that tell of frames, by where they are counted. Read are `ethtool -S`, `nstat` (also with
/// -j), `tc -j -s qdisc` (one output a line where there are several, of which the largest backlog is the peak),
/// `ip -j -s link`, `devlink -j sb occupancy show`, SONiC's `show buffer_pool|queue|priority-group watermark`, and a
/// table (CSV) with the columns counter, value, what (lost, arrived, sent, bytes, peak_bytes or peak_cells) and place.
/// @param where  else than the format's own place: "switch" for a queue of the kernel that is what is measured
/// @throws InputError for any other text
std::vector<Counter> read_counters(const std::string& file, const std::optional<Place>& where = {});
std::vector<Counter> counters_from(const std::string& text, const std::string& name,
                                   const std::optional<Place>& where = {});

/// What was counted meanwhile. @throws InputError for a counter that was set back
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

}  // namespace watershed
