// SPDX-License-Identifier: GPL-2.0-only
#include "plots/studio/call.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string_view>

#include "model/base/child-process.h"

namespace watershed {
namespace {

/// Both ends of a pipe that no other child inherits.
struct Pipe {
    std::array<int, 2> ends{-1, -1};

    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
    }
    ~Pipe() { shut(0), shut(1); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void shut(int end) {
        int& file = ends[static_cast<std::size_t>(end)];
        if (file >= 0) close(file);
        file = -1;
    }
};

void limit(int resource, rlim_t most) {
    const rlimit both{most, most};
    setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

/// Reads what there is. @return false at the end
bool read_some(int file, std::string& text) {
    std::array<char, 65536> part;
    const ssize_t got = read(file, part.data(), part.size());
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && errno == EINTR);
}

/// Begins what Progress writes, and the end of it.
constexpr std::string_view kProgress = "\r\033[K";

/// The part that is done, as the last of these says.
std::optional<double> part_done(const std::string& error) {
    const auto last = error.rfind(kProgress);
    if (last == std::string::npos || last + kProgress.size() == error.size()) return std::nullopt;
    return std::strtod(&error[last + kProgress.size()], nullptr);
}

/// Folder and words of a call, each with a zero behind it; the kernel takes no longer message as a whole.
constexpr std::size_t kLongestMessage = 65'536;

std::string message_of(const std::string& folder, const std::vector<std::string>& words) {
    std::string message = folder + '\0';
    for (const std::string& word : words) message += word + '\0';
    return message;
}

/// A message and two files that go with it.
struct Parcel {
    iovec text{};
    msghdr header{};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> files{};

    Parcel(char* begin, std::size_t size) : text{begin, size} {
        header.msg_iov = &text;
        header.msg_iovlen = 1;
        header.msg_control = files.data();
        header.msg_controllen = files.size();
    }
};

/// A process of these words begins, the parent of which is this one's parent.
[[noreturn]] void work_off(const std::string& message, std::array<int, 2> files, const CallLimits& limits,
                           const Work& work) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<std::string> words;
    std::istringstream each(message);
    for (std::string word; std::getline(each, word, '\0');) words.push_back(word);
    const int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (none < 0 || dup2(none, 0) < 0 || dup2(files[0], 1) < 0 || dup2(files[1], 2) < 0 ||
        chdir(words.front().c_str()) != 0)
        _exit(1);
    limit(RLIMIT_CPU, static_cast<rlim_t>(limits.processor.count()));
    limit(RLIMIT_AS, limits.memory);
    limit(RLIMIT_FSIZE, limits.output);
    limit(RLIMIT_CORE, 0);
    setenv("WATERSHED_PROGRESS", "1", 1);  // Progress writes without a terminal
    words.erase(words.begin());
    const int status = work(words);
    std::cout.flush();
    std::fflush(nullptr);
    _exit(status);
}

/// Begins a process for each message that comes, and answers with its number, until nobody sends any more.
[[noreturn]] void fork_on_demand(int socket, pid_t parent, const CallLimits& limits, const Work& work) {
    std::string text(kLongestMessage, 0);
    for (;;) {
        Parcel parcel(text.data(), text.size());
        const ssize_t got = recvmsg(socket, &parcel.header, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR) continue;
        const cmsghdr* control = got > 0 ? CMSG_FIRSTHDR(&parcel.header) : nullptr;
        if (!control) _exit(0);
        std::array<int, 2> files{-1, -1};
        std::memcpy(files.data(), CMSG_DATA(control), sizeof files);
        const auto process =
            static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
        if (process == 0) {
            if (getppid() != parent) _exit(1);
            close(socket);
            work_off(text.substr(0, static_cast<std::size_t>(got)), files, limits, work);
        }
        close(files[0]), close(files[1]);
        if (send(socket, &process, sizeof process, MSG_NOSIGNAL) != sizeof process) _exit(0);
    }
}

}  // namespace

