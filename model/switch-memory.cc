// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch-memory.h"

#include "model/policies/per-input-memory.h"
#include "model/policies/shared-memory.h"

namespace watershed {

std::unique_ptr<SwitchMemory> make_switch_memory(const Buffer& buffer, int inputs) {
    switch (buffer.sharing) {
        case Buffer::Sharing::Shared: return std::make_unique<SharedMemory>(buffer);
        case Buffer::Sharing::PerInput: return std::make_unique<PerInputMemory>(buffer, inputs);
    }
    return nullptr;
}

}  // namespace watershed
