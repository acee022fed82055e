// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/arrivals.h"

#include <algorithm>
#include <numeric>

namespace watershed {
namespace {

constexpr Time kNever = Time::max();

}  // namespace

Arrivals::Arrivals(const Incast& scenario, const FragmentSizes& sizes, Ledger& ledger, const Observer* observer,
                   const ArrivalRank& rank, int modules_before, TimeGrid grid)
    : sizes_(sizes),
      ledger_(ledger),
      observer_(observer),
      rank_(rank),
      modules_before_(modules_before),
      trigger_(scenario.trigger),
      train_(scenario.trigger, scenario.seed),
      modules_count_(scenario.front_end.modules),
      synchronous_(is_synchronous(scenario.front_end) && !sizes.vary() &&
                   trigger_.pattern != Trigger::Pattern::LineRatePlusBurst),
      heads_(synchronous_ ? 0 : static_cast<std::size_t>(modules_count_), {kNever, 0}) {
    const int followed = synchronous_ ? 1 : modules_count_;
    modules_.reserve(static_cast<std::size_t>(followed));
    for (int number = 1; number <= followed; ++number)
        modules_.push_back({FrontEndPort(scenario.front_end, scenario.seed, number, grid), 0, {}, 0});
    if (synchronous_) {
        order_.resize(static_cast<std::size_t>(modules_count_));
        std::iota(order_.begin(), order_.end(), 1);
    } else {
        for (int number = 1; number <= followed; ++number) {
            const auto index = static_cast<std::size_t>(number - 1);
            if (load(modules_[index], number)) heads_.set(index, head_of(modules_[index], number));
        }
    }
}

std::optional<Time> Arrivals::trigger_of(std::int64_t event) {
    while (!train_ended_ && event > events_read_) {
        if (const auto time = train_.next()) {
            triggers_.push_back({*time, static_cast<int>(modules_.size())});
            ++events_read_;
            if (observer_ && observer_->progress && events_read_ % 1024 == 0) observer_->progress(events_read_);
        } else {
            train_ended_ = true;
        }
    }
    if (event > events_read_) return std::nullopt;
    Read& read = triggers_[static_cast<std::size_t>(event - first_trigger_)];
    const Time time = read.trigger;
    // Modules read at their own pace, each every trigger: the last to read it is the slowest.
    if (--read.modules == 0) {
        triggers_.pop_front();
        ++first_trigger_;
    }
    return time;
}

bool Arrivals::load(Module& module, int number) {
    module.queued.clear();
    module.taken = 0;
    while (module.queued.empty()) {
        const auto trigger = trigger_of(++module.event);
        if (!trigger) return false;
        if (!answers(trigger_, module.event, number)) continue;
        const Time offered = module.port.offer_time(module.event, *trigger);
        const std::vector<FrameSizes>& frames = sizes_.of(module.event, modules_before_ + number);
        for (int i = 0; i < static_cast<int>(frames.size()); ++i) {
            const FrameId frame{module.event, modules_before_ + number, i};
            if (const auto arrival = module.port.offer(offered, frames[static_cast<std::size_t>(i)].wire)) {
                module.queued.push_back({frame, *arrival});
            } else if (synchronous_) {
                for (int each = 1; each <= modules_count_; ++each)
                    ledger_.lost({module.event, modules_before_ + each, i}, offered, FrontEndPort::kFifoFull);
            } else {
                ledger_.lost(frame, offered, FrontEndPort::kFifoFull);
            }
        }
    }
    return true;
}

Arrivals::Head Arrivals::head_of(const Module& module, int number) const {
    const Arrival& arrival = module.queued[module.taken];
    return {arrival.time, rank_(arrival.frame.event, number)};
}

std::optional<Arrival> Arrivals::next_synchronous() {
    Module& one = modules_.front();
    if (position_ == order_.size()) {
        position_ = 0;
        ++one.taken;
    }
    if (position_ == 0) {
        if (one.taken == one.queued.size() && !load(one, 1)) return std::nullopt;
        const std::int64_t event = one.event;
        if (ordered_event_ != event) {
            ordered_event_ = event;
            std::sort(order_.begin(), order_.end(), [&](int a, int b) {
                return std::make_pair(rank_(event, a), a) < std::make_pair(rank_(event, b), b);
            });
        }
    }
    Arrival arrival = one.queued[one.taken];
    arrival.frame.module = modules_before_ + order_[position_++];
    return arrival;
}

std::optional<Arrival> Arrivals::next() {
    if (synchronous_) return next_synchronous();
    if (heads_.least().time == kNever) return std::nullopt;
    const std::size_t index = heads_.winner();
    const int number = static_cast<int>(index) + 1;
    Module& module = modules_[index];
    const Arrival arrival = module.queued[module.taken++];
    const bool more = module.taken < module.queued.size() || load(module, number);
    heads_.set(index, more ? head_of(module, number) : Head{kNever, 0});
    return arrival;
}

}  // namespace watershed
