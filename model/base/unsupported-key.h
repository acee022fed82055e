// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace watershed {

/// The value of a key does not go with the others.
struct KeyError : std::invalid_argument {
    KeyError(std::string of_key, std::string what_is_wrong)
        : std::invalid_argument(of_key + ": " + what_is_wrong), key(std::move(of_key)), why(std::move(what_is_wrong)) {}
    std::string key, why;
};

/// Why a part does not take a scenario: a key that it does not understand.
struct UnsupportedKey {
    std::string key;  ///< dotted, "switch.buffer.slices"; empty if there is no obstacle
    std::string why;

    explicit operator bool() const { return !key.empty(); }
    std::string text() const { return key + ": " + why; }
};

/// Notes an obstacle for one who wants to know it. @return nothing
inline std::nullopt_t refused(UnsupportedKey* obstacle, UnsupportedKey found) {
    if (obstacle) *obstacle = std::move(found);
    return std::nullopt;
}

}  // namespace watershed
