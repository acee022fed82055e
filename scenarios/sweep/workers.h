// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <functional>
#include <map>
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

/// Pieces of work that a process does where others do the rest: those whose number modulo `of` is `number` - 1.
struct WorkShare {
    int number = 1;  ///< from 1
    int of = 1;
};

/// Results of pieces, and how many pieces there are in all.
struct WorkDone {
    std::size_t pieces = 0;
    std::map<std::size_t, std::string> results{};  ///< by piece
};

/// The next call of do_in_processes() does this share of its pieces alone, and throws what they gave: a WorkDone.
void do_next_work(const WorkShare& share);
/// The next call of do_in_processes() does no piece, but takes these results of all. @throws InputError there, if these
/// are results of others
void take_next_work(WorkDone done);

/// Adds --part to the command (of CLI11), which is taken from the words before they are read.
template <class Command>
void share_with_jobs(Command& command) {
    command.add_option_function("--part", std::function<void(const std::string&)>([](const std::string&) {}),
                                "Do share I of N of the work, which goes to -o PART, for an array of jobs on a "
                                "cluster; watershed merge puts all "
                                "parts together (I/N)");
}

/// Does independent pieces of work in `jobs` processes, because ns-3 keeps one simulation per process.
/// @param work     what piece i gives; called in a child process (in this one with a single job or piece)
/// @param finished called here after each piece, with its number and what it gave
/// @return the results by piece, the same for any number of jobs
/// @throws std::runtime_error with the child's message if a piece fails
std::vector<std::string> do_in_processes(int jobs, std::size_t pieces, const DoPiece& work,
                                         const PieceDone& finished = {});

}  // namespace watershed
