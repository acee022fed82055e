// SPDX-License-Identifier: GPL-2.0-only
#include "model/camera-server.h"

#include <stdexcept>
#include <string>

#include "model/trigger.h"

namespace watershed {

CameraServer::CameraServer(int modules, int frames_per_module, Trigger trigger)
    : frames_per_module_(frames_per_module), trigger_(std::move(trigger)), by_module_(static_cast<std::size_t>(modules)) {}

std::int64_t CameraServer::frames_expected(std::int64_t events) const {
    std::int64_t fragments = 0;
    for (int module = 1; module <= static_cast<int>(by_module_.size()); ++module) fragments += events_answered(trigger_, events, module);
    return fragments * frames_per_module_;
}

std::int64_t CameraServer::frames_expected_of(std::int64_t event) const {
    // All modules but the first do the same.
    const std::int64_t others = static_cast<std::int64_t>(by_module_.size()) - 1;
    return (answers(trigger_, event, 1) + others * answers(trigger_, event, 2)) * frames_per_module_;
}

std::vector<Outcome::IncompleteEvent> CameraServer::incomplete(std::int64_t events) const {
    std::vector<Outcome::IncompleteEvent> incomplete;
    for (std::int64_t event = 1; event <= events; ++event) {
        const auto index = static_cast<std::size_t>(event - 1);
        const std::int64_t missing = frames_expected_of(event) - (index < by_event_.size() ? by_event_[index] : 0);
        if (missing != 0) incomplete.push_back({event, missing});
    }
    return incomplete;
}

std::vector<std::int64_t> CameraServer::missing_by_module(std::int64_t events) const {
    std::vector<std::int64_t> missing;
    for (int module = 1; module <= static_cast<int>(by_module_.size()); ++module)
        missing.push_back(events_answered(trigger_, events, module) * frames_per_module_ - by_module_[static_cast<std::size_t>(module - 1)]);
    return missing;
}

Outcome close_books(std::int64_t events, const CameraServer& server, const Ledger& ledger) {
    Outcome outcome;
    outcome.frames_sent = server.frames_expected(events);
    outcome.frames_received = server.frames_received();
    outcome.events_sent = events;
    outcome.incomplete = server.incomplete(events);
    outcome.events_complete = events - static_cast<std::int64_t>(outcome.incomplete.size());
    outcome.lost_by_module = server.missing_by_module(events);
    outcome.losses = ledger.losses();
    outcome.first_loss = ledger.first_loss();
    if (outcome.frames_sent != outcome.frames_received + ledger.frames_lost())
        throw std::logic_error("the books do not balance: " + std::to_string(outcome.frames_sent) + " frames sent, " +
                               std::to_string(outcome.frames_received) + " received, " + std::to_string(ledger.frames_lost()) + " lost");
    return outcome;
}

std::vector<Outcome::Link> module_links(const Scenario& scenario, std::int64_t events, const Ledger& ledger) {
    const std::vector<FrameSizes> frames = frames_of_fragment(scenario.frame);
    std::vector<Outcome::Link> links(static_cast<std::size_t>(scenario.front_end.modules));
    for (int module = 1; module <= scenario.front_end.modules; ++module)
        for (int i = 0; i < static_cast<int>(frames.size()); ++i) {
            const std::int64_t sent = events_answered(scenario.trigger, events, module) - ledger.refused_by_fifo(module, i);
            Outcome::Link& link = links[static_cast<std::size_t>(module - 1)];
            link.frames += sent;
            link.wire += frames[static_cast<std::size_t>(i)].wire * sent;
        }
    return links;
}

}  // namespace watershed
