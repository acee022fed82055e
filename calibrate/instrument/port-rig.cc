// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/port-rig.h"

#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "model/base/byte-order.h"
#include "model/base/udp-head.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Clock = std::chrono::steady_clock;  // the monotonic one

constexpr std::size_t kTakenAtOnce = 256;
constexpr Nanoseconds kSpin{
    100'000};  // before a trigger the program does not sleep, since waking up takes that long at worst
constexpr Nanoseconds kEnough{200'000};  // to count what has arrived, before a trigger

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
    const timespec until{static_cast<time_t>(seconds.count()), static_cast<long>(Nanoseconds(since - seconds).count())};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

Time time_of(Nanoseconds time) { return std::chrono::duration_cast<Time>(time); }

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

std::string address_text(const std::array<std::uint8_t, 6>& mac) {
    return text_line("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}

std::string losses_between(const HostLosses& before, const HostLosses& after) {
    if (after.missed != before.missed)
        return "the network card missed " + std::to_string(after.missed - before.missed) + " frames";
    if (after.damaged != before.damaged)
        return std::to_string(after.damaged - before.damaged) + " frames arrived damaged";
    if (after.backlog != before.backlog)
        return "the kernel dropped " + std::to_string(after.backlog - before.backlog) +
               " frames before the receiver saw them";
    return "";
}

}  // namespace

PortRig::PortRig(const PortRigOptions& options) : options_(options), to_(read_interface(options.receive)) {
    for (const std::string& name : options.send) {
        if (name == options.receive)
            throw InputError("--send, --receive: found " + name + " twice, expected different interfaces");
        from_.push_back(read_interface(name));
        refuse_unusable(from_.back(), options.allow_default_route);
        queues_.push_back(output_queue(from_.back()));
    }
    refuse_unusable(to_, options.allow_default_route);
    // Frames of an earlier run, which may still be on their way, have other numbers.
    run_ = static_cast<std::uint32_t>(Clock::now().time_since_epoch().count() / 1000);
}

void PortRig::open() {
    for (std::size_t i = senders_.size(); i < from_.size(); ++i)
        senders_.push_back(std::make_unique<FrameSender>(from_[i], queues_[i].usual()));
    if (receiver_) return;
    announcer_ = std::make_unique<FrameSender>(to_, true);
    receiver_ = std::make_unique<FrameReceiver>(to_, server_endpoint(0).port, options_.ring);
}

std::string PortRig::description() const {
    std::string text;
    for (std::size_t i = 0; i < from_.size(); ++i)
        text += text_line("from    %s, %s\n", from_[i].name.c_str(),
                          queues_[i].usual()
                              ? "which waits while its own queue is full"
                              : ("whose queue (" + queues_[i].kind + ") is part of what is measured").c_str());
    return text + text_line("to      %s, %s, UDP port %d; from addresses 02:00:01:00:…, TTL 1\n", to_.name.c_str(),
                            address_text(to_.mac).c_str(), server_endpoint(0).port);
}

void PortRig::check(const BurstSetting& setting) const {
    if (setting.events > options_.most_frames / setting.ports)
        throw InputError(std::to_string(setting.events) + " events of " + std::to_string(setting.ports) +
                         " frames: expected at most --most-frames " + std::to_string(options_.most_frames));
    constexpr std::int64_t kIpAndUdp = 28, kLeast = static_cast<std::int64_t>(EventHeader::kSize);
    std::int64_t most = to_.mtu;
    for (const Interface& interface : from_) most = std::min(most, interface.mtu);
    if (setting.payload.count < kLeast || setting.payload.count > most - kIpAndUdp)
        throw InputError("a payload of " + std::to_string(setting.payload.count) + " B: expected " +
                         std::to_string(kLeast) + " to " + std::to_string(most - kIpAndUdp) + " B on these interfaces");
}

std::string PortRig::interruption() {
    std::string interrupted;
    const auto look = [&](Interface& interface) {
        const Interface now = read_interface(interface.name);
        if (!now.up || !now.running)
            throw std::runtime_error(interface.name + ": the link went down while bursts were sent");
        if (now.changes != interface.changes) interrupted = interface.name + ": the link was down for a while";
        interface.changes = now.changes;
    };
    for (Interface& interface : from_) look(interface);
    look(to_);
    return interrupted;
}

void PortRig::announce() const {
    constexpr std::uint16_t kLocalExperiment = 0x88b5;  // IEEE 802
    std::vector<std::uint8_t> frame(60);
    for (const Interface& sender : from_) {
        std::copy(sender.mac.begin(), sender.mac.end(), frame.begin());
        std::copy(to_.mac.begin(), to_.mac.end(), frame.begin() + 6);
        write_big_endian<2>(&frame[12], kLocalExperiment);
        announcer_->send(frame);
    }
}

std::int64_t PortRig::send(Fragments& fragments, const BurstSetting& setting, Arrivals& arrivals, Lateness& lateness) {
    const RealTime real_time;
    const auto count = [&](const std::uint8_t* frame) { arrivals.take(frame); };
    const Clock::time_point begin = Clock::now() + std::chrono::milliseconds(1);
    std::int64_t refused = 0;
    for (std::int64_t event = 1; event <= setting.events; ++event) {
        const Clock::time_point due = begin + std::chrono::duration_cast<Nanoseconds>(setting.separation * (event - 1));
        while (due - Clock::now() > kEnough && receiver_->take(kTakenAtOnce, count) > 0) {
        }
        if (due - Clock::now() > kSpin) sleep_until(due - kSpin);
        Clock::time_point now = Clock::now();
        while (now < due) now = Clock::now();
        for (int port = 0; port < setting.ports; ++port)
            refused += !senders_[static_cast<std::size_t>(port) % senders_.size()]->send(fragments.frame(port, event));
        lateness.add(now - due, Clock::now() - now);
    }
    return refused;
}

void PortRig::settle(Arrivals& arrivals, std::int64_t expected) {
    const auto quiet = std::chrono::duration_cast<Nanoseconds>(options_.quiet);
    Clock::time_point last = Clock::now();
    while (arrivals.frames() < expected && Clock::now() - last < quiet) {
        if (receiver_->take(kTakenAtOnce, [&](const std::uint8_t* frame) { arrivals.take(frame); }) > 0)
            last = Clock::now();
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // a token bucket fills again
}

BurstRecord PortRig::measure(const BurstSetting& setting) {
    check(setting);
    open();
    ++run_;
    announce();
    Fragments fragments(setting.ports, setting.payload, to_.mac, run_);
    Arrivals arrivals(setting.ports, setting.events, run_);
    lateness_ = Lateness();
    receiver_->take(options_.ring, [](const std::uint8_t*) {});  // what came too late for the last burst
    receiver_->dropped();
    const HostLosses before = host_losses(to_);
    const std::int64_t sent = setting.ports * setting.events, refused = send(fragments, setting, arrivals, lateness_);
    settle(arrivals, sent - refused);

    BurstRecord record;
    record.row.ports = setting.ports;
    record.row.payload = setting.payload;
    record.row.separation = setting.separation;
    record.row.events = setting.events;
    record.row.frames_sent = sent;
    record.row.frames_received = arrivals.frames();
    record.row.worst_trigger_lateness = time_of(lateness_.worst());
    record.median_trigger_lateness = time_of(lateness_.median());
    record.host_loss = losses_between(before, host_losses(to_));
    if (const std::string interrupted = interruption(); !interrupted.empty()) record.host_loss = interrupted;
    if (const std::uint64_t dropped = receiver_->dropped(); dropped > 0)
        record.host_loss = "the receive ring had no room for " + std::to_string(dropped) + " frames";
    return record;
}

SelfTest PortRig::self_test(int ports, Bytes payload) {
    constexpr int kTriggers = 20;
    constexpr Time kApart{10'000'000'000};
    const BurstRecord record = measure({ports, payload, kApart, kTriggers});
    if (record.row.frames_received == 0) {
        std::string names;
        for (const Interface& interface : from_) names += (names.empty() ? "" : ", ") + interface.name;
        throw std::runtime_error("of " + std::to_string(record.row.frames_sent) + " frames that " + names +
                                 " sent none arrived at " + to_.name + ": is it the other end?");
    }
    return {record.row.frames_sent, record.row.frames_received, lateness_.median_handover(), lateness_.median(),
            lateness_.worst()};
}

}  // namespace watershed
