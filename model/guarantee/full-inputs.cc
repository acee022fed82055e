// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/full-inputs.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "model/guarantee/switch-analysis.h"
#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

/// Frames of one input in memory.
struct HeldByInput {
    int input, output;
    std::int64_t frames;
};

/// Returns true if the memory takes these frames, one after the other.
bool admits(SwitchMemory& memory, const HeldByInput& held, Bytes frame) {
    MemoryClaim claim;
    claim.input = held.input;
    claim.output = held.output;
    claim.buffer = frame;
    for (std::int64_t left = held.frames; left > 0;) {
        if (memory.admit(claim)) return false;
        --left;
        left -= memory.take_alike(claim, left, [] { return true; });
    }
    return true;
}

}  // namespace

bool counts_inputs(const Buffer& buffer) {
    if (buffer.sharing->pools == SharingPolicy::Pools::PerInput) return false;  // it has accounts of inputs alone
    return buffer.accounting == Buffer::Accounting::Both ||
           (buffer.accounting == Buffer::Accounting::Ingress && buffer.sharing->pools == SharingPolicy::Pools::One &&
            !size_decides(buffer));
}

bool takes_all_by_input(const SwitchGuarantee& guarantee, const Buffer& buffer, Bytes frame) {
    const int outputs = int(guarantee.queues.size()), slices = std::min(buffer.slices, guarantee.inputs);
    for (int slice = 0; slice < slices; ++slice) {
        const auto is_in_slice = [&](int input) {
            return int(std::int64_t{input} * slices / guarantee.inputs) == slice;
        };
        std::vector<HeldByInput> all;
        for (int output = 0; output < outputs; ++output) {
            const QueueGuarantee& queue = guarantee.queues[std::size_t(output)];
            std::vector<int> inputs = queue.inputs;
            std::stable_partition(inputs.begin(), inputs.end(), is_in_slice);
            for (std::size_t i = 0; i < inputs.size(); ++i)
                all.push_back({inputs[i], output, queue.by_input - (std::int64_t(i) >= queue.fullest_inputs)});
        }
        std::set<std::pair<int, std::int64_t>> seen;  // inputs of one queue that hold equally many are alike
        for (std::size_t last = 0; last < all.size(); ++last) {
            if (!is_in_slice(all[last].input) || !seen.emplace(all[last].output, all[last].frames).second) continue;
            SwitchMemory memory(buffer, guarantee.inputs, outputs);
            for (std::size_t other = 0; other < all.size(); ++other)
                if (other != last && !admits(memory, all[other], frame)) return false;
            if (!admits(memory, all[last], frame)) return false;
        }
    }
    return true;
}

}  // namespace watershed
