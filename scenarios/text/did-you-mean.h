// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

namespace watershed {

/// Letters to add, to take away, to change or to swap with the next, until one word is the other.
std::size_t edits(const std::string& a, const std::string& b);

/// Which of the known names one that is not known was likely meant to be: those with the fewest slips of the pen, else
/// those that it is a part of. None where nothing resembles it, or too much.
std::vector<std::string> likely_names(const std::string& found, const std::vector<std::string>& known);

/// The end of an error about a name that is not known: "; did you mean balance?", or nothing.
std::string did_you_mean(const std::string& found, const std::vector<std::string>& known);
/// The same where it is known what was meant.
std::string did_you_mean(const std::vector<std::string>& meant);

}  // namespace watershed
