// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace watershed {

/// All processors of this machine.
int default_jobs();

/// Does independent pieces of work in `jobs` processes, because ns-3 keeps one simulation per process.
/// @param work     what piece i gives; called in a child process (in this one with a single job or piece)
/// @param finished called here after each piece, with its number and what it gave
/// @return the results by piece, the same for any number of jobs
/// @throws std::runtime_error with the child's message if a piece fails
std::vector<std::string> do_in_processes(int jobs, std::size_t pieces, const std::function<std::string(std::size_t)>& work,
                                         const std::function<void(std::size_t, const std::string&)>& finished = {});

}  // namespace watershed
