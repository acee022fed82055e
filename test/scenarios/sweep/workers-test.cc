// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/workers.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Results come by piece and are the same for any number of jobs") {
    const auto work = [](std::size_t piece) { return std::string(piece * 1000, static_cast<char>('a' + piece % 26)); };
    const auto expected = do_in_processes(1, 100, work);
    REQUIRE(expected.size() == 100);
    CHECK(expected[99].size() == 99'000);
    for (const int jobs : {2, 3, 200}) CHECK(do_in_processes(jobs, 100, work) == expected);
    CHECK(do_in_processes(4, 0, work).empty());
}

TEST_CASE("Several jobs work in processes of their own") {
    const auto pids = do_in_processes(2, 2, [](std::size_t) { return std::to_string(getpid()); });
    CHECK(pids[0] != std::to_string(getpid()));
}

TEST_CASE("Every finished piece is told, one at a time") {
    std::map<std::size_t, std::string> told;
    do_in_processes(
        3, 5, [](std::size_t piece) { return std::to_string(piece * piece); },
        [&](std::size_t piece, const std::string& result) { told[piece] += result; });
    CHECK(told == std::map<std::size_t, std::string>{{0, "0"}, {1, "1"}, {2, "4"}, {3, "9"}, {4, "16"}});
}

TEST_CASE("A piece that fails ends the work with its message") {
    const auto work = [](std::size_t piece) -> std::string {
        if (piece == 3) throw std::runtime_error("piece 3 is broken");
        return "";
    };
    CHECK_THROWS_WITH(do_in_processes(2, 10, work), "piece 3 is broken");
    CHECK_THROWS_WITH(do_in_processes(1, 10, work), "piece 3 is broken");
}

TEST_CASE("A process that is killed ends the work instead of hanging it") {
    CHECK_THROWS_WITH(do_in_processes(2, 10,
                                      [](std::size_t piece) {
                                          if (piece == 3) raise(SIGKILL);
                                          return std::string();
                                      }),
                      Contains("a worker process died"));
}

TEST_CASE("Who was started by mpirun leaves the other processors to the other ranks") {
    setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
    CHECK(ranks_started() == 3);
    CHECK(default_jobs() == 1);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    CHECK(default_jobs() >= 1);
}
