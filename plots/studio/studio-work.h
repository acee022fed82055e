// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "plots/studio/call.h"

/// Work of a request, in the process that is made for it.
namespace watershed {

/// Runs a command of this program, as main() does.
using Program = int (*)(int argc, char** argv);

/// The work of a request's words: a command of the program; or one of these, which print JSON: "scenario", the scenario
/// as `--set` makes it, with the values of its keys; "figure", its watershed as SVG; "report", a page with that and a
/// run.
Work studio_work(Program program);

/// Reads a scenario in vain, so that what is made once, such as the table of keys, is made before processes are forked.
void warm_up(const std::string& scenario);

/// About how many frames are to be followed one by one; 0 where a command sees itself to its end.
/// @param words  of a request, whose scenario stands in the current folder
double frames_to_follow(const std::vector<std::string>& words);

}  // namespace watershed
