// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-memory.h"

#include <limits>
#include <numeric>

#include "model/switch/switch-fields.h"

namespace watershed {
namespace {

using Pools = SharingPolicy::Pools;

/// The books of the inputs or of the outputs, `ports` of them.
QueueAccounts::Layout layout_of(const Buffer& buffer, const MemoryUnits& units, int ports) {
    const bool own = buffer.sharing->pools != Pools::One;
    QueueAccounts::Layout layout;
    layout.queues = ports * buffer.classes;
    layout.classes = buffer.classes;
    layout.pools = own ? ports : std::min(buffer.slices, ports);
    layout.pool_size = units.amount("switch.buffer.size", buffer.size) / (buffer.queue_split ? buffer.queues : 1) /
                       (own ? 1 : buffer.slices);
    layout.reserved = units.amount("switch.buffer.reserved", buffer.reserved, MemoryUnits::Rounding::Up);
    return layout;
}

/// The buffer that the outputs' accounts follow, where both sides decide.
Buffer outputs_buffer(Buffer buffer) {
    if (!buffer.egress_size) return buffer;
    buffer.size = *buffer.egress_size;
    buffer.reserved = buffer.egress_reserved;
    buffer.sharing = buffer.egress_alpha ? Buffer::Sharing::DynamicThreshold : Buffer::Sharing::Shared;
    buffer.alpha = buffer.egress_alpha.value_or(Ratio{});
    return buffer;
}

/// The buffer of the outputs' lossless classes, where these have a pool of their own.
Buffer lossless_buffer(Buffer buffer) {
    buffer.egress_size = *buffer.egress_lossless_size;
    buffer.egress_alpha = buffer.egress_lossless_alpha;
    buffer.egress_reserved = {0, buffer.size.unit};
    return outputs_buffer(buffer);
}

bool decided_by_inputs(const Buffer& buffer) {
    if (buffer.sharing->pools == Pools::PerInput) return true;
    return buffer.sharing->pools == Pools::One && buffer.accounting == Buffer::Accounting::Ingress;
}

/// Whether nothing but the policy, and headroom, decides on a frame: what was copied here is all that its accounts
/// know.
bool is_ruled_by_policy(const Buffer& buffer) {
    Switch whole, copied;
    whole.buffer = buffer;
    Buffer& known = copied.buffer;
    known.sharing = buffer.sharing;
    known.size = buffer.size;
    const bool one_side =
        buffer.accounting == Buffer::Accounting::Egress || buffer.accounting == Buffer::Accounting::Ingress;
    if (one_side) known.accounting = buffer.accounting;
    known.cell = buffer.cell;
    known.cell_header = buffer.cell_header;
    known.slices = buffer.slices;
    known.reserved = buffer.reserved;
    known.alpha = buffer.alpha;
    known.class_alphas = buffer.class_alphas;
    known.excess = buffer.excess;
    known.threshold_mantissa = buffer.threshold_mantissa;
    known.threshold_extra_step = buffer.threshold_extra_step;
    known.filter = buffer.filter;
    known.congested_from = buffer.congested_from;
    known.threshold_whole = buffer.threshold_whole;
    known.port_alpha = buffer.port_alpha;
    known.step_free = buffer.step_free;
    known.step_limits = buffer.step_limits;
    known.queues = buffer.queues;
    known.queue_split = buffer.queue_split;
    known.release = buffer.release;  // when, not whether
    known.headroom = buffer.headroom;
    known.headroom_pool = buffer.headroom_pool;
    known.class_headrooms = buffer.class_headrooms;
    if (!buffer.drops_early()) {
        known.wred_from = buffer.wred_from;
        known.wred_probability = buffer.wred_probability;
        known.ecn = buffer.ecn;
    }
    return !first_difference(switch_fields(), whole, copied);
}

}  // namespace

SwitchMemory::SwitchMemory(const Buffer& buffer, int inputs, int outputs)
    : buffer_(buffer),
      units_(buffer),
      by_input_(decided_by_inputs(buffer)),
      limits_(buffer, units_, true),
      lossless_limits_(buffer, units_, true),
      input_limits_(buffer, units_, false) {
    const bool both = buffer.accounting == Buffer::Accounting::Both && !by_input_;
    if (both && buffer.egress_size) {  // an error names these keys
        units_.amount("switch.buffer.egress_size", *buffer.egress_size);
        units_.amount("switch.buffer.egress_reserved", buffer.egress_reserved);
    }
    const Buffer deciding = both ? outputs_buffer(buffer) : buffer;
    if (buffer.accounting == Buffer::Accounting::Mixed && buffer.sharing->pools == Pools::One) {
        if (buffer.slices > 1) throw KeyError("switch.buffer.slices", "conflicts with accounting = \"mixed\"");
        first_input_ = outputs;
    }
    const QueueAccounts::Layout layout =
        layout_of(deciding, units_, by_input_ ? inputs : outputs + (first_input_ > 0 ? inputs : 0));
    accounts_ = deciding.sharing->make(deciding, units_, layout);
    if (buffer.accounting == Buffer::Accounting::Both)
        input_accounts_ = buffer.sharing->make(buffer, units_, layout_of(buffer, units_, inputs));
    if (both && buffer.egress_lossless_size) {
        units_.amount("switch.buffer.egress_lossless_size", *buffer.egress_lossless_size);
        const Buffer lossless = lossless_buffer(buffer);
        lossless_accounts_ = lossless.sharing->make(lossless, units_, layout_of(lossless, units_, outputs));
    }
    if (buffer.dram) {
        QueueAccounts::Layout second = layout;
        second.pools = 1;
        second.pool_size = units_.amount("switch.buffer.dram", *buffer.dram);
        second.reserved = 0;
        dram_ = Sharing::Shared->make(buffer, units_, second);
        dram_from_ = units_.amount("switch.buffer.dram_from", buffer.dram_from);
    }
    descriptors_ = buffer.descriptors ? *buffer.descriptors / buffer.slices : std::numeric_limits<std::int64_t>::max();
    for (int input = 0; input < inputs; ++input) {
        for (const MemorySize own : buffer.class_headrooms)
            headrooms_.push_back({units_.amount("switch.buffer.class_headrooms", own)});
        headrooms_.push_back({units_.amount("switch.buffer.headroom", buffer.headroom)});
    }
    for (const Headroom& own : headrooms_) headroom_size_ += own.size;
    const auto pools = static_cast<std::size_t>(std::min(buffer.slices, inputs));
    headroom_pool_ = buffer.headroom_pool
                         ? units_.amount("switch.buffer.headroom_pool", *buffer.headroom_pool) / buffer.slices
                         : std::numeric_limits<std::int64_t>::max();
    headroom_drawn_.resize(std::max<std::size_t>(pools, 1));
    pipeline_ = buffer.egress_pipeline;
    if (pipeline_ > 0) outputs_.resize(static_cast<std::size_t>(outputs));
    for (int each = 0; each < kTrafficClasses; ++each)
        early_[static_cast<std::size_t>(each)] = EarlyRange(buffer.early_of(each), units_);
    inputs_.resize(static_cast<std::size_t>(inputs));
    queues_.resize(static_cast<std::size_t>(layout.queues));
    frames_in_pool_.resize(static_cast<std::size_t>(layout.pools));
    plain_ = is_ruled_by_policy(buffer);
    one_sided_ = !input_accounts_ && !lossless_accounts_ && !dram_ && first_input_ == 0;
    for (const auto& [key, level] : {std::pair("switch.buffer.resume", &buffer.resume),
                                     std::pair("switch.buffer.descriptors_resume", &buffer.descriptors_resume)})
        if (*level)
            if (const auto* size = std::get_if<MemorySize>(&**level); size && size->unit != MemorySize::Unit::Frame)
                units_.amount(key, *size);
}

bool SwitchMemory::is_early(const MemoryClaim& claim) const {
    const EarlyRange& early = early_[static_cast<std::size_t>(claim.traffic_class)];
    return early.to != 0 && !claim.is_exempt && early.chooses(accounts_of(claim).held(queue_of(claim)), claim.lot);
}

void SwitchMemory::divert(int input, int traffic_class, FlowControl::Rule rule, Ratio alpha) {
    if (!by_input_ && !input_accounts_ && first_input_ == 0)
        throw KeyError("switch.flow_control.rule",
                       "needs books of the inputs: accounting = \"ingress\", \"both\" or \"mixed\"");
    // A frame gives back to the headroom what others drew there, a part of a frame.
    if (buffer_.port_limit && !units_.converts(*buffer_.port_limit))
        throw KeyError("switch.buffer.port_limit",
                       "conflicts with flow_control.rule unless it is in the unit of the memory");
    diverted_.divert(queue_of_input(input, traffic_class), rule, alpha, input_side_accounts().layout().queues);
    plain_ = one_sided_ = false;
}

std::int64_t SwitchMemory::headroom_left(const MemoryClaim& claim) const {
    const Headroom& own = headrooms_[headroom_of(claim.input, claim.traffic_class)];
    return std::min(own.size - own.held, headroom_pool_ - headroom_drawn_[headroom_pool_of(claim.input)]);
}

Wide SwitchMemory::headroom_left() const {
    return std::min(Wide{headroom_size_}, Wide{headroom_pool_} * headroom_drawn_.size()) -
           std::accumulate(headroom_drawn_.begin(), headroom_drawn_.end(), std::int64_t{0});
}

const LossCause* SwitchMemory::refusal_by_rules(const MemoryClaim& claim) const {
    if (goes_by_pipeline(claim)) return nullptr;
    const std::int64_t cost = units_.cost(claim.buffer);
    if (claim.on_headroom) return cost > headroom_left(claim) ? &kHeadroomFull : nullptr;
    const int number = queue_of(claim);
    const int by_input = one_sided_ ? 0 : queue_of_input(claim.input, claim.traffic_class);
    const bool diverts = !one_sided_ && diverted_.diverts(by_input);
    if (diverted_.may_overdraw() && cost > headroom_left() + input_side_accounts().left())
        return diverts ? &kHeadroomFull : &kBufferFull;
    if (diverts) {
        const Wide room = std::min(Wide{headroom_left(claim)}, headroom_left());
        if (diverted_.loses(input_side_accounts(), by_input, cost, room)) return &kHeadroomFull;
        if (diverted_.overflows(input_side_accounts(), by_input, cost))
            return input_accounts_ ? refusal_by(accounts_of(claim), number, cost, claim.is_first) : nullptr;
    }
    const QueueAccounts& books = accounts_of(claim);
    const Queue& queue = queues_[static_cast<std::size_t>(number)];
    if (books.held(number) > queue.resume_at || queue.counted() > queue.resume_at_frames) return &kResume;
    const Limits& limits = &books == accounts_.get() ? limits_ : lossless_limits_;
    if (!limits.may_grow(books, number, cost, claim.buffer)) return &kThreshold;
    if (input_accounts_ && !input_limits_.may_grow(*input_accounts_, by_input, cost, claim.buffer)) return &kThreshold;
    if (!diverts || input_accounts_)
        if (const LossCause* cause = refusal_by(books, number, cost, claim.is_first)) return cause;
    if (input_accounts_ && !diverts)
        if (const LossCause* cause = refusal_by(*input_accounts_, by_input, cost, claim.is_first)) return cause;
    if (frames_in_pool_[static_cast<std::size_t>(accounts_->pool_of(number))] >= descriptors_) return &kDescriptors;
    if (!(buffer_.ecn && claim.can_be_marked) && is_early(claim)) return &kEarlyDrop;
    return goes_to_dram(claim) && refusal_by(*dram_, number, cost) ? &kDramFull : nullptr;
}

std::int64_t SwitchMemory::free_to_input(int input) const {
    if (by_input_) return accounts_->free(input * buffer_.classes);
    if (input_accounts_) return input_accounts_->free(input * buffer_.classes);
    return accounts_->free();
}

std::int64_t SwitchMemory::drawn_by_input(int input) const {
    const QueueAccounts* accounts = by_input_ ? accounts_.get() : input_accounts_.get();
    return accounts ? held_by_input(input) - accounts->layout().reserved : held_by_input(input);
}

bool SwitchMemory::note_taken(const MemoryClaim& claim) {
    if (pipeline_ > 0) {
        Output& output = outputs_[static_cast<std::size_t>(claim.output)];
        if (goes_by_pipeline(claim)) {
            ++output.in_pipeline;
            return false;
        }
        output.in_memory.push_back({claim, 1});
    }
    Queue& queue = queues_[static_cast<std::size_t>(queue_of(claim))];
    if (!claim.on_headroom) queue.resume_at = queue.resume_at_frames = Queue::kAny;
    if (marks(claim)) ++marked_;
    if (claim.in_dram) ++to_dram_;
    return true;
}

std::int64_t SwitchMemory::take_alike(const MemoryClaim& claim, std::int64_t most,
                                      const std::function<bool()>& goes_on) {
    const auto amount = [this](MemorySize limit) { return units_.amount("switch.buffer.step_limits", limit); };
    const auto falls = [&](MemorySize a, MemorySize b) { return amount(b) < amount(a); };
    const auto& steps = buffer_.step_limits;  // a policy with steps is monotone if they ascend
    if (!buffer_.sharing->is_monotone || !one_sided_ || buffer_.drops_early() ||
        std::adjacent_find(steps.begin(), steps.end(), falls) != steps.end())
        return 0;
    const std::int64_t cost = units_.cost(claim.buffer);
    std::int64_t taken = 0;
    bool doubles = true;
    for (std::int64_t step = std::min<std::int64_t>(1, most); step > 0;
         step = std::min(doubles ? 2 * step : step / 2, most - taken)) {
        // If the last of them is granted, all are, and goes_on was true.
        bool granted = claim.on_headroom ||
                       accounts_->verdict(plain_queue_of(claim), step * cost) != QueueAccounts::Verdict::PoolFull;
        if (granted) {
            change(claim, step - 1);
            granted = !refusal(claim);
            change(claim, 1);
            granted = granted && goes_on();
            if (!granted) change(claim, -step);
        }
        taken += granted ? step : 0;
        doubles = doubles && granted;
    }
    note_peaks();
    if (pipeline_ > 0) outputs_[static_cast<std::size_t>(claim.output)].in_memory.back().frames += taken;
    return taken;
}

std::optional<int> SwitchMemory::victim(const MemoryClaim& claim, const QueueAccounts::MayLose& may_lose) const {
    if (!buffer_.sharing->evicts || claim.on_headroom || refusal(claim) != &kBufferFull ||
        (!buffer_.ecn && is_early(claim)))
        return std::nullopt;
    const int queue = queue_of(claim);
    // No push-out makes room for more than the pool holds.
    if (accounts_->held(queue) + units_.cost(claim.buffer) >
        accounts_->layout().pool_size + accounts_->layout().reserved)
        return std::nullopt;
    return accounts_->victim(queue, may_lose);
}

void SwitchMemory::push_out(const MemoryClaim& claim) {
    release(claim);
    drop(claim, kPushedOut);
}

const MemoryClaim* SwitchMemory::release_by_pipeline(const MemoryClaim& claim) {
    // A frame leaves the pipeline, and the oldest one in memory takes its place.
    Output& output = outputs_[static_cast<std::size_t>(claim.output)];
    if (output.in_memory.empty()) {
        --output.in_pipeline;
        return nullptr;
    }
    released_ = output.in_memory.front().claim;
    if (--output.in_memory.front().frames == 0) output.in_memory.pop_front();
    change(released_, -1);
    return &released_;
}

std::int64_t SwitchMemory::on_headroom(const MemoryClaim& claim, std::int64_t amount) const {
    if (claim.on_headroom) return amount;
    const int by_input = queue_of_input(claim.input, claim.traffic_class);
    if (!diverted_.diverts(by_input)) return 0;
    if (amount < 0) return std::max(amount, -input_side_accounts().on_headroom(by_input));
    return diverted_.overflows(input_side_accounts(), by_input, amount) ? amount : 0;
}

void SwitchMemory::change_by_rules(const MemoryClaim& claim, std::int64_t frames, std::int64_t amount) {
    if (one_sided_ && !claim.on_headroom) {
        const int number = plain_queue_of(claim);
        accounts_->take(number, amount);
        limits_.changed(number, frames, claim.buffer);
        queues_[static_cast<std::size_t>(number)].frames += frames;
        frames_in_pool_[static_cast<std::size_t>(accounts_->pool_of(number))] += frames;
        return;
    }
    const std::int64_t aside = on_headroom(claim, amount);
    if (aside != 0) {
        inputs_[static_cast<std::size_t>(claim.input)].on_headroom += aside;
        headrooms_[headroom_of(claim.input, claim.traffic_class)].held += aside;
        headroom_drawn_[headroom_pool_of(claim.input)] += aside;
    }
    if (claim.on_headroom) return;
    const int by_input = queue_of_input(claim.input, claim.traffic_class), number = queue_of(claim);
    const bool diverts = diverted_.diverts(by_input);
    if (diverts) {
        diverted_.change(by_input, frames);
        (input_accounts_ ? *input_accounts_ : *accounts_).take_beside(by_input, amount - aside, aside);
    } else if (input_accounts_) {
        input_accounts_->take(by_input, amount);
        input_limits_.changed(by_input, frames, claim.buffer);
    }
    if ((frames > 0 || !claim.in_dram) && (!diverts || input_accounts_)) {
        QueueAccounts& books = accounts_of(claim);
        books.take(number, amount);
        (&books == accounts_.get() ? limits_ : lossless_limits_).changed(number, frames, claim.buffer);
    }
    Queue& queue = queues_[static_cast<std::size_t>(number)];
    if (claim.in_dram) {
        dram_->take(number, amount);
        if (frames < 0) --queue.off_chip;
    }
    queue.frames += frames;
    frames_in_pool_[static_cast<std::size_t>(accounts_->pool_of(number))] += frames;
}

void SwitchMemory::drop(const MemoryClaim& claim, const LossCause& cause) {
    if (cause == kResume || cause == kEarlyDrop) return;
    const auto& level =
        cause == kDescriptors && buffer_.descriptors_resume ? buffer_.descriptors_resume : buffer_.resume;
    if (!level) return;
    const int number = queue_of(claim);
    Queue& queue = queues_[static_cast<std::size_t>(number)];
    const bool frames = cause == kDescriptors;
    const auto fraction_of = [](Ratio part, std::int64_t whole) {
        return static_cast<std::int64_t>(Wide{whole} * part.numerator / part.denominator);
    };
    const auto resume_at_frames = [&](std::int64_t count) {
        queue.resume_at_frames = count;
        queue.lacks_descriptors = frames;
    };
    if (const auto* part = std::get_if<Ratio>(&*level)) {
        if (frames)
            resume_at_frames(fraction_of(*part, queue.frames));
        else
            queue.resume_at = fraction_of(*part, accounts_of(claim).held(number));
    } else {
        const auto& size = std::get<MemorySize>(*level);
        if (size.unit == MemorySize::Unit::Frame)
            resume_at_frames(size.amount);
        else
            queue.resume_at = units_.amount("switch.buffer.resume", size);
    }
}

std::unique_ptr<SwitchMemory> make_switch_memory(const Buffer& buffer, int inputs, int outputs) {
    return std::make_unique<SwitchMemory>(buffer, inputs, outputs);
}

}  // namespace watershed
