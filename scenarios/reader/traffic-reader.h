// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/scenario.h"
#include "scenarios/reader/network-reader.h"

namespace watershed {

/// Reads the streams beside the camera: tables of a name, in the order of the file.
class TrafficReader {
  public:
    TrafficReader(Scenario& scenario, const std::string& file) : scenario_(scenario), file_(file) {}

    /// Keeps a key of a stream until all have been read.
    void put_aside(NodeValue value) { values_.push_back(std::move(value)); }
    /// Gives the scenario its streams, once its modules are known.
    /// @throws InputError if they say too little, too much, or nothing that can be simulated
    void build(const Places& given);
    /// @throws InputError if they do not go with the switches, once these are known
    void check_switches() const;

  private:
    void check(const TrafficStream& stream, const Places& given) const;
    void check_pattern(const TrafficStream& stream, const Places& given) const;
    std::string place_of(const std::string& key, const Places& given) const;
    /// Where the first key of a stream stands.
    std::string place_of_stream(const std::string& name) const;

    Scenario& scenario_;
    const std::string& file_;
    std::vector<NodeValue> values_;
};

}  // namespace watershed
