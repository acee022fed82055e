// SPDX-License-Identifier: GPL-2.0-only
// Event builders and cameras whose published sizes say by arithmetic what one switch must lose.
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
    return compare.all();
}

}  // namespace watershed
