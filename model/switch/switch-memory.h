// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/loss.h"
#include "model/base/random.h"
#include "model/frontend/module-ports.h"
#include "model/switch/buffer.h"
#include "model/switch/ingress-headroom-queues.h"
#include "model/switch/limit.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"

namespace watershed {

/// One frame's claim on the memory of a switch. Ports count from 0.
struct MemoryClaim {
    int input = 0;
    int output = 0;
    Bytes buffer{0};
    std::uint64_t lot = 0;      ///< random bits of this frame, for early drops
    bool on_headroom = false;   ///< it asks for its input's headroom instead
    bool can_be_marked = true;  ///< its sender answers to marks; else random early detection drops it
    int traffic_class = 0;
    int stream = 0;          ///< stream of the frame; 0: the camera's
    bool in_dram = false;    ///< it is written to the second tier; result of goes_to_dram()
    bool is_exempt = false;  ///< random early detection spares it
    bool is_first = false;   ///< it is among the first frames of its flow
};

/// Levels of random early detection in a queue, in the unit of the memory.
struct EarlyRange {
    std::int64_t from = 0, to = 0;  ///< to of 0: it has none
    Ratio probability{};

    EarlyRange() = default;
    EarlyRange(const Buffer::Early& levels, const MemoryUnits& units)
        : from(units.amount("switch.buffer.wred_from", levels.from)),
          to(units.amount("switch.buffer.wred_to", levels.to)),
          probability(levels.probability) {}

    /// Returns true if it chooses a frame that finds `held` in its queue: none below `from`, all from `to` on, and
    /// between them with a probability that rises linearly from 0 to `probability`.
    bool chooses(std::int64_t held, std::uint64_t lot) const {
        if (to == 0 || held < from) return false;
        if (held >= to) return true;
        // lot / 2^32 < probability * (held - from) / (to - from), in whole numbers
        const Wide chance = Wide{probability.numerator} * (held - from);
        return Wide{lot >> 32} * probability.denominator * (to - from) < (chance << 32);
    }
};

/// The memory management unit of a switch: it asks limits and the sharing policy, counts descriptors, and remembers
/// which queue must fall before it may grow again. It sees sizes, ports and occupancy; never a clock, a packet or a
/// simulator.
class SwitchMemory {
  public:
    // A frame that more than one of them would lose is lost for the first of: headroom-full, resume, threshold by a
    // limit, buffer-full or threshold by the policy (of the outputs before that of the inputs), descriptors,
    // early-drop, dram-full.
    static constexpr LossCause kBufferFull{"switch", "buffer-full"};   ///< no room
    static constexpr LossCause kThreshold{"switch", "threshold"};      ///< room, but not for this queue
    static constexpr LossCause kDescriptors{"switch", "descriptors"};  ///< room, but too many frames
    static constexpr LossCause kEarlyDrop{"switch",
                                          "early-drop"};  ///< room, but random early detection chose the frame
    static constexpr LossCause kHeadroomFull{"switch", "headroom-full"};  ///< no room, in spite of flow control
    static constexpr LossCause kResume{
        "switch", "resume"};  ///< room, but the queue has not fallen far enough since its last drop
    static constexpr LossCause kDramFull{"switch", "dram-full"};    ///< its queue has moved to the full second tier
    static constexpr LossCause kPushedOut{"switch", "pushed-out"};  ///< admitted, but another frame needed the room

    /// @throws std::invalid_argument naming the key, if the amounts do not fit together
    SwitchMemory(const Buffer& buffer, int inputs, int outputs);

    /// Takes memory for a frame, or drops it. @return cause of the drop, or null
    const LossCause* admit(const MemoryClaim& claim) {
        const LossCause* const cause = ask(claim);
        if (cause) drop(claim, *cause);
        return cause;
    }
    /// Takes memory for a frame, unless refusal() names a cause. @return that cause, or null
    const LossCause* ask(const MemoryClaim& claim) {
        if (!plain_ || claim.on_headroom) {
            const LossCause* const cause = refusal(claim);
            if (!cause) take(claim);
            return cause;
        }
        const std::int64_t cost = units_.cost(claim.buffer);
        const LossCause* const cause = cause_of(accounts_->ask(plain_queue_of(claim), cost));
        if (!cause) {
            count(claim, +1, cost);
            note_peaks();
        }
        return cause;
    }

