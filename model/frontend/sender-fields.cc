// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/sender-fields.h"

#include <limits>

namespace watershed {

// So that a field's place reads as the senders' member.
#define WATERSHED_AT(member)    \
    +[](Senders & s) -> auto& { \
        return s.member;        \
    }

const std::vector<SenderField>& sender_fields() {
    using Self = SenderField;
    constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kMost = 1'000'000'000'000;  // largest number that is counted
    static const std::vector<SenderField> all{
        Self{"frame.payload", WATERSHED_AT(frame.payload),
             "UDP payload of one event fragment. Ethernet pads frames to 64 B, so less than 18 B cost as much as 18 B."}
            .within(1, 1'000'000'000, "1 B to 1 GB"),
        {"frame.payloads", WATERSHED_AT(frame.payloads), "Fragments have these sizes; one is drawn for each fragment."},
        Self{"frame.payload_weights", WATERSHED_AT(frame.weights),
             "How often each of frame.payloads is drawn, relative to the others; all equally often by default."}
            .within(1, 1'000'000'000),
        Self{"frame.payload_file", WATERSHED_AT(frame.payload_file),
             "A CSV table of payload_bytes,weight replaces frame.payloads and frame.payload_weights; the path is "
             "relative to the scenario's folder."}
            .written("file name"),
        Self{"frame.wire_overhead", WATERSHED_AT(frame.wire_overhead),
             "What a frame costs a link beside its payload: preamble 8, MAC 14, IPv4 20, UDP 8, FCS 4, gap 12."}
            .within(0, 1000, "at most 1000 B"),
        Self{"frame.buffer_overhead", WATERSHED_AT(frame.buffer_overhead),
             "What a frame costs a buffer beside its payload: MAC 14, IPv4 20, UDP 8, FCS 4."}
            .within(0, 1000, "at most 1000 B"),
        Self{"frame.reported_overhead", WATERSHED_AT(frame.reported_overhead),
             "What the measuring instrument adds to the payload when it states a rate."}
            .within(0, 1000, "at most 1000 B"),
        Self{"frame.mtu", WATERSHED_AT(frame.mtu), "Largest IP packet; more than 1500 B allows jumbo frames."}.within(
            576, 65535, "576 B to 65535 B"),
        {"frame.split", WATERSHED_AT(frame.split),
         "A fragment larger than the MTU becomes several frames instead of an error."},
        Self{"front_end.modules", WATERSHED_AT(front_end.modules), "Number of modules; each has one link."}.within(
            1, 65535),
        Self{"front_end.fragments", WATERSHED_AT(frame.fragments),
             "Number of fragments that a module sends for each event, one after the other; each is a frame with "
             "frame.payload. Or a list of their payloads in the order of sending, which takes the place of "
             "frame.payload: a list by --set replaces frame.payload of the file, all else is a conflict."}
            .within(1, 10'000),
        {"front_end.gap", WATERSHED_AT(front_end.gap),
         "Pause between the frames that a module sends for one event: from the end of the frame before on the link to "
         "the beginning of the next. All ask for room in the FIFO at once and wait there. The link sends nothing else "
         "meanwhile. There is none between the last frame of an event and the first of the next."},
        {"front_end.link_rate", WATERSHED_AT(front_end.link_rate), "Bit rate of each module's link."},
        Self{"front_end.fifo", WATERSHED_AT(front_end.fifo),
             "Number of frames that a module's output FIFO holds, including the one being sent."}
            .no_limit_by_default(),
        {"front_end.skew", WATERSHED_AT(front_end.skew),
         "Constant delay of each module's trigger (cables); the list repeats if there are more modules."},
        {"front_end.skew_spread", WATERSHED_AT(front_end.skew_spread),
         "Each module's trigger has a further constant delay, uniform from 0 to this."},
        {"front_end.jitter", WATERSHED_AT(front_end.jitter),
         "Each trigger has a further delay at each module, uniform from 0 to this."},
        Self{"front_end.clock", WATERSHED_AT(front_end.clock),
             "Deviation of each module's clock; the list repeats if there are more modules."}
            .within(-100'000'000, 100'000'000, "-100000 ppm to 100000 ppm"),
        Self{"front_end.clock_spread", WATERSHED_AT(front_end.clock_spread),
             "Each module's clock has a further constant deviation, uniform from minus to plus this."}
            .within(0, 100'000'000, "0 ppm to 100000 ppm"),
        {"front_end.obeys_pause", WATERSHED_AT(front_end.obeys_pause),
         "Modules stop sending when the switch tells them to pause."},
        {"front_end.pause_reaction", WATERSHED_AT(front_end.pause_reaction),
         "Time from the last bit of a PAUSE frame until it takes effect; a frame being sent is always completed."},
        Self{"front_end.source_ports", WATERSHED_AT(front_end.source_ports),
             "UDP source port of each module's flow; the list repeats if there are more modules, and 49152 + module is "
             "the default."}
            .within(1, 65535),
        Self{"front_end.class", WATERSHED_AT(front_end.traffic_class),
             "Traffic class of the camera's frames (IEEE 802.1p); 7 is the highest."}
            .within(0, kTrafficClasses - 1),
        {"trigger.pattern",
         choice_of(WATERSHED_AT(trigger.pattern),
                   {"burst", "periodic", "bursts", "poisson", "file", "profile", "line-rate-plus-burst"}),
         "How triggers come. \"burst\": `events` triggers, `separation` apart. \"periodic\": at `rate`, until `events` "
         "or `duration`. \"bursts\": bursts that repeat after `period`. \"poisson\": at random at `rate`, until "
         "`events` or `duration`. \"file\": at the times in a text file. \"profile\": at the rates in a table, until "
         "its end, `events` or `duration`. \"line-rate-plus-burst\": module 1 sends without pause, and module 2 sends "
         "a burst of `events` frames."},
        Self{"trigger.separation", WATERSHED_AT(trigger.separation), "Time between the triggers of a burst."}.shown_as(
            ""),
        Self{"trigger.events", WATERSHED_AT(trigger.events),
             "Number of triggers in a burst, or in all for \"periodic\", \"poisson\" and \"profile\"."}
            .within(1, kMost),
        Self{"trigger.bursts", WATERSHED_AT(trigger.bursts), "Number of bursts for the pattern \"bursts\"."}
            .within(1, kMost)
            .shown_as(""),
        Self{"trigger.period", WATERSHED_AT(trigger.period),
             "Time from the first trigger of one burst to the first trigger of the next."}
            .within(1, kNoEnd, "more than 0 s")
            .shown_as(""),
        Self{"trigger.rate", WATERSHED_AT(trigger.rate),
             "Trigger rate of the patterns \"periodic\" and \"poisson\", before dead time."}
            .shown_as(""),
        Self{"trigger.duration", WATERSHED_AT(trigger.duration), "Only triggers before this time count."}.within(
            1, kNoEnd, "more than 0 s"),
        Self{"trigger.dead_time", WATERSHED_AT(trigger.dead_time),
             "A trigger closer than this to the last accepted one is ignored."}
            .shown_as("0 us, for random triggers 2 us"),
        {"trigger.rules", WATERSHED_AT(trigger.rules),
         "Rules of the trigger system: a trigger that one of them refuses is ignored. \"3 in 40 us\": at most 3 in any "
         "40 us. \"bucket of 3, one in 12 us\": each takes a token of a bucket that holds 3 and gets one each 12 us. "
         "\"almost full at 40 frames, after 5 us\": none if 5 us before the switch's memory held 40 frames or more. "
         "They go with the patterns \"periodic\", \"poisson\", \"profile\" and \"file\"."},
        Self{"trigger.file", WATERSHED_AT(trigger.file),
             "File of triggers, relative to the scenario's folder, by --set to the working folder. For \"file\": "
             "trigger times with units, one a line, "
             "ascending. For \"profile\": a CSV table of time_s,rate_hz from time 0 on, linear between its rows."}
            .written("file name"),
        {"trigger.regular", WATERSHED_AT(trigger.regular),
         "Triggers of a profile are evenly spaced; otherwise they come at random."},
        Self{"trigger.largest_step", WATERSHED_AT(trigger.largest_step),
             "Rows of a profile that are further apart than this are refused as a gap."}
            .within(1, kNoEnd, "more than 0 s"),
        Self{"trigger.burst.events", WATERSHED_AT(trigger.burst.events),
             "Number of triggers in each burst on top of the patterns \"periodic\", \"poisson\" and \"profile\"."}
            .within(1, kMost)
            .shown_as(""),
        Self{"trigger.burst.separation", WATERSHED_AT(trigger.burst.separation),
             "Time between the triggers of a burst on top."}
            .shown_as(""),
        Self{"trigger.burst.rate", WATERSHED_AT(trigger.burst.rate),
             "Bursts on top begin at random at this rate, counted from the end of the last one."}
            .shown_as(""),
        Self{"trigger.burst.period", WATERSHED_AT(trigger.burst.period),
             "Bursts on top begin this far apart, the first one period after the start."}
            .within(1, kNoEnd, "more than 0 s")
            .shown_as(""),
    };
    return all;
}

#undef WATERSHED_AT

}  // namespace watershed
