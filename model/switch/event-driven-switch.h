// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/loss.h"
#include "model/base/quantities.h"
#include "model/base/ring.h"
#include "model/base/serializer.h"
#include "model/base/token-bucket.h"
#include "model/frontend/class-gates.h"
#include "model/frontend/module-ports.h"
#include "model/switch/gate-control-list.h"
#include "model/switch/switch-memory.h"
#include "model/switch/switch.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// Chooses the class that an uplink serves next, where each has a queue of its own. Classes take turns from 7 down to
/// 0. It sees the first frame of each queue; never a clock, a packet or a simulator.
class ClassScheduler {
  public:
    explicit ClassScheduler(const Scheduling& scheduling) : scheduling_(scheduling) {}

    /// The class whose first frame leaves now, or nothing if there is none. To be asked once for each frame.
    /// @param filled     bit c: class c has a frame
    /// @param may_leave  returns true if the first frame of a class may leave
    /// @param cost       returns the bytes of that frame on the link
    template <class MayLeave, class Cost>
    std::optional<std::size_t> next(unsigned filled, MayLeave may_leave, Cost cost) {
        unsigned classes = 0;
        while (filled != 0) {
            const std::size_t highest = highest_of(filled);
            filled ^= 1u << highest;
            if (!may_leave(highest)) continue;
            if (scheduling_.kind == Scheduling::Kind::StrictPriority) return highest;
            classes |= 1u << highest;
        }
        if (classes == 0) return std::nullopt;
        const bool in_bytes = scheduling_.kind == Scheduling::Kind::DeficitRoundRobin;
        for (;;) {
            if (classes >> turn_ & 1) {
                if (!begun_) begin_turn(turn_);
                const std::int64_t taken = in_bytes ? cost(turn_).count : 1;
                if (taken <= left_[turn_]) {
                    left_[turn_] -= taken;
                    return turn_;
                }
            }
            pass_turn(classes);
        }
    }

    /// Amount that a class may still send before the next one has its turn: frames, or bytes on the link.
    std::int64_t left(int traffic_class) const { return left_[static_cast<std::size_t>(traffic_class)]; }

  private:
    static std::size_t highest_of(unsigned classes) { return static_cast<std::size_t>(31 - __builtin_clz(classes)); }
    /// The turn of the class begins: it gets what its weight gives it.
    void begin_turn(std::size_t traffic_class);
    /// To the next one that has a frame; those on the way lose what they had left.
    void pass_turn(unsigned classes) {
        const unsigned lower = classes & ((1u << turn_) - 1);
        const std::size_t next = highest_of(lower != 0 ? lower : classes);
        const unsigned until_turn = (2u << turn_) - 1, until_next = (2u << next) - 1;
        const unsigned passed = lower != 0 ? until_turn & ~until_next : until_turn | ~until_next;
        for (unsigned lose = begun_before_ & passed & ~classes; lose != 0; lose &= lose - 1)
            left_[static_cast<std::size_t>(__builtin_ctz(lose))] = 0;
        begun_before_ &= ~passed | classes;
        turn_ = next;
        begun_ = false;
    }

    Scheduling scheduling_;
    std::size_t turn_ = kTrafficClasses - 1;
    bool begun_ = false;
    unsigned begun_before_ = 0;  ///< a bit for each class that may have some left
    std::array<std::int64_t, kTrafficClasses> left_{};
};

/// Occupancy of a memory by each stream, and its peak. Streams count from 0, the camera.
class StreamOccupancy {
  public:
    /// Peak of each stream.
    using Peaks = std::vector<Amount>;

    explicit StreamOccupancy(std::size_t streams) : streams_(streams) {}

    /// @param sign  +1 where a frame comes in, -1 where it goes
    void change(int stream, Bytes buffer, int sign) {
        if (streams_.empty()) return;
        Stream& of = streams_[static_cast<std::size_t>(stream)];
        of.frames += sign;
        of.bytes += buffer * sign;
        if (sign < 0) return;
        of.most_frames = std::max(of.most_frames, of.frames);
        of.most_bytes = std::max(of.most_bytes, of.bytes);
    }

    Peaks peaks() const {
        Peaks peaks;
        for (const Stream& stream : streams_) peaks.push_back({stream.most_frames, stream.most_bytes});
        return peaks;
    }

  private:
    struct Stream {
        std::int64_t frames = 0, most_frames = 0;
        Bytes bytes{0}, most_bytes{0};
    };

    std::vector<Stream> streams_;
};

