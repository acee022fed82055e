// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <any>
#include <map>
#include <typeindex>

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

}  // namespace watershed
