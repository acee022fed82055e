// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/other-places.h"

#include <algorithm>

#include "model/guarantee/switch-analysis.h"
#include "model/switch/memory-units.h"

namespace watershed {
namespace {

/// Returns the frames that a queue keeps in the first tier.
std::int64_t kept_in_first(const SwitchGuarantee& guarantee, const SecondTier& tier, Bytes frame) {
    const MemoryUnits units(guarantee.buffer);
    return units.amount("switch.buffer.dram_from", tier.from) / units.cost(frame);
}

}  // namespace

Switch with_one_queue(Switch whole, BitRate fastest, bool alone, OtherPlaces& places) {
    if (whole.cut_through && whole.uplink_rate > fastest) {
        whole.cut_through = false;
        whole.cut_through_after = Switch{}.cut_through_after;
    }
    if (whole.input_fifo && whole.queueing != Queueing::InputFifo) {
        whole.input_fifo.reset();
        places.before_memory = true;
    }
    Buffer& buffer = whole.buffer;
    if (alone && whole.queueing == Queueing::VirtualOutput && !buffer.dram) {
        whole.queueing = Queueing::Output;
        places.by_turns = true;
    }
    const bool by_size = size_alone_decides(buffer) && !buffer.descriptors && !buffer.queue_split;
    if (alone && by_size && buffer.dram && buffer.dram_rate) {
        places.tier = SecondTier{*buffer.dram, buffer.dram_from, *buffer.dram_rate};
        buffer.dram.reset();
        buffer.dram_rate.reset();
        buffer.dram_from = Buffer{}.dram_from;
    }
    return whole;
}

bool uses_second_tier(const SwitchGuarantee& guarantee, const SecondTier& tier, Bytes frame) {
    const std::int64_t kept = kept_in_first(guarantee, tier, frame);
    return std::any_of(guarantee.queues.begin(), guarantee.queues.end(),
                       [&](const QueueGuarantee& queue) { return queue.frames > kept; });
}

void conclude_two_tiers(SwitchGuarantee& guarantee, const SecondTier& tier, Bytes frame) {
    const MemoryUnits units(guarantee.buffer);
    const std::int64_t kept = kept_in_first(guarantee, tier, frame), cost = units.cost(frame);
    std::int64_t first = tier.in_writing, second = 0;
    for (const QueueGuarantee& queue : guarantee.queues) {
        first += std::min(queue.frames, kept);
        if (queue.frames > kept) second += queue.frames;
    }
    first = std::min(first, guarantee.frames) * cost;
    const bool moves = second * cost <= units.amount("switch.buffer.dram", tier.size);
    guarantee.fits = moves && first <= units.amount("switch.buffer.size", guarantee.buffer.size);
    if (moves) guarantee.needed = [needed = MemorySize{first, units.unit()}] { return needed; };
}

}  // namespace watershed
