// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/scenario.h"
#include "scenarios/reader/assumed-value.h"

namespace watershed {

/// Keys and tables of a file that are passed over.
struct LeftOut {
    std::vector<std::string> names;  ///< dotted
    std::vector<std::string> found;  ///< names that the file has
};

/// Scope of a command: the scenarios that it supports. By default this is a camera alone, whose events have fragments
/// of one size without pauses. Other scenarios are refused by the key that is not supported.
struct Scope {
    enum class Triggers {
        OfScenario,        ///< triggers of the file
        OneBurst,          ///< bursts of the command: [trigger] is checked key by key, then replaced by one event
        LineRatePlusBurst  ///< bursts of the command beside a stream: pattern "line-rate-plus-burst" with one event
    };

    Triggers triggers = Triggers::OfScenario;
    bool systems = false;                ///< systems other than the camera
    bool streams = false;                ///< beside the camera
    bool fragments_in_sequence = false;  ///< a list of sizes, and pauses
    bool groups = false;                 ///< modules of several kinds, and several event builders
    bool copies = false;                 ///< event builders that each get all frames
    bool failures = false;               ///< failures of links and switches
    bool needs_one_switch = false;
    bool needs_end = false;       ///< true if the triggers must end
    LeftOut* left_out = nullptr;  ///< keys and tables to ignore; null: none

    static Scope camera() { return {}; }
    static Scope anything() { return {Triggers::OfScenario, true, true, true, true, true, true}; }
    static Scope own_bursts() { return {Triggers::OneBurst}; }
    static Scope line_rate_plus_burst() { return {Triggers::LineRatePlusBurst, false, true}; }

    Scope with_sequences() && {
        fragments_in_sequence = true;
        return *this;
    }
    Scope with_streams() && {
        streams = true;
        return *this;
    }
    Scope with_groups() && {
        groups = true;
        return *this;
    }
    Scope with_copies() && {
        copies = true;
        return std::move(*this).with_groups();
    }
    Scope with_failures() && {
        failures = true;
        return *this;
    }
    Scope without_failures() && {
        failures = false;
        return *this;
    }
    Scope at_one_switch() && {
        needs_one_switch = true;
        return *this;
    }
    Scope with_end() && {
        needs_end = true;
        return *this;
    }
    Scope without(LeftOut& these) && {
        left_out = &these;
        return *this;
    }
};

/// Reads and checks a scenario file.
/// @param overrides  "KEY=VALUE" with dotted keys, as --set gives them; they win over the file
/// @param assumed    gets what is taken in place of values that the switch model does not know and the scenario does
/// not give
/// @throws InputError with file, line, key, what was found and what was expected
Scenario read_scenario(const Scope& scope, const std::string& file, const std::vector<std::string>& overrides = {},
                       std::vector<AssumedValue>* assumed = nullptr);

/// A camera alone.
inline Scenario read_scenario(const std::string& file, const std::vector<std::string>& overrides = {},
                              std::vector<AssumedValue>* assumed = nullptr) {
    return read_scenario(Scope::camera(), file, overrides, assumed);
}

/// @throws InputError if the scenario has more than one switch
void expect_one_switch(const Scenario& scenario, const std::string& file);

/// A scenario file that says what `file` says without some keys and tables, and with --set.
/// @param left_out   names of keys and tables, dotted
/// @param overrides  "KEY=VALUE", as --set gives them
/// @throws InputError if the file cannot be read
std::string scenario_text(const std::string& file, const std::vector<std::string>& left_out,
                          const std::vector<std::string>& overrides);

/// Returns a valid scenario in a normal form: `key = value`, one per line, in the order of the keys. It has no
/// comments, and does not depend on order and spelling of tables. Overrides are applied; after the name of a switch
/// follow its values in the catalogue.
/// @param leave_out  table to leave out, such as "trigger"
std::string scenario_values(const std::string& file, const std::vector<std::string>& overrides,
                            const std::string& leave_out = {});

}  // namespace watershed
