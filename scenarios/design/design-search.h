// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scenarios/design/explore-result.h"
#include "scenarios/design/explore.h"
#include "scenarios/sweep/workers.h"

/// Search of a space of designs, each of which explore.h rates.
namespace watershed {

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
DesignSearchResult find_ways(const DesignSpace& asked, const PlainCamera& camera,
                             const std::vector<CandidateDesign>& all, const std::vector<CatalogueSwitch>& catalogue,
                             Engine& engine);

/// Writes the ranked designs as scenarios, one file each, and their switch files beside them, where a scenario looks
/// for its switches first.
/// @param folder     folder of the files; created if missing
/// @param most       largest number of scenarios
/// @param catalogue  whole catalogue
void write_scenarios(const std::string& folder, int most, const PlainCamera& camera,
                     const std::vector<RatedDesign>& ways, const std::vector<CatalogueSwitch>& catalogue);

}  // namespace watershed
