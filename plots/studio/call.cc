// SPDX-License-Identifier: GPL-2.0-only
#include "plots/studio/call.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>

#include <array>

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

}  // namespace

Call Calls::run(const std::vector<std::string>& words, const std::string& folder, const std::string& question) {
    // Nothing may be allocated between fork and exec: another thread may hold the lock.
    std::string program = "/proc/self/exe", name = "watershed";
    std::vector<std::string> copies = words;
    std::vector<char*> arguments{name.data()};
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);

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
        const pid_t process = fork_bound(SIGKILL);
        if (process < 0) return {Call::End::Failed, "", "no process could be started"};
        if (process == 0) {
            const int none = open("/dev/null", O_RDONLY);
            if (none < 0 || dup2(none, 0) < 0 || dup2(out.ends[1], 1) < 0 || dup2(error.ends[1], 2) < 0 ||
                chdir(folder.c_str()) != 0)
                _exit(1);
            limit(RLIMIT_CPU, static_cast<rlim_t>(limits_.processor.count()));
            limit(RLIMIT_AS, limits_.memory);
            limit(RLIMIT_FSIZE, limits_.output);
            limit(RLIMIT_CORE, 0);
            execv(program.c_str(), arguments.data());
            _exit(1);
        }
        mine = running_.insert({question, {process, false}});
    }
    out.shut(1), error.shut(1);
    const auto until = std::chrono::steady_clock::now() + limits_.clock;
    bool too_much = false;
    while (out.ends[0] >= 0 || error.ends[0] >= 0) {
        std::array<pollfd, 2> files{pollfd{out.ends[0], POLLIN, 0}, pollfd{error.ends[0], POLLIN, 0}};
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        poll(files.data(), files.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
        if (files[0].revents != 0 && !read_some(out.ends[0], call.output)) out.shut(0);
        if (files[1].revents != 0 && !read_some(error.ends[0], call.error)) error.shut(0);
        if (call.output.size() + call.error.size() > limits_.output || std::chrono::steady_clock::now() >= until) {
            too_much = true;
            break;
        }
    }
    int status = 0;
    const std::lock_guard<std::mutex> lock(guard_);  // nobody kills a process that has been waited for
    const pid_t process = mine->second.process;
    if (too_much) kill(process, SIGKILL);
    waitpid(process, &status, 0);
    const bool cancelled = mine->second.cancelled;
    running_.erase(mine);
    constexpr int kWrongInput = 2;
    call.end = cancelled                            ? Call::End::Cancelled
               : WIFSIGNALED(status)                ? Call::End::TooMuch
               : WEXITSTATUS(status) == 0           ? Call::End::Done
               : WEXITSTATUS(status) == kWrongInput ? Call::End::WrongInput
                                                    : Call::End::Failed;
    return call;
}

}  // namespace watershed