/// A frame inside a switch. It stays where whoever brings it keeps it.
struct SwitchedFrame {
    FrameId id;  ///< event 0: of no event
    MemoryClaim claim;
    Bytes wire{0};
    Timestamp ready{};         ///< time at which its first bit may leave; set by the switch
    std::uint64_t handle = 0;  ///< for whoever brought the frame to know it by
    bool has_output = false;   ///< the output in its claim is chosen and its lot drawn by the caller
};

/// Input FIFOs, fabric and queues of a switch, followed frame by frame. It knows the time only from its caller.
class EventDrivenSwitch {
  public:
    static constexpr LossCause kInputFifoFull{"switch", "input-fifo-full"};

    /// @param uplinks  their rates
    /// @param grid     of all times
    /// @param streams  beside the camera, of which it tells what they held
    EventDrivenSwitch(const Switch& network_switch, int inputs, const std::vector<BitRate>& uplinks, TimeGrid grid,
                      std::size_t streams);

    /// Removes a frame that must go so that the memory takes this claim, which has arrived; call it until null comes.
    SwitchedFrame* push_out_for(const MemoryClaim& claim);
    /// Removes a frame that waits for an uplink. @return that, which gives its memory back, or null if there is none
    SwitchedFrame* take_waiting(int uplink);
    /// Takes a frame straight to the queues, if nothing waits for memory, there is no fabric to cross and the memory
    /// has room. @return it is; else it is for arrive()
    /// @param on_headroom  as for that
    bool pass(SwitchedFrame& frame, bool on_headroom, const Timestamp& now);
    /// Puts an arrived frame behind those that wait at its input. @return why it is lost, or null
    /// @param on_headroom  its sender was told to pause, and it may use its input's headroom
    const LossCause* arrive(SwitchedFrame& frame, bool on_headroom);

    /// A transfer from an input that begins.
    struct Transfer {
        int group;
        Timestamp end;
    };
    /// Lets the oldest frame go that the memory takes now, of those that are first at their inputs and whose fabric is
    /// idle. Where there is no fabric to cross, it is with the queues at once. @return it went
    bool advance(const Timestamp& now, std::optional<Transfer>& transfer);
    void transferred(int group, const Timestamp& now);
    /// When a frame that has come to the queues since the last call will be in the second tier of the memory, if it
    /// goes there. Call written() then.
    std::optional<Timestamp> next_written() { return std::exchange(next_written_, std::nullopt); }
    /// @return the frame's claim
    MemoryClaim written();

    /// A frame that waits first at its input although the memory is empty and would never take it. It is lost; call
    /// after advance().
    struct Hopeless {
        SwitchedFrame& frame;
        const LossCause* cause;
    };
    std::optional<Hopeless> take_hopeless();

    /// A frame that is with the queues may have to wait there, whether or not its uplink is idle.
    bool delays() const { return latency_ > Time{0} || dram_; }
    /// Time from the moment at which a frame is with the queues until it may leave.
    Time latency() const { return latency_; }
    /// Begins to send on an uplink, if it is idle and a frame may leave now. @return that, or null
    const SwitchedFrame* send(int uplink, const Timestamp& now);
    /// A frame leaves by its idle uplink while it arrives.
    /// @param stored  it takes memory, which has room for it, until it has left
    Timestamp cut_through(SwitchedFrame& frame, const Timestamp& ready, bool stored);
    /// The frame an uplink was sending has left. @return that, or null if it took no memory
    SwitchedFrame* sent(int uplink);
    /// From now until then the uplink begins no frame of this class, or of any; a time that is past lets it go on. A
    /// frame of a class that may not leave holds up those behind it in its queue.
    void pause(int uplink, const Timestamp& now, const Timestamp& until, std::optional<int> traffic_class) {
        is_held_ = true;
        uplinks_[static_cast<std::size_t>(uplink)].gates.pause(now, until, traffic_class);
    }

