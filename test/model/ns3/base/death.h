// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace watershed {

/// Message of a program that ns-3 ends; empty if it goes on.
template <class Function>
std::string said_at_death(Function function) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        function();
        _exit(0);
    }
    close(ends[1]);
    std::string said;
    char buffer[1024];
    for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;)
        said.append(buffer, static_cast<std::size_t>(size));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? said : "";
}

}  // namespace watershed
