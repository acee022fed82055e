// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {

struct Comparison;
struct Scenario;
struct ScenarioKey;
struct Simulators;
struct SystemReport;
struct Validation;

/// Returns the place at which a key was given, such as "FILE:LINE"; the file alone for one that was not given.
using KeyPlace = std::function<std::string(const std::string& key)>;

/// Checks of values that depend on several keys of a table.
struct KeyCheck {
    const KeyPlace& place;
    std::string table;  ///< "ipbus."

    /// @throws InputError with the place of the key unless it holds
    void expect(bool holds, const std::string& key, const std::string& complaint) const {
        if (!holds) throw InputError(place(table + key), table + key, complaint);
    }
};
/// "found "2 MB", expected "
template <class Quantity>
std::string found_text(const Quantity& found) {
    return "found \"" + to_text(found) + "\", expected ";
}

/// A system beside the camera: all that the reader and the commands ask of it.
struct System {
    std::string name;  ///< name of the system and of the table with its keys
    std::string help;  ///< description, for the meaning of the key `system`
    std::vector<ScenarioKey> (*keys)() = nullptr;
    std::vector<std::string> required{};  ///< keys that a scenario must have, without the name of the table
    /// Checks values that depend on several keys; null if there are none. @throws InputError that begins with the place
    /// of a key
    void (*check)(const Scenario&, const KeyPlace&) = nullptr;
    std::string engine;  ///< "ns3", or "exact" if the system has no packets
    /// Runs a scenario; captures to files that begin with a prefix, unless it is empty. @throws InputError for a
    /// capture of several runs
    SystemReport (*run)(const Scenario&, const Simulators&, const std::string& pcap_prefix) = nullptr;
    std::string published{};  ///< name of its publication in `watershed validate`; empty without one
    std::vector<Comparison> (*validate)(const Validation&) = nullptr;  ///< compares it with the publication
    std::vector<std::string> figures{};                                ///< kinds of `watershed plot` that draw its runs
};

/// Every system beside the camera, in the order of the manual. scenarios/systems/registry.cc has a line for each.
const std::vector<System>& all_systems();

/// The system of that name; nullptr if it is the camera or no system at all.
const System* find_system(const std::string& name);

}  // namespace watershed
