// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/exact/engine.h"
#include "model/risk/batch-queue.h"
#include "scenarios/catalogue/catalogue.h"
#include "scenarios/keys/port-check.h"
#include "scenarios/reader/assumed-value.h"
#include "scenarios/run/simulators.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/known.h"

/// Designs that read out a camera with switches of the catalogue: which switches, how many, and with which uplinks.
/// Each design is a scenario; its numbers are those of the commands that take a scenario.
namespace watershed {

/// Design before it is rated. Equal switches share the modules as evenly as possible. The uplinks of each switch lead
/// to the server or to a second tier: one switch with `server_interfaces` uplinks to the server.
struct CandidateDesign {
    std::string model;          ///< model of the first tier's switches, a name of the catalogue
    int modules = 0;            ///< modules of the camera
    int switches = 1;           ///< number of switches of the first tier
    int uplinks = 1;            ///< uplinks of each switch
    std::string selection;      ///< value of switch.uplink_selection
    std::string aggregation{};  ///< model of the second tier; empty without one
    int server_interfaces = 0;  ///< interfaces of the server behind a second tier; 0 without one

    int modules_of_switch() const { return (modules + switches - 1) / switches; }
    int links() const { return switches * uplinks; }
    int interfaces() const { return aggregation.empty() ? links() : server_interfaces; }
    int switches_in_all() const { return switches + (aggregation.empty() ? 0 : 1); }
};

/// Value of a switch, or its ports, that no document states.
struct Unstated {
    enum class Standing {
        Assumed,        ///< unknown; a usual value is used
        Overridden,     ///< set by the scenario or --set in place of the catalogue's value
        WithoutSource,  ///< given by a switch file that names no source
        Recalled        ///< from somebody's memory, without a document
    };
    Standing standing;
    AssumedValue value;  ///< value with its key; the key of ports is empty
};
/// Returns "assumed", "overridden", "without a source" or "recalled".
std::string name_of(Unstated::Standing standing);
/// Returns one line: "assumed: switch.latency = 1 us, without a source for dell-s60", "recalled: 48 ports of 1 Gb/s of
/// dell-s60".
std::string to_text(const Unstated& unstated);
/// Sorts the values: assumed and overridden ones first, recalled ones last.
std::vector<Unstated> in_order(std::vector<Unstated> unstated);

/// Design with its ratings. An unknown rating is absent, never guessed. explored_members() states units and meanings.
struct RatedDesign {
    using Fit = PortFit::Fit;
    /// Grade of the evidence for the risk.
    enum class Standing {
        Known,     ///< calculated between proven bounds, from documented values
        Bounded,   ///< only a proven upper bound, which may lie far above the risk
        Sampled,   ///< from a simulation, with a 95 % interval
        Recalled,  ///< as the grades above, but a value of a switch is recalled without a document
        Assumed,   ///< as the grades above, but a value of a switch is assumed or has no source
        Unknown
    };
    CandidateDesign stacking;
    Fit fits = Fit::Unknown;  ///< result of the comparison of ports
    std::string remark;       ///< reason why ports do not fit, or why something is unknown
    double load = 0, link_load = 0, saturation_khz = 0, capacity = 0;
    std::optional<Boundary> watershed;  ///< at the wanted separation; a lower bound with a second tier
    std::optional<Enclosure> log_risk;  ///< natural logarithm of the probability of an incomplete event
    bool bounded = false;               ///< true if only an upper bound of the risk is known
    bool sampled = false;               ///< true if the risk comes from a simulation
    std::vector<Unstated> unstated;     ///< values of its switches that no document states
    double latency_us = 0;
    std::optional<double> recovery_us, dead_time_us, price, power;
    std::string beyond;     ///< reason why price or power exclude it, as the end of a sentence about several designs
    bool too_much = false;  ///< true if price or power exceed a limit; false if they are unknown
    std::string obstacle;   ///< reason why its risk is unknown, as the end of a sentence about several designs
    bool refuted = false;   ///< true if a simulation of the whole camera lost more than is wanted
    bool pareto = false;    ///< true if the design is on the Pareto front
    int rank = 0;           ///< rank from 1; 0 if not feasible
    int same_as = 0;        ///< rank of an earlier design from which this one hardly differs; 0 without one
    std::string reason;     ///< reason why it is not feasible; empty if it is

