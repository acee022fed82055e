// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "calibrate/measure/rig.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::json;

std::int64_t count_in(const json& answer, const char* name) {
    const auto found = answer.find(name);
    if (found == answer.end())
        throw std::invalid_argument(std::string("found no \"") + name + "\", expected a whole number");
    if (!found->is_number_integer() || found->get<std::int64_t>() < 0)
        throw std::invalid_argument(std::string("\"") + name + "\": found " + found->dump() +
                                    ", expected a whole number that is not negative");
    return found->get<std::int64_t>();
}

std::string line_for(const BurstSetting& setting) {
    return "{\"separation_us\": " + microseconds(setting.separation) +
           ", \"events\": " + std::to_string(setting.events) + ", \"ports\": " + std::to_string(setting.ports) +
           ", \"payload_bytes\": " + std::to_string(setting.payload.count) + "}\n";
}

class CommandRig final : public Rig {
  public:
    CommandRig(const std::string& command, Time patience) : command_(command), patience_(patience) {
        // A socket, because writing to a program that has ended must not end this one.
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            throw std::runtime_error(command_ + ": cannot be started: " + std::strerror(errno));
        process_ = fork();
        if (process_ == 0) {
            setpgid(0, 0);
            dup2(ends[1], STDIN_FILENO);
            dup2(ends[1], STDOUT_FILENO);
            execl("/bin/sh", "sh", "-c", command_.c_str(), nullptr);
            _exit(127);
        }
        close(ends[1]);
        file_ = ends[0];
        if (process_ < 0) {
            close(file_);
            throw std::runtime_error(command_ + ": cannot be started: " + std::strerror(errno));
        }
    }
    /// Closes the program's standard input; what has not ended a second later is terminated.
    ~CommandRig() override {
        close(file_);
        constexpr int kPatience = 100;
        for (int i = 0; i < kPatience; ++i) {
            if (waitpid(process_, nullptr, WNOHANG) == process_) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        kill(-process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }
    CommandRig(const CommandRig&) = delete;
    CommandRig& operator=(const CommandRig&) = delete;

    BurstRecord measure(const BurstSetting& setting) override {
        const std::string line = line_for(setting);
        if (send(file_, line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size()))
            throw std::runtime_error(command_ + ": ended, expected it to wait for a burst");
        const std::string told = answer(patience_ + setting.separation * setting.events);
        try {
            return record_of(setting, told);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(command_ + ": " + error.what());
        }
    }

  private:
    std::string answer(Time patience) {
        const auto until =
            std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(patience);
        while (true) {
            if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
                const std::string line = read_.substr(0, end);
                read_.erase(0, end + 1);
                return line;
            }
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
            pollfd readable{file_, POLLIN, 0};
            const int ready = left > 0 ? poll(&readable, 1, static_cast<int>(std::min<long>(left, 1'000'000))) : 0;
            if (ready < 0 && errno == EINTR) continue;
            if (left <= 0) throw std::runtime_error(command_ + ": no answer within " + rounded(patience));
            if (ready == 0) continue;
            char buffer[4096];
            const ssize_t got = recv(file_, buffer, sizeof buffer, 0);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) throw std::runtime_error(command_ + ": ended, expected an answer to the last burst");
            read_.append(buffer, static_cast<std::size_t>(got));
        }
    }

    std::string command_;
    Time patience_;
    pid_t process_ = -1;
    int file_ = -1;     ///< its standard input and output
    std::string read_;  ///< beyond the last answer
};

}  // namespace

BurstRecord record_of(const BurstSetting& setting, const std::string& answer) {
    const json told = json::parse(answer, nullptr, false);
    if (!told.is_object())
        throw std::invalid_argument("found \"" + answer +
                                    "\", expected a line such as {\"frames_sent\": 2380, \"frames_received\": 1207}");
    if (const auto error = told.find("error"); error != told.end())
        throw std::invalid_argument(error->is_string() ? error->get<std::string>() : error->dump());
    BurstRecord record;
    record.row = {setting.ports, setting.payload, setting.separation, setting.events, count_in(told, "frames_sent"), 0,
                  std::nullopt};
    record.row.counted =
        told.contains("frames_received") || !(told.contains("peak_bytes") || told.contains("peak_cells"));
    record.row.frames_received = record.row.counted ? count_in(told, "frames_received") : record.row.frames_sent;
    if (record.row.frames_sent < 1) throw std::invalid_argument("\"frames_sent\": found 0, expected 1 at least");
    if (record.row.frames_received > record.row.frames_sent)
        throw std::invalid_argument("\"frames_received\": found " + std::to_string(record.row.frames_received) +
                                    ", expected at most the " + std::to_string(record.row.frames_sent) +
                                    " frames sent");
    if (const auto late = told.find("worst_trigger_lateness_us"); late != told.end() && !late->is_null()) {
        if (!late->is_number() || !(late->get<double>() >= 0))
            throw std::invalid_argument("\"worst_trigger_lateness_us\": found " + late->dump() +
                                        ", expected microseconds");
        record.row.worst_trigger_lateness = time_of_microseconds(late->get<double>());
    }
    for (const bool cells : {false, true}) {
        const char* const name = cells ? "peak_cells" : "peak_bytes";
        const auto peak = told.find(name);
        if (peak == told.end() || peak->is_null()) continue;
        if (record.row.peak)
            throw std::invalid_argument("\"peak_cells\": found beside peak_bytes, expected one of them");
        record.row.peak = PeakReading{count_in(told, name), cells, 1};
        if (told.contains("peak_resolution")) record.row.peak->resolution = count_in(told, "peak_resolution");
        if (record.row.peak->amount < 1 || record.row.peak->resolution < 1)
            throw std::invalid_argument(std::string("\"") + name +
                                        "\", \"peak_resolution\": found 0, expected 1 at least");
    }
    if (const auto loss = told.find("host_loss"); loss != told.end() && !loss->is_null()) {
        if (!loss->is_string())
            throw std::invalid_argument("\"host_loss\": found " + loss->dump() + ", expected a text");
        record.host_loss = loss->get<std::string>();
    }
    return record;
}

std::unique_ptr<Rig> command_rig(const std::string& command, Time patience) {
    return std::make_unique<CommandRig>(command, patience);
}

}  // namespace watershed