    /// Frames may wait until a shaper or a gate lets them go.
    bool waits_for_time() const { return has_shapers_ || gate_list_; }
    /// Frames are in front of the memory.
    bool has_waiting() const { return waiting_ > 0; }
    /// One of them may go on, or is hopeless.
    bool may_let_in() const { return waiting_ > 0 && (!is_stuck_ || memory_.frames() == 0); }
    /// True if nothing is sent there and nothing waits for it.
    bool is_free(int uplink) const;
    /// Neither a pause nor a shaper nor a gate keeps the uplink from beginning this frame now.
    bool may_begin(int uplink, const SwitchedFrame& frame, const Timestamp& now) const {
        return may_begin(uplinks_[static_cast<std::size_t>(uplink)], frame, now);
    }
    /// When a shaper or a gate may let a frame go on this idle uplink if nothing else happens; nothing if none waits
    /// for these alone. @throws KeyError if its gate never stays open for so long
    std::optional<Timestamp> next_due(int uplink, const Timestamp& now) const;
    bool is_empty() const { return memory_.frames() == 0 && waiting_ == 0; }
    /// When the last frame has left, of those that have begun to.
    Timestamp free() const {
        Timestamp last;
        for (const Uplink& uplink : uplinks_) last = std::max(last, uplink.link.free());
        return last;
    }
    /// Beginning of the frame that an uplink sends, or sent last.
    const Timestamp& begin(int uplink) const { return uplinks_[static_cast<std::size_t>(uplink)].link.begin(); }
    const Timestamp& done(int uplink) const { return uplinks_[static_cast<std::size_t>(uplink)].link.free(); }
    int uplinks() const { return outputs_; }
    SwitchMemory& memory() { return memory_; }
    const SwitchMemory& memory() const { return memory_; }
    /// Releases the memory of a frame.
    void release(const SwitchedFrame& frame) {
        is_stuck_ = false;
        if (const auto left = memory_.release(frame.claim)) occupancy_.change(left->stream, left->buffer, -1);
    }
    const StreamOccupancy& occupancy() const { return occupancy_; }

  private:
    struct Waiting {
        SwitchedFrame* frame;
        std::int64_t number;  ///< counts arrivals
        bool on_headroom;
    };
    struct Input {
        Ring<Waiting> fifo;       ///< frames in front of the memory; the first may be on the fabric
        std::int64_t held = 0;    ///< frames or bytes in it
        std::int64_t since = 0;   ///< number of the first that waited here, with no gap since
        Ring<int> order;          ///< InputFifo: uplinks of the frames in memory, in the order in which they must leave
        bool is_leaving = false;  ///< the first of these leaves, and is in the way until it has
    };
    struct Group {
        Serializer fabric;
        int crossing = -1;                    ///< input of the frame on the fabric
        std::map<std::int64_t, int> heads{};  ///< inputs with waiting frames, by the number of the first
    };
    struct Uplink {
        Serializer link;
        bool busy = false;
        std::vector<Ring<SwitchedFrame*>> queues;  ///< one, one for each input or one for each class
        SwitchedFrame* sending = nullptr;          ///< null: none, or one that takes no memory
        std::vector<std::uint64_t> filled;         ///< a bit for each queue: it holds a frame
        ClassScheduler scheduler;
        std::vector<std::optional<TokenBucket>> shapers;  ///< shapers of classes 0, 1, …
        ClassGates gates{};
        std::int64_t queued = 0;  ///< frames behind the one that leaves
        std::size_t next = 0;     ///< input to be asked first
    };

    static constexpr std::size_t kNone = SIZE_MAX;  ///< no queue
    static constexpr Bytes kLargest{INT64_MAX};
    static constexpr std::size_t kBits = 64;  ///< bits of a word in Uplink::filled
    static std::uint64_t bit_of(std::size_t queue) { return std::uint64_t{1} << queue % kBits; }
    /// The first queue from this one on that holds a frame, or kNone.
    static std::size_t first_filled(const Uplink& at, std::size_t from) {
        std::uint64_t passed = bit_of(from) - 1;
        for (std::size_t word = from / kBits; word < at.filled.size(); ++word, passed = 0)
            if (const std::uint64_t bits = at.filled[word] & ~passed; bits != 0)
                return word * kBits + static_cast<std::size_t>(__builtin_ctzll(bits));
        return kNone;
    }
    /// A frame has left a queue.
    static void note_filled(Uplink& at, std::size_t queue) {
        if (at.queues[queue].empty()) at.filled[queue / kBits] &= ~bit_of(queue);
    }

