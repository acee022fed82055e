// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/exact/engine.h"
#include "model/risk/batch-queue.h"
#include "scenarios/catalogue/catalogue.h"
#include "scenarios/keys/port-check.h"
#include "scenarios/reader/assumed-value.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/known.h"

/// Which switches, how many, and with which uplinks: all ways to read out a camera with switches of the catalogue. Each
/// way is a scenario, and what is said of it is what the commands about scenarios say: nothing is calculated beside
/// them.
namespace watershed {

/// One way: the modules spread as evenly as possible over `switches` alike, each with `uplinks` of its own, which lead
/// to the server or to a second tier: one switch that gathers them all on `server_interfaces`.
struct Stacking {
    std::string model;  ///< of the catalogue
    int modules = 0;    ///< of the camera
    int switches = 1;
    int uplinks = 1;            ///< of each switch
    std::string selection;      ///< of uplinks, as switch.uplink_selection names it
    std::string aggregation{};  ///< model of the second tier; empty where there is none
    int server_interfaces = 0;  ///< with a second tier

    int modules_of_switch() const { return (modules + switches - 1) / switches; }
    int links() const { return switches * uplinks; }
    int interfaces() const { return aggregation.empty() ? links() : server_interfaces; }
    int switches_in_all() const { return switches + (aggregation.empty() ? 0 : 1); }
};

/// A value of a switch of the catalogue that rests on memory alone.
struct RecalledValue {
    std::string key;  ///< of a scenario, "aggregation.latency"; empty for ports
    std::string value;
    std::string model;
};

/// A value of a switch file that names no source.
struct UnsourcedValue : RecalledValue {};

/// One line: "assumed: switch.latency = 1 us, without a source for dell-s60"
std::string to_text(const UnsourcedValue& unsourced);

/// One line: "recalled: switch.latency = 1 us of dell-s60", "recalled: 48 ports of 1 Gb/s of dell-s60"
std::string to_text(const RecalledValue& recalled);

/// What one way comes to. What is not known is absent, never guessed.
struct Explored {
    using Fit = PortFit::Fit;
    /// What the risk rests on.
    enum class Standing {
        Known,     ///< calculated between certain bounds, from values that somebody states
        Bounded,   ///< certainly no more than calculated, which may be far above the truth
        Sampled,   ///< what a simulation tells, with its 95 % interval
        Recalled,  ///< as these, but some value of a switch is recalled, without a document
        Assumed,   ///< as these, but some value of a switch is unknown, and a usual one was taken, or has no source
        Unknown
    };
    Stacking stacking;
    Fit fits = Fit::Unknown;
    std::string remark;         ///< why it does not fit, or why something is unknown
    double load = 0;            ///< of the busiest link behind a switch at the wanted rate
    double link_load = 0;       ///< of the modules' links
    double saturation_khz = 0;  ///< accepted triggers that fill the busiest of all links
    double capacity = 0;        ///< that over the accepted rate wanted
    std::optional<Boundary>
        watershed;                    ///< longest lossless burst at the wanted separation; with a second tier, at least
    std::optional<Bracket> log_risk;  ///< natural logarithm of the chance that an event is incomplete
    bool bounded = false;             ///< the risk is no more than an upper bound
    bool sampled = false;             ///< a simulation tells the risk
    std::vector<AssumedValue> assumed;
    std::vector<RecalledValue> recalled;
    std::vector<UnsourcedValue> unsourced;  ///< count as assumed: nobody can check them
    double latency_us = 0;  ///< mean, from a trigger to the last frame at the server, without the switches' own;
                            ///< infinite above capacity
    std::optional<double> recovery_us;   ///< until a full memory is empty again, at the wanted rate
    std::optional<double> dead_time_us;  ///< the shortest with which no sequence of triggers loses a frame, where that
                                         ///< was wanted and can be proven
    std::optional<double> price, power;  ///< of all switches
    std::string
        beyond;  ///< why money or power forbid it, as the end of a sentence about several; empty where they do not
    bool too_much = false;  ///< money or power do, not that it is unknown
    std::string obstacle;   ///< why its risk is unknown, as the end of such a sentence; empty where it is known
    bool refuted = false;   ///< a simulation of the whole lost more than is wanted
    bool pareto = false;    ///< no other feasible way is better in one respect and as good in all others
    int rank = 0;           ///< from 1; 0 for those that are not feasible
    int same_as = 0;        ///< rank of an earlier way that this one hardly differs from; 0 where there is none

