// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/program.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
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

namespace {

/// Leads a group of its own, in which the rest of the program that calls this goes on as a child; ends as that does.
/// Once the process before it is gone it ends the group, whatever that does with SIGTERM.
void lead_group(pid_t parent, const int (&ends)[2]) {
    setpgid(0, 0);
    sigset_t told, before;
    sigemptyset(&told);
    sigaddset(&told, SIGTERM);
    sigaddset(&told, SIGCHLD);
    sigprocmask(SIG_BLOCK, &told, &before);
    const pid_t child = fork_bound(SIGTERM);
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, nullptr);
        return;
    }
    for (const int end : ends) close(end);  // so that each of the two sees that the other one ends
    const auto is_over = [&](timespec patience) {
        int status = 0;
        if (child < 0 || waitpid(child, &status, WNOHANG) == child) return true;
        sigtimedwait(&told, nullptr, &patience);
        return waitpid(child, &status, WNOHANG) == child;
    };
    constexpr timespec kLook{1, 0}, kPatience{0, 500'000'000};
    while (getppid() == parent)
        if (is_over(kLook)) _exit(0);
    is_over(kPatience);
    kill(0, SIGKILL);
}

}  // namespace

Program::Program(const std::string& command, Group group, std::size_t longest_line) : group_(group) {
    const auto refuse = [&] { throw std::runtime_error(command + ": cannot be started: " + std::strerror(errno)); };
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) refuse();
    const pid_t parent = getpid();
    process_ = fork_bound(SIGTERM);
    if (process_ == 0) {
        if (group == Group::Own) lead_group(parent, ends);
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
