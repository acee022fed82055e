// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/receiving-end.h"

#include <deque>
#include <thread>

#include "model/base/search.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

constexpr std::size_t kTakenAtOnce = 16;  // in a microsecond or two, so that there is time for it between triggers

std::string losses_between(const FrameCounters& before, const FrameCounters& after) {
    if (after.missed != before.missed)
        return "the network card missed " + std::to_string(after.missed - before.missed) + " frames";
    if (after.damaged != before.damaged)
        return std::to_string(after.damaged - before.damaged) + " frames arrived damaged";
    if (after.backlog != before.backlog)
        return "the kernel dropped " + std::to_string(after.backlog - before.backlog) +
               " frames before the receiver saw them";
    return "";
}

/// A port of this machine.
class LocalEnd final : public ReceivingEnd {
  public:
    explicit LocalEnd(const ReceivingOptions& options)
        : ReceivingEnd(read_interface(options.interface)), options_(options) {
        refuse_unusable(port_, options.allow_default_route);
    }
    PortFacts facts() const override { return look_at(port_); }

    void begin(const BurstSetting& setting, std::uint32_t run, const std::vector<MacAddress>& senders) override {
        if (!receiver_) {
            announcer_ = std::make_unique<FrameSender>(port_, true);
            receiver_ = std::make_unique<FrameReceiver>(port_, server_endpoint(0).port, options_.ring);
        }
        // One frame, so that a switch knows where the address is.
        constexpr std::uint16_t kLocalExperiment = 0x88b5;  // IEEE 802
        std::vector<std::uint8_t> frame(60);
        for (const MacAddress& sender : senders) {
            std::copy(sender.begin(), sender.end(), frame.begin());
            std::copy(port_.mac.begin(), port_.mac.end(), frame.begin() + 6);
            write_big_endian<2>(&frame[12], kLocalExperiment);
            announcer_->send(frame);
        }
        arrivals_ = std::make_unique<ReceivedFragments>(setting.ports, setting.events, run);
        late_ = std::int64_t(receiver_->take(options_.ring, [](const std::uint8_t*, Time) {}));
        receiver_->dropped();
        before_ = frame_counters(port_);
    }

    std::size_t count_some() override {
        return receiver_->take(kTakenAtOnce,
                               [&](const std::uint8_t* frame, Time time) { arrivals_->take(frame, time); });
    }

    ArrivedFrames end(std::int64_t expected, Time wait) override {
        const auto quiet = std::chrono::duration_cast<std::chrono::nanoseconds>(wait);
        Clock::time_point last = Clock::now();
        Time silence{0};
        while (arrivals_->frames() < expected) {
            // Frames that came while this program was held up lie in the ring: only a look that finds none, after the
            // time is over, ends the burst.
            const Clock::time_point now = Clock::now();
            if (count_some() > 0) {
                silence = std::max<Time>(silence, now - last);
                last = now;
            } else if (now - last >= quiet) {
                break;
            } else {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        }
        const FrameCounters after = frame_counters(port_);
        ArrivedFrames arrived{arrivals_->frames(),
                              arrivals_->missing(),
                              losses_between(before_, after),
                              silence,
                              arrivals_->spread(),
                              output_stalls(arrivals_->in_order())};
        if (const std::string interrupted = interruption_of(port_); !interrupted.empty())
            arrived.host_loss = interrupted;
        const auto dropped = std::int64_t(receiver_->dropped());
        if (dropped > 0) arrived.host_loss = "the receive ring had no room for " + std::to_string(dropped) + " frames";
        const std::int64_t others = foreign_.add(std::int64_t(after.received - before_.received),
                                                 arrivals_->frames() + arrivals_->of_other_runs() + dropped);
        // Spanning tree, LLDP and IPv6 announce themselves by a frame now and then.
        constexpr std::int64_t kUsual = 4, kPerThousand = 1000;
        if (others > kUsual && others * kPerThousand > expected)
            arrived.host_loss = port_.name + " also received " + std::to_string(others) +
                                " frames of others: what else uses this port of the switch?";
        if (const std::int64_t late = late_ + arrivals_->of_other_runs(); late > 0)
            arrived.host_loss = std::to_string(late) +
                                " frames came when the burst before seemed to be over, so that its row and this one "
                                "are wrong: a longer --quiet waits for them";
        return arrived;
    }

  private:
    ReceivingOptions options_;
    std::unique_ptr<FrameSender> announcer_;
    std::unique_ptr<FrameReceiver> receiver_;
    std::unique_ptr<ReceivedFragments> arrivals_;
    FrameCounters before_;
    ForeignFrames foreign_;
    std::int64_t late_ = 0;  ///< frames that the burst before did not wait for
};

/// Frames in which a pause is made up, and parts of a burst of which the middle one has the usual pace.
constexpr std::size_t kLeastWindow = 64, kPartsOfBurst = 10;
/// A part of the usual pace.
constexpr int kFinest = 4;

/// Returns the usual time from frame to frame: the median over windows of `window` frames.
Time usual_pace(const std::vector<ArrivedFrame>& arrivals, std::size_t window) {
    std::vector<Time> parts;
    for (std::size_t i = 0; i + window < arrivals.size(); i += window / 2)
        parts.push_back(arrivals[i + window].time - arrivals[i].time);
    return median(std::move(parts)) / static_cast<std::int64_t>(window);
}

}  // namespace

