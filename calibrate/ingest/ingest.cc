// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/ingest.h"

#include <boost/algorithm/cxx11/any_of.hpp>
#include <map>
#include <set>

#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// The value for burst number `burst` (from 0) of a list that has one for all or one for each.
template <class Value>
Value at(const std::vector<Value>& list, std::size_t burst) {
    return list[list.size() == 1 ? 0 : std::min(burst, list.size() - 1)];
}

/// The fragments that one burst delivered.
struct Received {
    std::set<std::pair<std::int64_t, int>> named;  ///< event and module, by the event header
    std::map<Flow, std::int64_t> flows;            ///< packets of each, those beyond the events too
    std::int64_t frames = 0;
    std::int64_t before = 0;  ///< events of the same numbering in earlier bursts
};

std::string where(const PacketPlace& place) { return place.file + ": packet " + std::to_string(place.packet) + ": "; }

class Ingest {
  public:
    Ingest(Capture& capture, const SentBursts& sent)
        : capture_(capture),
          sent_(sent),
          named_(!sent.by_flow && boost::algorithm::any_of(capture.fragments, [](const CapturedFragment& f) {
              return f.header.has_value();
          })) {}

    std::vector<LossMapRow> rows() {
        expect_payload();
        for (const CapturedFragment& fragment : capture_.fragments) {
            const std::string reason = fragment.payload != *payload_
                                           ? "a UDP payload other than " + std::to_string(*payload_) + " B"
                                       : named_ ? by_header(fragment)
                                                : by_flow(fragment);
            if (!reason.empty()) capture_.refusals.add(reason, fragment.place);
        }
        if (bursts_.empty()) {
            const auto& fragments = capture_.fragments;
            const auto& refused = capture_.refusals.entries();
            throw InputError((fragments.empty() ? std::string("capture") : fragments.front().place.file) +
                             ": found no fragment of a burst among " + std::to_string(capture_.packets) + " packets" +
                             (refused.empty() ? "" : "; the first is refused: " + refused.front().reason));
        }
        expect_what_was_sent();
        check_length("--separation", sent_.separations.size());
        check_length("--events", sent_.events.size());
        std::vector<LossMapRow> rows;
        for (std::size_t i = 0; i < bursts_.size(); ++i) {
            const std::int64_t events = at(sent_.events, i);
            rows.push_back({sent_.ports, Bytes{*payload_}, at(sent_.separations, i), events, sent_.ports * events,
                            bursts_[i].frames, std::nullopt});
        }
        return rows;
    }

  private:
    static constexpr std::size_t kMostBursts = 100'000;

    /// Most of what may be a fragment has the payload that was sent; a few packets of another may be another service's.
    void expect_payload() {
        std::map<std::int64_t, Packets> payloads;  // packets that may be fragments, by payload
        for (const CapturedFragment& fragment : capture_.fragments)
            if (!named_ || fragment.header) payloads[fragment.payload].add(fragment.place);
        if (payloads.empty()) return;
        const auto most = boost::max_element(
            payloads, [](const auto& a, const auto& b) { return a.second.packets < b.second.packets; });
        payload_ = sent_.payload ? sent_.payload->count : most->first;
        if (2 * payloads[*payload_].packets >= most->second.packets) return;
        throw InputError(where(most->second.first) + "UDP payload: found " + std::to_string(most->first) + " B, in " +
                         std::to_string(most->second.packets) + " packets, expected " + std::to_string(*payload_) +
                         " B (frame.payload of the scenario)");
    }

    /// A capture of other bursts gives rows that look like measured ones: lossless, or with losses that never were.
    void expect_what_was_sent() {
        if (capture_.damage)
            throw InputError(where(*capture_.damage) +
                             "the file ends or is damaged here, expected a whole capture: what came later would count "
                             "as lost (\"tcpdump -r FILE -w NEW.pcap\" keeps the whole packets)");
        if (beyond_modules_.packets > 0)
            throw InputError(where(beyond_modules_.first) + "found a module beyond the " + std::to_string(sent_.ports) +
                             " that sent, in " + std::to_string(beyond_modules_.packets) + " packets: " + seen() +
                             ", expected front_end.modules = " + std::to_string(sent_.ports));
        if (beyond_events_.packets > 0)
            throw InputError(where(beyond_events_.first) + "found more than the " +
                             std::to_string(events_of_contradiction_) + " events of a burst, in " +
                             std::to_string(beyond_events_.packets) + " packets: " + seen() + ", expected --events " +
                             std::to_string(events_of_contradiction_));
        if (silence_.packets > 0)
            throw InputError(where(silence_.first) + "found a silence before event " +
                             std::to_string(event_after_silence_) + ", within a burst of " +
                             std::to_string(events_of_contradiction_) + " events: " + seen() +
                             ", expected --events of each burst, or --gap longer than any silence within");
        for (std::size_t i = 0; i < bursts_.size(); ++i) warn_of_missing_end(i);
    }

    /// Overflow loses frames of the last events, hardly all of all modules.
    void warn_of_missing_end(std::size_t burst) {
        const std::int64_t expected = at(sent_.events, burst);
        const Received& received = bursts_[burst];
        std::int64_t last = 0;
        if (named_ && !received.named.empty()) last = received.named.rbegin()->first - received.before;
        if (!named_)
            for (const auto& [flow, packets] : received.flows) last = std::max(last, packets);
        if (last == 0 || last >= expected) return;
        capture_.warnings.push_back("burst " + std::to_string(burst + 1) + ": " +
                                    (named_ ? "nothing arrived after event " + std::to_string(last)
                                            : "no flow has more than " + std::to_string(last) + " packets") +
                                    " of " + std::to_string(expected) + ": were " + std::to_string(expected) +
                                    " events sent (--events)?");
    }

