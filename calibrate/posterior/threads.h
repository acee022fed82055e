// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <functional>

/// The threads of a fit, as many at a time as the command line allows.
namespace watershed {

/// How many threads may compute at a time in this process, 1 or more. Before it is called: as many as processors.
void limit_threads(int most);

/// Calls work(0) to work(count - 1), several at a time as far as the limit allows, and returns when all are done. Work
/// may itself call this: its own work is then done one after the other.
/// @throws what the first of them, by its number, threw
void do_in_threads(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace watershed