    /// Returns why the frame would be refused now, or null. A switch may let it wait, and take() it later.
    const LossCause* refusal(const MemoryClaim& claim) const {
        if (!plain_ || claim.on_headroom) return refusal_by_rules(claim);
        return refusal_by(*accounts_, plain_queue_of(claim), units_.cost(claim.buffer));
    }
    /// Returns true if a frame that is refused for this cause tells that all that are no smaller are refused.
    bool refuses_all(const LossCause& cause) const {
        const QueueAccounts::Layout& layout = accounts_->layout();
        return plain_ && headroom_size_ == 0 && layout.reserved == 0 && layout.pools == 1 &&
               (layout.queues == 1 || &cause == &kBufferFull);
    }
    /// @return false if the frame is on its way out at once and takes no memory
    bool take(const MemoryClaim& claim) {
        if (!plain_ && !note_taken(claim)) return false;
        change(claim, +1);
        note_peaks();
        return true;
    }
    /// Takes frames like the last one it took, which is in memory: as many one after the other as it grants and as
    /// leave `goes_on` true, which is asked of some alone and must not become true again as the memory fills.
    /// @return their number, `most` at most; 0 where it might grant with more what it refuses with less
    std::int64_t take_alike(const MemoryClaim& claim, std::int64_t most, const std::function<bool()>& goes_on);
    /// Whether the frame, if it was taken now, has to be written to the second tier. It holds its room in the first one
    /// until written() is called for it, which comes before release().
    bool goes_to_dram(const MemoryClaim& claim) const {
        if (!dram_) return false;
        const int queue = queue_of(claim);
        return dram_->held(queue) > 0 || accounts_->held(queue) + units_.cost(claim.buffer) > dram_from_;
    }
    void written(const MemoryClaim& claim) {
        in_use_ -= units_.cost(claim.buffer);
        accounts_->give(queue_of(claim), units_.cost(claim.buffer));
        limits_.changed(queue_of(claim), -1, claim.buffer);
        ++queues_[static_cast<std::size_t>(queue_of(claim))].off_chip;
    }
    /// Number of frames that went to the second tier.
    std::int64_t frames_to_dram() const { return to_dram_; }
    /// Whether random early detection would mark the frame, if it was taken now.
    bool marks(const MemoryClaim& claim) const { return buffer_.ecn && claim.can_be_marked && is_early(claim); }
    /// Notes that a frame was refused and lost.
    void drop(const MemoryClaim& claim, const LossCause& cause);
    /// The queue whose last frame must go before this claim can be taken; nothing if none need go, or if the claim is
    /// to be refused. Ask again once that frame is gone: frames of other sizes may leave too little room for this one.
    std::optional<int> victim(const MemoryClaim& claim, const QueueAccounts::MayLose& may_lose) const;
    /// Gives back what was taken for a frame that goes for another, and notes that it is lost.
    void push_out(const MemoryClaim& claim);
    /// Gives back what was taken for this claim. @return the claim that is in the memory no more, until the next call:
    /// of a frame that leaves the pipeline of its output, the next one's there, or null if there is none
    const MemoryClaim* release(const MemoryClaim& claim) {
        if (pipeline_ > 0) return release_by_pipeline(claim);
        change(claim, -1);
        return &claim;
    }

    /// From now on changed_inputs() lists the inputs whose occupancy changes.
    void watch_inputs() { watches_inputs_ = true; }
    /// From now on the occupancy of inputs is not counted.
    void forget_inputs() { counts_inputs_ = false; }
    /// Inputs whose occupancy changed since the last forget_changes(), ascending, some more than once.
    const std::vector<int>& changed_inputs() {
        if (changed_inputs_.size() > 1) std::sort(changed_inputs_.begin(), changed_inputs_.end());
        return changed_inputs_;
    }
    void forget_changes() { changed_inputs_.clear(); }
    bool evicts() const { return buffer_.sharing->evicts; }
    /// Returns true if the policy alone decides, except on headroom.
    bool is_plain() const { return plain_; }