    /// Returns a description of the capture and of the refused packets.
    std::string seen() const {
        if (named_) {
            std::set<std::int64_t> events;
            std::set<int> modules;
            for (const CapturedFragment& fragment : capture_.fragments)
                if (fragment.header && fragment.payload == *payload_)
                    events.insert(fragment.header->frame.event), modules.insert(fragment.header->frame.module);
            return "the capture has " + std::to_string(events.size()) + " events of " + std::to_string(modules.size()) +
                   " modules in " + how_many(bursts_.size(), "burst");
        }
        std::int64_t most = 0;
        for (const Received& burst : bursts_)
            for (const auto& [flow, packets] : burst.flows) most = std::max(most, packets);
        return "the capture has " + std::to_string(flows_.size()) + " flows of up to " + std::to_string(most) +
               " packets in a burst";
    }

    /// The first fragment, or one after a long silence.
    bool begins(const CapturedFragment& fragment) {
        const bool first = !last_, silence = last_ && fragment.nanoseconds - *last_ > sent_.gap.count() / 1000;
        last_ = fragment.nanoseconds;
        return first || silence;
    }

    /// Returns the number of events of the present burst.
    std::int64_t events() const { return at(sent_.events, bursts_.size() - 1); }

    /// The events of several bursts are numbered on, or begin anew with another run or after a silence.
    std::string by_header(const CapturedFragment& fragment) {
        if (!fragment.header) return "without an event header";
        const FrameId& frame = fragment.header->frame;
        if (frame.event < 1 || frame.module < 1) return "an event header that counts from 0";
        if (frame.module > sent_.ports) {
            beyond_modules_.add(fragment.place);
            return "a module beyond the " + std::to_string(sent_.ports) + " that there are";
        }
        if (frame.frame != 0) return "not the first frame of its fragment";
        const bool silence = begins(fragment);
        if (bursts_.empty() || fragment.header->run != run_ || (silence && frame.event <= last_event_)) {
            run_ = fragment.header->run;
            before_ = 0;
            bursts_.emplace_back();
        } else if (silence && frame.event > before_ + 1 && frame.event <= before_ + events() &&
                   frame.event > last_event_ && silence_.packets == 0) {
            silence_.add(fragment.place);
            event_after_silence_ = frame.event - before_;
            events_of_contradiction_ = events();
        }
        if (frame.event <= before_) return "an event of a burst that was over";
        if (frame.event > before_ + events() && !silence) {
            if (beyond_events_.packets == 0) events_of_contradiction_ = events();
            beyond_events_.add(fragment.place);
            return "an event beyond the " + std::to_string(events()) + " of its burst";
        }
        if (!skip_to(frame.event))
            return "an event of a burst beyond the " + std::to_string(kMostBursts) + " that a capture may hold";
        last_event_ = frame.event;
        if (!bursts_.back().named.emplace(frame.event, frame.module).second) return "captured twice";
        ++bursts_.back().frames;
        return {};
    }

    /// To the burst of this event, past those of which nothing arrived; or not at all, if the number can only be
    /// damaged.
    bool skip_to(std::int64_t event) {
        std::int64_t before = before_;
        std::size_t bursts = bursts_.size();
        for (; event > before + at(sent_.events, bursts - 1); ++bursts) {
            if (bursts == kMostBursts) return false;
            before += at(sent_.events, bursts - 1);
        }
        bursts_.resize(bursts);
        bursts_.back().before = before_ = before;
        return true;
    }

    std::string by_flow(const CapturedFragment& fragment) {
        flows_.insert(fragment.flow);
        if (flows_.size() > std::size_t(sent_.ports))
            throw InputError(where(fragment.place) + "found a flow beyond the " + std::to_string(sent_.ports) +
                             " ports that sent; expected one flow of each (--set front_end.modules, or --port for the "
                             "server's UDP port)");
        if (begins(fragment)) bursts_.emplace_back();
        Received& burst = bursts_.back();
        if (++burst.flows[fragment.flow] > events()) {
            if (beyond_events_.packets == 0) events_of_contradiction_ = events();
            beyond_events_.add(fragment.place);
            return "more packets in a flow than the " + std::to_string(events()) + " events of its burst";
        }
        ++burst.frames;
        return {};
    }

    void check_length(const std::string& option, std::size_t length) const {
        if (length != 1 && length != bursts_.size())
            throw InputError(option + ": found " + std::to_string(length) + " values for " +
                             std::to_string(bursts_.size()) +
                             " bursts in the capture, expected one for all or one for each");
    }

    Capture& capture_;
    const SentBursts& sent_;
    const bool named_;
    std::vector<Received> bursts_;
    Packets beyond_modules_, beyond_events_, silence_;  ///< packets that contradict `sent`
    std::int64_t events_of_contradiction_ = 0, event_after_silence_ = 0;
    std::optional<std::int64_t> payload_, last_;
    std::uint32_t run_ = 0;
    std::int64_t last_event_ = 0;
    std::int64_t before_ = 0;  ///< events of this numbering in earlier bursts
    std::set<Flow> flows_;
};

}  // namespace

std::vector<LossMapRow> ingest(Capture& capture, const SentBursts& sent) { return Ingest(capture, sent).rows(); }

}  // namespace watershed
