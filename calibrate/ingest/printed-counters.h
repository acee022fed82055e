// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Names and numbers in the outputs of tools.
namespace watershed {

/// "1,234", "1'234" and "1 234" are 1234. @return nothing for other text
std::optional<std::int64_t> integer_of(const std::string& text);

/// Names and numbers of a text that a tool printed, whichever it is.
class PrintedCounters {
  public:
    struct One {
        std::string name, device;
        std::int64_t value = 0;
        bool of_driver = false;  ///< on a line of its own in the output of a driver: no chance number
    };

    explicit PrintedCounters(const std::string& text);
    const std::vector<One>& found() const { return found_; }

  private:
    void note(const std::string& name, const std::string& device, std::int64_t value, bool of_driver = false);
    void read_line(std::string line);
    /// "0 input errors, 3 CRC", "dropped 3 overruns 0", "queue: 0/75/3/0 (size/max/drops/flushes)".
    void read_sentence(std::string line);
    bool read_table(const std::string& line);
    /// "|   Tx Pkts |   12|   34|": the numbers of a line add up.
    bool read_box(const std::string& line);
    /// Sockets of UDP as `ss -uam` shows them, with their memory on the same line or the next.
    void read_socket(const std::string& line);

    std::vector<One> found_;
    std::string before_, device_, section_, trap_;
    std::vector<std::string> groups_, devices_, columns_;
    bool driver_ = false, of_sockets_ = false;
};

}  // namespace watershed