    std::size_t group_of(std::size_t input) const {
        return groups_.size() == 1 ? 0 : input * groups_.size() / inputs_.size();
    }
    /// The oldest of the frames that are first at their inputs, whose fabric is idle, and that the memory takes now.
    /// @return its input, or kNone
    std::size_t oldest_taken() const;
    /// Time from which the shaper of its class lets a frame begin.
    [[gnu::noinline]] Time due(const Uplink& at, const SwitchedFrame& frame) const {
        const auto number = static_cast<std::size_t>(frame.claim.traffic_class);
        return number < at.shapers.size() && at.shapers[number] ? at.shapers[number]->due(shaped(frame)) : Time::min();
    }
    Bytes shaped(const SwitchedFrame& frame) const {
        return counts_ == Scheduling::Counts::Link ? frame.wire : frame.claim.buffer;
    }
    /// A frame begins to leave. @return when it will have left
    Timestamp begin_to_send(Uplink& at, const SwitchedFrame& frame, const Timestamp& ready);
    [[gnu::noinline]] void shape(Uplink& at, const SwitchedFrame& frame);
    std::int64_t fifo_cost(const SwitchedFrame& frame) const {
        return fifo_ && fifo_->unit == MemorySize::Unit::Byte ? frame.claim.buffer.count : 1;
    }
    /// Why the memory would refuse, in the pool and then on the headroom if the frame may use it; sets the claim so.
    const LossCause* refusal(MemoryClaim& claim, bool on_headroom) const;
    const LossCause* refusal(const Waiting& waiting) const {
        return refusal(waiting.frame->claim, waiting.on_headroom);
    }
    void take(SwitchedFrame& frame);
    bool may_leave(const Uplink& at, std::size_t queue, const Timestamp& now) const;
    bool may_begin(const Uplink& at, const SwitchedFrame& frame, const Timestamp& now) const {
        return !is_held_ ||
               (at.gates.is_open(frame.claim.traffic_class, now) &&
                (!has_shapers_ || Timestamp(due(at, frame)) <= now) && (!gate_list_ || fits_gate(at, frame, now)));
    }
    /// The gate of its class is open until a frame has left that begins now.
    [[gnu::noinline]] bool fits_gate(const Uplink& at, const SwitchedFrame& frame, const Timestamp& now) const;
    /// Time from which a frame that begins now is ready for the link: one that follows another at once keeps its
    /// fraction of a tick, one that others held up begins now.
    static const Timestamp& ready_at(const Uplink& at, const SwitchedFrame& frame, const Timestamp& now) {
        return at.link.free() == now ? frame.ready : now;
    }
    void enqueue(SwitchedFrame& frame, const Timestamp& now);
    [[gnu::noinline]] void write(SwitchedFrame& frame, const Timestamp& now);
    std::size_t queue_of(const SwitchedFrame& frame) const;
    /// The queue whose first frame an uplink sends now, or kNone if none may leave.
    std::size_t next_queue(Uplink& uplink, const Timestamp& now);
    /// The queue that next_queue() returns where each input has one.
    std::size_t next_input(Uplink& uplink, const Timestamp& now);
    /// Removes the first frame of an input's FIFO.
    SwitchedFrame& take_first(std::size_t input);

    Queueing queueing_;
    int outputs_;
    Scheduling::Kind scheduling_;
    Scheduling::Counts counts_;
    Time latency_;
    std::optional<MemorySize> fifo_;
    bool has_fabric_;
    bool has_shapers_;
    std::optional<GateControlList> gate_list_;  ///< gates of every uplink
    bool is_held_;                              ///< true if a shaper or a gate holds frames up, or a pause has
    SwitchMemory memory_;
    StreamOccupancy occupancy_;
    std::vector<Input> inputs_;
    std::vector<Group> groups_;
    std::vector<Uplink> uplinks_;
    std::optional<Serializer> dram_;  ///< writes frames to the second tier
    std::deque<MemoryClaim> writing_;
    std::optional<Timestamp> next_written_{};
    Bytes least_ = kLargest;    ///< smallest of the frames that have waited
    bool is_stuck_ = false;     ///< none of the waiting frames can go on before something changes
    std::int64_t waiting_ = 0;  ///< frames in front of the memory
    std::int64_t arrived_ = 0;
};

inline const LossCause* EventDrivenSwitch::refusal(MemoryClaim& claim, bool on_headroom) const {
    claim.on_headroom = false;
    const LossCause* cause = memory_.refusal(claim);
    if (!cause || !on_headroom) return cause;
    claim.on_headroom = true;
    return memory_.refusal(claim);
}

inline bool EventDrivenSwitch::pass(SwitchedFrame& frame, bool on_headroom, const Timestamp& now) {
    if (has_fabric_ || waiting_ > 0) return false;
    if (memory_.is_plain() && !on_headroom) {
        if (memory_.ask(frame.claim)) return false;
        occupancy_.change(frame.claim.stream, frame.claim.buffer, +1);
    } else {
        if (refusal(frame.claim, on_headroom)) return false;
        take(frame);
    }
    enqueue(frame, now);
    return true;
}