    int inputs() const { return static_cast<int>(inputs_.size()); }
    std::int64_t frames() const { return frames_; }
    Bytes bytes() const { return bytes_; }
    std::int64_t peak_frames() const { return peak_frames_; }
    Bytes peak_bytes() const { return peak_bytes_; }
    /// Most cells in use at once; none where the memory is not handed out in cells. A frame in the second tier has
    /// none.
    std::optional<std::int64_t> peak_cells() const {
        return units_.unit() == MemorySize::Unit::Cell ? std::make_optional(peak_in_use_) : std::nullopt;
    }
    /// Frames that random early detection marked instead of dropping them.
    std::int64_t frames_marked() const { return marked_; }
    /// Amount that an input holds, headroom included, in the unit of the memory.
    std::int64_t held_by_input(int input) const { return inputs_[static_cast<std::size_t>(input)].held; }
    /// Amount that an input's frames of one class hold, headroom included.
    std::int64_t held_by_input(int input, int traffic_class) const {
        return inputs_[static_cast<std::size_t>(input)].of_class[static_cast<std::size_t>(traffic_class)];
    }
    /// Amount that an input holds beyond its reserve, headroom included; all of it, where the outputs decide alone.
    std::int64_t drawn_by_input(int input) const;
    /// Amount of an input's frames that is on headroom.
    std::int64_t headroom_of_input(int input) const { return inputs_[static_cast<std::size_t>(input)].on_headroom; }
    /// Free amount of the pool that an input's frames draw on; of all pools, where the outputs decide alone.
    std::int64_t free_to_input(int input) const;
    /// Sets the headroom of an input, in the unit of the memory. @pre no frame has come yet
    /// @param traffic_class  one that has headroom of its own; else all others have this
    void set_headroom(int input, int traffic_class, std::int64_t amount) {
        std::int64_t& own = headrooms_[headroom_of(input, traffic_class)].size;
        headroom_size_ += amount - std::exchange(own, amount);
    }
    /// Sends frames of this input and class to headroom by a rule of flow control. @pre no frame has come yet
    /// @throws std::invalid_argument naming the key, if the outputs decide alone, or a limit counts in its own unit
    void divert(int input, int traffic_class, FlowControl::Rule rule, Ratio alpha);
    /// Counts of the queue of this input and class, which is diverted.
    const IngressHeadroomQueues::Queue& diverted(int input, int traffic_class) const {
        return diverted_.at(queue_of_input(input, traffic_class));
    }
    /// Returns true if the rule for diverted frames asks for a pause.
    bool must_pause(int input, int traffic_class) const {
        return diverted_.must_pause(input_side_accounts(), queue_of_input(input, traffic_class));
    }
    bool may_go_on(int input, int traffic_class, std::int64_t xon, std::int64_t offset) const {
        return diverted_.may_go_on(input_side_accounts(), queue_of_input(input, traffic_class), xon, offset);
    }
    const MemoryUnits& units() const { return units_; }
    /// Accounts of the side that decides; those of the outputs, where both do.
    const QueueAccounts& accounts() const { return *accounts_; }
    /// Amount that this claim's queue holds, in the unit of the memory.
    std::int64_t held(const MemoryClaim& claim) const { return accounts_of(claim).held(queue_of(claim)); }

  private:
    /// Frames of a queue, and the level to which it must fall before it may grow again.
    struct Queue {
        std::int64_t frames = 0;
        std::int64_t off_chip = 0;      ///< frames in the second tier alone
        std::int64_t resume_at = kAny;  ///< amount
        std::int64_t resume_at_frames = kAny;
        bool lacks_descriptors = false;  ///< set by a drop for want of them; frames in the second tier count too
        static constexpr std::int64_t kAny = INT64_MAX;

        /// Frames that count for resume_at_frames.
        std::int64_t counted() const { return lacks_descriptors ? frames : frames - off_chip; }
    };

    struct Input {
        std::int64_t held = 0;
        std::int64_t on_headroom = 0;  ///< part of `held`
        std::array<std::int64_t, kTrafficClasses> of_class{};
    };

    struct Headroom {
        std::int64_t size = 0;
        std::int64_t held = 0;
    };

