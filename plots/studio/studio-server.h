// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plots/studio/studio-work.h"

namespace watershed {

/// A file of the page, a part of the program.
struct StudioFile {
    std::string_view path, type, text;
};

/// The page's files; none where the program was built without the libraries that it needs.
extern const std::vector<StudioFile> kStudioFiles;

/// A page on this machine that asks the commands of this program.
struct Studio {
    std::string scenario, scenario_name;  ///< text of the file, and its name
    std::string map, map_name;            ///< text of the loss map, and its name; empty: none
    int port = 0;                         ///< 0: one that is free
    Program program = nullptr;            ///< the program that it asks
};

/// Serves the page until the process ends.
/// @param ready  called once with the page's address
/// @throws InputError if the port cannot be had, or the program was built without the libraries
void serve(const Studio& studio, const std::function<void(const std::string& address)>& ready);

}  // namespace watershed
