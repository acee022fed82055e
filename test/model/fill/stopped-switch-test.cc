// SPDX-License-Identifier: GPL-2.0-only
#include "model/fill/stopped-switch.h"

#include "model/switch/switch-memory.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A stopped switch keeps what it takes until the oldest frame is released") {
    Incast scenario;
    scenario.front_end.modules = 2;
    scenario.network_switch.buffer.size = {3, MemorySize::Unit::Frame};
    scenario.network_switch.buffer.headroom = {1, MemorySize::Unit::Frame};
    scenario.network_switch.flow_control.kind = FlowControl::Kind::Pause;
    scenario.network_switch.flow_control.xoff = {1, MemorySize::Unit::Frame};
    scenario.network_switch.flow_control.xon = {1, MemorySize::Unit::Frame};
    const auto stopped = stop_exactly(scenario, 100);
    CHECK_FALSE(stopped->offer(0).paused);
    CHECK(stopped->offer(0).paused);
    CHECK(stopped->offer(1).in_memory);
    const auto on_headroom = stopped->offer(0);  // the memory of 3 is full
    CHECK(on_headroom.on_headroom);
    CHECK(stopped->offer(0).lost == &SwitchMemory::kHeadroomFull);
    CHECK(stopped->offer(1).lost == &SwitchMemory::kBufferFull);  // its sender is not paused
    CHECK(stopped->release(0));                                   // 2 frames and 1 more than xon
    CHECK_FALSE(stopped->release(0));
}
