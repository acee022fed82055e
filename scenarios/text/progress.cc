// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace watershed {

Progress::Progress(std::string what, std::string unit, std::int64_t total)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(std::max<std::int64_t>(total, 1)),
      terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::done(std::int64_t amount) {
    const auto now = Clock::now();
    if (!terminal_ || now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    shown_ = true;
    constexpr int kWidth = 30;
    const double fraction = std::min(1.0, static_cast<double>(amount) / static_cast<double>(total_));
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const auto filled = static_cast<std::size_t>(fraction * kWidth);
    const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
    std::fprintf(stderr, "\r\033[K%s [%s] %3.0f %%  %.4g %s/s  %.0f s left", what_.c_str(), bar.c_str(), 100 * fraction,
                 static_cast<double>(amount) / seconds, unit_.c_str(),
                 fraction > 0 ? seconds / fraction - seconds : 0.0);
    std::fflush(stderr);
}

}  // namespace watershed
