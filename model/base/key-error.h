// SPDX-License-Identifier: GPL-2.0-only
#pragma once

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

}  // namespace watershed
