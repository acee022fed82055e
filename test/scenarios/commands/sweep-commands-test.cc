// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"
#include "scenarios/text/input-error.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

/// Both engines are the exact one, so that points are repeated without a difference.
std::unique_ptr<Engine> exact_engine(const std::string&, const std::string&) { return std::make_unique<ExactEngine>(); }

std::string sweep(const std::string& line, std::ostream& from = std::cout) {
    return printed(
        [](CLI::App& app) {
            add_map_command(app, exact_engine);
            add_boundary_command(app, exact_engine);
            add_saturation_command(app, exact_engine);
            add_export_command(app);
        },
        line, from);
}

constexpr auto kStream = " --set \"traffic.a.rate=1 kHz\" --set \"traffic.a.payload=100 B\"";

}  // namespace

// A memory for one frame takes one of two frames that an event sends at once.
TEST_CASE("A map tells what each burst loses, and how it was found") {
    const SmallCameras cameras;
    const std::string map = "map " + cameras.burst + " --jobs 1 --separation 1us,2us --events 1,3", told = sweep(map);
    CHECK_THAT(
        told, Contains("\n# engine: exact, seed: 1\n# method: one run per separation, of the longest burst, trigger by "
                       "trigger; it answers for the shorter ones wherever events keep their order\nports,") &&
                  Contains("\n2,1024,1,1,2,1\n2,1024,1,3,6,3\n2,1024,2,1,2,1\n2,1024,2,3,6,3\n"));
    CHECK_THAT(told, Contains(" --separation 1us,2us --events 1,3 --engine exact\n") && !Contains("verified"));
    CHECK(sweep(map, std::cerr).empty());
    CHECK_THAT(
        sweep(map + kStream),
        Contains("\n# method: one run per point, step by step: a stream beside the camera ends with the burst\n"));
    CHECK(sweep(map + kStream, std::cerr) ==
          "note: a stream beside the camera ends with the burst; every point of the map is a run of its own\n");
    CHECK_THAT(sweep(map + " --set switch.buffer.sharing=longest-queue-drop"),
               Contains("step by step: sharing \"longest-queue-drop\" pushes out frames that it admitted\n"));
    CHECK_THAT(
        sweep(map + " --set switch.count=2 --set aggregation.uplinks=1 --set aggregation.buffer.sharing=shared --set "
                    "\"aggregation.buffer.size=9 frames\""),
        Contains("of the longest burst, frame by frame; it"));
    CHECK_THAT(sweep(map + " --engine ns3"), Contains("of the longest burst, in ns-3; it"));
    CHECK_THAT(sweep(map + " --verify 3"),
               Contains("# verified: 3 points, those nearest the boundary first, repeated in the ns3 engine"));
    CHECK_THAT(sweep(map + " --verify 9 --engine ns3"),
               Contains("# verified: 4 points") && Contains("in the exact engine"));
    const TemporaryFolder folder;
    CHECK(sweep(map + " -o " + (folder / "map.csv")) == (folder / "map.csv") + ": 4 bursts, exact engine\n");
    CHECK(folder.files() == std::set<std::string>{"map.csv"});
    CHECK_THAT(sweep(map + " -o " + (folder / "map.sqlite")),
               Contains(": 4 bursts, exact engine; watershed export writes them as CSV\n"));
    CHECK_THROWS_AS(sweep(map + " -o " + (folder / "map.sqlite")), InputError);  // without --resume it is another one
    CHECK_NOTHROW(sweep(map + " --resume -o " + (folder / "map.sqlite")));
    CHECK_THAT(sweep("export " + (folder / "map.sqlite")), Contains("\n2,1024,2,3,6,3\n") && !Contains("unfinished"));
    CHECK(sweep("export " + (folder / "map.sqlite") + " -o " + (folder / "out.csv")) ==
          (folder / "out.csv") + ": 2 of 2 separations\n");
}

