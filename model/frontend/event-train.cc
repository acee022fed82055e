// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/event-train.h"

#include <algorithm>
#include <utility>

namespace watershed {

TriggerTrain train_of(const Group& group, const Senders& senders) {
    if (!group.trigger) return {senders.trigger, senders.seed};
    return {*group.trigger, random_bits(senders.seed, Stream::GroupTrigger, hash_of_name(group.name))};
}

EventTrain::EventTrain(const Senders& senders) {
    const std::vector<Group>& groups = senders.groups;
    const bool is_common =
        groups.empty() || std::any_of(groups.begin(), groups.end(), [](const Group& group) { return !group.trigger; });
    if (is_common) add(0, {senders.trigger, senders.seed});
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i].trigger) add(static_cast<int>(i) + 1, train_of(groups[i], senders));
}

EventTrain::EventTrain(TriggerTrain train) { add(0, std::move(train)); }

void EventTrain::add(int number, TriggerTrain train) { sources_.push_back({number, std::move(train), {}}); }

std::optional<EventTrain::Event> EventTrain::next() {
    if (!std::exchange(has_begun_, true))
        for (Source& each : sources_) each.head = each.train.next();
    Source* first = nullptr;
    for (Source& each : sources_)
        if (each.head && (!first || *each.head < *first->head)) first = &each;
    if (!first) return std::nullopt;
    const Event event{*first->head, first->number};
    first->head = first->train.next();
    return event;
}

Answers::Answers(const Senders& senders) : trigger_(senders.trigger), groups_(senders) {
    for (std::size_t i = 0; i < groups_.all().size(); ++i)
        sources_.push_back(groups_.all()[i].trigger ? static_cast<int>(i) + 1 : 0);
    if (std::any_of(sources_.begin(), sources_.end(), [&](int source) { return source != sources_.front(); }))
        train_.emplace(senders);
}

int Answers::source_of(std::int64_t event) {
    while (static_cast<std::int64_t>(drawn_.size()) < event) {
        const auto next = train_->next();
        if (!next) return -1;
        drawn_.push_back(static_cast<std::int16_t>(next->source));
    }
    return drawn_[static_cast<std::size_t>(event - 1)];
}

std::int64_t Answers::count(std::int64_t events, int module) {
    if (!train_) return events_answered(trigger_, events, module);
    source_of(events);
    return std::count(drawn_.begin(), drawn_.begin() + events, source_of_module(module));
}

std::vector<ModuleRange> Answers::modules_of(int source) const {
    std::vector<ModuleRange> ranges;
    int before = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        const int modules = groups_.all()[i].front_end.modules;
        if (sources_[i] == source) ranges.push_back({before + 1, before + modules});
        before += modules;
    }
    return ranges;
}

}  // namespace watershed