inline void EventDrivenSwitch::take(SwitchedFrame& frame) {
    frame.claim.in_dram = memory_.goes_to_dram(frame.claim);
    if (memory_.take(frame.claim)) occupancy_.change(frame.claim.stream, frame.claim.buffer, +1);
}

inline std::size_t EventDrivenSwitch::queue_of(const SwitchedFrame& frame) const {
    if (queueing_ != Queueing::Output) return static_cast<std::size_t>(frame.claim.input);
    return scheduling_ == Scheduling::Kind::Fifo ? 0 : static_cast<std::size_t>(frame.claim.traffic_class);
}

inline void EventDrivenSwitch::enqueue(SwitchedFrame& frame, const Timestamp& now) {
    frame.ready = now + latency_;
    if (frame.claim.in_dram) write(frame, now);
    Uplink& uplink = uplinks_[static_cast<std::size_t>(frame.claim.output)];
    const std::size_t queue = queue_of(frame);
    uplink.queues[queue].push(&frame);
    uplink.filled[queue / kBits] |= bit_of(queue);
    ++uplink.queued;
    if (queueing_ == Queueing::InputFifo)
        inputs_[static_cast<std::size_t>(frame.claim.input)].order.push(frame.claim.output);
}

/// Latency passes beside other frames' sending.
inline bool EventDrivenSwitch::may_leave(const Uplink& at, std::size_t queue, const Timestamp& now) const {
    const SwitchedFrame& first = *at.queues[queue].front();
    return first.ready <= now && may_begin(at, first, now);
}

inline std::size_t EventDrivenSwitch::next_input(Uplink& uplink, const Timestamp& now) {
    const auto ask = [&](std::size_t from, std::size_t to) {
        for (std::size_t asked = first_filled(uplink, from); asked < to; asked = first_filled(uplink, asked + 1)) {
            if (!may_leave(uplink, asked, now)) continue;
            if (queueing_ == Queueing::InputFifo) {
                Input& input = inputs_[asked];
                if (input.is_leaving || input.order.front() != &uplink - uplinks_.data()) continue;
                input.is_leaving = true;
            }
            uplink.next = asked + 1;
            return asked;
        }
        return kNone;
    };
    const std::size_t next = uplink.next, chosen = ask(next, kNone);
    return chosen != kNone ? chosen : ask(0, next);
}

inline std::size_t EventDrivenSwitch::next_queue(Uplink& uplink, const Timestamp& now) {
    if (queueing_ != Queueing::Output) return next_input(uplink, now);
    if (scheduling_ == Scheduling::Kind::Fifo) return may_leave(uplink, 0, now) ? 0 : kNone;
    const auto chosen = uplink.scheduler.next(
        static_cast<unsigned>(uplink.filled.front()), [&](std::size_t each) { return may_leave(uplink, each, now); },
        [&](std::size_t each) { return uplink.queues[each].front()->wire; });
    return chosen.value_or(kNone);
}

inline Timestamp EventDrivenSwitch::begin_to_send(Uplink& uplink, const SwitchedFrame& frame, const Timestamp& ready) {
    const Timestamp done = uplink.link.send(ready, frame.wire);
    if (has_shapers_) shape(uplink, frame);
    return done;
}

inline const SwitchedFrame* EventDrivenSwitch::send(int number, const Timestamp& now) {
    Uplink& uplink = uplinks_[static_cast<std::size_t>(number)];
    if (uplink.busy || uplink.queued == 0) return nullptr;
    const std::size_t chosen = next_queue(uplink, now);
    if (chosen == kNone) return nullptr;
    uplink.sending = uplink.queues[chosen].pop();
    note_filled(uplink, chosen);
    const SwitchedFrame& frame = *uplink.sending;
    --uplink.queued;
    uplink.busy = true;
    begin_to_send(uplink, frame, ready_at(uplink, frame, now));
    return &frame;
}

inline SwitchedFrame* EventDrivenSwitch::sent(int number) {
    Uplink& uplink = uplinks_[static_cast<std::size_t>(number)];
    uplink.busy = false;
    SwitchedFrame* const frame = std::exchange(uplink.sending, nullptr);
    if (frame && queueing_ == Queueing::InputFifo) {
        Input& input = inputs_[static_cast<std::size_t>(frame->claim.input)];
        input.order.drop();
        input.is_leaving = false;
    }
    return frame;
}

inline bool EventDrivenSwitch::is_free(int number) const {
    const Uplink& uplink = uplinks_[static_cast<std::size_t>(number)];
    return !uplink.busy && uplink.queued == 0;
}

}  // namespace watershed
