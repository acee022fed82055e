// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

/// The scenarios that come with the program, to start from.
namespace watershed {

struct Example {
    std::string name;  ///< without .toml, behind the folder it is in: "ejfat/latency"
    std::string file;
    std::string title;  ///< its first line
};

/// All of them by name, those in folders last; from the first of these folders that exists.
/// @throws InputError if none does
std::vector<Example> examples(const std::vector<std::string>& folders);

/// @throws InputError if there is none of this name
const Example& example_named(const std::string& name, const std::vector<Example>& all);

/// Writes the example to `output`, "-" for standard output, and beside it the files that it names.
/// @return what was written
/// @throws InputError if one of them exists already and is another
std::vector<std::string> copy_example(const Example& example, const std::string& output);

}  // namespace watershed
