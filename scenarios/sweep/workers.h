// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace watershed {

/// Function that does a piece of work and returns its result. @param piece  number of the piece
using DoPiece = std::function<std::string(std::size_t piece)>;
/// Function that gets each finished piece and its result.
using PieceDone = std::function<void(std::size_t piece, const std::string& result)>;

/// Number of processes that mpirun or srun started with this one, by the environment; 0 if neither did.
int ranks_started();

/// All processors of this machine; one if mpirun shares them out.
int default_jobs();
/// No more than the processors of this machine, of which a warning tells.
int jobs_of_machine(int asked);
/// Adds --force to the command (of CLI11) that has --jobs, without which these are limited to the machine's processors.
template <class Command>
void limit_jobs(Command& command, int& jobs) {
    const auto force = std::make_shared<bool>(false);
    command.add_flag("--force", *force, "Let --jobs exceed the processors of this machine");
    command.parse_complete_callback([force, &jobs] {
        if (!*force) jobs = jobs_of_machine(jobs);
    });
}

/// Does independent pieces of work in `jobs` processes, because ns-3 keeps one simulation per process.
/// @param work     what piece i gives; called in a child process (in this one with a single job or piece)
/// @param finished called here after each piece, with its number and what it gave
/// @return the results by piece, the same for any number of jobs
/// @throws std::runtime_error with the child's message if a piece fails
std::vector<std::string> do_in_processes(int jobs, std::size_t pieces, const DoPiece& work,
                                         const PieceDone& finished = {});

}  // namespace watershed
