// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/uniform-senders.h"

#include <algorithm>

#include "model/frontend/sender-fields.h"

namespace watershed {
namespace {

template <class T>
bool all_equal(const std::vector<T>& list) {
    return std::adjacent_find(list.begin(), list.end(), std::not_equal_to<>()) == list.end();
}

}  // namespace

std::optional<UniformSenders> UniformSenders::of(const Senders& whole, UnsupportedKey* why, Times times) {
    if (!whole.traffic.empty()) return refused(why, {"traffic", "others send beside the camera"});
    if (!whole.groups.empty()) return refused(why, {"group", "modules are of several kinds"});
    if (whole.builders.count > 1) return refused(why, {"server.builders", "events go to several builders"});
    Senders copied;
    copied.seed = whole.seed;
    copied.frame.payload = whole.frame.payload;
    copied.frame.wire_overhead = whole.frame.wire_overhead;
    copied.frame.buffer_overhead = whole.frame.buffer_overhead;
    copied.frame.reported_overhead = whole.frame.reported_overhead;
    copied.frame.mtu = whole.frame.mtu;
    if (frames_of_fragment(whole.frame).size() == 1) copied.frame.split = whole.frame.split;
    const FrontEnd& from = whole.front_end;
    FrontEnd& to = copied.front_end;
    to.modules = from.modules;
    to.modules_before = from.modules_before;
    to.link_rate = from.link_rate;
    const bool own = times == Times::Own;
    if (own || all_equal(from.skew)) to.skew = from.skew;
    if (own || all_equal(from.clock)) to.clock = from.clock;
    if (own) to.skew_spread = from.skew_spread, to.clock_spread = from.clock_spread, to.jitter = from.jitter;
    to.obeys_pause = from.obeys_pause;  // orders of the switch; if it gives any, that is its key
    to.pause_reaction = from.pause_reaction;
    to.source_ports = from.source_ports;
    to.traffic_class = from.traffic_class;
    copied.trigger = whole.trigger;  // TriggerTrain knows all patterns
    if (whole.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) copied.trigger.pattern = {};
    if (const SenderField* field = first_left_out(sender_fields(), whole, copied))
        return refused(why, {field->name, own ? "the modules no longer send one frame each"
                                              : "the modules no longer send one frame each at the same instants"});
    return UniformSenders(copied);
}

}  // namespace watershed
