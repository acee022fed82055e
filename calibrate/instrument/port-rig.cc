// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/port-rig.h"

#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include <thread>

#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

constexpr Nanoseconds kSpin{
    100'000};  // before a trigger the program does not sleep, since waking up takes that long at worst
constexpr Time kTimeToLook{2'000'000'000};  // between triggers, at the queues
constexpr Nanoseconds kTimeToCount{5'000};  // to count some of what has arrived, before a trigger

/// While it lives other programs wait, where this is allowed.
struct RealTime {
    RealTime() {
        prctl(PR_SET_TIMERSLACK, 1UL);
        sched_param first{};
        first.sched_priority = 1;
        sched_setscheduler(0, SCHED_FIFO, &first);
    }
    ~RealTime() {
        sched_param usual{};
        sched_setscheduler(0, SCHED_OTHER, &usual);
    }
};

void sleep_until(Clock::time_point time) {
    const auto since = time.time_since_epoch();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
    const timespec until{static_cast<time_t>(seconds.count()), long(Nanoseconds(since - seconds).count())};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

Time time_of(Nanoseconds time) { return std::chrono::duration_cast<Time>(time); }

}  // namespace

PortRig::PortRig(const PortRigOptions& options) : options_(options) {
    for (const std::string& name : options.send) {
        if (name == options.interface)
            throw InputError("--send, --receive: found " + name + " twice, expected different interfaces");
        from_.push_back(read_interface(name));
        refuse_unusable(from_.back(), options.allow_default_route);
        queues_.push_back(output_queue(from_.back()));
    }
    to_ = options.peer.empty() ? local_end(options) : remote_end(options.peer);
    // Frames of an earlier run, which may still be on their way, have other numbers.
    run_ = std::uint32_t(Clock::now().time_since_epoch().count() / 1000);
}

std::string PortRig::description() const {
    std::string text;
    for (std::size_t i = 0; i < from_.size(); ++i)
        text += text_line("from    %s, %s\n", from_[i].name,
                          queues_[i].usual() ? "which waits while its own queue is full"
                                             : ("whose queue (" + queues_[i].kind + ") is part of what is measured"));
    return text + text_line("to      %s, %s, UDP port %d; from addresses 02:00:01:00:…, TTL 1\n", to_->port().name,
                            address_text(to_->port().mac), server_endpoint(0).port);
}

PreflightFacts PortRig::facts() const {
    PreflightFacts facts;
    for (const Interface& interface : from_) facts.senders.push_back(look_at(interface));
    facts.receiver = to_->facts();
    facts.governors = frequency_governors();
    facts.ring = std::int64_t(options_.ring);
    return facts;
}

void PortRig::check(const BurstSetting& setting) const {
    if (setting.events > options_.most_frames / setting.ports)
        throw InputError(std::to_string(setting.events) + " events of " + std::to_string(setting.ports) +
                         " frames: expected at most --most-frames " + std::to_string(options_.most_frames));
    constexpr std::int64_t kIpAndUdp = 28, kLeast = std::int64_t(EventHeader::kSize);
    std::int64_t most = to_->port().mtu;
    for (const Interface& interface : from_) most = std::min(most, interface.mtu);
    if (setting.payload.count < kLeast || setting.payload.count > most - kIpAndUdp)
        throw InputError("a payload of " + std::to_string(setting.payload.count) + " B: expected " +
                         std::to_string(kLeast) + " to " + std::to_string(most - kIpAndUdp) + " B on these interfaces");
}

void PortRig::look_at_queues(PeakReading& peak) const {
    std::int64_t first = 0, second = 0;
    for (std::int64_t* const held : {&first, &second})
        for (std::size_t i = 0; i < from_.size(); ++i)
            if (!queues_[i].usual()) *held += output_queue(from_[i]).backlog;
    if (first <= peak.amount) return;
    peak.amount = first;
    peak.resolution = std::max<std::int64_t>(0, first - second);
}

std::vector<std::uint64_t> PortRig::unsent() const {
    std::vector<std::uint64_t> frames;
    for (const Interface& interface : from_) {
        const OutputQueue queue = output_queue(interface);
        frames.push_back(frame_counters(interface).unsent + (queue.usual() ? queue.drops : 0));
    }
    return frames;
}

std::int64_t PortRig::send(Fragments& fragments, const BurstSetting& setting, Lateness& lateness, PeakReading& peak) {
    const RealTime real_time;
    const Clock::time_point begin = Clock::now() + std::chrono::milliseconds(1);
    const bool larger = setting.ports * setting.events > std::int64_t(options_.ring);
    std::int64_t refused = 0;
    for (std::int64_t event = 1; event <= setting.events; ++event) {
        const Clock::time_point due = begin + std::chrono::duration_cast<Nanoseconds>(setting.separation * (event - 1));
        // If the ring does not hold the burst, as many are counted as are sent, though the trigger be late.
        std::size_t owed = larger ? std::size_t(setting.ports) : 0;
        while (due - Clock::now() > kTimeToCount || owed > 0) {
            const std::size_t counted = to_->count_some();
            if (counted == 0) break;
            owed -= std::min(owed, counted);
        }
        if (due - Clock::now() > kSpin) sleep_until(due - kSpin);
        Clock::time_point now = Clock::now();
        while (now < due) now = Clock::now();
        for (int port = 0; port < setting.ports; ++port)
            refused += !senders_[std::size_t(port) % senders_.size()]->send(fragments.frame(port, event));
        lateness.add(now - due, Clock::now() - now);
        if (options_.peaks && (event == setting.events || setting.separation > kTimeToLook)) look_at_queues(peak);
    }
    return refused;
}

void PortRig::rest(const BurstRecord& record, Clock::time_point since) const {
    const Time least = std::max<Time>(std::chrono::milliseconds(10), record.row.delay.value_or(Time{0}));
    const Time believed = std::min(options_.full, options_.frame * record.row.frames_received);
    std::this_thread::sleep_for(
        std::chrono::duration_cast<Nanoseconds>(std::max<Time>(least, believed - (Clock::now() - since))));
}

BurstRecord PortRig::measure(const BurstSetting& setting) { return measure(setting, options_.quiet); }

BurstRecord PortRig::measure(const BurstSetting& setting, Time quiet) {
    check(setting);
    for (std::size_t i = senders_.size(); i < from_.size(); ++i)
        senders_.push_back(std::make_unique<FrameSender>(from_[i], queues_[i].usual()));
    ++run_;
    to_->begin(setting, run_, transformed_values(from_, &Interface::mac));
    const std::vector<std::uint64_t> unsent_before = unsent();
    Fragments fragments(setting.ports, setting.payload, to_->port().mac, run_);
    lateness_ = Lateness();
    PeakReading peak{0, false, 0};
    const Clock::time_point began = Clock::now();
    const std::int64_t sent = setting.ports * setting.events, refused = send(fragments, setting, lateness_, peak);
    ArrivedFrames arrived = to_->end(sent - refused, quiet);
    silence_ = arrived.silence;

    BurstRecord record;
    record.row = {setting.ports, setting.payload, setting.separation,        setting.events,
                  sent,          arrived.frames,  time_of(lateness_.worst())};
    record.median_trigger_lateness = time_of(lateness_.median());
    record.trigger_times = lateness_.times(setting.separation);
    record.row.span = record.trigger_times.back() - record.trigger_times.front();
    record.missing = std::move(arrived.missing);
    const auto last = std::find(record.missing.rbegin(), record.missing.rend(), false);
    if (const auto frames = record.missing.rend() - last; frames > 0) {
        const auto [trigger, before] = std::div(frames - 1, std::int64_t{setting.ports});
        record.row.delay =
            std::max(Time{0}, arrived.spread - lateness_.handed_over(std::size_t(trigger), before, setting));
    }
    for (const OutputStall& stall : arrived.stalls) record.row.stalled += lateness_.stalled(stall, setting);
    // A queue that runs empty before each trigger loses what each leaves no time for; else only how long the last took
    // matters.
    const bool runs_empty = record.row.delay && *record.row.delay + lateness_.median_handover() < setting.separation;
    record.row.handover = time_of(runs_empty ? lateness_.mean_handover() : lateness_.last_handover()) / setting.ports *
                          (setting.ports - 1);
    rest(record, began);
    if (peak.amount > 0) {
        peak.resolution += setting.payload.count + 42;  // the frame that leaves while the queue is looked at
        record.row.peak = peak;
    }
    record.host_loss = arrived.host_loss;
    const std::vector<std::uint64_t> unsent_after = unsent();
    for (std::size_t i = 0; i < from_.size(); ++i)
        if (const std::uint64_t lost = unsent_after[i] - unsent_before[i]; lost > 0)
            record.host_loss = from_[i].name + " itself dropped " + std::to_string(lost) + " frames before the wire";
    for (Interface& interface : from_)
        if (const std::string interrupted = interruption_of(interface); !interrupted.empty())
            record.host_loss = interrupted;
    return record;
}

SelfTest PortRig::self_test(int ports, Bytes payload) {
    constexpr int kTriggers = 20;
    constexpr Time kApart{10'000'000'000};
    const BurstRecord record =
        measure({ports, payload, kApart, kTriggers}, std::max(options_.quiet, options_.patience));
    if (record.row.frames_received == 0) {
        const std::string names = listed(from_, [](const Interface& interface) { return interface.name; });
        throw std::runtime_error("of " + std::to_string(record.row.frames_sent) + " frames that " + names +
                                 " sent none arrived at " + to_->port().name + ": is it the other end?");
    }
    // A shorter burst is over before its first frame arrives.
    options_.quiet = std::max(options_.quiet, silence_ * 3 / 2 + kApart * kTriggers);
    return {record.row.frames_sent, record.row.frames_received, lateness_.median_handover(), lateness_.median(),
            lateness_.worst()};
}

}  // namespace watershed
