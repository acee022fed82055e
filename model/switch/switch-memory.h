// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/loss.h"
#include "model/base/random.h"
#include "model/frontend/senders.h"
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
    bool on_headroom = false;   ///< asks for its input's headroom instead
    bool can_be_marked = true;  ///< its sender answers to marks; else random early detection drops it
    int traffic_class = 0;
    int stream = 0;          ///< whose frame it is; for whoever asks which one has left the memory
    bool in_dram = false;    ///< is written to the second tier; as goes_to_dram() says
    bool is_exempt = false;  ///< from random early detection
    bool is_first = false;   ///< of the first frames of its flow
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
    static constexpr LossCause kDramFull{"switch", "dram-full"};    ///< its queue has moved to where there is no room
    static constexpr LossCause kPushedOut{"switch", "pushed-out"};  ///< admitted, but another frame needed the room

    /// @throws std::invalid_argument naming the key, if the amounts do not fit together
    SwitchMemory(const Buffer& buffer, int inputs, int outputs);

    /// Takes memory for a frame, or drops it. @return why it was dropped, or null
    const LossCause* admit(const MemoryClaim& claim) {
        const LossCause* const cause = ask(claim);
        if (cause) drop(claim, *cause);
        return cause;
    }
    /// Takes memory for a frame, unless refusal() tells why not. @return that
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

    /// Why the frame would be refused now, or null. For switches that let it wait; then take() or drop() it.
    const LossCause* refusal(const MemoryClaim& claim) const {
        if (!plain_ || claim.on_headroom) return refusal_by_rules(claim);
        return refusal_by(*accounts_, plain_queue_of(claim), units_.cost(claim.buffer));
    }
    /// @return false if the frame is on its way out at once and takes no memory
    bool take(const MemoryClaim& claim) {
        if (!plain_ && !note_taken(claim)) return false;
        change(claim, +1);
        note_peaks();
        return true;
    }
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
        ++queues_[static_cast<std::size_t>(queue_of(claim))].off_chip;
    }
    /// Frames that went to the second tier.
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

    /// From now on it notes of which inputs what they hold changes.
    void watch_inputs() { watches_inputs_ = true; }
    /// Nobody will ask what an input holds.
    void forget_inputs() { counts_inputs_ = false; }
    /// These, in ascending order, some more than once; since forget_changes() was called last.
    const std::vector<int>& changed_inputs() {
        if (changed_inputs_.size() > 1) std::sort(changed_inputs_.begin(), changed_inputs_.end());
        return changed_inputs_;
    }
    void forget_changes() { changed_inputs_.clear(); }
    bool evicts() const { return buffer_.sharing->evicts; }
    /// The policy alone decides, and only on headroom there are other rules.
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
    /// What an input holds, headroom included, in the unit of the memory.
    std::int64_t held_by_input(int input) const { return inputs_[static_cast<std::size_t>(input)].held; }
    /// The same of its frames of one class.
    std::int64_t held_by_input(int input, int traffic_class) const {
        return inputs_[static_cast<std::size_t>(input)].of_class[static_cast<std::size_t>(traffic_class)];
    }
    /// What an input draws from its pool, and its headroom; all that it holds, where the outputs decide alone.
    std::int64_t drawn_by_input(int input) const;
    /// The part of an input's frames that is on headroom.
    std::int64_t headroom_of_input(int input) const { return inputs_[static_cast<std::size_t>(input)].on_headroom; }
    /// What is left in the pools that its frames may draw on: all of them, where the outputs decide alone.
    std::int64_t free_to_input(int input) const;
    /// Of this input, in place of that which all have; in the unit of the memory. Before the first frame.
    /// @param traffic_class  one that has headroom of its own; else all others have this
    void set_headroom(int input, int traffic_class, std::int64_t amount) {
        std::int64_t& own = headrooms_[headroom_of(input, traffic_class)].size;
        headroom_size_ += amount - std::exchange(own, amount);
    }
    /// Frames of this input and class go to headroom by a rule of flow control, from the first frame on.
    /// @throws std::invalid_argument naming the key, if the outputs decide alone
    void divert(int input, int traffic_class, FlowControl::Rule rule, Ratio alpha);
    /// What came to and left the queue of these frames, if they are diverted.
    const IngressHeadroomQueues::Queue& diverted(int input, int traffic_class) const {
        return diverted_.at(queue_of_input(input, traffic_class));
    }
    /// By the rule for diverted frames.
    bool must_pause(int input, int traffic_class) const {
        return diverted_.must_pause(input_side_accounts(), queue_of_input(input, traffic_class));
    }
    bool may_go_on(int input, int traffic_class, std::int64_t xon, std::int64_t offset) const {
        return diverted_.may_go_on(input_side_accounts(), queue_of_input(input, traffic_class), xon, offset);
    }
    const MemoryUnits& units() const { return units_; }
    /// The books of the side that decides, the outputs' where both do.
    const QueueAccounts& accounts() const { return *accounts_; }
    /// What this claim's queue holds, in the unit of the memory.
    std::int64_t held(const MemoryClaim& claim) const { return accounts_of(claim).held(queue_of(claim)); }

  private:
    /// A queue's frames, and how far it must fall before it may grow again.
    struct Queue {
        std::int64_t frames = 0;
        std::int64_t off_chip = 0;      ///< of them in the second tier alone
        std::int64_t resume_at = kAny;  ///< amount
        std::int64_t resume_at_frames = kAny;
        bool lacks_descriptors =
            false;  ///< resume_at_frames is of a want of them, and frames in the second tier have some
        static constexpr std::int64_t kAny = INT64_MAX;

        /// Frames that count for resume_at_frames.
        std::int64_t counted() const { return lacks_descriptors ? frames : frames - off_chip; }
    };

    struct Input {
        std::int64_t held = 0;
        std::int64_t on_headroom = 0;  ///< of it
        std::array<std::int64_t, kTrafficClasses> of_class{};
    };

    struct Headroom {
        std::int64_t size = 0;
        std::int64_t held = 0;
    };

    /// Frames of an output that are in memory while its pipeline is full, the oldest first.
    struct Output {
        std::int64_t in_pipeline = 0;
        std::deque<MemoryClaim> in_memory;
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
    /// The same with all rules that there may be beside the policy.
    [[gnu::noinline]] const LossCause* refusal_by_rules(const MemoryClaim& claim) const;
    /// Notes what these need to know of a frame. @return false if it leaves the memory at once, for a pipeline
    [[gnu::noinline]] bool note_taken(const MemoryClaim& claim);
    [[gnu::noinline]] const MemoryClaim* release_by_pipeline(const MemoryClaim& claim);
    /// @param sign  +1 for a frame that comes, -1 for one that goes
    void change(const MemoryClaim& claim, int sign) {
        const std::int64_t amount = sign * units_.cost(claim.buffer);
        count(claim, sign, amount);
        if (plain_ && !claim.on_headroom)
            accounts_->take(plain_queue_of(claim), amount);
        else
            change_by_rules(claim, sign, amount);
    }
    void count(const MemoryClaim& claim, int sign, std::int64_t amount) {
        frames_ += sign;
        bytes_ += claim.buffer * sign;
        if (sign > 0 || !claim.in_dram) in_use_ += amount;
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
    [[gnu::noinline]] void change_by_rules(const MemoryClaim& claim, int sign, std::int64_t amount);

    bool goes_by_pipeline(const MemoryClaim& claim) const {
        return pipeline_ > 0 && outputs_[static_cast<std::size_t>(claim.output)].in_pipeline < pipeline_;
    }
    /// What is left of headroom for this claim.
    std::int64_t headroom_left(const MemoryClaim& claim) const;
    /// Of all of it; less than nothing, where a rule takes frames that do not fit.
    Wide headroom_left() const;
    /// Whose headroom it is: classes that have their own come before what all others of their input share.
    std::size_t headroom_of(int input, int traffic_class) const {
        const std::size_t own = buffer_.class_headrooms.size();
        return static_cast<std::size_t>(input) * (own + 1) + std::min(static_cast<std::size_t>(traffic_class), own);
    }
    /// The part that is on headroom of an amount which comes or goes.
    std::int64_t on_headroom(const MemoryClaim& claim, int sign, std::int64_t amount) const;
    /// Those that decide, which may be apart for lossless classes.
    QueueAccounts& accounts_of(const MemoryClaim& claim) const {
        return lossless_accounts_ && is_lossless(claim) ? *lossless_accounts_ : *accounts_;
    }
    const QueueAccounts& input_side_accounts() const { return input_accounts_ ? *input_accounts_ : *accounts_; }
    std::size_t headroom_pool_of(int input) const {
        return static_cast<std::size_t>(input) * headroom_drawn_.size() / inputs_.size();
    }
    /// Whether random early detection wants this frame.
    bool is_early(const MemoryClaim& claim) const;
    int queue_of(const MemoryClaim& claim) const {
        const bool at_input = first_input_ > 0 && is_lossless(claim);
        return at_input ? queue_of_input(claim.input, claim.traffic_class) : plain_queue_of(claim);
    }
    /// Where the books are of one side.
    int plain_queue_of(const MemoryClaim& claim) const {
        return queue_at(by_input_ ? claim.input : claim.output, claim);
    }
    bool is_lossless(const MemoryClaim& claim) const { return (buffer_.lossless >> claim.traffic_class & 1) != 0; }
    /// Queues of one port are neighbours.
    int queue_at(int port, const MemoryClaim& claim) const {
        return buffer_.classes == 1 ? port : port * buffer_.classes + claim.traffic_class;
    }
    int queue_of_input(int input, int traffic_class) const {
        return buffer_.classes == 1 ? first_input_ + input : (first_input_ + input) * buffer_.classes + traffic_class;
    }

    Buffer buffer_;
    MemoryUnits units_;
    bool by_input_;
    int first_input_ = 0;  ///< ports in the books before the inputs: the outputs, where both stand in one book
    bool plain_;           ///< as is_plain() says
    std::unique_ptr<QueueAccounts> accounts_;
    std::unique_ptr<QueueAccounts> lossless_accounts_;  ///< of classes that have a pool of their own at the outputs
    std::unique_ptr<QueueAccounts> dram_;               ///< books of the second tier
    std::int64_t dram_from_ = 0;
    std::unique_ptr<QueueAccounts> input_accounts_;  ///< beside the outputs', where both decide
    std::int64_t descriptors_;                       ///< of each pool
    std::vector<Queue> queues_;
    std::vector<Input> inputs_;
    bool counts_inputs_ = true;
    bool watches_inputs_ = false;
    std::vector<int> changed_inputs_;
    std::vector<std::int64_t> frames_in_pool_;
    Limits limits_;
    Limits input_limits_;                       ///< where both sides decide
    IngressHeadroomQueues diverted_;            ///< by queues of the inputs' books
    std::vector<Headroom> headrooms_;           ///< as headroom_of() says
    std::int64_t headroom_size_ = 0;            ///< of all of them
    std::int64_t headroom_pool_;                ///< of each slice
    std::vector<std::int64_t> headroom_drawn_;  ///< of it, by slice
    std::int64_t pipeline_;
    std::vector<Output> outputs_;
    MemoryClaim released_;  ///< what release() gave, where there is a pipeline
    std::int64_t wred_from_;
    std::int64_t wred_to_;
    std::int64_t marked_ = 0;
    std::int64_t to_dram_ = 0;
    std::int64_t frames_ = 0;
    std::int64_t peak_frames_ = 0;
    Bytes bytes_{0};
    Bytes peak_bytes_{0};
    std::int64_t in_use_ = 0;  ///< in the unit of the memory
    std::int64_t peak_in_use_ = 0;
};

std::unique_ptr<SwitchMemory> make_switch_memory(const Buffer& buffer, int inputs, int outputs = 1);

/// Whether random early detection wants a frame that finds so much in its queue: none below `from`, all at `to` and
/// above, and between them with a probability that rises from 0 to that just below `to`.
inline bool goes_early(std::int64_t held, std::int64_t from, std::int64_t to, Ratio probability, std::uint64_t lot) {
    if (to == 0 || held < from) return false;
    if (held >= to) return true;
    // lot / 2^32 < probability * (held - from) / (to - from), in whole numbers
    const Wide chance = Wide{probability.numerator} * (held - from);
    return Wide{lot >> 32} * probability.denominator * (to - from) < (chance << 32);
}

/// The random bits by which random early detection decides on a frame; 0 where there is none.
/// @param number  of the switch, from 0: each switch on a frame's way draws anew
inline std::uint64_t early_drop_lot(const Buffer& buffer, std::uint64_t seed, const FrameId& frame, int number = 0) {
    if (buffer.wred_to.amount == 0) return 0;
    const std::uint64_t place =
        static_cast<std::uint64_t>(number) << 48 | static_cast<std::uint64_t>(frame.module) << 32 |
        static_cast<std::uint64_t>(frame.stream) << 20 | static_cast<std::uint64_t>(frame.frame);
    return random_bits(seed, Stream::EarlyDrop, static_cast<std::uint64_t>(frame.event), place);
}

}  // namespace watershed
