// SPDX-License-Identifier: GPL-2.0-only
// The keys of a camera: its senders, switches, streams beside it, and its server.
#include <iterator>

#include "model/frontend/sender-fields.h"
#include "model/switch/switch-fields.h"
#include "scenarios/keys/key-table.h"
#include "scenarios/text/input-error.h"

namespace watershed {

using namespace key_tables;

namespace {

/// The keys of fields of the model. @param at  from the scenario to what has them
template <class AField, class Owner>
std::vector<ScenarioKey> keys_of_fields(const std::string& table, Owner& (*at)(Scenario&),
                                        const std::vector<AField>& fields) {
    std::vector<Key<Owner>> keys;
    keys.reserve(fields.size());
    for (const AField& field : fields) keys.push_back(key_of(field));
    return keys_of(table, at, std::move(keys));
}

/// Returns the keys of a switch with the fields of [switch]. @param meaning  description of this switch
std::vector<ScenarioKey> keys_as_of_switch(const std::string& table, const std::string& meaning,
                                           Switch& (*at)(Scenario&)) {
    std::vector<ScenarioKey> keys = keys_of_fields(table, at, switch_fields());
    for (ScenarioKey& key : keys) {
        key.like = "switch." + key.name.substr(table.size());
        key.meaning = "As " + key.like + ", for " + meaning + ".";
    }
    return keys;
}

template <class... Parts>
std::vector<ScenarioKey> joined(Parts... parts) {
    std::vector<ScenarioKey> keys;
    (keys.insert(keys.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end())), ...);
    return keys;
}

Node& last_node(Scenario& scenario) {
    if (scenario.nodes.empty()) scenario.nodes.emplace_back();
    return scenario.nodes.back();
}

TrafficStream& last_stream(Scenario& scenario) {
    if (scenario.traffic.empty()) scenario.traffic.emplace_back();
    return scenario.traffic.back();
}

Failure& last_failure(Scenario& scenario) {
    std::vector<Failure>& failures = scenario.network_switch.failures;
    return failures.empty() ? failures.emplace_back() : failures.back();
}

Receiver& receiver_of(Scenario& scenario) {
    if (!scenario.server.receiver) scenario.server.receiver.emplace();
    return *scenario.server.receiver;
}

TrafficStream::Rate rate_in(const KeyValue& found) {
    const std::string value = text_to_parse(found);
    TrafficStream::Rate rate;
    const bool frequency = value.size() > 2 && value.compare(value.size() - 2, 2, "Hz") == 0;
    try {
        if (frequency)
            rate.frames = parse_frequency(value);
        else
            rate.bits = parse_bit_rate(value);
    } catch (const std::invalid_argument&) {
        throw std::invalid_argument("found \"" + value +
                                    "\", expected frames a second such as \"10 kHz\" or bits of the link such as \"2 "
                                    "Gb/s\", more than 0");
    }
    return rate;
}

std::vector<ScenarioKey> traffic_keys() {
    std::vector<Key<TrafficStream>> all{
        {"pattern", WATERSHED_AT(TrafficStream, pattern),
         "How frames of this stream come, beside the camera's, by a link of their own or a module's, to the server. "
         "\"constant\": evenly spaced, at `rate`. \"bursts\": `burst` frames at once, every `period`. \"poisson\": at "
         "random, at `rate` on average. \"on-off\": evenly spaced at `rate` for random times of mean `on`, between "
         "random times of mean `off` without any. \"none\": there is no such stream, whatever its other keys say.",
         choice({"constant", "bursts", "poisson", "on-off", kNoStream})},  // the reader leaves it out
        {"payload", WATERSHED_AT(TrafficStream, payload),
         "UDP payload of each frame; frame.wire_overhead and frame.buffer_overhead come on top.",
         from_to(1, 65507, "1 B to 65507 B")},
        {"rate", WATERSHED_AT(TrafficStream, rate),
         "Frames a second, or bits that they cost the link a second, preamble and gap included.",
         from_to(1, kAny.most, "more than 0").written("\"10 kHz\" or \"2 Gb/s\"", ""), rate_in},
        {"burst", WATERSHED_AT(TrafficStream, burst), "Number of frames in each burst of the pattern \"bursts\".",
         from_to(1, kMost)},
        {"period", WATERSHED_AT(TrafficStream, period), "Time from the beginning of one burst to that of the next.",
         kSomeTime.like("1 ms", "")},
        {"on", WATERSHED_AT(TrafficStream, on), "Mean time for which a stream \"on-off\" sends, exponential.",
         kSomeTime.like("1 ms", "")},
        {"off", WATERSHED_AT(TrafficStream, off), "Mean time for which it then is silent, exponential.",
         kSomeTime.like("10 ms", "")},
        {"start", WATERSHED_AT(TrafficStream, start),
         "When the stream begins: with its first frame, burst or time on, or with the wait for a random frame.",
         kDelay.like("100 us")},
        {"stop", WATERSHED_AT(TrafficStream, stop),
         "Frames come before this. By default the stream ends with the camera: when the last fragment has left its "
         "module, if nothing holds it up but the module's link.",
         kSomeTime.like("10 ms", "")},
        {"clock", WATERSHED_AT(TrafficStream, clock),
         "The stream has a clock of its own, which spaces its frames; its error is drawn from the seed, uniform from "
         "minus to plus this.",
         from_to(0, 100'000'000, "0 ppm to 100000 ppm").written("deviation \"20 ppm\"")},
        {"phase", WATERSHED_AT(TrafficStream, phase),
         "Delay of all frames of the stream, on top of `start`; by default it is drawn from the seed, up to the time "
         "from one frame or burst to the next, and that of a `poisson` stream is none.",
         kDelay.like("3 us", "")},
        {"jitter", WATERSHED_AT(TrafficStream, jitter),
         "Each frame, or burst, has a further delay, uniform from 0 to this; none overtakes another.",
         kDelay.like("50 ns")},
        {"class", WATERSHED_AT(TrafficStream, traffic_class),
         "Traffic class of the frames (IEEE 802.1p); 7 is the highest.", from_to(0, kTrafficClasses - 1)},
        {"module", WATERSHED_AT(TrafficStream, module),
         "The module over whose link the stream comes, from 1; by default it has a link of its own to a switch.",
         from_to(1, 65535)},
        {"switch", WATERSHED_AT(TrafficStream, at_switch),
         "The switch to which the stream's own link leads, by the name that `run` gives it: \"switch 2\", "
         "\"aggregation\" or that of a node; by default the first. From there the stream goes to the server by the "
         "uplinks that its inputs have.",
         kAny.written("name")},
        {"link_rate", WATERSHED_AT(TrafficStream, link_rate),
         "Bit rate of the stream's own link; front_end.link_rate by default.", kAny.like("1 Gb/s", "")},
        {"obeys_pause", WATERSHED_AT(TrafficStream, obeys_pause),
         "The stream stops when the switch tells its own link to pause."},
    };
    return keys_of("traffic.NAME.", last_stream, std::move(all));
}

std::vector<ScenarioKey> failure_keys() {
    std::vector<Key<Failure>> all{
        {"link", WATERSHED_AT(Failure, link),
         "The link that fails, both ways, by the names that `run` gives its ends: \"switch 1 to aggregation\", all "
         "cables between them; \"switch 1, uplink 2\", a cable; \"module 7 to switch 1\". A frame that is on it is "
         "lost "
         "(link-down), and so is one that waits for it. From then on a switch takes the uplinks that still lead to the "
         "frame's event builder, by its rule of uplink_selection among these; where there is none it loses the frame. "
         "A "
         "module sends as before.",
         kAny.written("name")},
        {"switch", WATERSHED_AT(Failure, at_switch),
         "The switch that fails, with all its links, and loses what it holds; in place of `link`.",
         kAny.written("name")},
        {"at", WATERSHED_AT(Failure, at), "When it fails.", kDelay.like("1 ms")},
        {"until", WATERSHED_AT(Failure, until), "When it is back; by default never.", kSomeTime.like("2 ms", "")},
    };
    return keys_of("failure.NAME.", last_failure, std::move(all));
}

std::vector<ScenarioKey> node_keys() {
    std::vector<Key<Node>> all{
        {"modules", WATERSHED_AT(Node, modules),
         "Number of modules at this node of a free graph, the next ones in the order of the scenario; none by default.",
         from_to(0, 65535).shown_as("")},
        {"to", WATERSHED_AT(Node, to),
         "Where the uplinks of this node lead, in turn: names of other nodes or \"server\"; one uplink each unless "
         "`uplinks` gives more, and [\"server\"] by default.",
         kAny.written("list of names")},
        {"rates", WATERSHED_AT(Node, rates),
         "Bit rates of the uplinks of this node, in turn; uplink_rate for all by default."},
    };
    std::vector<ScenarioKey> keys = keys_of("node.NAME.", last_node, std::move(all));
    for (ScenarioKey& key :
         keys_as_of_switch("node.NAME.", "this node of a free graph",
                           [](Scenario& scenario) -> Switch& { return last_node(scenario).network_switch; })) {
        if (key.name == "node.NAME.count") continue;
        key.default_value.clear();  // it is that of [switch]
        keys.push_back(std::move(key));
    }
    return keys;
}

Group& last_group(Scenario& scenario) {
    if (scenario.groups.empty()) scenario.groups.emplace_back();
    return scenario.groups.back();
}

/// The keys of a group: its own, and those of [front_end], [frame] and [trigger].
std::vector<ScenarioKey> group_keys() {
    std::vector<Key<Group>> all{
        {"delay", WATERSHED_AT(Group, delay), "Time from each trigger until the modules of this group answer it.",
         kDelay.like("19 ms")},
        {"switch", WATERSHED_AT(Group, at_switch),
         "The switch to which the links of this group lead, by the name that `run` gives it: \"switch 2\" or that of a "
         "node. Expected for every group or for none; groups of one switch stand next to each other. By default the "
         "modules of all groups are dealt to the switches as those of one kind are.",
         kAny.written("name")},
    };
    std::vector<Key<GroupCopies>> of_copies{
        {"copies", WATERSHED_AT(GroupCopies, number),
         "Number of such groups. More than one are named NAME-1, NAME-2, …, and triggers of their own are drawn one by "
         "one.",
         from_to(1, 1000)}};
    std::vector<ScenarioKey> keys =
        joined(keys_of("group.NAME.", last_group, std::move(all)),
               keys_of(
                   "group.NAME.", +[](Scenario& scenario) -> GroupCopies& { return scenario.of<GroupCopies>(); },
                   std::move(of_copies)));
    for (const ScenarioKey& like : keys_of_fields<SenderField, Senders>(
             "", +[](Scenario& scenario) -> Senders& { return scenario; }, sender_fields())) {
        const std::string table = like.name.substr(0, like.name.find('.'));
        const bool of_trigger = table == "trigger";
        ScenarioKey& key = keys.emplace_back(like);
        key.like = like.name;
        key.name = "group.NAME." + like.name.substr(of_trigger ? 0 : table.size() + 1);
        key.meaning = "As " + like.name +
                      (of_trigger ? ", for a group with a trigger of its own." : ", for the modules of this group.");
        if (!of_trigger) key.default_value.clear();  // it is that of the other table
        key.set = [set = like.set, of_trigger](Scenario& scenario, const KeyValue& value) {
            Group& group = last_group(scenario);
            Scenario one;
            one.frame = group.frame;
            one.front_end = group.front_end;
            if (of_trigger) one.trigger = group.trigger.value_or(Trigger{});
            set(one, value);
            group.frame = one.frame;
            group.front_end = one.front_end;
            if (of_trigger) group.trigger = one.trigger;
        };
    }
    return keys;
}

std::vector<ScenarioKey> server_keys() {
    const KeyForm cost = from_to(0, 1'000'000'000'000, "at most 1 s"),
                  duration = from_to(1, 1'000'000'000'000'000'000,  // so that a sum of several is still a Time
                                     "more than 0 s and at most 1000000 s");
    const std::vector<std::string> fates{"keep", "discard"};
    const auto keep_in = [=](const KeyValue& value) { return chosen(value, fates) == 0; };
    std::vector<Key<Builders>> of_builders{
        {"builders", WATERSHED_AT(Builders, count),
         "Number of event builders, each with the limits of [server]. The uplinks that lead to the server lead to them "
         "in "
         "turn, and a frame takes one of those that lead to its builder, chosen as uplink_selection says.",
         from_to(1, 65535)},
        {"assignment", WATERSHED_AT(Builders, assignment),
         "Which builder gets an event. \"in-turn\": event e goes to builder 1 + (e - 1) mod `builders`. \"random\": "
         "the "
         "builder of each event is drawn. \"by-group\": group g, in the order of the file, sends all that it has to "
         "builder 1 + (g - 1) mod `builders`.",
         choice({"in-turn", "random", "by-group"})},
        {"order", WATERSHED_AT(Builders, order),
         "Which modules follow `assignment`. \"in-turn\": all. \"shifted\": module m sends to the builder m - 1 "
         "further, cyclically (barrel shifter): an event is then a turn, at which each builder gets parts of several "
         "events of the experiment. \"random\": the builder of each module is drawn for each event, whatever "
         "`assignment` says.",
         choice({"in-turn", "shifted", "random"})},
        {"copies", WATERSHED_AT(Builders, copies),
         "How many builders get a frame. \"one\": that of `assignment` and `order`. \"all\": each; a module sends the "
         "frame once, and switches copy it where the ways to the builders part. Counts of frames are then of copies.",
         choice({"one", "all"})},
    };
    std::vector<Key<Server>> of_server{
        {"interfaces", WATERSHED_AT(Server, interfaces),
         "Number of network ports of the camera server; by default as many as links lead there.", from_to(1, 65535)}};
    std::vector<Key<Receiver>> of_receiver{
        {"path", WATERSHED_AT(Receiver, path),
         "How frames reach the program. \"netmap\": it reads the rings itself. \"socket\": they pass through the "
         "kernel. \"ideal\": there are no limits and no costs unless given. The costs of the first two are recalled "
         "orders of magnitude; replace them by measured ones. Without this key and those below, the server takes every "
         "frame at once and builds no events.",
         choice({"ideal", "netmap", "socket"})},
        {"ring", WATERSHED_AT(Receiver, given.ring),
         "Number of descriptors of each interface (ideal: unlimited), or its bytes, \"18 kB\"; a frame holds one, or "
         "its "
         "bytes without preamble and gap, until a core has taken it, and is lost if there is no room.",
         kAny.written("\"512 frames\", \"18 kB\" or \"unlimited\"", "512 frames")
             .with(&KeyForm::limits, std::string("bytes or frames"))
             .with(&KeyForm::absent, std::string("unlimited"))
             .with(&KeyForm::may_be_cells, false)},
        {"dma_rate", WATERSHED_AT(Receiver, given.dma_rate),
         "Bit rate at which the frames of an interface move to memory (ideal: unlimited).",
         kAny.or_word("unlimited", "\"16 Gb/s\" or \"unlimited\"").shown_as("16 Gb/s")},
        {"polling", WATERSHED_AT(Receiver, polling),
         "The program looks for frames from time to time; otherwise interrupts announce them."},
        {"poll_period", WATERSHED_AT(Receiver, poll_period),
         "Time between two looks of a polling program, the first at 0.", duration},
        {"interrupt_delay", WATERSHED_AT(Receiver, given.interrupt_delay),
         "Interrupt moderation: time from the first unannounced frame in memory to the interrupt (ideal: 0 us).",
         cost.shown_as("20 us")},
        {"interrupt_frames", WATERSHED_AT(Receiver, interrupt_frames),
         "Interrupt moderation: this many frames cause an interrupt at once.", from_to(1, 1'000'000'000)},
        {"wake_up_cost", WATERSHED_AT(Receiver, given.wake_up),
         "Processor time for each interrupt or look that finds frames (socket: 3 us; ideal: 0 us).",
         cost.shown_as("1 us")},
        {"frame_cost", WATERSHED_AT(Receiver, given.frame),
         "Processor time for each frame (socket: 1.5 us; ideal: 0 us).", cost.shown_as("100 ns")},
        {"byte_cost", WATERSHED_AT(Receiver, given.byte),
         "Processor time for each byte of payload (socket: 200 ps; ideal: 0 ps).", cost.shown_as("100 ps")},
        {"cores", WATERSHED_AT(Receiver, cores),
         "Number of cores that take frames; the first free core takes the next frame.", from_to(1, 1024)},
        {"memory", WATERSHED_AT(Receiver, memory),
         "Memory for the payload of events that are being built or handed on; a frame that finds no room is lost.",
         kSomeBytes.or_word("unlimited", "\"4 GB\" or \"unlimited\"")},
        {"timeout", WATERSHED_AT(Receiver, timeout),
         "Time from an event's first frame until the server stops waiting for the others; frames that come later are "
         "lost.",
         duration.or_word("unlimited", "\"10 ms\" or \"unlimited\"")},
        {"incomplete", WATERSHED_AT(Receiver, keep_incomplete),
         "What happens to an event after server.timeout. \"keep\": it is handed on incomplete. \"discard\": its frames "
         "are lost.",
         choice(fates).written("text", "keep"), keep_in},
        {"output_rate", WATERSHED_AT(Receiver, output_rate),
         "Bit rate at which events are handed on, one after the other; they then give their memory back.",
         kAny.or_word("unlimited", "\"10 Gb/s\" or \"unlimited\"")},
    };
    return joined(
        keys_of(
            "server.", +[](Scenario& scenario) -> Builders& { return scenario.builders; }, std::move(of_builders)),
        keys_of(
            "server.", +[](Scenario& scenario) -> Server& { return scenario.server; }, std::move(of_server)),
        keys_of("server.", receiver_of, std::move(of_receiver)));
}

}  // namespace

std::vector<ScenarioKey> camera_keys() {
    const auto senders = [](Scenario& scenario) -> Senders& { return scenario; };
    const auto first = [](Scenario& scenario) -> Switch& { return scenario.network_switch; };
    const auto second = [](Scenario& scenario) -> Switch& {
        if (!scenario.aggregation) scenario.aggregation.emplace();
        return *scenario.aggregation;
    };
    return joined(keys_of_fields<SenderField, Senders>("", senders, sender_fields()),
                  keys_of_fields<SwitchField, Switch>("switch.", first, switch_fields()),
                  keys_as_of_switch("aggregation.", "the second tier", second), node_keys(), traffic_keys(),
                  failure_keys(), group_keys(), server_keys());
}

void check_server(const Server& server, const std::function<std::string(const std::string&)>& place_of) {
    if (!server.receiver) return;
    const auto needs = [&](bool there, const std::string& key, const std::string& what) {
        if (const std::string place = place_of(key); !there && !place.empty())
            throw InputError(place + ": " + key + ": has no use here, expected only with " + what);
    };
    needs(server.receiver->polling, "server.poll_period", "server.polling = true");
    needs(!server.receiver->polling, "server.interrupt_delay", "interrupts, not server.polling");
    needs(!server.receiver->polling, "server.interrupt_frames", "interrupts, not server.polling");
    needs(server.receiver->timeout.has_value(), "server.incomplete", "server.timeout");
}

}  // namespace watershed