    /// Returns the grade of the evidence for the risk.
    Standing standing() const;
    /// Returns the probability of an incomplete event, represented by its upper limit.
    Known risk() const;
    /// Returns true if no link is overloaded.
    bool carries() const { return load < 1 && link_load < 1; }
    /// Returns true if some value of a switch has this standing.
    bool rests_on(Unstated::Standing standing) const;
};

/// Length in events up to which bursts are simulated if no formula gives the watershed.
inline constexpr std::int64_t kLongestSimulated = 5'000;

/// Requirements of the design.
struct Wanted {
    std::string scenario;                ///< scenario file; the memory of its first tier is ignored
    std::vector<std::string> overrides;  ///< KEY=VALUE of --set, which override the catalogue
    Time separation{20'000'000};         ///< separation of the events at which the watershed is given
    double loss = 1e-9;  ///< accepted probability of an incomplete event; 0: no sequence of triggers may lose a frame
};

/// Design as a change of the scenario.
struct DesignKeys {
    std::vector<std::string> left_out;   ///< keys and tables of the file that are ignored
    std::vector<std::string> overrides;  ///< KEY=VALUE
};
/// Returns the change of the scenario that makes a design of it.
/// @param entry   switch of the first tier
/// @param second  switch of the second tier; null without one
DesignKeys keys_of(const Wanted& wanted, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                   const CatalogueSwitch* second = nullptr);

/// Returns the scenario without the model of its switch, which a design replaces, and with an arbitrary memory.
/// @throws InputError as read_scenario does
Scenario read_without_switch(const Wanted& wanted);

/// Returns true if the scenario file or --set has this key or table.
bool states(const Wanted& wanted, const std::string& key);

/// Returns the second tier of the scenario and --set, without its model and memory; std::nullopt if they have none.
/// @throws InputError as read_scenario does
std::optional<Switch> second_tier_of(const Wanted& wanted);

/// Returns the rate of the second tier's uplinks, by default that of the first tier's.
BitRate second_tier_rate(const Wanted& wanted);

/// Returns the model of the second tier in the scenario or --set; empty if they name none.
std::string second_model_of(const Wanted& wanted);

/// Returns the scenario of the whole camera with a design.
/// @param entry     switch of the first tier
/// @param second    switch of the second tier; null without one
/// @param left_out  receives the keys and tables of the file that are ignored
/// @throws InputError as read_scenario does, and if a required value of a switch is unknown
Scenario read_camera(const Wanted& wanted, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                     const CatalogueSwitch* second = nullptr, std::vector<std::string>* left_out = nullptr);

/// Returns the scenario with the keys of a design.
/// @param assumed  receives the assumed values of its switches
/// @throws InputError as the function above
Scenario read_camera(const Wanted& wanted, const DesignKeys& keys, std::vector<std::string>* left_out,
                     std::vector<AssumedValue>* assumed);

/// Rates a design of one tier. @throws InputError if the scenario itself is wrong
RatedDesign explore(const Wanted& wanted, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                    Engine& engine);

/// Rates a first tier with a second one behind it.
/// @param first       rated design of the first tier, from explore(). @pre its risk is known
/// @param interfaces  interfaces of the server
/// @throws InputError if the scenario itself is wrong
RatedDesign explore_behind(const Wanted& wanted, const RatedDesign& first, int interfaces, const CatalogueSwitch& entry,
                           const CatalogueSwitch& second);

/// Watershed of a camera: longest lossless burst against the separation of the events, from the shortest separation
/// that modules can send to the shortest one at which bursts of any length lose nothing.
struct WatershedCurve {
    /// Separation in microseconds, and the longest lossless burst in events; std::nullopt if no length loses frames.
    std::vector<std::pair<double, std::optional<std::int64_t>>> points;
    std::string why_none{};  ///< reason why there are no points; else empty

