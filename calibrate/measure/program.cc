// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/program.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "model/base/child-process.h"

namespace watershed {

std::int64_t count_of(const nlohmann::json& value, const std::string& name, std::int64_t most) {
    if (value.is_number_integer() && value >= 0 && value <= most) return value.get<std::int64_t>();
    const bool any = most == std::numeric_limits<std::int64_t>::max();
    throw std::invalid_argument("\"" + name + "\": found " + value.dump() + ", expected a whole number " +
                                (any ? "that is not negative" : "from 0 to " + std::to_string(most)));
}

void LineChannel::send(const std::string& line) {
    const std::string text = line + '\n';
    for (std::size_t sent = 0; sent < text.size();) {
        // To a program that has ended this one must not write to its own end.
        ssize_t done = ::send(out_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
        if (done < 0 && errno == ENOTSOCK) done = write(out_, text.data() + sent, text.size() - sent);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) throw std::runtime_error("ended");
        sent += std::size_t(done);
    }
}

std::optional<std::string> LineChannel::receive(std::chrono::nanoseconds patience) {
    using Steady = std::chrono::steady_clock;
    const Steady::time_point until = Steady::now() + patience;
    while (true) {
        if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
            std::string line = read_.substr(0, end);
            read_.erase(0, end + 1);
            return line;
        }
        if (read_.size() > longest_) throw std::runtime_error("said more than a line holds");
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Steady::now()).count();
        pollfd readable{in_, POLLIN, 0};
        const int ready = poll(&readable, 1, int(std::clamp<long>(left, 0, 1'000'000)));
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0 && left <= 0) return std::nullopt;
        if (ready == 0) continue;
        char buffer[65536];
        const ssize_t got = read(in_, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw std::runtime_error("ended");
        read_.append(buffer, std::size_t(got));
    }
}

Program::Program(const std::string& command, Group group, std::size_t longest_line) : group_(group) {
    const auto refuse = [&] { throw std::runtime_error(command + ": cannot be started: " + std::strerror(errno)); };
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) refuse();
    process_ = fork_bound(SIGTERM);
    if (process_ == 0) {
        if (group == Group::Own) setpgid(0, 0);
        dup2(ends[1], STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        _exit(127);
    }
    close(ends[1]);
    file_ = ends[0];
    if (process_ < 0) {
        close(file_);
        refuse();
    }
    lines_.emplace(file_, file_, longest_line);
}

Program::~Program() {
    close(file_);
    end_child(process_, std::chrono::seconds(1), group_ == Group::Own);
}

}  // namespace watershed
