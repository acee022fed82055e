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

/// One way: the modules spread as evenly as possible over `switches` alike, each with `uplinks` of its own to the server.
struct Stacking {
    std::string model;       ///< of the catalogue
    int modules = 0;         ///< of the camera
    int switches = 1;
    int uplinks = 1;         ///< of each switch; the server has an interface for each
    std::string selection;   ///< of uplinks, as switch.uplink_selection names it

    /// On the fullest switch, which loses before any other: they all see the same triggers.
    int modules_of_switch() const { return (modules + switches - 1) / switches; }
    int interfaces() const { return switches * uplinks; }
};

/// What one way comes to. What is not known is absent, never guessed.
struct Explored {
    enum class Fit { Yes, No, Unknown };
    Stacking stacking;
    Fit fits = Fit::Unknown;
    std::string remark;                   ///< why it does not fit, or why something is unknown
    double load = 0;                      ///< of the busiest uplink at the wanted rate
    double saturation_khz = 0;            ///< accepted triggers that fill the busiest uplink, or the modules' links
    double margin = 0;                    ///< that over the accepted rate wanted
    std::optional<Boundary> watershed;    ///< longest lossless burst at the wanted separation
    std::optional<Bracket> log_risk;      ///< natural logarithm of the chance that an event is incomplete
    double latency_us = 0;                ///< mean, from a trigger to the last frame at the server, without the switch's own; infinite above capacity
    std::optional<double> recovery_us;    ///< until a full memory is empty again, at the wanted rate
    std::optional<double> price, power;   ///< of all switches
    bool pareto = false;                  ///< no other feasible way is better in one respect and as good in all others
    int rank = 0;                         ///< from 1; 0 for those that are not feasible
};

/// What is asked.
struct Wanted {
    std::string scenario;                   ///< file; a switch of the catalogue takes the place of its switches, but what it says of them wins
    std::vector<std::string> overrides;
    Time separation{20'000'000};
    double loss = 1e-9;
};

/// The keys of one of the switches of a stacking, as --set gives them.
std::vector<std::string> overrides_of(const Wanted& wanted, const Stacking& stacking);

/// @param entry  of the catalogue, the stacking's model
/// @throws InputError if the scenario itself is wrong
Explored explore(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry, Engine& engine);

/// Fits, carries the rate and keeps to the wanted chance, as far as is known for certain.
bool feasible(const Explored& way, double loss);

/// Feasible ways first: by price where all have one, else by number of switches, then server interfaces, then risk. Marks the Pareto front of
/// price (or switches), server interfaces and risk.
void rank(std::vector<Explored>& ways, double loss);

}  // namespace watershed
