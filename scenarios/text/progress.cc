// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace watershed {

namespace {
thread_local Progress* innermost = nullptr;
}

Progress::Progress(std::string what, std::string unit, std::int64_t total)
    : outer_(innermost),
      process_(getpid()),
      what_(std::move(what)),
      unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)),
      terminal_(isatty(STDERR_FILENO) == 1) {
    innermost = this;
}

Progress::~Progress() {
    innermost = outer_;
    if (shown_ && getpid() == process_) std::fputs("\r\033[K", stderr);
}

void Progress::done(std::int64_t amount) { show(static_cast<double>(done_ = amount)); }

void Progress::show(double amount) {
    const auto total = static_cast<double>(total_);
    if (outer_) return outer_->show(static_cast<double>(outer_->done_) + std::min(1.0, amount / total));
    most_ = std::max(most_, amount);
    const auto now = Clock::now();
    if (!terminal_ || getpid() != process_ || now - start_ < std::chrono::seconds(1) ||
        now - last_ < std::chrono::milliseconds(100))
        return;
    last_ = now;
    shown_ = true;
    constexpr int kWidth = 30;
    const double fraction = std::min(1.0, most_ / total);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const auto filled = static_cast<std::size_t>(fraction * kWidth);
    const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
    std::fprintf(stderr, "\r\033[K%s [%s] %3.0f %%  %.4g %s/s  %.0f s left", what_.c_str(), bar.c_str(), 100 * fraction,
                 most_ / seconds, unit_.c_str(), fraction > 0 ? seconds / fraction - seconds : 0.0);
    std::fflush(stderr);
}

}  // namespace watershed
