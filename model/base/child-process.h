// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <thread>

namespace watershed {

/// As fork(), but the child gets this signal when the thread that starts it ends, be it killed.
inline pid_t fork_bound(int signal) {
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process != 0) return process;
    prctl(PR_SET_PDEATHSIG, signal);
    if (getppid() != parent) _exit(1);  // it had ended before
    return 0;
}

/// Waits until a child ends by itself; one that does not is asked to (SIGTERM), then killed.
/// @param patience  before each
/// @param group     of the child, which the signals are for as a whole; else itself alone
inline void end_child(pid_t process, std::chrono::milliseconds patience, bool group) {
    for (const int signal : {SIGTERM, SIGKILL}) {
        for (const auto until = std::chrono::steady_clock::now() + patience;
             std::chrono::steady_clock::now() < until;) {
            if (waitpid(process, nullptr, WNOHANG) == process) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        kill(group ? -process : process, signal);
    }
    waitpid(process, nullptr, 0);
}

}  // namespace watershed