    struct Alike {
        MemoryClaim claim;
        std::int64_t frames;
    };

    /// Frames of an output that are in memory while its pipeline is full, the oldest first.
    struct Output {
        std::int64_t in_pipeline = 0;
        std::deque<Alike> in_memory;
    };

    static const LossCause* refusal_by(const QueueAccounts& accounts, int queue, std::int64_t cost,
                                       bool first = false) {
        return cause_of(accounts.verdict(queue, cost, first));
    }
    static const LossCause* cause_of(QueueAccounts::Verdict verdict) {
        switch (verdict) {
            case QueueAccounts::Verdict::Granted: break;
            case QueueAccounts::Verdict::PoolFull: return &kBufferFull;
            case QueueAccounts::Verdict::AboveThreshold: return &kThreshold;
        }
        return nullptr;
    }
    /// Returns the cause of refusal by the policy and by all rules beside it, or null.
    [[gnu::noinline]] const LossCause* refusal_by_rules(const MemoryClaim& claim) const;
    /// Updates the state of these rules for a frame. @return false if it leaves the memory at once, for a pipeline
    [[gnu::noinline]] bool note_taken(const MemoryClaim& claim);
    [[gnu::noinline]] const MemoryClaim* release_by_pipeline(const MemoryClaim& claim);
    /// @param frames  that come, or go if it is negative; more than one where the accounts of one side alone count them
    void change(const MemoryClaim& claim, std::int64_t frames) {
        const std::int64_t amount = frames * units_.cost(claim.buffer);
        count(claim, frames, amount);
        if (plain_ && !claim.on_headroom)
            accounts_->take(plain_queue_of(claim), amount);
        else
            change_by_rules(claim, frames, amount);
    }
    void count(const MemoryClaim& claim, std::int64_t frames, std::int64_t amount) {
        frames_ += frames;
        bytes_ += claim.buffer * frames;
        if (frames > 0 || !claim.in_dram) in_use_ += amount;
        if (!counts_inputs_) return;
        Input& input = inputs_[static_cast<std::size_t>(claim.input)];
        input.held += amount;
        input.of_class[static_cast<std::size_t>(claim.traffic_class)] += amount;
        if (watches_inputs_) changed_inputs_.push_back(claim.input);
    }
    void note_peaks() {
        if (frames_ > peak_frames_) peak_frames_ = frames_;
        if (bytes_ > peak_bytes_) peak_bytes_ = bytes_;
        if (in_use_ > peak_in_use_) peak_in_use_ = in_use_;
    }
    [[gnu::noinline]] void change_by_rules(const MemoryClaim& claim, std::int64_t frames, std::int64_t amount);

    bool goes_by_pipeline(const MemoryClaim& claim) const {
        return pipeline_ > 0 && outputs_[static_cast<std::size_t>(claim.output)].in_pipeline < pipeline_;
    }
    /// Free headroom for this claim.
    std::int64_t headroom_left(const MemoryClaim& claim) const;
    /// Free headroom of all inputs; negative if flow control by "sonic" has overdrawn it.
    Wide headroom_left() const;
    /// Index of the headroom of a class: an input's classes with their own come before the one that all others share.
    std::size_t headroom_of(int input, int traffic_class) const {
        const std::size_t own = buffer_.class_headrooms.size();
        return static_cast<std::size_t>(input) * (own + 1) + std::min(static_cast<std::size_t>(traffic_class), own);
    }
    /// Part on headroom of an amount that comes or goes.
    std::int64_t on_headroom(const MemoryClaim& claim, std::int64_t amount) const;
    /// The accounts that decide on this claim: lossless classes may have their own.
    QueueAccounts& accounts_of(const MemoryClaim& claim) const {
        return lossless_accounts_ && is_lossless(claim) ? *lossless_accounts_ : *accounts_;
    }
    const QueueAccounts& input_side_accounts() const { return input_accounts_ ? *input_accounts_ : *accounts_; }
    std::size_t headroom_pool_of(int input) const {
        return static_cast<std::size_t>(input) * headroom_drawn_.size() / inputs_.size();
    }
    /// Returns true if random early detection chooses this frame.
    bool is_early(const MemoryClaim& claim) const;
    int queue_of(const MemoryClaim& claim) const {
        const bool at_input = first_input_ > 0 && is_lossless(claim);
        return at_input ? queue_of_input(claim.input, claim.traffic_class) : plain_queue_of(claim);
    }
    /// Index of the claim's queue, where the accounts are of one side.
    int plain_queue_of(const MemoryClaim& claim) const {
        return queue_at(by_input_ ? claim.input : claim.output, claim);
    }
    bool is_lossless(const MemoryClaim& claim) const { return (buffer_.lossless >> claim.traffic_class & 1) != 0; }
    /// Index of a claim's queue at a port; queues of one port are neighbours.
    int queue_at(int port, const MemoryClaim& claim) const {
        return buffer_.classes == 1 ? port : port * buffer_.classes + claim.traffic_class;
    }
    int queue_of_input(int input, int traffic_class) const {
        return buffer_.classes == 1 ? first_input_ + input : (first_input_ + input) * buffer_.classes + traffic_class;
    }

