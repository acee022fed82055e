// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <stdexcept>

namespace watershed {

/// The command line or an input file is wrong: the message names file, line, key, what was found and what was expected.
/// The program prints it as one line and exits with status 2.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace watershed
