// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-memory.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("The queue of each class holds its own limit, at each port, and classes beyond the list have none") {
    Buffer buffer;
    buffer.size = {1000, MemorySize::Unit::Frame};
    buffer.classes = kTrafficClasses;
    buffer.class_limits = {{2, MemorySize::Unit::Frame}, {3, MemorySize::Unit::Frame}};
    SwitchMemory memory(buffer, 1, 2);
    for (const int output : {0, 1})
        for (const auto& [traffic_class, most] : {std::pair{0, 2}, {1, 3}, {2, 40}, {7, 40}})
            for (int i = 1; i <= most + 1; ++i) {
                CAPTURE(output, traffic_class, i);
                const LossCause* cause = memory.admit({0, output, Bytes{100}, 0, false, true, traffic_class});
                CHECK((cause != nullptr) == (traffic_class < 2 && i > most));
                if (cause) CHECK(*cause == SwitchMemory::kThreshold);
            }
}