    Buffer buffer_;
    MemoryUnits units_;
    bool by_input_;
    int first_input_ = 0;  ///< outputs before the inputs in accounts_, with accounting "mixed"; else 0
    bool plain_;           ///< result of is_plain()
    bool one_sided_;       ///< only accounts_ hold what is not on headroom
    std::unique_ptr<QueueAccounts> accounts_;
    std::unique_ptr<QueueAccounts> lossless_accounts_;  ///< accounts of classes with an own pool at the outputs
    std::unique_ptr<QueueAccounts> dram_;               ///< accounts of the second tier
    std::int64_t dram_from_ = 0;
    std::unique_ptr<QueueAccounts> input_accounts_;  ///< beside accounts_, where both sides decide
    std::int64_t descriptors_;                       ///< most frames in each pool
    std::vector<Queue> queues_;
    std::vector<Input> inputs_;
    bool counts_inputs_ = true;
    bool watches_inputs_ = false;
    std::vector<int> changed_inputs_;
    std::vector<std::int64_t> frames_in_pool_;
    Limits limits_;                             ///< limits beside accounts_
    Limits lossless_limits_;                    ///< limits beside lossless_accounts_
    Limits input_limits_;                       ///< limits of the inputs, where both sides decide
    IngressHeadroomQueues diverted_;            ///< by queue of input_side_accounts()
    std::vector<Headroom> headrooms_;           ///< by headroom_of()
    std::int64_t headroom_size_ = 0;            ///< sum of these
    std::int64_t headroom_pool_;                ///< most headroom of each slice
    std::vector<std::int64_t> headroom_drawn_;  ///< headroom in use, by slice
    std::int64_t pipeline_;
    std::vector<Output> outputs_;
    MemoryClaim released_;                           ///< result of release(), where there is a pipeline
    std::array<EarlyRange, kTrafficClasses> early_;  ///< by class
    std::int64_t marked_ = 0;
    std::int64_t to_dram_ = 0;
    std::int64_t frames_ = 0;
    std::int64_t peak_frames_ = 0;
    Bytes bytes_{0};
    Bytes peak_bytes_{0};
    std::int64_t in_use_ = 0;  ///< amount in the unit of the memory
    std::int64_t peak_in_use_ = 0;
};

std::unique_ptr<SwitchMemory> make_switch_memory(const Buffer& buffer, int inputs, int outputs = 1);

/// The random bits by which random early detection decides on a frame; 0 where there is none.
/// @param number  of the switch, from 0: each switch on a frame's way draws anew
inline std::uint64_t early_drop_lot(const Buffer& buffer, std::uint64_t seed, const FrameId& frame, int number = 0) {
    if (!buffer.drops_early()) return 0;
    const std::uint64_t place =
        static_cast<std::uint64_t>(number) << 48 | static_cast<std::uint64_t>(frame.module) << 32 |
        static_cast<std::uint64_t>(frame.stream) << 20 | static_cast<std::uint64_t>(frame.frame);
    return random_bits(seed, Stream::EarlyDrop, static_cast<std::uint64_t>(frame.event), place);
}

}  // namespace watershed
