// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/needed-memory.h"

#include <algorithm>
#include <vector>

#include "model/switch/memory-units.h"
#include "model/switch/switch-memory.h"

namespace watershed {

bool takes_all(const SwitchGuarantee& guarantee, const Buffer& buffer, Bytes frame) {
    const int uplinks = static_cast<int>(guarantee.queues.size());
    const auto admit = [&](SwitchMemory& memory, int input, int output, std::int64_t frames) {
        MemoryClaim claim;
        claim.input = input;
        claim.output = output;
        claim.buffer = frame;
        for (std::int64_t i = 0; i < frames; ++i)
            if (memory.admit(claim)) return false;
        return true;
    };
    if (buffer.sharing == Sharing::Shared) {  // of whom does not count
        SwitchMemory memory(buffer, guarantee.inputs, uplinks);
        return admit(memory, 0, 0, guarantee.frames);
    }
    std::vector<int> unlike;  // queues, one of each length
    for (int i = 0; i < uplinks; ++i) {
        const auto same = [&](int other) {
            const QueueGuarantee &a = guarantee.queues[static_cast<std::size_t>(other)],
                                 &b = guarantee.queues[static_cast<std::size_t>(i)];
            return a.frames == b.frames && a.by_input == b.by_input;
        };
        if (std::none_of(unlike.begin(), unlike.end(), same)) unlike.push_back(i);
    }
    for (const int last : unlike) {
        SwitchMemory memory(buffer, guarantee.inputs, uplinks);
        const auto& queue = guarantee.queues[static_cast<std::size_t>(last)];
        if (has_account_by_input(buffer)) {
            if (!admit(memory, 0, last, queue.by_input)) return false;
            continue;
        }
        for (int other = 0; other < uplinks; ++other)
            if (other != last && !admit(memory, 0, other, guarantee.queues[static_cast<std::size_t>(other)].frames))
                return false;
        if (!admit(memory, 0, last, queue.frames)) return false;
    }
    return true;
}

std::optional<MemorySize> needed_size(const SwitchGuarantee& guarantee, Bytes frame) {
    Buffer buffer = guarantee.buffer;
    const auto takes = [&](std::int64_t amount) {
        buffer.size.amount = amount;
        return takes_all(guarantee, buffer, frame);
    };
    constexpr std::int64_t kMost = std::int64_t{1} << 50;
    // A memory that is shared completely needs just this, others more or less.
    std::int64_t enough = std::max<std::int64_t>(1, guarantee.frames * MemoryUnits(buffer).cost(frame));
    if (takes(enough) && enough > 1 && !takes(enough - 1)) {
        buffer.size.amount = enough;
        return buffer.size;
    }
    while (!takes(enough)) {
        if (enough >= kMost) return std::nullopt;  // another limit is in the way
        enough *= 2;
    }
    std::int64_t too_little = 0;
    while (enough - too_little > 1) {
        const std::int64_t middle = too_little + (enough - too_little) / 2;
        (takes(middle) ? enough : too_little) = middle;
    }
    buffer.size.amount = enough;
    return buffer.size;
}

}  // namespace watershed
