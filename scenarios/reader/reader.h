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
    std::vector<std::string> found;  ///< those that the file has
};

/// The scenarios that a command understands: a camera alone, whose events have fragments of one size without pauses,
/// and more where it says so. All others are refused by key.
struct Scope {
    enum class Triggers {
        OfScenario,        ///< those of the file
        OneBurst,          ///< the command's own bursts: [trigger] is checked key by key, then replaced by one event
        LineRatePlusBurst  ///< the same beside a stream: pattern "line-rate-plus-burst" with one event
    };

    Triggers triggers = Triggers::OfScenario;
    bool systems = false;                ///< systems other than the camera
    bool streams = false;                ///< beside the camera
    bool fragments_in_sequence = false;  ///< a list of sizes, and pauses
    bool needs_one_switch = false;
    bool needs_end = false;       ///< of the triggers
    LeftOut* left_out = nullptr;  ///< as if the file had none of these

    static Scope camera() { return {}; }
    static Scope anything() { return {Triggers::OfScenario, true, true, true}; }
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

/// What a scenario that was read without complaint comes to: `key = value`, one a line, in the order of the keys.
/// Comments, order and spelling of tables are gone; overrides have won; after the name of a switch come the values that
/// the catalogue has for it.
/// @param leave_out a table that does not count, as in "trigger"
std::string scenario_values(const std::string& file, const std::vector<std::string>& overrides,
                            const std::string& leave_out = {});

}  // namespace watershed
