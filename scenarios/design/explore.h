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
/// Each is a scenario, and its numbers are those that the commands about scenarios give.
namespace watershed {

/// One way: the modules spread as evenly as possible over `switches` alike, each with `uplinks` of its own, which lead
/// to the server or to a second tier: one switch that gathers them all on `server_interfaces`.
struct CandidateDesign {
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

/// A value of a switch, or its ports, that no document states.
struct Unstated {
    enum class Standing {
        Assumed,        ///< unknown, and a usual value was taken
        Overridden,     ///< the scenario's or --set's in place of the catalogue's
        WithoutSource,  ///< its file names no source
        Recalled        ///< from memory
    };
    Standing standing;
    AssumedValue value;  ///< of ports without a key
};
/// "assumed", "overridden", "without a source" or "recalled".
std::string name_of(Unstated::Standing standing);
/// One line: "assumed: switch.latency = 1 us, without a source for dell-s60", "recalled: 48 ports of 1 Gb/s of
/// dell-s60"
std::string to_text(const Unstated& unstated);
/// Assumed and overridden ones first, recalled ones last.
std::vector<Unstated> in_order(std::vector<Unstated> unstated);

/// The numbers of one way. What is not known is absent, never guessed. explored_members() says units and meanings.
struct RatedDesign {
    using Fit = PortFit::Fit;
    /// Grade of the evidence for the risk.
    enum class Standing {
        Known,     ///< calculated between certain bounds, from values that somebody states
        Bounded,   ///< certainly no more than calculated, which may be far above the truth
        Sampled,   ///< from a simulation, with its 95 % interval
        Recalled,  ///< as these, but some value of a switch is recalled, without a document
        Assumed,   ///< as these, but some value of a switch is unknown, and a usual one was taken, or has no source
        Unknown
    };
    CandidateDesign stacking;
    Fit fits = Fit::Unknown;
    std::string remark;  ///< why it does not fit, or why something is unknown
    double load = 0, link_load = 0, saturation_khz = 0, capacity = 0;
    std::optional<Boundary> watershed;  ///< at the wanted separation; with a second tier, at least
    std::optional<Enclosure> log_risk;  ///< natural logarithm of the chance that an event is incomplete
    bool bounded = false;               ///< the risk is no more than an upper bound
    bool sampled = false;               ///< a simulation tells the risk
    std::vector<Unstated> unstated;
    double latency_us = 0;
    std::optional<double> recovery_us, dead_time_us, price, power;
    std::string beyond;     ///< why money or power forbid it, as the end of a sentence about several
    bool too_much = false;  ///< money or power do, not that it is unknown
    std::string obstacle;   ///< why its risk is unknown, as the end of such a sentence
    bool refuted = false;   ///< a simulation of the whole lost more than is wanted
    bool pareto = false;
    int rank = 0;        ///< from 1; 0 for those that are not feasible
    int same_as = 0;     ///< rank of an earlier way that this one hardly differs from; 0 where there is none
    std::string reason;  ///< why it is not feasible; empty where it is

    Standing standing() const;
    /// The chance that an event is incomplete, told by its upper limit.
    Known risk() const;
    bool carries() const { return load < 1 && link_load < 1; }
    bool rests_on(Unstated::Standing standing) const;
};

/// Bursts are simulated up to this length where arithmetic does not know the watershed.
inline constexpr std::int64_t kLongestSimulated = 5'000;

/// Requirements of the design.
struct Wanted {
    std::string scenario;                ///< file; what it says of the memory of its first tier is left aside
    std::vector<std::string> overrides;  ///< win over the catalogue
    Time separation{20'000'000};
    double loss = 1e-9;  ///< 0: no sequence of triggers may lose a frame, however unlikely it is
};

/// A way as a change of the scenario: what is left out of the file, and the keys that are set.
struct DesignKeys {
    std::vector<std::string> left_out;
    std::vector<std::string> overrides;  ///< KEY=VALUE
};
DesignKeys keys_of(const Wanted& wanted, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                   const CatalogueSwitch* second = nullptr);

/// The scenario as it is, but for the switch, which is to be replaced: it has no model, and some memory.
/// @throws InputError as read_scenario does
Scenario read_without_switch(const Wanted& wanted);

/// Returns whether the scenario or --set has this key or table.
bool states(const Wanted& wanted, const std::string& key);

/// The second tier as the scenario or --set has it, but for its model and its memory; std::nullopt where they have
/// none.
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
Scenario read_camera(const Wanted& wanted, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                     const CatalogueSwitch* second = nullptr, std::vector<std::string>* left_out = nullptr);

/// The scenario with such keys. @param assumed  gets what nobody states of its switches @throws as the other
Scenario read_camera(const Wanted& wanted, const DesignKeys& keys, std::vector<std::string>* left_out,
                     std::vector<AssumedValue>* assumed);

/// Rates a way of one tier. @throws InputError if the scenario itself is wrong
RatedDesign explore(const Wanted& wanted, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                    Engine& engine);

/// Rates a first tier with a second one behind it.
/// @param first  from explore() @pre its risk is known
/// @throws InputError if the scenario itself is wrong
RatedDesign explore_behind(const Wanted& wanted, const RatedDesign& first, int interfaces, const CatalogueSwitch& entry,
                           const CatalogueSwitch& second);

/// The watershed of a camera: separations in microseconds from the closest events that modules can send to those that
/// its links never lose, each with the longest lossless burst; std::nullopt where no length loses.
struct WatershedCurve {
    std::vector<std::pair<double, std::optional<std::int64_t>>> points;
    std::string why_none{};  ///< reason why there are no points; empty where there are some

