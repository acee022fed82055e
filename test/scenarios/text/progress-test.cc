// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/progress.h"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Work within other work moves the outer line on, and never back") {
    int terminal = 0;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
        {
            Progress outer("outer", "answers", 4);
            outer.done(1);
            usleep(1'100'000);
            for (const int part : {50, 25}) Progress("inner", "events", 100).done(part);
            usleep(110'000);
            outer.done(1);
        }
        _exit(0);
    }
    std::string shown;
    char text[4096];
    for (ssize_t size; (size = read(terminal, text, sizeof text)) > 0;)
        shown.append(text, static_cast<std::size_t>(size));
    waitpid(child, nullptr, 0);
    close(terminal);
    CHECK_THAT(shown, Contains("outer [") && Contains("  38 %") && !Contains("inner") && !Contains("  25 %"));
}
