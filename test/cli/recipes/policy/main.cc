// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>

#include "model/switch/switch-memory.h"

/// Fills a memory for ten through each of two outputs by the policy of that name.
int main() {
    watershed::Buffer buffer;
    buffer.sharing = watershed::Sharing::named("two-each");
    buffer.size = {10, watershed::MemorySize::Unit::Frame};
    watershed::SwitchMemory memory(buffer, 1, 2);
    for (const int output : {0, 0, 0, 1, 1, 1}) {
        const watershed::LossCause* cause = memory.admit({0, output, watershed::Bytes{100}});
        std::cout << (cause ? cause->reason : "granted") << std::endl;
    }
}