    Standing standing() const;
    /// The chance that an event is incomplete, told by its upper limit.
    Known risk() const;
    bool carries() const { return load < 1 && link_load < 1; }
};

/// Bursts are simulated up to this length where arithmetic does not know the watershed.
inline constexpr std::int64_t kLongestSimulated = 5'000;

/// What is asked.
struct Wanted {
    std::string scenario;                ///< file; what it says of the memory of its first tier is left aside
    std::vector<std::string> overrides;  ///< win over the catalogue
    Time separation{20'000'000};
    double loss = 1e-9;  ///< 0: no sequence of triggers may lose a frame, however unlikely it is
};

/// A way as a change of the scenario: what is left out of the file, and the keys that are set.
struct WayKeys {
    std::vector<std::string> left_out;
    std::vector<std::string> overrides;  ///< KEY=VALUE
};
WayKeys keys_of(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry,
                const CatalogueSwitch* second = nullptr);

/// The scenario as it is, but for the switch, which is to be replaced: it has no model, and some memory.
/// @throws InputError as read_scenario does
Scenario read_without_switch(const Wanted& wanted);

/// Whether the scenario or --set has this key or table.
bool states(const Wanted& wanted, const std::string& key);

/// The second tier as the scenario or --set has it, but for its model and its memory; nothing where they have none.
/// @throws InputError as read_scenario does
std::optional<Switch> second_tier_of(const Wanted& wanted);

/// The rate of a second tier's uplinks: as stated, or else that of the first tier's.
BitRate second_tier_rate(const Wanted& wanted);

/// The model of the second tier that the scenario or --set names; empty where they name none.
std::string second_model_of(const Wanted& wanted);

/// The scenario of the whole camera.
/// @param entry     of the stacking's model, @param second of its second tier's, where it has one
/// @param left_out  gets what of the file was left aside
/// @throws InputError as read_scenario does, and where what is needed of a switch is unknown
Scenario read_camera(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry,
                     const CatalogueSwitch* second = nullptr, std::vector<std::string>* left_out = nullptr);

/// The scenario with such keys. @param assumed  gets what nobody states of its switches @throws as the other
Scenario read_camera(const Wanted& wanted, const WayKeys& keys, std::vector<std::string>* left_out,
                     std::vector<AssumedValue>* assumed);

/// What a way of one tier comes to. @throws InputError if the scenario itself is wrong
Explored explore(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry, Engine& engine);

/// Puts a second tier behind a first one.
/// @param first  what explore() said of that @pre its risk is known
/// @throws InputError if the scenario itself is wrong
Explored explore_behind(const Wanted& wanted, const Explored& first, int interfaces, const CatalogueSwitch& entry,
                        const CatalogueSwitch& second);

/// The watershed of a camera: separations in microseconds from the closest events that modules can send to those that
/// its links never lose, each with the longest lossless burst; nothing where no length loses.
struct WatershedCurve {
    std::vector<std::pair<double, std::optional<std::int64_t>>> points;
    std::string why_none{};  ///< reason why there are no points; empty where there are some
};
/// Asks find_boundary() about the whole network, however many tiers it has. Where one of its points needs longer bursts
/// than affordable_burst(), a network of several tiers has no curve; that of one tier ends there.
/// @param apparatus  of pattern burst
WatershedCurve watershed_curve(const Scenario& apparatus, Engine& engine);
WatershedCurve watershed_of(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry,
                            const CatalogueSwitch* second, Engine& engine);

/// The longest burst that is tried where nothing proves that none loses: the exact engine runs it in a second or two.
std::int64_t affordable_burst(const Incast& scenario);

}  // namespace watershed
