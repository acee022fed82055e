// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <thread>
#include <vector>

namespace watershed {
namespace {

std::atomic<int> most_threads = std::max(1, int(std::thread::hardware_concurrency()));
/// True in a thread that shares work.
thread_local bool shares_work = false;

}  // namespace

void limit_threads(int most) { most_threads = std::max(1, most); }

void do_in_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
    const auto threads = std::min(count, std::size_t(most_threads));
    if (threads <= 1 || shares_work) {
        for (std::size_t i = 0; i < count; ++i) work(i);
        return;
    }
    std::vector<std::exception_ptr> failures(count);
    std::atomic<std::size_t> next{0};
    std::vector<std::future<void>> running;
    for (std::size_t thread = 0; thread < threads; ++thread)
        running.push_back(std::async(std::launch::async, [&] {
            shares_work = true;
            for (std::size_t i = next++; i < count; i = next++) {
                try {
                    work(i);
                } catch (...) {
                    failures[i] = std::current_exception();
                }
            }
        }));
    for (std::future<void>& one : running) one.get();
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace watershed
