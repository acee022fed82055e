// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/ledger.h"

#include <algorithm>
#include <tuple>

#include "model/frontend/front-end.h"

namespace watershed {

void Ledger::lost(const FrameId& frame, Time time, const LossCause& cause, int number) {
    ++lost_;
    const auto count = std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.cause == cause; });
    if (count != counts_.end())
        ++count->frames;
    else
        counts_.push_back({cause, 1});

    const bool at_front_end = cause.where == FrontEndPort::kFifoFull.where;
    if (at_front_end && sizes_) {
        Outcome::Link& refused = refused_[frame.module];
        ++refused.frames;
        refused.wire += sizes_->of(frame.event, frame.module)[static_cast<std::size_t>(frame.frame)].wire;
    }
    const int place = at_front_end ? 0 : number + 1;
    const auto precedes_first = [&] {
        if (time != first_->time) return time < first_->time;
        if (place != first_place_) return place < first_place_;
        return at_front_end && std::tie(frame.module, frame.event, frame.frame) <
                                   std::tie(first_->frame.module, first_->frame.event, first_->frame.frame);
    };
    if (!first_ || precedes_first()) {
        first_ = FirstLoss{frame, time, std::string(cause.where)};
        first_place_ = place;
    }
    if (observer_ && observer_->lost) observer_->lost(frame, time, cause);
}

Outcome::Link Ledger::refused_by_fifo(int module) const {
    const auto refused = refused_.find(module);
    return refused == refused_.end() ? Outcome::Link{} : refused->second;
}

std::vector<Outcome::Loss> Ledger::losses() const {
    std::vector<Outcome::Loss> losses;
    for (const Count& count : counts_)
        losses.push_back({std::string(count.cause.where), std::string(count.cause.reason), count.frames});
    std::sort(losses.begin(), losses.end(),
              [](const auto& a, const auto& b) { return std::tie(a.where, a.reason) < std::tie(b.where, b.reason); });
    return losses;
}

}  // namespace watershed
