// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/child-process.h"

#include <poll.h>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A child ends when the one that started it is killed") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t parent = fork();
    if (parent == 0) {
        if (fork_bound(SIGKILL) == 0 && write(ends[1], "!", 1) != 1) _exit(1);
        while (true) pause();  // the child as well, which holds the pipe open
    }
    close(ends[1]);
    char byte;
    REQUIRE(read(ends[0], &byte, 1) == 1);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    pollfd closed{ends[0], POLLIN, 0};
    CHECK(poll(&closed, 1, 10'000) == 1);
    close(ends[0]);
}

TEST_CASE("A child that neither ends nor can be asked to is killed") {
    const pid_t child = fork_bound(SIGKILL);
    if (child == 0) {
        std::signal(SIGTERM, SIG_IGN);
        while (true) pause();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    end_child(child, std::chrono::milliseconds(20), false);
    CHECK(kill(child, 0) == -1);
}
