// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace watershed {

/// A whole number that another program tells, of so many at most.
/// @throws std::invalid_argument that says what was found and expected
std::int64_t count_of(const nlohmann::json& value, const std::string& name,
                      std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Lines of text from one file and to another, neither of which it owns.
class LineChannel {
  public:
    /// @param longest  bytes of a line that may come; a longer one ends the channel
    LineChannel(int in, int out, std::size_t longest) : in_(in), out_(out), longest_(longest) {}

    /// Adds the end of the line. @throws std::runtime_error where the other end is closed
    void send(const std::string& line);
    /// @returns nothing if no line comes in time @throws std::runtime_error where the other end is closed
    std::optional<std::string> receive(std::chrono::nanoseconds patience);

  private:
    int in_, out_;
    std::size_t longest_;
    std::string read_;  ///< beyond the last line
};

/// Child program of a shell that speaks by standard input and output. At the end its input is closed; it is terminated
/// a second later, and killed after another second, also if this program is killed.
class Program {
  public:
    /// A process group of its own keeps the terminal's Ctrl-C from the program, and what it asks at the terminal, too.
    enum class Group { Own, Ours };

    /// @throws std::runtime_error where it cannot be started; a command that is not there closes its lines
    Program(const std::string& command, Group group, std::size_t longest_line);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    LineChannel& lines() { return *lines_; }

  private:
    Group group_;
    pid_t process_ = -1;
    int file_ = -1;  ///< its standard input and output
    std::optional<LineChannel> lines_;
};

}  // namespace watershed
