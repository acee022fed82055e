// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <any>
#include <map>
#include <string>
#include <typeindex>

#include "model/network/network.h"

/// Contents of a scenario file as plain data: every member is one key and has the key's default.
namespace watershed {

/// Values that are found by their type, one of each type. A value is as its type makes it by default until it is
/// written to.
class TypeMap {
  public:
    template <class Value>
    Value& of() {
        std::any& place = values_[typeid(Value)];
        if (!place.has_value()) place = Value{};
        return *std::any_cast<Value>(&place);
    }
    template <class Value>
    const Value& of() const {
        static const Value untouched{};
        const auto found = values_.find(typeid(Value));
        return found == values_.end() ? untouched : *std::any_cast<Value>(&found->second);
    }

  private:
    std::map<std::type_index, std::any> values_;
};

/// All that a scenario file says. The camera's part is the NetworkScenario; each other system has a struct of its own,
/// which it finds by its type.
struct Scenario : NetworkScenario {
    std::string system = "camera";  ///< name of the simulated system
    TypeMap parameters;             ///< parameters of systems other than the camera

    bool is_camera() const { return system == "camera"; }

    template <class Parameters>
    Parameters& of() {
        return parameters.of<Parameters>();
    }
    template <class Parameters>
    const Parameters& of() const {
        return parameters.of<Parameters>();
    }
};

}  // namespace watershed
