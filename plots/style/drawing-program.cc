// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/drawing-program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace watershed {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const fs::path& beside) {
    std::string name = (beside / ".figure-XXXXXX").string();
    if (!mkdtemp(name.data()))
        throw std::runtime_error(beside.string() + ": cannot be written: " + std::strerror(errno));
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code nothing_to_be_done;
    fs::remove_all(path_, nothing_to_be_done);
}

namespace {

/// A program's words on one line: the command it stumbled over, shortened, and what it says about it.
std::string message_in(const fs::path& log) {
    std::ifstream in(log);
    std::string message;
    for (std::string line; std::getline(in, line);) {
        const auto first = line.find_first_not_of(" \t^");  // the caret points into the line above
        if (first == std::string::npos) continue;
        line.erase(0, first);
        if (line.size() > 200) line = line.substr(0, 200) + " ...";
        message += (message.empty() ? "" : "; ") + line;
    }
    return message;
}

}  // namespace

void run_program(std::vector<std::string> words, const fs::path& folder, const std::string& package) {
    const fs::path log = folder / ".log";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());

    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string& program = words.front();
    pid_t child = 0;
    const int failure = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        throw std::runtime_error(program + " cannot be started: " + std::strerror(failure) + " (Debian has it in " +
                                 package + ")");

    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw std::runtime_error(program + " cannot be waited for: " + std::strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string end = WIFEXITED(status) ? "exit status " + std::to_string(WEXITSTATUS(status))
                                              : "signal " + std::to_string(WTERMSIG(status));
    throw std::runtime_error(program + " failed (" + end + "): " + message_in(log));
}

void move_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error) throw std::runtime_error(to.string() + ": cannot be written: " + error.message());
}

}  // namespace watershed
