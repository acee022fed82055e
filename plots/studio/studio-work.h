// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "plots/studio/call.h"

/// Work of a request, in the process that is made for it.
namespace watershed {

/// Runs a command of this program, as main() does.
using Program = int (*)(int argc, char** argv);

/// The work of a request's words: a command of the program, or "scenario", which prints the scenario as `--set` makes
/// it, with the values of its keys, as JSON.
Work studio_work(Program program);

/// About how many frames are to be followed one by one; 0 where a command sees itself to its end.
/// @param words  of a request, whose scenario stands in the current folder
double frames_to_follow(const std::vector<std::string>& words);

}  // namespace watershed
