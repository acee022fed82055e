// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/progress.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "scenarios/text/text-line.h"

namespace watershed {

namespace {

using Clock = std::chrono::steady_clock;

/// Another program reads what part is done: the number alone.
bool is_read_by_program() { return std::getenv("WATERSHED_PROGRESS") != nullptr; }

thread_local Progress* innermost = nullptr;

/// Shows the line of the outermost work once a second, also while none of its units is done.
class Ticker {
  public:
    Ticker(std::string what, std::string unit, double total)
        : what_(std::move(what)), unit_(std::move(unit)), total_(total), thread_([this] { tick(); }) {}
    ~Ticker() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        wake_.notify_all();
        thread_.join();
        if (shown_) std::fputs("\r\033[K", stderr);
    }
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;

    void reached(double amount) { most_ = std::max(most_.load(), amount); }

  private:
    void tick() {
        std::unique_lock lock(mutex_);
        for (auto next = start_ + std::chrono::seconds(2); !wake_.wait_until(lock, next, [&] { return over_; });
             next = Clock::now() + std::chrono::milliseconds(500))
            show();
    }
    void show() {
        constexpr int kWidth = 30;
        shown_ = true;
        const double most = most_, fraction = std::min(1.0, most / total_),
                     seconds = std::chrono::duration<double>(Clock::now() - start_).count();
        const auto filled = static_cast<std::size_t>(fraction * kWidth);
        const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
        if (is_read_by_program())
            std::fprintf(stderr, "\r\033[K%.4f", fraction);
        else if (fraction > 0)
            std::fprintf(stderr, "\r\033[K%s [%s] %3.0f %%  %s%.0f s left", what_.c_str(), bar.c_str(), 100 * fraction,
                         unit_.empty() ? "" : text_line("%.4g %s/s  ", most / seconds, unit_).c_str(),
                         seconds / fraction - seconds);
        else
            std::fprintf(stderr, "\r\033[K%s [%s]  %.0f s so far", what_.c_str(), bar.c_str(), seconds);
        std::fflush(stderr);
    }

    const std::string what_, unit_;
    const double total_;
    const Clock::time_point start_ = Clock::now();
    std::atomic<double> most_{0};  ///< largest amount reached
    bool over_ = false, shown_ = false;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::thread thread_;
};

Ticker* ticker = nullptr;  ///< ticker of this process's outermost work, on a terminal

}  // namespace

Progress::Progress(std::string what, std::string unit, std::int64_t total)
    : outer_(innermost), process_(getpid()), total_(std::max<std::int64_t>(total, 1)) {
    innermost = this;
    if (outer_ || ticker || (isatty(STDERR_FILENO) != 1 && !is_read_by_program())) return;
    ticker = new Ticker(std::move(what), std::move(unit), static_cast<double>(total_));
    ticks_ = true;
}

Progress::~Progress() {
    innermost = outer_;
    // A process that was started meanwhile has no such thread to end.
    if (!ticks_ || getpid() != process_) return;
    delete ticker;
    ticker = nullptr;
}

void Progress::done(std::int64_t amount) { show(static_cast<double>(done_ = amount)); }

void Progress::show(double amount) {
    if (outer_)
        return outer_->show(static_cast<double>(outer_->done_) + std::min(1.0, amount / static_cast<double>(total_)));
    if (ticks_ && getpid() == process_) ticker->reached(amount);
}

}  // namespace watershed
