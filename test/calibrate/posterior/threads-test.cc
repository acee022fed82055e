// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/threads.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "test/catch.h"

using namespace watershed;

namespace {

/// The most that were at work at a time.
class MostAtWork {
  public:
    template <class Work>
    void during(Work work) {
        const int now = ++at_work_;
        for (int most = most_; now > most && !most_.compare_exchange_weak(most, now);) {
        }
        work();
        --at_work_;
    }
    int most() const { return most_; }

  private:
    std::atomic<int> at_work_{0}, most_{0};
};

struct LimitOfThisTest {
    explicit LimitOfThisTest(int most) { limit_threads(most); }
    ~LimitOfThisTest() { limit_threads(static_cast<int>(std::thread::hardware_concurrency())); }
};

}  // namespace

TEST_CASE("No more threads compute at a time than are allowed, with work inside work too", "[threads]") {
    for (const int most : {1, 2, 3}) {
        const LimitOfThisTest limit(most);
        MostAtWork innermost;
        std::vector<std::vector<int>> squares(5, std::vector<int>(4));
        do_in_threads(squares.size(), [&](std::size_t i) {
            do_in_threads(squares[i].size(), [&](std::size_t j) {
                innermost.during([&] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    squares[i][j] = static_cast<int>(i * i + j);
                });
            });
        });
        CHECK(innermost.most() <= most);
        for (std::size_t i = 0; i < squares.size(); ++i)
            for (std::size_t j = 0; j < squares[i].size(); ++j) CHECK(squares[i][j] == static_cast<int>(i * i + j));
    }
}

TEST_CASE("Two threads meet where two are allowed", "[threads]") {
    const LimitOfThisTest limit(2);
    std::atomic<int> arrived{0};
    do_in_threads(2, [&](std::size_t) {
        ++arrived;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (arrived < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        CHECK(arrived == 2);
    });
}

TEST_CASE("Of several failures the one with the lowest number is reported, after all work is done", "[threads]") {
    const LimitOfThisTest limit(3);
    std::atomic<int> done{0};
    std::string message;
    try {
        do_in_threads(6, [&](std::size_t i) {
            ++done;
            if (i >= 2) throw std::runtime_error(std::to_string(i));
        });
    } catch (const std::runtime_error& error) {
        message = error.what();
    }
    CHECK(message == "2");
    CHECK(done == 6);
}
