// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace watershed {
namespace {

std::atomic<int> most_threads = std::max(1, int(std::thread::hardware_concurrency()));
/// Crew of this thread, as its owner or as one of its helpers.
thread_local Crew* crew_of_thread = nullptr;

/// Parts of one do_in_threads(), and who is at work on them.
struct SharedWork {
    SharedWork(std::size_t parts, const std::function<void(std::size_t)>& work)
        : count(parts), of_part(work), failures(parts) {}
    void take_part() {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                of_part(i);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        }
    }

    const std::size_t count;
    const std::function<void(std::size_t)>& of_part;
    std::atomic<std::size_t> next{0};
    std::vector<std::exception_ptr> failures;
    int helpers = 0;  ///< guarded by the crew's mutex
};

}  // namespace

class Crew {
  public:
    explicit Crew(int helpers) {
        for (int i = 0; i < helpers; ++i) threads_.emplace_back([this] { help(); });
    }
    ~Crew() {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    void share(SharedWork& work) {
        {
            const std::lock_guard lock(mutex_);
            open_.push_back(&work);
        }
        wake_.notify_all();
        work.take_part();
        std::unique_lock lock(mutex_);
        open_.erase(std::find(open_.begin(), open_.end(), &work));
        left_.wait(lock, [&] { return work.helpers == 0; });
    }

  private:
    void help() {
        crew_of_thread = this;
        std::unique_lock lock(mutex_);
        while (!ended_) {
            // The latest is inside of others, which wait for it.
            const auto open = std::find_if(open_.rbegin(), open_.rend(),
                                           [](const SharedWork* work) { return work->next < work->count; });
            if (open == open_.rend()) {
                wake_.wait(lock);
                continue;
            }
            SharedWork& work = **open;
            ++work.helpers;
            lock.unlock();
            work.take_part();
            lock.lock();
            --work.helpers;
            left_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, left_;
    std::vector<SharedWork*> open_;
    bool ended_ = false;
    std::vector<std::thread> threads_;
};

void limit_threads(int most) { most_threads = std::max(1, most); }

Threads::Threads() {
    if (crew_of_thread || most_threads == 1) return;
    crew_ = std::make_unique<Crew>(most_threads - 1);
    crew_of_thread = crew_.get();
}

Threads::~Threads() {
    if (crew_) crew_of_thread = nullptr;
}

void do_in_threads(std::size_t count, const std::function<void(std::size_t)>& work) {
    if (count <= 1 || most_threads == 1) {
        for (std::size_t i = 0; i < count; ++i) work(i);
        return;
    }
    const Threads threads;
    SharedWork shared(count, work);
    crew_of_thread->share(shared);
    for (const std::exception_ptr& failure : shared.failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace watershed
