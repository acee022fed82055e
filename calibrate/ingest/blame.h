// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"

/// Counters of switches and hosts from the outputs of their tools, and attribution of losses to places by them.
namespace watershed {

/// Place where a frame may be lost, in the order of its path: a cable damages it; a card lacks memory, a ring lacks
/// descriptors; kernel or socket refuse it.
enum class Place { Sender, Switch, Cable, Card, Ring, Kernel, Socket };
constexpr Place kPlaces[] = {Place::Sender, Place::Switch, Place::Cable, Place::Card,
                             Place::Ring,   Place::Kernel, Place::Socket};
std::string to_text(Place place);
/// Returns the place of a name. @throws InputError for any other name
Place place_named(const std::string& name);

/// Counter of a switch or host.
struct Counter {
    /// Counted quantity. Harmless: totals, sizes and the like, which say nothing about loss.
    enum class What { Lost, Arrived, Sent, Octets, PeakBytes, PeakCells, Harmless, NotKnown };
    std::string name;    ///< name in the output of its tool
    std::string device;  ///< interface, port or pool; may be empty
    What what = What::Lost;
    Place place = Place::Card;
    std::int64_t value = 0;
    bool adds_up = false;  ///< true if it adds up with others of its place: its meaning is known, or stated by the user
    bool by_rule =
        false;  ///< true for frames dropped by a rule, or of others, of which the user must say what they are
    std::string part_of{};  ///< counter of the same device that counts these frames too
    std::string tool{};     ///< driver or tool that has the name; two of them count one loss
    bool is_peak() const { return what == What::PeakBytes || what == What::PeakCells; }
};
/// Returns the name of a counter with its device.
inline std::string name_of(const Counter& counter) {
    return counter.name + (counter.device.empty() ? "" : " of " + counter.device);
}

/// Reads the counters of a file. Counters of a switch's port are no arrivals at the server. Formats: text with a
/// counter a line or several ("name: 12", "12 packets lost"), tables with names above their columns, and JSON with
/// names and numbers, of which the table counters.csv knows a name (ethtool -S, nstat, netstat, ip, ifconfig, ss, what
/// systems of switches show); /proc/net/softnet_stat; `tc -s qdisc`, as text and JSON (several outputs in turn; the
/// largest backlog is the peak); `devlink sb occupancy show`; SONiC's `show buffer_pool|queue|priority-group
/// watermark`; and a table (CSV) with the columns counter, value, what (lost, arrived, sent, bytes, peak_bytes or
/// peak_cells) and place.
/// @param where  place in place of the format's own: "switch" for a kernel queue under test
/// @throws InputError for any other text
std::vector<Counter> read_counters(const std::string& file, const std::optional<Place>& where = {});
/// Reads counters from a text. @param name  name of the text in errors
std::vector<Counter> counters_from(const std::string& text, const std::string& name,
                                   const std::optional<Place>& where = {});

/// Meaning of counters that the user states.
struct ToldCounter {
    std::string name;                          ///< name of the counters; # stands for a number
    Counter::What what = Counter::What::Lost;  ///< Lost, Arrived or Harmless
    /// Returns true if the name is that of `counter`.
    bool means(const Counter& counter) const;
};
/// Parses "NAME=lost", "NAME=received" or "NAME=ignore". @throws InputError for anything else
ToldCounter told_counter(const std::string& text);
/// Applies the stated meanings to counters. Such losses and arrivals of one place add up.
void count_as_told(std::vector<Counter>& counters, const std::vector<ToldCounter>& told);

/// Returns the increases of the counters between two readings, of a total less those of its parts. A counter of unknown
/// meaning that did not rise is left out, unless its name suggests a loss of the switch. What nstat leaves out is 0.
/// @throws InputError for a counter that was reset
std::vector<Counter> between(const std::vector<Counter>& before, const std::vector<Counter>& after,
                             const std::string& name);

/// Limits of counters by the ports of a scenario.
struct CounterLimits {
    Time interval{0};  ///< time between the two readings
    BitRate port;      ///< rate of the fastest port
    BitRate all;       ///< rate of all ports together, for counters without a device
};

/// Returns a text about a counter that rose by more than its port can carry, such as 500 Gb/s on a port of 100 Gb/s
/// (sonic-buildimage issue 29615); empty if there is none. A frame counts as the smallest one.
std::string impossible_counter(const std::vector<Counter>& counted, const CounterLimits& limits);

/// Loss of one device at a place.
struct DeviceLoss {
    std::string device;     ///< empty if the counter names none
    std::string by;         ///< counter with the largest value, with its device
    std::int64_t lost = 0;  ///< frames
};

/// Loss at one place, by counters.
struct PlaceLoss {
    Place place = Place::Switch;
    bool counted = false;             ///< true if some counter covers this place
    std::int64_t lost = 0;            ///< frames: sum over devices of each device's largest counter
    std::string by;                   ///< names of these counters
    std::vector<DeviceLoss> devices;  ///< devices with losses
    double probability = 0;           ///< probability that a missing frame was lost here
    double low = 0, high = 0;         ///< bounds of `probability`, whatever happened at places without counters
};

/// Returns the counters of unknown meaning that rose and are no sum of known ones.
std::vector<Counter> not_known(const std::vector<Counter>& counted);
/// Returns "drop_tail rose by 15, which is not known: …"; empty without such counters.
std::string not_known_text(const std::vector<Counter>& counters);

/// Attribution of lost frames to places.
struct Blame {
    std::int64_t sent = 0, arrived = 0;  ///< frames
    std::string arrived_by;              ///< counter of the arrived frames, or how their number follows
    bool arrival_known = true;           ///< true if `arrived` is counted or given
    std::int64_t unexplained = 0;        ///< missing frames that no counter explains
    std::vector<PlaceLoss> places;       ///< all places, in the order of a frame's path
    std::vector<std::string> contradictions;
    std::vector<Counter> not_known;  ///< counters of unknown meaning that rose
    std::int64_t missing() const { return sent - arrived; }
    const PlaceLoss& at(Place place) const { return places[std::size_t(place)]; }
};

/// Attributes losses to places. Known and told counters of a place add up, and devices; of others the largest of a
/// device counts, since drivers count one loss under several names, and of several tools the one that counts most.
/// Unexplained losses are attributed evenly to places without
/// counters.
/// @param sent      frames
/// @param arrived   frames, if known from elsewhere; std::nullopt: by the counters
Blame blame_for(std::int64_t sent, const std::optional<std::int64_t>& arrived, const std::vector<Counter>& counted);

/// Returns the cell of the column lost_at: "switch 120; socket 3"; "none" if no loss was counted.
inline std::string lost_at_text(const Blame& blame) {
    std::string text;
    for (const PlaceLoss& one : blame.places)
        if (one.lost > 0) text += (text.empty() ? "" : "; ") + to_text(one.place) + " " + std::to_string(one.lost);
    return text.empty() ? "none" : text;
}
/// Returns the counters of a cell of lost_at. @throws std::invalid_argument with the text found and the one expected
std::vector<Counter> counters_of_lost_at(const std::string& text);

}  // namespace watershed
