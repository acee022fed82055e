// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/frame-table.h"

#include <algorithm>

#include "model/frontend/sender-ports.h"
#include "scenarios/text/units.h"

namespace watershed {

FrameTable::FrameTable(const Scenario& scenario, Time from, Time until)
    : scenario_(scenario), network_(scenario), from_(from), until_(until) {}

void FrameTable::add(Row row) {
    if (row.until >= from_ && row.time <= until_) rows_.push_back(std::move(row));
}

Outcome FrameTable::run(const Observer* observer) {
    FrameLog log;
    log.carried = [this](const FrameId& frame, int link, Time begin, Time end) {
        add({begin, end, Step::Carried, link, frame});
    };
    log.held = [this](int number, Time time, std::int64_t frames, Bytes bytes) {
        add({time, time, Step::Held, number, {}, frames, bytes.count});
    };
    log.lost = [this](const FrameId& frame, Time time, const LossCause& cause) {
        if (time < from_ || time > until_) return;
        add({time, time, Step::Lost, static_cast<int>(losses_.size()), frame});
        losses_.emplace_back(cause.where, cause.reason);
    };
    const Outcome outcome = log_frames(scenario_, observer, log);
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.time < b.time; });
    return outcome;
}

void FrameTable::write(std::ostream& out) const {
    out << "step,time_us,until_us,place,uplink,event,module,fragment,stream,frames,bytes,reason\n";
    for (const Row& row : rows_) write(out, row);
}

void FrameTable::write(std::ostream& out, const Row& row) const {
    const auto number = [](std::int64_t each) { return each > 0 ? std::to_string(each) : std::string(); };
    const auto frame = [&] {
        const FrameId& id = row.frame;
        const bool beside = id.stream > 0;
        const std::string stream = beside ? scenario_.traffic[static_cast<std::size_t>(id.stream - 1)].name : "";
        out << ',' << id.event << ',' << number(id.module) << ',' << (beside ? "" : std::to_string(id.frame + 1)) << ','
            << stream;
    };
    const auto switch_named = [&](int place) { return network_.switches()[static_cast<std::size_t>(place)].name; };
    switch (row.step) {
        case Step::Carried: {
            out << "carried," << microseconds(row.time) << ',' << microseconds(row.until) << ',';
            if (row.place >= 0) {
                const Network::Link& link = network_.links()[static_cast<std::size_t>(row.place)];
                out << switch_named(link.from) << ',' << link.uplink + 1;
            } else {
                const int port = -1 - row.place;
                const bool own = port >= scenario_.front_end.modules;
                out << (own ? "stream " + scenario_.traffic[static_cast<std::size_t>(row.frame.stream - 1)].name
                            : "module " + std::to_string(port + 1))
                    << ',';
            }
            frame();
            out << ",,,\n";
            return;
        }
        case Step::Held:
            out << "held," << microseconds(row.time) << ",," << switch_named(row.place) << ",,,,,," << row.frames << ','
                << row.bytes << ",\n";
            return;
        case Step::Lost: {
            const auto& [where, reason] = losses_[static_cast<std::size_t>(row.place)];
            out << "lost," << microseconds(row.time) << ",," << where << ',';
            frame();
            out << ",,," << reason << '\n';
            return;
        }
    }
}

}  // namespace watershed
