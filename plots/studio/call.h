// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace watershed {

/// Limits of a call.
struct CallLimits {
    std::chrono::seconds processor{20}, clock{60};
    std::size_t memory = std::size_t{4} << 30, output = std::size_t{64} << 20;  ///< bytes
};

/// A command of this program as a process of its own: what it does wrong or too long harms nobody else.
struct Call {
    enum class End { Done, WrongInput, Failed, TooMuch, Cancelled };

    End end = End::Failed;
    std::string output, error;
};

/// The calls that run. A newer one of the same page and question ends the older.
class Calls {
  public:
    explicit Calls(CallLimits limits) : limits_(limits) {}

    /// Runs `watershed WORDS` in a folder, and waits for it.
    /// @param question  whose older call is ended; empty: none is
    Call run(const std::vector<std::string>& words, const std::string& folder, const std::string& question);

  private:
    struct Running {
        pid_t process;
        bool cancelled;
    };

    CallLimits limits_;
    std::mutex guard_;
    std::multimap<std::string, Running> running_;
};

}  // namespace watershed
