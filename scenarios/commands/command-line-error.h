// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace watershed {

/// What is wrong with the command line: the option, what was found, what is expected, and which help tells more. A
/// complaint of the library that is not known is passed on as it is.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv);

}  // namespace watershed