TEST_CASE(
    "A boundary tells the longest burst without loss at each separation, or that none loses, or that none was seen "
    "to") {
    const SmallCameras cameras;
    const std::string boundary = "boundary " + cameras.burst + " --jobs 1 --separation 1us,20us";
    const std::string told = sweep(boundary);
    CHECK_THAT(told, Contains("\n# method: arithmetic, without a run\n# events_lossless: empty where") &&
                         Contains("\nseparation_us,events_lossless\n1,0\n20,0\n") &&
                         Contains(" --limit 1000000 --engine exact\n"));
    // Room for one and for two frames.
    CHECK_THAT(sweep(boundary + " --depths 1,2"),
               Contains("\nseparation_us,depth,events_lossless\n1,1,0\n1,2,\n20,1,0\n20,2,\n"));
    CHECK_THROWS_WITH(sweep(boundary + " --depths 1,2 --verify 1"), Contains("--verify: conflicts with --depths"));
    CHECK_THAT(
        sweep(boundary + " --set \"front_end.jitter=100 ns\" --set \"switch.buffer.size=2 frames\""),
        Contains("\n# method: one run per separation, lengthened until it loses, frame by frame\n") &&
            Contains(
                "\n# separation 20 us: no burst of any length loses, as the bound of watershed bound proves\n20,\n") &&
            !Contains("not tried\n#") && !Contains("events; longer"));
    // There is no proof for this sharing.
    const std::string pushed =
        boundary + " --set switch.buffer.sharing=longest-queue-drop --set \"switch.buffer.size=2 frames\" --limit 50";
    CHECK_THAT(sweep(pushed),
               Contains(", step by step, then a run for each length that is tried: sharing \"longest-queue-drop\"") &&
                   Contains("\n# separation 1 us: no loss up to 50 events; longer bursts were not tried\n1,\n") &&
                   !Contains("proves"));
    CHECK_THAT(sweep(pushed, std::cerr), Contains("; the first loss is searched by runs of single lengths\n") &&
                                             Contains("note: where no burst loses, 50 events are run, step by step, "
                                                      "and no more (--limit): there is no proof, "));
    CHECK_THAT(sweep(pushed + " --engine ns3", std::cerr), !Contains("no proof"));
    CHECK(sweep(boundary, std::cerr).empty());
    // Each point's longest lossless burst, if there is one, and the next: here the first alone.
    CHECK_THAT(sweep(boundary + " --verify 9"), Contains("# verified: 2 points"));
    CHECK_THAT(sweep(boundary + " --verify 9 --set \"switch.buffer.size=2 frames\""), Contains("# verified: 0 points"));
    const TemporaryFolder folder;
    CHECK_THAT(sweep(boundary + " -o " + (folder / "b.csv")), Contains(": 2 separations, exact engine\n"));
}

// A frame of 1090 B takes 0.872 us of 10 Gb/s: 1/0.872 us = 1146.8 kHz for one module, 1/8.72 us on its link. Of 1024,
// 1052, 1070 and 1090 B the limits are 10 Gb/s over 8 times as many bits, over the modules of the fullest uplink.
TEST_CASE("A saturation tells the rate that fills uplinks beside the limits of each convention") {
    const SmallCameras cameras;
    const std::string told = sweep("saturation " + cameras.burst + " --jobs 1 --modules 1,3");
    CHECK_THAT(told, Contains("\n# engine: exact, seed: 1\n# saturation: complete") &&
                         Contains(",1220.7,1188.21,1168.22,1146.79\n3,") &&
                         Contains(",406.901,396.071,389.408,382.263\n"));
    // Two fragments of 100 B, which are 128, 146 and 166 B.
    CHECK_THAT(
        sweep("saturation " + cameras.burst +
              " --jobs 1 --modules 2 --set front_end.fragments=2 --set switch.uplinks=2 --set \"frame.payload=100 B\""),
        Contains(",6250,4882.81,4280.82,3765.06\n"));
    CHECK_THROWS_WITH(sweep("saturation " + cameras.burst + " --modules 65536"), Contains("at most 65535"));
    CHECK_THROWS_WITH(sweep("saturation " + cameras.burst + " --modules 1,3 --set switch.count=2"),
                      Contains("at least 2"));
    CHECK_NOTHROW(sweep("saturation " + cameras.burst + " --jobs 1 --modules 2 --set switch.count=2"));
    const TemporaryFolder folder;
    CHECK_THAT(sweep("saturation " + cameras.burst + " --jobs 1 --modules 1 -o " + (folder / "s.csv")),
               Contains(": 1 numbers of ports, exact engine\n"));
}