    /// Returns [[separation_us, events or null], ...].
    nlohmann::ordered_json json() const;
    nlohmann::ordered_json why_none_json() const;
};
/// Returns the watershed of a whole network with any number of tiers, by find_boundary(). Points near the end that need
/// too long bursts are left out; if all points do, the curve is empty.
/// @param apparatus  scenario with the trigger pattern "burst"
WatershedCurve watershed_curve(const Scenario& apparatus, Engine& engine);

/// Returns the length in events of a burst that the exact engine runs in a second or two. Longer bursts are not tried
/// if there is no proof that bursts of any length lose nothing.
std::int64_t affordable_burst(const NetworkScenario& scenario);

/// Designs to try, as given on the command line.
struct DesignSpace {
    std::string models;        ///< names or files of the first tier, separated by commas; empty or "all": the catalogue
    std::int64_t modules = 0;  ///< modules of the camera; 0: as in the scenario
    std::string counts;        ///< list of numbers of switches; empty: from the fewest that suffice to two more
    std::string uplinks = "1,2,3,4,5,6";     ///< list of numbers of uplinks per switch
    std::string selections = "modulo,hash";  ///< uplink selections, separated by commas
    std::string aggregations;   ///< names or files of the second tier, separated by commas; empty: no second tier
    std::string interfaces;     ///< list of numbers of server interfaces; empty: any number
    int jobs = default_jobs();  ///< number of processes
};

/// Number of rejected designs by reason; a reason is the end of a sentence about several designs.
using Reasons = std::map<std::string, std::int64_t>;
/// Returns "12 do not have the ports, 3 cannot carry the rate".
std::string counted(const Reasons& reasons);

/// Designs that were rated, and numbers of those that were dropped.
struct DesignSearchResult {
    std::vector<RatedDesign> ways;
    Reasons left_out;                            ///< dropped designs by reason
    std::map<std::string, Reasons> left_out_of;  ///< dropped designs by model of the first tier and reason
};

/// Adds the files among the given switches to the catalogue, and replaces them by their names.
void add_switch_files(DesignSpace& asked);

/// Returns switches of the catalogue.
/// @param names  names separated by commas; empty or "all": the whole catalogue
/// @throws InputError that names `option`
std::vector<CatalogueSwitch> switches_named(const std::string& option, const std::string& names,
                                            const std::vector<CatalogueSwitch>& catalogue);

/// Returns the switch of this name. @pre the catalogue has it
const CatalogueSwitch& entry_of(const std::vector<CatalogueSwitch>& catalogue, const std::string& model);

/// Switches of a design in the catalogue.
struct Entries {
    const CatalogueSwitch& first;   ///< switch of the first tier
    const CatalogueSwitch* second;  ///< switch of the second tier; null without one
};
Entries entries_of(const CandidateDesign& stacking, const std::vector<CatalogueSwitch>& catalogue);

/// Returns all combinations of a design space, without those that make no camera.
/// @throws InputError if none is left, or if none has a requested number of server interfaces
std::vector<CandidateDesign> candidate_designs(const DesignSpace& asked, const std::vector<CatalogueSwitch>& catalogue,
                                               int modules);

/// Rates designs, and second tiers behind those that are feasible alone.
/// @param all  designs of one tier
/// @throws InputError if none has a requested number of server interfaces
DesignSearchResult find_ways(const DesignSpace& asked, const Wanted& wanted, const std::vector<CandidateDesign>& all,
                             const std::vector<CatalogueSwitch>& catalogue, Engine& engine);

/// Writes the ranked designs as scenarios, one file each, and their switch files beside them, where a scenario looks
/// for its switches first.
/// @param folder     folder of the files; created if missing
/// @param most       largest number of scenarios
/// @param catalogue  whole catalogue
void write_scenarios(const std::string& folder, int most, const Wanted& wanted, const std::vector<RatedDesign>& ways,
                     const std::vector<CatalogueSwitch>& catalogue);

// Tests of designs: simulation of the whole camera, and sensitivity.

/// Verdict of simulations of a whole camera.
struct Verification {
    bool holds = true;  ///< true if no simulation contradicts the calculation or loses more than is wanted
    std::string text;   ///< the simulations and their outcomes
};

/// Simulates a design with the whole camera. Both engines run 2000 random triggers and the longest lossless burst. Then
/// random triggers are simulated until their loss can be distinguished from the wanted one; if loss is too rare for
/// this, importance sampling of the single switches takes their place.
/// @param camera  scenario from read_camera()
/// @throws std::runtime_error if the engines differ
Verification verify(const Wanted& wanted, const RatedDesign& way, const Scenario& camera,
                    const EngineFactory& make_engine, int jobs);

/// Estimates the risk of a design by simulation, if only an upper bound is known, and stores it in `way`.
/// @param loss  wanted probability of an incomplete event
/// @return outcome, as the end of a sentence
std::string sample_risk(RatedDesign& way, double loss, const Scenario& camera, const EngineFactory& make_engine,
                        int jobs);

/// Returns the sensitivity of designs, as `watershed sensitivity` does, by proven bounds of their risk: without
/// simulation and without a second stream.
/// @param ways   designs by their ranks
/// @param ranks  ranks of the designs to examine
/// @return for each design the members of sensitivity_of() and "rank"
/// @throws InputError as read_camera does
nlohmann::ordered_json what_if_of(const Wanted& wanted, const std::vector<RatedDesign>& ways,
                                  const std::set<int>& ranks, const std::vector<CatalogueSwitch>& catalogue,
                                  Engine& engine);

/// Returns a sensitivity in words: "first fails with: trigger rate + 30 %; bears 128 % of the trigger rate asked for,
/// or 81 % of the memory".
std::string what_if_in_words(const nlohmann::ordered_json& asked);

}  // namespace watershed
