// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/output-queued-switch.h"

#include "model/switch/switch-fields.h"

namespace watershed {

Switch outside_of(const Switch& whole) {
    Switch copied;
    copied.model = whole.model;
    copied.ports = whole.ports;
    copied.count = whole.count;
    copied.uplinks = whole.uplinks;
    copied.uplink_rate = whole.uplink_rate;
    copied.latency = whole.latency;
    copied.arrival_order = whole.arrival_order;
    copied.uplink_choice = whole.uplink_choice;
    copied.obeys_pause = whole.obeys_pause;  // the order is that of the next switch, whose key it is
    copied.pause_reaction = whole.pause_reaction;
    return copied;
}

namespace {

bool is_plain(Sharing sharing) {
    return sharing == Sharing::Shared || sharing == Sharing::PerInput || sharing == Sharing::PerOutput ||
           sharing == Sharing::DynamicThreshold;
}

UnsupportedKey left_out(const Switch& whole, const Switch& copied, const char* why) {
    const SwitchField* field = first_left_out(switch_fields(), whole, copied);
    return field ? UnsupportedKey{"switch." + field->name, why} : UnsupportedKey{};
}

}  // namespace

std::optional<OutputQueuedSwitch> OutputQueuedSwitch::of(const Switch& whole, UnsupportedKey* why, Beside beside) {
    if (UnsupportedKey obstacle = needs_events(whole)) return refused(why, std::move(obstacle));
    Switch copied = outside_of(whole);
    const Buffer& from = whole.buffer;
    Buffer& to = copied.buffer;
    if (is_plain(from.sharing)) to.sharing = from.sharing;
    to.size = from.size;
    to.alpha = from.alpha;
    to.accounting = from.accounting;
    to.cell = from.cell;
    to.cell_header = from.cell_header;
    to.descriptors = from.descriptors;
    to.queues = from.queues;
    to.queue_split = from.queue_split;
    to.release = from.release;
    if (beside) beside(from, to);
    if (UnsupportedKey obstacle = left_out(whole, copied, "only a simulation knows what becomes of frames then"))
        return refused(why, std::move(obstacle));
    return OutputQueuedSwitch(copied);
}

UnsupportedKey needs_events(const Switch& whole) {
    if (!whole.failures.empty())
        return {"failure." + whole.failures.front().name, "frames are lost with a link, or take another one"};
    // The memory knows its own keys, but for a frame that leaves before its turn, or is written elsewhere meanwhile.
    Switch copied = outside_of(whole);
    copied.buffer = whole.buffer;
    copied.buffer.egress_pipeline = Buffer{}.egress_pipeline;
    copied.buffer.dram = Buffer{}.dram;
    copied.buffer.first_bytes = Buffer{}.first_bytes;
    if (whole.buffer.sharing->evicts) copied.buffer.sharing = Buffer{}.sharing;
    return left_out(whole, copied, "frames wait in other places than at their uplink, or leave otherwise than by it");
}

}  // namespace watershed
