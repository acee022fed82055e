// SPDX-License-Identifier: GPL-2.0-only
#include "model/udpmon/udpmon-host.h"

#include <cmath>

#include "model/base/random.h"
#include "model/base/serializer.h"

namespace watershed {
namespace {

constexpr Time round_up(Time time, Time step) {
    return step > Time{0} ? ceil_div(time.count(), step.count()) * step : time;
}

std::int64_t payloads_in(Bytes buffer, Bytes payload) {
    return std::max<std::int64_t>(1, buffer.count / payload.count);
}

}  // namespace

UdpmonPacer::UdpmonPacer(const UdpmonSender& sender, Bytes payload, Time requested, std::uint64_t seed)
    : sender_(sender),
      spacing_(std::max(Time{0}, requested - sender.pacing_offset)),
      busy_(sender.packet_cost + Serializer(sender.copy_rate).send(Time{0}, payload).time),
      room_(payloads_in(sender.buffer, payload)),
      seed_(seed) {
    if (sender.kind == UdpmonHostKind::Fpga) {
        // A clock that is slow by so much makes its ticks that much longer.
        const Time whole = round_up(std::max(spacing_, sender.packet_cost), sender.granularity);
        spacing_ = whole - Time{static_cast<std::int64_t>(Wide{whole.count()} * sender.clock.count / 1'000'000'000)};
        busy_ = Time{0};
    }
}

Time UdpmonPacer::next(std::int64_t number, Time sent) const {
    if (sender_.kind == UdpmonHostKind::Fpga) return sent + spacing_;
    if (spacing_ <= busy_) return sent + busy_;
    // The time asked for passes somewhere between two looks at the clock.
    const auto bits = random_bits(seed_, Stream::UdpmonPoll, static_cast<std::uint64_t>(number));
    return sent + spacing_ + Time{uniform_up_to(bits, sender_.granularity.count())};
}

Time UdpmonPacer::jitter(std::int64_t number) const {
    if (sender_.jitter == Time{0}) return Time{0};
    const double mean = static_cast<double>(sender_.jitter.count()),
                 limit = static_cast<double>(sender_.jitter_limit.count());
    const double u = std::ldexp(
        static_cast<double>(random_bits(seed_, Stream::UdpmonJitter, static_cast<std::uint64_t>(number)) >> 11), -53);
    return Time{static_cast<std::int64_t>(-mean * std::log1p(-u * -std::expm1(-limit / mean)))};
}

Bytes UdpmonPacer::extra_slot(Bytes slot) const {
    return Bytes{ceil_div(slot.count, sender_.slot_multiple.count) * sender_.slot_multiple.count - slot.count} +
           sender_.slot_extra;
}

UdpmonReader::UdpmonReader(const UdpmonReceiver& receiver, Bytes payload, std::size_t spacing, std::uint64_t seed)
    : receiver_(receiver),
      wakeup_jitter_(receiver.wakeup_jitter[spacing % receiver.wakeup_jitter.size()]),
      room_(payloads_in(receiver.buffer, payload)),
      seed_(seed) {}

std::optional<Time> UdpmonReader::read(Time arrival) {
    ++arrived_;
    if (receiver_.kind == UdpmonHostKind::Fpga) return arrival;

    while (!waiting_.empty() && waiting_.front() <= arrival) waiting_.pop_front();
    if (static_cast<std::int64_t>(waiting_.size()) >= room_) return std::nullopt;
    Time cost = receiver_.read_cost;
    if (arrival > interrupt_) {  // else the interrupt that is due anyway brings this packet, too
        const Time earliest = interrupts_ == 0 ? arrival : std::max(arrival, interrupt_ + receiver_.interrupt_handling);
        interrupt_ = round_up(earliest, receiver_.interrupt_period);
        awake_ = interrupt_ +
                 Time{uniform_up_to(random_bits(seed_, Stream::UdpmonWakeup, ++interrupts_), wakeup_jitter_.count())};
    } else {
        cost += Time{uniform_up_to(random_bits(seed_, Stream::UdpmonWakeup, interrupts_, arrived_),
                                   receiver_.read_jitter.count())};
    }
    Time begin = std::max(awake_, read_);
    if (receiver_.hiccup_one_in > 0 &&
        uniform_up_to(random_bits(seed_, Stream::UdpmonHiccup, arrived_), receiver_.hiccup_one_in - 1) == 0)
        begin += Time{uniform_up_to(random_bits(seed_, Stream::UdpmonHiccup, arrived_, 1), receiver_.hiccup.count())};
    read_ = begin + cost;
    waiting_.push_back(read_);
    return read_;
}

}  // namespace watershed
