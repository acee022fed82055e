// SPDX-License-Identifier: GPL-2.0-only
#include "plots/studio/call.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <thread>

#include "test/catch.h"

using namespace watershed;

namespace {

CallLimits short_ones() {
    CallLimits limits;
    limits.clock = std::chrono::seconds(2);
    limits.output = 1000;
    return limits;
}

/// Does the work that the first word names.
int work(const std::vector<std::string>& words) {
    const std::string& what = words.front();
    if (what == "say") std::cout << words.back() << std::flush, std::cerr << getcwd(nullptr, 0);
    if (what == "sleep") std::this_thread::sleep_for(std::chrono::minutes(1));
    if (what == "steps") {
        std::cerr << "\r\033[K0.25";
        if (words.size() == 1) std::this_thread::sleep_for(std::chrono::minutes(1));
        std::cerr << "\r\033[K"
                  << "why";
        return 1;
    }
    if (what == "abort") std::abort();
    if (what == "talk")
        for (;;) std::cout << words.back() << std::flush;
    return what == "wrong" ? 2 : what == "fail" ? 1 : 0;
}

}  // namespace

TEST_CASE("A call is work in a process of its own, in its folder") {
    Calls calls(short_ones(), work);
    const Call said = calls.run({"say", "a b"}, "/", "");
    CHECK(said.end == Call::End::Done);
    CHECK(said.output == "a b");
    CHECK(said.error == "/");
    CHECK(calls.run({"wrong"}, "/", "").end == Call::End::WrongInput);
    CHECK(calls.run({"fail"}, "/", "").end == Call::End::Failed);
    CHECK(calls.run({"say"}, "/no such folder", "").end == Call::End::Failed);
    // A call that changes its process, or says much, does no harm to those after it.
    CHECK(calls.run({"abort"}, "/", "").end == Call::End::TooMuch);
    CHECK(calls.run({"talk", std::string(100, 'x')}, "/", "").end == Call::End::TooMuch);
    CHECK(calls.run({"sleep"}, "/", "").end == Call::End::TooMuch);
    CHECK(calls.run({"say", std::string(70'000, 'x')}, "/", "").end == Call::End::WrongInput);
    CHECK(calls.run({"say", "again"}, "/", "").output == "again");
}

TEST_CASE("A call tells how much of it is done until nobody listens, and its error is what remains") {
    Calls calls({}, work);
    std::vector<double> told;
    const auto listener = [&](std::optional<double> done) {
        if (done) told.push_back(*done);
        return told.size() < 3;
    };
    CHECK(calls.run({"steps"}, "/", "", listener).end == Call::End::Cancelled);
    CHECK(told == std::vector<double>{0.25, 0.25, 0.25});
    const Call all = calls.run({"steps", "that end"}, "/", "", [](std::optional<double>) { return true; });
    CHECK(all.end == Call::End::Failed);
    CHECK(all.error == "why");
}

TEST_CASE("A newer call of the same question ends the older, and no other") {
    CallLimits limits;
    Calls calls(limits, work);
    Call older, other;
    std::thread first([&] { older = calls.run({"sleep"}, "/", "page 1"); });
    std::thread second([&] { other = calls.run({"sleep"}, "/", "page 2"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(calls.run({"say", "new"}, "/", "page 1").output == "new");
    first.join();
    CHECK(older.end == Call::End::Cancelled);
    CHECK(calls.run({"say", "new"}, "/", "page 2").output == "new");
    second.join();
    CHECK(other.end == Call::End::Cancelled);
}

TEST_CASE("Many threads call at once, and each gets its own answer") {
    Calls calls({}, work);
    std::vector<std::string> answers(40);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < answers.size(); ++i)
        threads.emplace_back([&, i] { answers[i] = calls.run({"say", std::to_string(i)}, "/", "").output; });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < answers.size(); ++i) CHECK(answers[i] == std::to_string(i));
}
