// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/progress.h"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "test/catch.h"

using namespace watershed;

namespace {

/// Lines that work shows on a terminal.
template <class Work>
std::string shown_by(const Work& work) {
    int terminal = 0;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        work();
        _exit(0);
    }
    std::string shown;
    char text[4096];
    for (ssize_t size; (size = read(terminal, text, sizeof text)) > 0;)
        shown.append(text, static_cast<std::size_t>(size));
    waitpid(child, nullptr, 0);
    close(terminal);
    return shown;
}

}  // namespace

TEST_CASE("Work within other work moves the outer line on, and never back") {
    const std::string shown = shown_by([] {
        Progress outer("outer", "answers", 4);
        outer.done(1);
        for (const int part : {50, 25}) Progress("inner", "events", 100).done(part);
        usleep(2'300'000);
        outer.done(1);
    });
    CHECK_THAT(shown, Contains("outer [") && Contains("  38 %") && !Contains("inner") && !Contains("  25 %"));
}

TEST_CASE("Another program reads the part that is done") {
    const std::string shown = shown_by([] {
        setenv("WATERSHED_PROGRESS", "1", 1);
        Progress work("work", "", 8);
        work.done(3);
        usleep(2'300'000);
    });
    CHECK_THAT(shown, Contains("\r\033[K0.3750\r\033[K") && !Contains("work"));
}

TEST_CASE("Work of which no part is done says how long it takes, also where processes are started meanwhile") {
    const std::string shown = shown_by([] {
        Progress work("work", "", 1);
        const pid_t child = fork();
        if (child == 0) {
            work.done(1);
            work.~Progress();
            _exit(0);
        }
        usleep(2'300'000);
        waitpid(child, nullptr, 0);
    });
    CHECK_THAT(shown, Contains("work [") && Contains("2 s so far") && !Contains("100 %"));
}
