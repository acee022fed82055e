// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/mixed-memory.h"

#include <algorithm>

#include "model/guarantee/switch-analysis.h"
#include "model/switch/memory-units.h"
#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

/// Returns true if no output exceeds the limit of a port.
bool keep_port_limit(const SwitchGuarantee& guarantee, const Buffer& buffer) {
    if (!buffer.port_limit) return true;
    const MemoryUnits units(buffer);
    const MemorySize most = *buffer.port_limit;
    const bool converts = units.converts(most) || most.unit == MemorySize::Unit::Cell;
    const std::int64_t amount = converts ? units.amount("switch.buffer.port_limit", most) : most.amount;
    return std::all_of(guarantee.queues.begin(), guarantee.queues.end(), [&](const QueueGuarantee& queue) {
        return amount >= (converts ? queue.units : most.unit == MemorySize::Unit::Frame ? queue.frames : queue.bytes);
    });
}

/// Returns true if there are descriptors for all frames. @param pools  numbers the pools of the outputs
bool have_descriptors(const SwitchGuarantee& guarantee, const Buffer& buffer, const QueueAccounts& pools) {
    if (!buffer.descriptors) return true;
    std::vector<std::int64_t> frames(static_cast<std::size_t>(pools.layout().pools));
    for (std::size_t i = 0; i < guarantee.queues.size(); ++i)
        frames[static_cast<std::size_t>(pools.pool_of(static_cast<int>(i) * pools.layout().classes))] +=
            guarantee.queues[i].frames;
    if (frames.size() == 1) frames[0] = std::min(frames[0], guarantee.frames);
    return *std::max_element(frames.begin(), frames.end()) <= *buffer.descriptors / buffer.slices;
}

/// Admits frames that take so much memory together. @return false if it is refused
bool fill(SwitchMemory& memory, const Buffer& buffer, MemoryClaim claim, std::int64_t units) {
    if (units == 0) return true;
    switch (memory.units().unit()) {
        case MemorySize::Unit::Frame:
            for (std::int64_t i = 0; i < units; ++i)
                if (memory.admit(claim)) return false;
            return true;
        case MemorySize::Unit::Byte: claim.buffer = Bytes{units}; break;
        case MemorySize::Unit::Cell: claim.buffer = Bytes{units * buffer.cell.count} - buffer.cell_header; break;
    }
    return !memory.admit(claim);
}

}  // namespace

UnsupportedKey obstacle_of_accounts(const Buffer& buffer) {
    if (has_account_by_input(buffer))
        return {"switch.buffer.sharing",
                "bound covers frames of several sizes, of streams beside the camera, or of a scheduler of classes only "
                "in memories without accounts of inputs"};
    const bool of_inputs =
        buffer.accounting != Buffer::Accounting::Egress && buffer.sharing->pools == SharingPolicy::Pools::One;
    if (buffer.accounting == Buffer::Accounting::Both ||
        (of_inputs && (!size_alone_decides(buffer) || buffer.descriptors)))
        return {"switch.buffer.accounting",
                "bound covers frames of several sizes, of streams beside the camera, or of a scheduler of classes only "
                "under rules of outputs"};
    return {};
}

bool takes_all(const SwitchGuarantee& guarantee, const std::vector<HeldFrames>& accounts, bool by_class,
               const Buffer& buffer) {
    Buffer counted = buffer;
    counted.classes = by_class ? kTrafficClasses : 1;
    counted.port_limit.reset();
    counted.descriptors.reset();
    const auto make = [&] {
        return SwitchMemory(counted, guarantee.inputs, static_cast<int>(guarantee.queues.size()));
    };
    if (!keep_port_limit(guarantee, buffer) || !have_descriptors(guarantee, buffer, make().accounts())) return false;
    const auto claim_of = [&](const HeldFrames& of) {
        MemoryClaim claim;
        claim.output = of.output;
        claim.traffic_class = by_class ? of.traffic_class : 0;
        return claim;
    };
    if (size_alone_decides(buffer)) {
        const std::int64_t size = MemoryUnits(buffer).amount("switch.buffer.size", buffer.size);
        return guarantee.units <= size / (buffer.queue_split ? buffer.queues : 1);
    }
    return std::all_of(accounts.begin(), accounts.end(), [&](const HeldFrames& last) {
        const auto same = [&](const HeldFrames& other) {
            return other.units == last.units && other.least == last.least;
        };
        if (!by_class && buffer.slices == 1 && same(accounts.front()) && &last != &accounts.front()) return true;
        SwitchMemory memory = make();
        for (const HeldFrames& other : accounts)
            if (&other != &last && !fill(memory, buffer, claim_of(other), other.units)) return false;
        return fill(memory, buffer, claim_of(last), last.units - last.least) &&
               fill(memory, buffer, claim_of(last), last.least);
    });
}

}  // namespace watershed
