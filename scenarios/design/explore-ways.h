// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scenarios/design/explore.h"
#include "scenarios/sweep/workers.h"

namespace watershed {

/// Which ways are tried, as the command line says it.
struct WaysAsked {
    std::string models;                      ///< names or files, with commas; empty or "all": the whole catalogue
    std::int64_t modules = 0;                ///< 0: the scenario's
    std::string counts;                      ///< of switches, a list; empty: as few as suffice, to two more
    std::string uplinks = "1,2,3,4,5,6";     ///< a list
    std::string selections = "modulo,hash";  ///< with commas
    std::string aggregations;                ///< names or files, with commas; empty: no second tier
    std::string interfaces;                  ///< of the server, a list; empty: any
    int jobs = default_jobs();
};

/// How many ways fell out, by reason: the end of a sentence about several.
using Reasons = std::map<std::string, std::int64_t>;
/// "12 do not have the ports, 3 cannot carry the rate"
std::string counted(const Reasons& reasons);

/// The ways that were tried, and what is not among them any more.
struct WaysFound {
    std::vector<Explored> ways;
    Reasons left_out;
    std::map<std::string, Reasons> left_out_of;  ///< the same by the model of the first tier
};

/// Puts the files among the switches that are asked for into the catalogue, and their names in their place.
void add_switch_files(WaysAsked& asked);

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
Entries entries_of(const Stacking& stacking, const std::vector<CatalogueSwitch>& catalogue);

/// All combinations of what is asked for; those that make no camera fall out.
/// @throws InputError if none is left, or one can have the server's interfaces that are asked for
std::vector<Stacking> stackings(const WaysAsked& asked, const std::vector<CatalogueSwitch>& catalogue, int modules);

/// What they come to, second tiers behind the first ones of them that are good enough.
/// @throws InputError if none has as many interfaces of the server as is asked
WaysFound find_ways(const WaysAsked& asked, const Wanted& wanted, const std::vector<Stacking>& all,
                    const std::vector<CatalogueSwitch>& catalogue, Engine& engine);

/// The ranked ways as scenarios, one file each, and their switches beside them: where a scenario looks for these before
/// the program's own.
/// @param folder     is made if it is not there
/// @param most       how many of them
/// @param catalogue  the whole
void write_scenarios(const std::string& folder, int most, const Wanted& wanted, const std::vector<Explored>& ways,
                     const std::vector<CatalogueSwitch>& catalogue);

}  // namespace watershed
