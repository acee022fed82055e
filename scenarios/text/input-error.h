// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace watershed {

/// The command line or an input file is wrong: the message names file, line, key, what was found and what was expected.
/// The program prints it as one line and exits with status 2.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
    InputError(const std::string& place, std::string of_key, std::string what_is_wrong)
        : std::runtime_error(place + ": " + of_key + ": " + what_is_wrong),
          key(std::move(of_key)),
          why(std::move(what_is_wrong)) {}
    std::string key, why;  ///< empty where no key of a scenario is wrong
};

/// The scenario leaves a value to the catalogue, where nobody states it.
struct UnknownValue : InputError {
    using InputError::InputError;
};

/// Returns the result of `read`. @throws InputError with the place, if `read` throws std::invalid_argument
template <class Read>
auto read_at(const std::string& place, const Read& read) -> decltype(read()) {
    try {
        return read();
    } catch (const std::invalid_argument& error) {
        throw InputError(place + ": " + error.what());
    }
}

/// Returns the result of `read`, which reads the value of a key. @throws InputError with place and key
template <class Read>
auto read_at(const std::string& place, const std::string& key, const Read& read) -> decltype(read()) {
    try {
        return read();
    } catch (const std::invalid_argument& error) {
        throw InputError(place, key, error.what());
    }
}

}  // namespace watershed
