// SPDX-License-Identifier: GPL-2.0-only
// Event builders and cameras whose published sizes say by arithmetic what one switch must lose.
#include <tuple>

#include "model/exact/engine.h"
#include "scenarios/reader/reader.h"
#include "scenarios/validate/validate.h"

namespace watershed {

std::vector<Comparison> validate_event_building(const Validation& validation) {
    const auto engine = validation.simulators.engine("exact", {});
    const auto run = [&](const std::string& scenario, const std::vector<std::string>& overrides) {
        return engine->run(read_scenario(Scope::anything(), validation.scenario(scenario), overrides));
    };
    const auto lost = [&](const std::string& scenario, const std::vector<std::string>& overrides) {
        return static_cast<double>(run(scenario, overrides).frames_lost());
    };
    Comparisons compare("event-building");

    compare.from("PicSight GigE guide 1.96.169.1, p. 22");
    const std::string cameras = "gige-three-cameras", room = "switch.buffer.size=";
    compare.arithmetic({"packets of 9 kB of three cameras that 18 kB lose", "frames"}, 1, lost(cameras, {}), {0, {}},
                       "3 x 9 kB at once; the frame being sent keeps its memory");
    compare.arithmetic({"packets of 5.9 kB of three cameras that 18 kB lose", "frames"}, 0,
                       lost(cameras, {"frame.payload=5854 B"}), {0, {}}, "3 x 5.9 kB = 17.7 kB");
    compare.arithmetic({"packets of 9 kB lost where a frame being sent has left the memory", "frames"}, 0,
                       lost(cameras, {"switch.buffer.release=start"}), {0, {}}, "2 x 9 kB wait: just 18 kB");

    compare.from("katgpucbf at 1e38bdc");
    const std::string turn = "corner-turn";
    compare.arithmetic({"packets lost with room for 80 at each port, in phase", "frames"}, 0, lost(turn, {}), {0, {}},
                       "80 antennas send to one of 64 receivers at a time");
    compare.arithmetic({"packets lost with room for 79", "frames"}, 1280, lost(turn, {room + "79 frames"}), {0, {}},
                       "one of each of 1280 turns");
    const Outcome shared = run(turn, {"switch.buffer.sharing=shared", room + "64 MB"});
    compare.arithmetic({"most frames in a memory that all ports share, in phase", "frames"}, 1016,
                       static_cast<double>(shared.peak_frames), {0, {}},
                       "the sum of 80 - floor(k 2.217 us / 0.668 us) over the turns k that are not yet sent");
    compare.arithmetic({"packets lost by 100 kB a port at random phases", "frames"}, 0,
                       lost(turn, {room + "100 kB", "front_end.skew_spread=142 us"}), {0, {}},
                       "36 kB by an independent queue model of 5 seeds");

    compare.from("CHEP 2013, 1512615");
    const std::string push = "event-push";
    compare.arithmetic({"frames lost with room for the burst of an event", "frames"}, 0, lost(push, {}), {0, {}},
                       "350 sources, one frame each");
    compare.arithmetic({"frames lost with room for one frame less", "frames"}, 150, lost(push, {room + "349 frames"}),
                       {0, {}}, "one of each of 150 events");
    compare.arithmetic({"part of the frames lost by 100 kB a port", "%"}, 83.71,
                       100 * lost(push, {room + "100 kB"}) / (350.0 * 150), {0.01, {}},
                       "57 frames of 1746 B fit: 293 of 350 are lost");

    compare.from("Karol, Hluchyj, Morgan 1987");
    const std::string inputs = "input-fifos";
    const auto part_through = [&](int modules, std::vector<std::string> overrides) {
        for (const char* key : {"front_end.modules=", "switch.uplinks=", "server.builders="})
            overrides.push_back(key + std::to_string(modules));
        const Outcome outcome = run(inputs, overrides);
        return 100.0 * static_cast<double>(outcome.frames_received) / static_cast<double>(outcome.frames_sent);
    };
    const std::string independent = "8000 turns of a program of its own";
    const std::vector<std::tuple<int, double, std::string>> known{
        {2, 75, "3/4"},
        {4, 65.5, "a Markov chain; 65.9 % by " + independent},
        {8, 61.8, "a Markov chain; 61.6 % by " + independent},
        {16, 60.2, independent},
        {64, 59.0, independent + "; 2 - sqrt(2) without end"}};
    for (const auto& [modules, percent, formula] : known)
        compare.theory({std::to_string(modules) + " full input queues to random outputs: part sent", "%"}, percent,
                       part_through(modules, {}), {0.5, {}}, formula);
    compare.theory({"part sent where 16 inputs have a queue for each output", "%"}, 100,
                   part_through(16, {"switch.queueing=virtual-output", room + "20 frames"}), {3, {}},
                   "no frame is in the way of another, but 20 frames may be all for few outputs");
    compare.theory({"part sent where 16 full inputs serve one output after the other", "%"}, 100,
                   part_through(16, {"server.order=shifted"}), {0, {}}, "no two frames meet");

    compare.from("doi 10.1109/TNS.2007.914036");
    const std::string shifter = "barrel-shifter";
    const Outcome pushed = run(shifter, {"server.order=in-turn", "switch.uplink_rate=1 Gb/s",
                                         "front_end.link_rate=1 Gb/s", "trigger.events=1", room + "2 MB"});
    compare.arithmetic({"time of an event of 72 x 16 kB to one output of 1 Gb/s", "ms"}, 9.85,
                       in_seconds(pushed.builders.front().latency_most) * 1e3, {0.01, {}},
                       "72 x 17080 B, and 12 us until the first frame has come");
    compare.arithmetic({"memory for this event", "MB"}, 1.2, static_cast<double>(pushed.peak_bytes.count) / 1e6,
                       {0.02, {}}, "72 x 16840 B, less what leaves meanwhile");
    compare.arithmetic({"frames lost at 12.5 kHz by a memory of two a port, shifted", "frames"}, 0, lost(shifter, {}),
                       {0, {}}, "no two sources meet");
    return compare.all();
}

}  // namespace watershed