Calls::Calls(CallLimits limits, const Work& work) : limits_(limits) {
    std::array<int, 2> ends{-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    const pid_t parent = getpid();
    std::cout.flush(), std::fflush(nullptr);  // else each call says again what waits here
    forked_ = fork_bound(SIGKILL);
    if (forked_ == 0) {
        close(ends[0]);
        fork_on_demand(ends[1], parent, limits, work);
    }
    close(ends[1]);
    socket_ = ends[0];
}

Calls::~Calls() {
    if (socket_ >= 0) close(socket_);
    if (forked_ > 0) waitpid(forked_, nullptr, 0);
}

/// @return the process, or -1
pid_t Calls::start(const std::string& message, int output, int error) const {
    std::string text = message;
    Parcel parcel(text.data(), text.size());
    cmsghdr* control = CMSG_FIRSTHDR(&parcel.header);
    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(2 * sizeof(int));
    const std::array<int, 2> files{output, error};
    std::memcpy(CMSG_DATA(control), files.data(), sizeof files);
    pid_t process = -1;
    if (sendmsg(socket_, &parcel.header, MSG_NOSIGNAL) < 0 ||
        recv(socket_, &process, sizeof process, 0) != sizeof process)
        return -1;
    return process;
}

Call Calls::run(const std::vector<std::string>& words, const std::string& folder, const std::string& question,
                const Listener& listener) {
    const std::string message = message_of(folder, words);
    if (message.size() > kLongestMessage)
        return {Call::End::WrongInput, "", "error: the request: found more than 64 kB of options, expected less"};
    Call call;
    Pipe out, error;
    std::multimap<std::string, Running>::iterator mine;
    {
        const std::lock_guard<std::mutex> lock(guard_);
        const auto [first, last] = running_.equal_range(question);
        if (!question.empty())
            for (auto older = first; older != last; ++older) {
                older->second.cancelled = true;
                kill(older->second.process, SIGKILL);
            }
        const pid_t process = start(message, out.ends[1], error.ends[1]);
        if (process < 0) return {Call::End::Failed, "", "no process could be started"};
        mine = running_.insert({question, {process, false}});
    }
    out.shut(1), error.shut(1);
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kTold{250};
    const auto until = Clock::now() + limits_.clock;
    auto tell = listener ? Clock::now() + kTold : until;
    bool too_much = false, in_vain = false;
    while (out.ends[0] >= 0 || error.ends[0] >= 0) {
        std::array<pollfd, 2> files{pollfd{out.ends[0], POLLIN, 0}, pollfd{error.ends[0], POLLIN, 0}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(tell, until) - Clock::now());
        poll(files.data(), files.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
        if (files[0].revents != 0 && !read_some(out.ends[0], call.output)) out.shut(0);
        if (files[1].revents != 0 && !read_some(error.ends[0], call.error)) error.shut(0);
        if (call.output.size() + call.error.size() > limits_.output || Clock::now() >= until) {
            too_much = true;
            break;
        }
        if (listener && Clock::now() >= tell) {
            tell = Clock::now() + kTold;
            if ((in_vain = !listener(part_done(call.error)))) break;
        }
    }
    int status = 0;
    const pid_t process = mine->second.process;
    if (too_much || in_vain) kill(process, SIGKILL);
    siginfo_t ended;
    waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT);
    const std::lock_guard<std::mutex> lock(guard_);  // nobody kills a process that has been waited for
    waitpid(process, &status, 0);
    const bool cancelled = mine->second.cancelled || in_vain;
    running_.erase(mine);
    constexpr int kWrongInput = 2;
    if (const auto last = call.error.rfind(kProgress); last != std::string::npos)
        call.error.erase(0, last + kProgress.size());
    call.end = cancelled                            ? Call::End::Cancelled
               : WIFSIGNALED(status)                ? Call::End::TooMuch
               : WEXITSTATUS(status) == 0           ? Call::End::Done
               : WEXITSTATUS(status) == kWrongInput ? Call::End::WrongInput
                                                    : Call::End::Failed;
    return call;
}

}  // namespace watershed
