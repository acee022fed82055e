// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/text/key-value.h"

/// Real switches as fragments of scenarios, one file each, every value with its source and its standing.
namespace watershed {

struct CatalogueSwitch {
    struct Ports {
        BitRate speed;
        int count = 0;
        std::string source;
        std::string standing;
    };
    struct Value {
        std::string key;                ///< key of a scenario, "switch.buffer.size"
        std::optional<KeyValue> value;  ///< std::nullopt: unknown
        std::string source;
        std::string standing;  ///< "read", "derived", "from configuration", "recalled"; empty if the file does not say
        std::string place;     ///< FILE:LINE
    };

    std::string id;  ///< the file's name without .toml
    std::string file;
    std::string name;
    std::string note;
    std::vector<Ports> ports;
    /// Numbers of slower ports, by speed, that one port of a speed can be split into; a speed without entry: unknown.
    std::map<BitRate, std::map<BitRate, int>> breakouts;
    std::vector<Value> values;

    const Value* find(const std::string& key) const;
};

/// A folder that is searched before all others; set once by main().
void set_catalogue_folder(const std::string& folder);

/// A file of one switch, which counts before all of its name in folders. @return that name: the file's without .toml
std::string add_catalogue_file(const std::string& file);
/// Returns the files that were added, by the names that were given.
std::vector<std::string> catalogue_files();

/// The folders that are searched for switches, those that exist: the one that was set, `switches` beside the scenario,
/// and those of the source and of the installed program.
std::vector<std::string> catalogue_folders(const std::string& scenario_folder);

/// @param model           name of a switch, or of a file that ends in .toml
/// @param scenario_folder where a relative file name begins
/// @throws InputError if there is none, or with file, line and key if something is wrong in it
CatalogueSwitch read_catalogue_switch(const std::string& model, const std::string& scenario_folder);

/// Returns the likely meaning of `name` as the end of an error: "; did you mean dell-s60?", or an empty text.
std::string did_you_mean(const std::string& name, const std::vector<CatalogueSwitch>& catalogue);

/// All switches of the folders, by name; where two have one, the folder searched first counts. @throws InputError
std::vector<CatalogueSwitch> read_catalogue(const std::string& scenario_folder);

/// Returns the switches in which all these words occur, in any value, source or note, regardless of case. An amount of
/// bytes, with or without a blank before its unit, also finds memories of about that size.
std::vector<CatalogueSwitch> switches_with(const std::vector<std::string>& words,
                                           const std::vector<CatalogueSwitch>& catalogue);

}  // namespace watershed
