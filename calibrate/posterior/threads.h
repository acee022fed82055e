// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <functional>

/// Threads of a fit.
namespace watershed {

/// Sets the number of threads of this process, at least 1; default: number of processors.
void limit_threads(int most);

/// Calls work(0) to work(count - 1) in parallel and returns when all are done; nested calls run serially.
/// @throws the first exception by its number
void do_in_threads(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace watershed
