// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/scenario.h"
#include "scenarios/reader/assumed-value.h"

namespace watershed {

/// Which fragments of an event a command understands.
enum class FragmentForm {
    Alike,      ///< of one size, without a pause between them
    InSequence  ///< a list of sizes and pauses, too
};

/// Reads and checks a scenario file.
/// @param overrides "KEY=VALUE" with dotted keys, as --set gives them; they win over the file
/// @param assumed   gets what is taken in place of values that the switch model does not know and the scenario does not
/// give
/// @throws InputError with file, line, key, what was found and what was expected
Scenario read_scenario(const std::string& file, const std::vector<std::string>& overrides = {},
                       std::vector<AssumedValue>* assumed = nullptr, FragmentForm fragments = FragmentForm::Alike);

/// What of a file is passed over.
struct LeftOut {
    std::vector<std::string> names;  ///< keys and tables, dotted
    std::vector<std::string> found;  ///< those that the file has
};

/// The same, with fragments in sequence, for those who put another switch in the place of the file's: as if it did not
/// have these keys and tables.
Scenario read_scenario_without(LeftOut& left_out, const std::string& file, const std::vector<std::string>& overrides,
                               std::vector<AssumedValue>* assumed = nullptr);

/// The same for those who know what to do with every system, not the camera alone.
Scenario read_system(const std::string& file, const std::vector<std::string>& overrides = {},
                     std::vector<AssumedValue>* assumed = nullptr);

/// The same for those who bring their own bursts: the file's [trigger] is checked key by key but replaced, as by
/// `pattern = "burst"` with one event.
Scenario read_apparatus(const std::string& file, const std::vector<std::string>& overrides = {},
                        std::vector<AssumedValue>* assumed = nullptr, FragmentForm fragments = FragmentForm::Alike);

/// The same two for those who know streams beside the camera, and fragments in sequence; all others but read_system()
/// refuse streams.
Scenario read_scenario_with_traffic(const std::string& file, const std::vector<std::string>& overrides = {},
                                    std::vector<AssumedValue>* assumed = nullptr);
Scenario read_apparatus_with_traffic(const std::string& file, const std::vector<std::string>& overrides = {},
                                     std::vector<AssumedValue>* assumed = nullptr);

/// The same for those who send a burst beside a stream: as by `pattern = "line-rate-plus-burst"` with one event.
Scenario read_line_rate_plus_burst(const std::string& file, const std::vector<std::string>& overrides = {},
                                   std::vector<AssumedValue>* assumed = nullptr);

/// @throws InputError if the scenario has more than one switch, for commands about a single one
void expect_one_switch(const Scenario& scenario, const std::string& file);

}  // namespace watershed
