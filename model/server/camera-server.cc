// SPDX-License-Identifier: GPL-2.0-only
#include "model/server/camera-server.h"

#include <stdexcept>
#include <string>

namespace watershed {

FiniteServer::FiniteServer(const Receiver& receiver, int interfaces, const Senders& senders, const FragmentSizes& sizes,
                           Callbacks books)
    : books_(std::move(books)),
      sizes_(sizes),
      path_(receiver, interfaces),
      builder_(receiver, books_of_builder()),
      triggers_(senders),
      arriving_(static_cast<std::size_t>(interfaces)) {}

EventBuilder::Callbacks FiniteServer::books_of_builder() {
    EventBuilder::Callbacks books{books_.received, books_.lost, books_.expected, {}};
    if (books_.occupancy) books.changed = [this](Time now) { tell_occupancy(now); };
    return books;
}

void FiniteServer::advance(Time now) {
    for (;;) {
        std::size_t first = arriving_.size();
        Time time = now;
        for (std::size_t i = 0; i < arriving_.size(); ++i)
            if (!arriving_[i].empty() && arriving_[i].front().time < time) {
                first = i;
                time = arriving_[i].front().time;
            }
        if (first == arriving_.size()) return;
        const FrameId frame = arriving_[first].pop().frame;
        take_until(time);
        builder_.advance(time);
        if (path_.arrive(frame, sizes_.of(frame.event, frame.module)[static_cast<std::size_t>(frame.frame)],
                         static_cast<int>(first), time)) {
            ++in_rings_;
            tell_occupancy(time);
        } else {
            books_.lost(frame, time, ReceivePath::kRingFull);
        }
    }
}

void FiniteServer::take_until(Time now) {
    path_.take_until(now, [this](const FrameId& frame, Bytes payload, Time time) {
        builder_.advance(time);
        --in_rings_;
        tell_occupancy(time);
        builder_.add(
            frame, payload, [&] { return triggers_.of(frame.event); }, time);
    });
}

Outcome::Server FiniteServer::finish() {
    advance(Time::max());
    take_until(Time::max());
    builder_.finish();
    Outcome::Server server;
    path_.report(server);
    builder_.report(server);
    return server;
}

namespace {

Senders answering_all(int modules) {
    Senders senders;
    senders.front_end.modules = modules;
    return senders;
}

/// Adds to `all` what another builder saw, but for its interfaces.
void add(Outcome::Server& all, const Outcome::Server& seen) {
    if (seen.memory.peak() > all.memory.peak()) all.memory = seen.memory;
    all.completions.insert(all.completions.end(), seen.completions.begin(), seen.completions.end());
    all.timed_out += seen.timed_out;
    all.open += seen.open;
    all.wake_ups += seen.wake_ups;
    all.busy += seen.busy;
    all.done = std::max(all.done, seen.done);
}

}  // namespace

CameraServer::CameraServer(int modules, FragmentSizes sizes)
    : senders_(answering_all(modules)),
      sizes_(std::move(sizes)),
      answers_(senders_),
      builders_(senders_),
      frames_of_each_(sizes_.vary() ? 0 : frames_expected_of(1)),
      by_module_(static_cast<std::size_t>(modules)) {}

CameraServer::CameraServer(const Senders& senders, const Server& server, const std::vector<int>& builders,
                           Reports reports)
    : senders_(senders),
      sizes_(senders),
      answers_(senders),
      builders_(senders),
      received_by_builder_(static_cast<std::size_t>(builders_.count())),
      frames_of_each_(sizes_.vary() || !answers_.are_all() ? 0 : frames_expected_of(1)),
      by_module_(static_cast<std::size_t>(senders.front_end.modules)) {
    std::vector<int> interfaces(static_cast<std::size_t>(builders_.count()));
    for (const int builder : builders)
        interfaces_.push_back({builder, interfaces[static_cast<std::size_t>(builder)]++});
    for (int builder = 0; server.receiver && builder < builders_.count(); ++builder)
        finite_.push_back(std::make_unique<FiniteServer>(
            *server.receiver, interfaces[static_cast<std::size_t>(builder)], senders_, sizes_,
            FiniteServer::Callbacks{[this](const std::vector<FrameId>& frames) {
                                        for (const FrameId& frame : frames) receive(frame);
                                    },
                                    reports.lost,
                                    [this, builder](std::int64_t event) {
                                        return frames_expected_at_builders(event)[static_cast<std::size_t>(builder)];
                                    },
                                    reports.occupancy}));
}

void CameraServer::finish() {
    if (finite_.empty()) return;
    std::vector<Outcome::Server> seen;
    for (const auto& each : finite_) seen.push_back(each->finish());
    seen_ = seen.front();
    seen_->interfaces.clear();
    for (const Interface& each : interfaces_)
        seen_->interfaces.push_back(
            seen[static_cast<std::size_t>(each.builder)].interfaces[static_cast<std::size_t>(each.number)]);
    for (std::size_t i = 1; i < seen.size(); ++i) add(*seen_, seen[i]);
    if (seen.size() > 1)
        std::stable_sort(seen_->completions.begin(), seen_->completions.end(),
                         [](const auto& a, const auto& b) { return a.complete < b.complete; });
}

CameraServer::Part& CameraServer::part(int builder, std::int64_t event) const {
    const bool together = builders_.keeps_events_together();
    const std::size_t parts = together ? 1 : static_cast<std::size_t>(builders_.count());
    const std::size_t index =
        static_cast<std::size_t>(event - 1) * parts + static_cast<std::size_t>(together ? 0 : builder);
    if (index >= parts_.size()) parts_.resize(index + index / 2 + 1);
    return parts_[index];
}

void CameraServer::arrive_at_builder(FrameId& frame, int interface, Time time) {
    const int builder = builders_.of(frame);
    frame.copy %= builders_.count();
    if (interfaces_[static_cast<std::size_t>(interface)].builder != builder)
        throw std::logic_error("a frame arrived at another builder than its event's");
    Part& arrived = part(builder, frame.event);
    ++arrived.arrived;
    arrived.last = std::max(arrived.last, time);
}

void CameraServer::report(std::int64_t events, Outcome& outcome) const {
    int module = 0;
    for (const Group& group : senders_.groups) {
        Outcome::Group& seen = outcome.groups.emplace_back();
        seen.name = group.name;
        seen.modules = group.front_end.modules;
        seen.events = answers_.count(events, module + 1);
        for (const int last = module + seen.modules; module < last; ++module) {
            seen.frames_sent += frames_expected_from(module + 1, events);
            seen.frames_received += by_module_[static_cast<std::size_t>(module)];
        }
    }
    if (builders_.count() == 1) return;
    EventTimes triggers(senders_);
    for (int builder = 0; builder < builders_.count(); ++builder)
        outcome.builders.emplace_back().frames_received = received_by_builder_[static_cast<std::size_t>(builder)];
    for (std::int64_t event = 1; event <= events; ++event) {
        const std::vector<std::int64_t> frames = frames_expected_at_builders(event);
        for (int builder = 0; builder < builders_.count(); ++builder) {
            const std::int64_t expected = frames[static_cast<std::size_t>(builder)];
            if (expected == 0) continue;
            Outcome::Builder& seen = outcome.builders[static_cast<std::size_t>(builder)];
            ++seen.events_sent;
            seen.frames_sent += expected;
            const Part& arrived = part(builder, event);
            if (arrived.arrived != expected) continue;
            const Time latency = arrived.last - triggers.of(event);
            ++seen.events_complete;
            seen.latency += latency;
            seen.latency_most = std::max(seen.latency_most, latency);
        }
    }
}

std::vector<std::int64_t> CameraServer::frames_expected_at_builders(std::int64_t event) const {
    if (const int all = senders_.builders.receiving(); all > 1)
        return std::vector<std::int64_t>(static_cast<std::size_t>(all), frames_expected_of(event) / all);
    std::vector<std::int64_t> frames(static_cast<std::size_t>(builders_.count()));
    const auto at = [&](int module) -> std::int64_t& {
        return frames[static_cast<std::size_t>(builders_.of({event, module, 0, 0}))];
    };
    if (builders_.keeps_events_together())
        at(1) = frames_expected_of(event);
    else
        answers_.for_modules(
            event, [&](int module) { at(module) += static_cast<std::int64_t>(sizes_.of(event, module).size()); });
    return frames;
}

std::int64_t CameraServer::frames_expected_from(int module, std::int64_t events) const {
    const int builders = senders_.builders.receiving();
    if (!sizes_.vary_of(module))
        return answers_.count(events, module) * static_cast<std::int64_t>(sizes_.of(1, module).size()) * builders;
    std::int64_t frames = 0;
    for (std::int64_t event = 1; event <= events; ++event)
        if (answers_(event, module)) frames += static_cast<std::int64_t>(sizes_.of(event, module).size());
    return frames * builders;
}

std::int64_t CameraServer::frames_expected(std::int64_t events) const {
    std::int64_t frames = 0;
    for (int module = 1; module <= static_cast<int>(by_module_.size()); ++module)
        frames += frames_expected_from(module, events);
    return frames;
}

std::int64_t CameraServer::frames_expected_of(std::int64_t event) const {
    const int modules = senders_.front_end.modules;
    if (!sizes_.vary() && senders_.groups.empty()) {  // all modules but the first do the same
        const std::int64_t fragments =
            answers_(event, 1) + (modules > 1 ? std::int64_t{modules - 1} * answers_(event, 2) : 0);
        return fragments * static_cast<std::int64_t>(sizes_.choices().front().size()) * senders_.builders.receiving();
    }
    std::int64_t frames = 0;
    answers_.for_modules(event,
                         [&](int module) { frames += static_cast<std::int64_t>(sizes_.of(event, module).size()); });
    return frames * senders_.builders.receiving();
}

void CameraServer::open(std::size_t chunk) {
    while (chunk >= by_event_.size()) by_event_.emplace_back();
    by_event_[chunk].received.resize(kChunk);
    chunk_ = chunk;
    counts_ = by_event_[chunk].received.data();
}

void CameraServer::close() {
    by_event_[chunk_].received = {};
    chunk_ = SIZE_MAX;
}

std::int64_t CameraServer::received_of(std::int64_t event) const {
    const auto index = static_cast<std::size_t>(event - 1);
    if (index / kChunk >= by_event_.size()) return 0;
    const Chunk& chunk = by_event_[index / kChunk];
    if (chunk.complete == kChunk) return frames_of_each_;
    return chunk.received.empty() ? 0 : chunk.received[index % kChunk];
}

void CameraServer::incomplete(std::int64_t events, IncompleteEvents& into) const {
    for (std::int64_t event = 1; event <= events; ++event) {
        const std::int64_t missing = frames_expected_of(event) - received_of(event);
        if (missing != 0) into.add(event, missing);
    }
}

std::vector<std::int64_t> CameraServer::missing_by_module(std::int64_t events) const {
    std::vector<std::int64_t> missing;
    for (int module = 1; module <= static_cast<int>(by_module_.size()); ++module)
        missing.push_back(frames_expected_from(module, events) - by_module_[static_cast<std::size_t>(module - 1)]);
    return missing;
}

Outcome finalize_result(std::int64_t events, const CameraServer& server, const Ledger& ledger,
                        const Observer* observer) {
    Outcome outcome;
    outcome.frames_sent = server.frames_expected(events);
    outcome.frames_received = server.frames_received();
    outcome.events_sent = events;
    IncompleteEvents incomplete(observer);
    server.incomplete(events, incomplete);
    incomplete.report(outcome);
    outcome.lost_by_module = server.missing_by_module(events);
    outcome.losses = ledger.losses();
    outcome.first_loss = ledger.first_loss();
    outcome.server = server.seen();
    server.report(events, outcome);
    // Frames of later events may fill the memory for which an earlier event still waits.
    if (outcome.server) outcome.events_in_order = false;
    if (outcome.frames_sent != outcome.frames_received + ledger.frames_lost())
        throw std::logic_error("the books do not balance: " + std::to_string(outcome.frames_sent) + " frames sent, " +
                               std::to_string(outcome.frames_received) + " received, " +
                               std::to_string(ledger.frames_lost()) + " lost");
    return outcome;
}

std::vector<Outcome::Link> module_links(const Senders& senders, std::int64_t events, const Ledger& ledger) {
    const FragmentSizes sizes(senders);
    Answers answers(senders);
    std::vector<Outcome::Link> links(static_cast<std::size_t>(senders.front_end.modules));
    for (int module = 1; module <= senders.front_end.modules; ++module) {
        Outcome::Link& link = links[static_cast<std::size_t>(module - 1)];
        const auto add = [&](const std::vector<FrameSizes>& frames, std::int64_t times) {
            link.frames += static_cast<std::int64_t>(frames.size()) * times;
            for (const FrameSizes& frame : frames) link.wire += frame.wire * times;
        };
        if (!sizes.vary_of(module)) {
            add(sizes.of(1, module), answers.count(events, module));
        } else {
            for (std::int64_t event = 1; event <= events; ++event)
                if (answers(event, module)) add(sizes.of(event, module), 1);
        }
        const Outcome::Link refused = ledger.refused_by_fifo(module);
        link.frames -= refused.frames;
        link.wire -= refused.wire;
    }
    return links;
}

}  // namespace watershed
