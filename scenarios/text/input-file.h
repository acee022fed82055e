// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

namespace watershed {

/// @throws InputError for a device that gives bytes without end, such as /dev/full and /dev/random
void expect_an_end(const std::string& file);

/// Takes in what comes through a pipe that an argument names, such as /dev/fd/63 for <(command) or /dev/stdin, so that
/// it can be read several times. All other files stay as they are, pipes to write to among them.
void keep_pipe(const std::string& file);

}  // namespace watershed
