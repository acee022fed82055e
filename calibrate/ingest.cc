// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest.h"

#include <algorithm>
#include <map>
#include <set>

#include "scenarios/input-error.h"

namespace watershed {
namespace {

/// The value for burst number `burst` (from 0) of a list that has one for all or one for each.
template <class Value>
Value at(const std::vector<Value>& list, std::size_t burst) {
    return list[list.size() == 1 ? 0 : std::min(burst, list.size() - 1)];
}

/// The fragments that one burst delivered.
struct Received {
    std::set<std::pair<std::int64_t, int>> named;   ///< event and module, by the event header
    std::map<Flow, std::int64_t> flows;             ///< packets of each
    std::int64_t frames = 0;
};

class Ingest {
  public:
    Ingest(Capture& capture, const SentBursts& sent) : capture_(capture), sent_(sent) {}

    std::vector<LossMapRow> rows() {
        const bool named = !sent_.by_flow && std::any_of(capture_.fragments.begin(), capture_.fragments.end(), [](const CapturedFragment& f) { return f.header.has_value(); });
        for (const CapturedFragment& fragment : capture_.fragments) {
            if (!payload_) payload_ = sent_.payload ? sent_.payload->count : fragment.payload;
            const std::string reason = fragment.payload != *payload_ ? "a UDP payload other than " + std::to_string(*payload_) + " B" : named ? by_header(fragment) : by_flow(fragment);
            if (!reason.empty()) capture_.refusals.add(reason, fragment.place);
        }
        if (bursts_.empty()) throw InputError(source() + ": found no fragment of a burst among " + std::to_string(capture_.packets) + " packets" + first_refusal());
        check_length("--separation", sent_.separations.size());
        check_length("--events", sent_.events.size());
        std::vector<LossMapRow> rows;
        for (std::size_t i = 0; i < bursts_.size(); ++i) {
            LossMapRow row;
            row.ports = sent_.ports;
            row.payload = Bytes{*payload_};
            row.separation = at(sent_.separations, i);
            row.events = at(sent_.events, i);
            row.frames_sent = row.ports * row.events;
            row.frames_received = bursts_[i].frames;
            rows.push_back(row);
        }
        return rows;
    }

  private:
    static constexpr std::size_t kMostBursts = 100'000;

    /// The first fragment, or one after a long silence.
    bool begins(const CapturedFragment& fragment) {
        const bool first = !last_, silence = last_ && fragment.nanoseconds - *last_ > sent_.gap.count() / 1000;
        last_ = fragment.nanoseconds;
        return first || silence;
    }

    /// Of the present burst.
    std::int64_t events() const { return at(sent_.events, bursts_.size() - 1); }

    /// The events of several bursts are numbered on, or begin anew with another run or after a silence.
    std::string by_header(const CapturedFragment& fragment) {
        if (!fragment.header) return "without an event header";
        const FrameId& frame = fragment.header->frame;
        if (frame.event < 1 || frame.module < 1) return "an event header that counts from 0";
        if (frame.module > sent_.ports) return "a module beyond the " + std::to_string(sent_.ports) + " that there are";
        if (frame.frame != 0) return "not the first frame of its fragment";
        const bool silence = begins(fragment);
        if (bursts_.empty() || fragment.header->run != run_ || (silence && frame.event <= last_event_)) {
            run_ = fragment.header->run;
            before_ = 0;
            bursts_.emplace_back();
        }
        if (frame.event <= before_) return "an event of a burst that was over";
        if (frame.event > before_ + events() && !silence) return "an event beyond the " + std::to_string(events()) + " of its burst";
        if (!skip_to(frame.event)) return "an event of a burst beyond the " + std::to_string(kMostBursts) + " that a capture may hold";
        last_event_ = frame.event;
        if (!bursts_.back().named.emplace(frame.event, frame.module).second) return "captured twice";
        ++bursts_.back().frames;
        return {};
    }

    /// To the burst of this event, past those of which nothing arrived; or not at all, if the number can only be damaged.
    bool skip_to(std::int64_t event) {
        std::int64_t before = before_;
        std::size_t bursts = bursts_.size();
        for (; event > before + at(sent_.events, bursts - 1); ++bursts) {
            if (bursts == kMostBursts) return false;
            before += at(sent_.events, bursts - 1);
        }
        bursts_.resize(bursts);
        before_ = before;
        return true;
    }

    std::string by_flow(const CapturedFragment& fragment) {
        flows_.insert(fragment.flow);
        if (flows_.size() > static_cast<std::size_t>(sent_.ports))
            throw InputError(fragment.place.file + ": packet " + std::to_string(fragment.place.packet) + ": found a flow beyond the " + std::to_string(sent_.ports) +
                             " ports that sent; expected one flow of each (--set front_end.modules, or --port for the server's UDP port)");
        if (begins(fragment)) bursts_.emplace_back();
        Received& burst = bursts_.back();
        if (burst.flows[fragment.flow] >= events()) return "more packets in a flow than the " + std::to_string(events()) + " events of its burst";
        ++burst.flows[fragment.flow];
        ++burst.frames;
        return {};
    }

    void check_length(const std::string& option, std::size_t length) const {
        if (length != 1 && length != bursts_.size())
            throw InputError(option + ": found " + std::to_string(length) + " values for " + std::to_string(bursts_.size()) + " bursts in the capture, expected one for all or one for each");
    }

    std::string source() const { return capture_.fragments.empty() ? "capture" : capture_.fragments.front().place.file; }
    std::string first_refusal() const { return capture_.refusals.entries().empty() ? "" : "; the first is refused: " + capture_.refusals.entries().front().reason; }

    Capture& capture_;
    const SentBursts& sent_;
    std::vector<Received> bursts_;
    std::optional<std::int64_t> payload_, last_;
    std::uint32_t run_ = 0;
    std::int64_t last_event_ = 0;
    std::int64_t before_ = 0;   ///< events of this numbering in earlier bursts
    std::set<Flow> flows_;
};

}  // namespace

std::vector<LossMapRow> ingest(Capture& capture, const SentBursts& sent) { return Ingest(capture, sent).rows(); }

}  // namespace watershed
