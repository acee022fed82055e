// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "scenarios/sonic/sonic-switch.h"

namespace watershed {
namespace {

constexpr std::int64_t kNanosecondsPerMetre = 5;
constexpr std::int64_t kSmallestFrame = kMinimumFrame.count;

}  // namespace

std::int64_t bytes_until_paused(std::int64_t mtu, std::int64_t speed, std::int64_t metres, std::int64_t response) {
    // ns x Mb/s is 10^-3 bits.
    const std::int64_t millibits = 2 * metres * kNanosecondsPerMetre * speed;
    return mtu + kFrameOverIp + kBetweenFrames + kPauseOnLink.count + (millibits + 7999) / 8000 + response;
}

NeededHeadroom needed_headroom(std::int64_t bytes_on_link, std::int64_t mtu, std::int64_t cell, std::int64_t header) {
    const std::int64_t largest = std::max(mtu + kFrameOverIp, kSmallestFrame),
                       most = (largest + header + cell - 1) / cell;
    std::vector<std::int64_t> smallest{0};  // frame of each number of cells
    std::int64_t cells = 0, worst = 1;
    for (std::int64_t taken = 1; taken <= most; ++taken) {
        const std::int64_t frame = std::max(kSmallestFrame, (taken - 1) * cell - header + 1);  // just above fewer
        smallest.push_back(frame);
        if (taken * (worst + kBetweenFrames) > cells * (frame + kBetweenFrames)) cells = taken, worst = frame;
    }
    const std::int64_t before_last = bytes_on_link - 1;
    NeededHeadroom needed{before_last * cells / (worst + kBetweenFrames) + most, worst};
    constexpr std::int64_t kMostSteps = 200'000'000;
    if (cell == 1 || before_last > kMostSteps / most) return needed;
    // Most cells within each number of bytes, and the cells of the last frame of these; 0: none.
    std::vector<std::int32_t> best(static_cast<std::size_t>(before_last) + 1), last(best.size());
    for (std::int64_t at = 1; at <= before_last; ++at) {
        const auto here = static_cast<std::size_t>(at);
        best[here] = best[here - 1];
        for (std::int64_t taken = 1; taken <= most; ++taken) {
            const std::int64_t rest = at - smallest[static_cast<std::size_t>(taken)] - kBetweenFrames;
            if (rest < 0) break;
            const auto sum = best[static_cast<std::size_t>(rest)] + static_cast<std::int32_t>(taken);
            if (sum > best[here]) best[here] = sum, last[here] = static_cast<std::int32_t>(taken);
        }
    }
    needed.cells = best.back() + most;
    for (std::int64_t at = before_last; at > 0;) {
        const std::int32_t taken = last[static_cast<std::size_t>(at)];
        if (taken == 0) {
            --at;
            continue;
        }
        needed.frames.push_back(smallest[static_cast<std::size_t>(taken)]);
        at -= needed.frames.back() + kBetweenFrames;
    }
    needed.frames.push_back(largest);
    return needed;
}

}  // namespace watershed
