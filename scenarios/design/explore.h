// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
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

/// RatedDesign::obstacle of a design without a link to each event builder, which a second tier may have.
inline constexpr const char* kLeadsToFewBuilders = "do not lead to each builder";

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

/// Returns "known", "bounded", "sampled", "recalled", "assumed" or "unknown".
std::string name_of(RatedDesign::Standing standing);

/// Requirements of the design.
struct DesignRequirements {
    std::string scenario;                ///< scenario file; the memory of its first tier is ignored
    std::vector<std::string> overrides;  ///< KEY=VALUE of --set, which override the catalogue
    Time separation{20'000'000};         ///< separation of the events at which the watershed is given
    double loss = 1e-9;  ///< accepted probability of an incomplete event; 0: no sequence of triggers may lose a frame
};

/// Camera of a search, read once for all designs.
struct PlainCamera {
    /// @throws InputError as read_scenario does
    PlainCamera(const DesignRequirements& of);  // implicit: requirements have one camera

    DesignRequirements wanted;
    Scenario scenario;                  ///< without the model of its switch, which a design replaces; of any memory
    std::optional<Switch> second_tier;  ///< without its model and memory; std::nullopt if the scenario has none
    BitRate second_tier_rate;           ///< rate of the second tier's uplinks, by default that of the first tier's
};

/// Design as a change of the scenario.
struct DesignKeys {
    std::vector<std::string> left_out;   ///< keys and tables of the file that are ignored
    std::vector<std::string> overrides;  ///< KEY=VALUE
};
/// Returns the change of the scenario that makes a design of it.
/// @param entry   switch of the first tier
/// @param second  switch of the second tier; null without one
DesignKeys keys_of(const PlainCamera& camera, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                   const CatalogueSwitch* second = nullptr);

/// Returns true if the scenario file or --set has this key or table.
bool states(const DesignRequirements& wanted, const std::string& key);

/// Returns the model of the second tier in the scenario or --set; empty if they name none.
std::string second_model_of(const DesignRequirements& wanted);

/// Returns the scenario of the whole camera with a design.
/// @param entry     switch of the first tier
/// @param second    switch of the second tier; null without one
/// @param left_out  receives the keys and tables of the file that are ignored
/// @throws InputError as read_scenario does, and if a required value of a switch is unknown
Scenario read_camera(const PlainCamera& camera, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                     const CatalogueSwitch* second = nullptr, std::vector<std::string>* left_out = nullptr);

/// Returns the scenario with the keys of a design.
/// @param assumed  receives the assumed values of its switches
/// @throws InputError as the function above
Scenario read_camera(const DesignRequirements& wanted, const DesignKeys& keys, std::vector<std::string>* left_out,
                     std::vector<AssumedValue>* assumed);

/// Rates a design of one tier. @throws InputError if the scenario itself is wrong
RatedDesign explore(const PlainCamera& camera, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                    Engine& engine);

/// Rates second tiers behind first ones, each pair a design of its own.
/// @param firsts      rated designs of one tier, from explore(), whose links are equal (same_links()). @pre the risk of
///                    each is known, or its obstacle is kLeadsToFewBuilders
/// @param entries     their switches
/// @param interfaces  interfaces of the server
/// @param unsure      whether designs of which it is unknown whether their ports fit get more ratings than their loads
/// @return designs by first tier and then by second one
/// @throws InputError if the scenario itself is wrong
std::vector<RatedDesign> explore_behind(const PlainCamera& camera, const std::vector<const RatedDesign*>& firsts,
                                        const std::vector<const CatalogueSwitch*>& entries, int interfaces,
                                        const std::vector<CatalogueSwitch>& seconds, bool unsure);

/// Returns true if a second tier cannot tell two first tiers apart: their switches differ in memory, ports and latency
/// alone.
bool same_links(const CandidateDesign& a, const CatalogueSwitch& of_a, const CandidateDesign& b,
                const CatalogueSwitch& of_b);

}  // namespace watershed
