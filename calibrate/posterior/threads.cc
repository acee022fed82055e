// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace watershed {
namespace {

/// Turns to compute, of which there are as many as threads may compute at a time.
class Turns {
  public:
    int most() {
        const std::lock_guard<std::mutex> lock(mutex_);
        return most_;
    }
    void set_most(int most) {
        const std::lock_guard<std::mutex> lock(mutex_);
        most_ = std::max(1, most);
        freed_.notify_all();
    }
    void take() {
        std::unique_lock<std::mutex> lock(mutex_);
        freed_.wait(lock, [this] { return taken_ < most_; });
        ++taken_;
    }
    void give_back() {
        const std::lock_guard<std::mutex> lock(mutex_);
        --taken_;
        freed_.notify_one();
    }

  private:
    std::mutex mutex_;
    std::condition_variable freed_;
    int most_ = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    int taken_ = 0;
};

Turns turns;
thread_local bool has_turn = false;

/// A turn of this thread, from here to the end of the block.
struct Turn {
    Turn() { turns.take(), has_turn = true; }
    ~Turn() { has_turn = false, turns.give_back(); }
};

/// While a thread waits for others, one of them has its turn.
struct Waiting {
    Waiting() : had_turn(has_turn) {
        if (had_turn) has_turn = false, turns.give_back();
    }
    ~Waiting() {
        if (had_turn) turns.take(), has_turn = true;
    }
    bool had_turn;
};

}  // namespace

void limit_threads(int most) { turns.set_most(most); }

void do_in_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
    const auto threads = std::min(count, static_cast<std::size_t>(turns.most()));
    if (threads <= 1) {
        for (std::size_t i = 0; i < count; ++i) work(i);
        return;
    }
    std::vector<std::exception_ptr> failures(count);
    std::atomic<std::size_t> next{0};
    {
        const Waiting waiting;
        std::vector<std::future<void>> running;
        for (std::size_t thread = 0; thread < threads; ++thread)
            running.push_back(std::async(std::launch::async, [&] {
                for (std::size_t i = next++; i < count; i = next++) {
                    const Turn turn;
                    try {
                        work(i);
                    } catch (...) {
                        failures[i] = std::current_exception();
                    }
                }
            }));
        for (std::future<void>& one : running) one.get();
    }
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace watershed
