// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace watershed {

/// Limits of a call.
struct CallLimits {
    std::chrono::seconds processor{20}, clock{60};
    std::size_t memory = std::size_t{4} << 30, output = std::size_t{64} << 20;  ///< bytes
};

/// Does what words say, and writes to standard output and standard error. @return exit status of the process
using Work = std::function<int(const std::vector<std::string>& words)>;

/// Hears some times a second how much of a call is done, from 0 to 1, if the call tells. @return false: end the call
using Listener = std::function<bool(std::optional<double> done)>;

/// Work as a process of its own: what it does wrong or too long harms nobody else.
struct Call {
    enum class End { Done, WrongInput, Failed, TooMuch, Cancelled };

    End end = End::Failed;
    std::string output, error;
};

/// The calls that run. A newer one of the same page and question ends the older.
///
/// Each is a fork of a process that is kept for it, alone and without threads, so that neither the linker's work nor
/// another thread's locks are in the way. It is this process's child all the same, which waits for it and ends it.
class Calls {
  public:
    /// Starts the process that is forked; call it before there are threads.
    Calls(CallLimits limits, const Work& work);
    ~Calls();
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    /// Does the work of these words in a folder, and waits for it.
    /// @param question  whose older call is ended; empty: none is
    /// @param listener  none: nobody is told how far it is
    Call run(const std::vector<std::string>& words, const std::string& folder, const std::string& question,
             const Listener& listener = {});

  private:
    struct Running {
        pid_t process;
        bool cancelled;
    };

    pid_t start(const std::string& message, int output, int error) const;

    CallLimits limits_;
    int socket_ = -1;  ///< to the process that is forked
    pid_t forked_ = -1;
    std::mutex guard_;
    std::multimap<std::string, Running> running_;
};

}  // namespace watershed