    /// [[separation_us, events or null], ...]
    nlohmann::ordered_json json() const;
    nlohmann::ordered_json why_none_json() const;
};
/// Asks find_boundary() about the whole network, however many tiers it has. Points near the end that need bursts too
/// long to run are left out; where all of them do, there is no curve.
/// @param apparatus  of pattern burst
WatershedCurve watershed_curve(const Scenario& apparatus, Engine& engine);

/// The longest burst that is tried where nothing proves that none loses: the exact engine runs it in a second or two.
std::int64_t affordable_burst(const NetworkScenario& scenario);

/// The ways that are tried, as the command line names them.
struct DesignSpace {
    std::string models;                      ///< names or files, with commas; empty or "all": the whole catalogue
    std::int64_t modules = 0;                ///< 0: the scenario's
    std::string counts;                      ///< of switches, a list; empty: as few as suffice, to two more
    std::string uplinks = "1,2,3,4,5,6";     ///< a list
    std::string selections = "modulo,hash";  ///< with commas
    std::string aggregations;                ///< names or files, with commas; empty: no second tier
    std::string interfaces;                  ///< of the server, a list; empty: any
    int jobs = default_jobs();
};

/// Number of ways that fell out, by reason: the end of a sentence about several.
using Reasons = std::map<std::string, std::int64_t>;
/// "12 do not have the ports, 3 cannot carry the rate"
std::string counted(const Reasons& reasons);

/// The ways that were tried, and those that are not among them any more.
struct DesignSearchResult {
    std::vector<RatedDesign> ways;
    Reasons left_out;
    std::map<std::string, Reasons> left_out_of;  ///< by the model of the first tier
};

/// Puts the files among the switches that are asked for into the catalogue, and their names in their place.
void add_switch_files(DesignSpace& asked);

/// Switches of the catalogue. @param names  with commas; empty or "all": the whole. @throws InputError that names the
/// option
std::vector<CatalogueSwitch> switches_named(const std::string& option, const std::string& names,
                                            const std::vector<CatalogueSwitch>& catalogue);

const CatalogueSwitch& entry_of(const std::vector<CatalogueSwitch>& catalogue, const std::string& model);

/// The two switches of a way.
struct Entries {
    const CatalogueSwitch& first;
    const CatalogueSwitch* second;
};
Entries entries_of(const CandidateDesign& stacking, const std::vector<CatalogueSwitch>& catalogue);

/// All combinations of what is asked for; those that make no camera fall out.
/// @throws InputError if none is left, or one can have the server's interfaces that are asked for
std::vector<CandidateDesign> candidate_designs(const DesignSpace& asked, const std::vector<CatalogueSwitch>& catalogue,
                                               int modules);

/// Rates them, and second tiers behind those of them that are good enough.
/// @throws InputError if none has as many interfaces of the server as is asked
DesignSearchResult find_ways(const DesignSpace& asked, const Wanted& wanted, const std::vector<CandidateDesign>& all,
                             const std::vector<CatalogueSwitch>& catalogue, Engine& engine);

/// Writes the ranked ways as scenarios, one file each, and their switches beside them: where a scenario looks for these
/// before the program's own.
/// @param folder     is made if it is not there
/// @param most       how many of them
/// @param catalogue  the whole
void write_scenarios(const std::string& folder, int most, const Wanted& wanted, const std::vector<RatedDesign>& ways,
                     const std::vector<CatalogueSwitch>& catalogue);

// Ways put to the test: simulated whole, and asked what if.

/// Verdict of simulations of a whole way.
struct Verification {
    bool holds = true;  ///< none contradicts what was calculated, or shows more loss than is wanted
    std::string text;   ///< the simulations and their outcome
};

/// Simulates the whole camera: 2000 random triggers and the longest lossless burst in both engines; then random
/// triggers until their loss can be told from the wanted one, and importance sampling of the switches where it is too
/// rare for that.
/// @param camera  as read_camera() gives it
/// @throws std::runtime_error if the engines differ
Verification verify(const Wanted& wanted, const RatedDesign& way, const Scenario& camera,
                    const EngineFactory& make_engine, int jobs);

/// Simulates a way of whose risk only a bound is known, which may be far above it.
/// @return what came of it, as the end of a sentence
std::string sample_risk(RatedDesign& way, double loss, const Scenario& camera, const EngineFactory& make_engine,
                        int jobs);

/// Asks ways what if, as `watershed sensitivity` asks a design, by what is certain of their risk: nothing is simulated,
/// and no second stream comes.
/// @param ways   by their ranks
/// @param ranks  of those that are asked, each once
/// @return for each the members of sensitivity_of() and "rank"
/// @throws InputError as read_camera does
nlohmann::ordered_json what_if_of(const Wanted& wanted, const std::vector<RatedDesign>& ways,
                                  const std::set<int>& ranks, const std::vector<CatalogueSwitch>& catalogue,
                                  Engine& engine);

/// "first fails with: trigger rate + 30 %; bears 128 % of the trigger rate asked for, or 81 % of the memory"
std::string what_if_in_words(const nlohmann::ordered_json& asked);

}  // namespace watershed
