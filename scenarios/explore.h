// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/batch-queue.h"
#include "model/engine.h"
#include "scenarios/catalogue.h"
#include "scenarios/sweep.h"

/// Which switches, how many, and with which uplinks: all ways to read out a camera with switches of the catalogue.
namespace watershed {

/// One way: the modules spread as evenly as possible over `switches` alike, each with `uplinks` of its own, which lead to the server
/// or to a second tier: one switch that gathers them all on `server_interfaces`.
struct Stacking {
    std::string model;  ///< of the catalogue
    int modules = 0;    ///< of the camera
    int switches = 1;
    int uplinks = 1;            ///< of each switch
    std::string selection;      ///< of uplinks, as switch.uplink_selection names it
    std::string aggregation{};  ///< model of the second tier; empty where there is none
    int server_interfaces = 0;  ///< with a second tier

    /// On the fullest switch, which loses before any other: they all see the same triggers.
    int modules_of_switch() const { return (modules + switches - 1) / switches; }
    int links() const { return switches * uplinks; }
    int interfaces() const { return aggregation.empty() ? links() : server_interfaces; }
    int switches_in_all() const { return switches + (aggregation.empty() ? 0 : 1); }
};

/// What one way comes to. What is not known is absent, never guessed.
struct Explored {
    enum class Fit { Yes, No, Unknown };
    Stacking stacking;
    Fit fits = Fit::Unknown;
    std::string remark;                 ///< why it does not fit, or why something is unknown
    double load = 0;                    ///< of the busiest uplink at the wanted rate
    double saturation_khz = 0;          ///< accepted triggers that fill the busiest uplink, or the modules' links
    double margin = 0;                  ///< that over the accepted rate wanted
    std::optional<Boundary> watershed;  ///< longest lossless burst at the wanted separation; with a second tier, at least
    std::optional<Bracket> log_risk;    ///< natural logarithm of the chance that an event is incomplete
    double latency_us = 0;  ///< mean, from a trigger to the last frame at the server, without the switches' own; infinite above capacity
    std::optional<double> recovery_us;   ///< until a full memory is empty again, at the wanted rate
    std::optional<double> price, power;  ///< of all switches
    bool pareto = false;                 ///< no other feasible way is better in one respect and as good in all others
    int rank = 0;                        ///< from 1; 0 for those that are not feasible
};

/// Bursts are simulated up to this length where arithmetic does not know the watershed.
inline constexpr std::int64_t kLongestSimulated = 5'000;

/// What is asked.
struct Wanted {
    std::string scenario;                ///< file; what it says of its switches' memories is left aside
    std::vector<std::string> overrides;  ///< win over the catalogue
    Time separation{20'000'000};
    double loss = 1e-9;
};

/// The scenario of the fullest switch of a stacking alone, without a second tier.
/// @param left_out  gets what of the file was left aside
/// @throws InputError as read_scenario does, and where what is needed of a switch is unknown
Scenario read_switch(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry,
                     std::vector<std::string>* left_out = nullptr);
/// The scenario of the whole camera. @throws InputError as read_switch does
Scenario read_camera(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry);

/// The first tier of a stacking.
/// @param entry  of the catalogue, the stacking's model
/// @throws InputError if the scenario itself is wrong
Explored explore(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry, Engine& engine);

/// The second tier of stackings: a switch of the catalogue that sends all modules' frames on `interfaces` to the server. It is taken as if
/// the modules were attached to it. That asks more of its memory than a first tier does, of which at any time some frames still wait
/// there; while that has any, its evenly loaded links bring each interface a frame in every slot but the first interfaces + 1.
Explored explore_aggregation(const Wanted& wanted, int modules, int interfaces, const CatalogueSwitch& entry, Engine& engine);
/// Both tiers together. The chances of loss add up at most. @pre uplinks of the first are chosen by module, in turns
Explored through(const Explored& first, const Explored& second, const CatalogueSwitch& second_entry, BitRate uplink_rate, Bytes wire);

/// How long a module's link takes for an event, and how long the busiest uplink, in seconds.
double link_seconds(const Scenario& scenario);
double uplink_seconds(const Scenario& scenario);

/// Fits, carries the rate and keeps to the wanted chance, as far as is known for certain.
bool feasible(const Explored& way, double loss);

/// Feasible ways first: by price where all have one, else by number of switches, then server interfaces, then risk. Marks the Pareto front
/// of price (or switches), server interfaces and risk.
void rank(std::vector<Explored>& ways, double loss);

}  // namespace watershed
