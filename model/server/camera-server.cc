// SPDX-License-Identifier: GPL-2.0-only
#include "model/server/camera-server.h"

#include <stdexcept>
#include <string>

namespace watershed {

FiniteServer::FiniteServer(const Receiver& receiver, int interfaces, const Trigger& trigger, std::uint64_t seed,
                           const FragmentSizes& sizes, Callbacks books)
    : books_(std::move(books)),
      sizes_(sizes),
      path_(receiver, interfaces),
      builder_(receiver, books_of_builder()),
      train_(trigger, seed) {}

EventBuilder::Callbacks FiniteServer::books_of_builder() {
    return {books_.received, books_.lost, books_.expected, [this](Time now) { tell_occupancy(now); }};
}

void FiniteServer::advance(Time now) {
    for (; !arriving_.empty() && arriving_.top().time < now; arriving_.pop()) {
        const auto& [time, interface, frame] = arriving_.top();
        take_until(time);
        builder_.advance(time);
        if (path_.arrive(frame, sizes_.of(frame.event, frame.module)[static_cast<std::size_t>(frame.frame)], interface,
                         time)) {
            ++in_rings_;
            tell_occupancy(time);
        } else {
            books_.lost(frame, time, ReceivePath::kRingFull);
        }
    }
}

void FiniteServer::take_until(Time now) {
    while (const auto taken = path_.next(now)) {
        builder_.advance(taken->time);
        --in_rings_;
        tell_occupancy(taken->time);
        builder_.add(taken->frame, taken->payload, trigger_of(taken->frame.event), taken->time);
    }
}

Time FiniteServer::trigger_of(std::int64_t event) {
    while (static_cast<std::int64_t>(triggers_.size()) < event) triggers_.push_back(*train_.next());
    return triggers_[static_cast<std::size_t>(event - 1)];
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

CameraServer::CameraServer(int modules, FragmentSizes sizes, Trigger trigger)
    : sizes_(std::move(sizes)), trigger_(std::move(trigger)), by_module_(static_cast<std::size_t>(modules)) {
    const bool differs = sizes_.vary() || trigger_.pattern == Trigger::Pattern::LineRatePlusBurst;
    frames_of_each_ = differs ? 0 : frames_expected_of(1);
}

CameraServer::CameraServer(const Senders& senders, const Server& server, int interfaces, Reports reports)
    : CameraServer(senders.front_end.modules,
                   FragmentSizes(senders.frame, senders.seed, senders.front_end.modules_before), senders.trigger) {
    if (!server.receiver) return;
    finite_ = std::make_unique<FiniteServer>(
        *server.receiver, interfaces, trigger_, senders.seed, sizes_,
        FiniteServer::Callbacks{[this](const FrameId& frame) { receive(frame); }, std::move(reports.lost),
                                [this](std::int64_t event) { return frames_expected_of(event); },
                                std::move(reports.occupancy)});
}

std::int64_t CameraServer::frames_expected_from(int module, std::int64_t events) const {
    if (!sizes_.vary())
        return events_answered(trigger_, events, module) * static_cast<std::int64_t>(sizes_.choices().front().size());
    std::int64_t frames = 0;
    for (std::int64_t event = 1; event <= events; ++event)
        if (answers(trigger_, event, module)) frames += static_cast<std::int64_t>(sizes_.of(event, module).size());
    return frames;
}

std::int64_t CameraServer::frames_expected(std::int64_t events) const {
    std::int64_t frames = 0;
    for (int module = 1; module <= static_cast<int>(by_module_.size()); ++module)
        frames += frames_expected_from(module, events);
    return frames;
}

std::int64_t CameraServer::frames_expected_of(std::int64_t event) const {
    const auto modules = static_cast<int>(by_module_.size());
    if (!sizes_.vary()) {  // all modules but the first do the same
        const std::int64_t fragments =
            answers(trigger_, event, 1) + std::int64_t{modules - 1} * answers(trigger_, event, 2);
        return fragments * static_cast<std::int64_t>(sizes_.choices().front().size());
    }
    std::int64_t frames = 0;
    for (int module = 1; module <= modules; ++module)
        if (answers(trigger_, event, module)) frames += static_cast<std::int64_t>(sizes_.of(event, module).size());
    return frames;
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
    // Frames of later events may fill the memory for which an earlier event still waits.
    if (outcome.server) outcome.events_in_order = false;
    if (outcome.frames_sent != outcome.frames_received + ledger.frames_lost())
        throw std::logic_error("the books do not balance: " + std::to_string(outcome.frames_sent) + " frames sent, " +
                               std::to_string(outcome.frames_received) + " received, " +
                               std::to_string(ledger.frames_lost()) + " lost");
    return outcome;
}

std::vector<Outcome::Link> module_links(const Senders& senders, std::int64_t events, const Ledger& ledger) {
    const FragmentSizes sizes(senders.frame, senders.seed, senders.front_end.modules_before);
    std::vector<Outcome::Link> links(static_cast<std::size_t>(senders.front_end.modules));
    for (int module = 1; module <= senders.front_end.modules; ++module) {
        Outcome::Link& link = links[static_cast<std::size_t>(module - 1)];
        const auto add = [&](const std::vector<FrameSizes>& frames, std::int64_t times) {
            link.frames += static_cast<std::int64_t>(frames.size()) * times;
            for (const FrameSizes& frame : frames) link.wire += frame.wire * times;
        };
        if (!sizes.vary()) {
            add(sizes.choices().front(), events_answered(senders.trigger, events, module));
        } else {
            for (std::int64_t event = 1; event <= events; ++event)
                if (answers(senders.trigger, event, module)) add(sizes.of(event, module), 1);
        }
        const Outcome::Link refused = ledger.refused_by_fifo(module);
        link.frames -= refused.frames;
        link.wire -= refused.wire;
    }
    return links;
}

}  // namespace watershed