void refuse_unusable(const Interface& interface, bool allow_default_route) {
    if (!interface.up)
        throw InputError(interface.name + ": the interface is down, expected one that is up: ip link set " +
                         interface.name + " up");
    if (!interface.running) throw InputError(interface.name + ": there is nothing at the other end of its cable");
    if (!allow_default_route && has_default_route(interface.name))
        throw InputError(interface.name +
                         ": a default route leaves by it, so that bursts would meet other traffic; expected another "
                         "interface, or --allow-default-route");
}

std::string interruption_of(Interface& interface) {
    const Interface now = read_interface(interface.name);
    if (!now.up || !now.running)
        throw std::runtime_error(interface.name + ": the link went down while bursts were sent");
    const bool changed = now.changes != interface.changes;
    interface.changes = now.changes;
    return changed ? interface.name + ": the link was down for a while" : "";
}

std::string address_text(const MacAddress& mac) {
    return text_line("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}

std::unique_ptr<ReceivingEnd> local_end(const ReceivingOptions& options) { return std::make_unique<LocalEnd>(options); }

std::vector<OutputStall> output_stalls(const std::vector<ArrivedFrame>& arrivals) {
    std::vector<OutputStall> stalls;
    const std::size_t window = std::max(kLeastWindow, arrivals.size() / kPartsOfBurst);
    if (arrivals.size() < 2 * window) return stalls;
    const Time pace = usual_pace(arrivals, window);
    const auto lateness = [&](std::size_t i) { return arrivals[i].time - pace * static_cast<std::int64_t>(i); };
    // Less cannot be told from when frames were noted.
    const Time least_lost = std::max(Time{1}, pace / kFinest);
    // The least lateness of the frames from each on, as far as the window reaches: where it grows time was lost.
    std::deque<std::size_t> least;  // places of rising lateness, the first being the least
    std::size_t seen = 0;
    const auto least_from = [&](std::size_t from) {
        for (; seen < std::min(from + window, arrivals.size()); ++seen) {
            while (!least.empty() && lateness(least.back()) >= lateness(seen)) least.pop_back();
            least.push_back(seen);
        }
        while (least.front() < from) least.pop_front();
        return lateness(least.front());
    };
    Time before = least_from(0);
    for (std::size_t i = 1; i + kLeastWindow <= arrivals.size(); ++i) {
        const Time now = least_from(i), lost = now - before;
        before = now;
        if (lost >= least_lost) stalls.push_back({arrivals[i].place, arrivals[i - 1].time - arrivals[0].time, lost});
    }
    return stalls;
}

}  // namespace watershed
