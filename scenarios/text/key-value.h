// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace watershed {

/// Value of a key.
using KeyValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>, std::vector<std::int64_t>>;

/// The fewest digits that give the number back: "0.1", "1e15".
std::string plain_number(double value);

/// Without quotes, the members of a list with commas between them.
std::string value_text(const KeyValue& value);

}  // namespace watershed
