// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

/// Threads of a fit.
namespace watershed {

/// Sets the number of threads of this process, at least 1; default: number of processors.
void limit_threads(int most);

/// Helpers of do_in_threads() in this thread while this lives, for work that comes in many small parts. Threads inside
/// of others add none.
class Threads {
  public:
    Threads();
    ~Threads();

  private:
    std::unique_ptr<class Crew> crew_;
};

/// Calls work(0) to work(count - 1) in parallel and returns when all are done. Helpers that nested calls leave idle
/// help with any of them.
/// @throws the first exception by its number
void do_in_threads(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace watershed
