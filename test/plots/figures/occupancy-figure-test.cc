// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

const std::string kSteps = "time_us,frames,bytes\n8.72,29,31030\n9.592,28,29960\n17.44,47,50290\n60,0,0\n";
constexpr MemorySize k47Frames{47, MemorySize::Unit::Frame};

std::string script(const TemporaryFolder& folder, std::vector<std::string> inputs,
                   std::optional<MemorySize> capacity = {}, std::optional<Time> first_loss = {}) {
    draw_occupancy({std::move(inputs), folder / "figure.svg", "", {}}, capacity, first_loss);
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("The occupancy is drawn as steps from an empty memory, with bytes on the other side") {
    const TemporaryFolder folder;
    const std::string gp = script(folder, {folder.write("o.csv", kSteps)});
    CHECK_THAT(
        gp,
        Contains("$occupancy << e\n0 0\n8.72 0\n8.72 29\n9.592 29\n9.592 28\n17.44 28\n17.44 47\n60 47\n60 0\ne\n") &&
            Contains("with lines"));
    CHECK_THAT(gp, Contains("time / µs") && Contains("memory occupied / frames") && Contains("memory occupied / kB"));
    CHECK_THAT(gp, !Contains("capacity") && !Contains("first loss"));
}

TEST_CASE("Capacity and first loss come from options, the file's comment or the run's JSON") {
    const TemporaryFolder folder;
    const std::string steps = folder.write("o.csv", kSteps);
    CHECK_THAT(script(folder, {steps}, k47Frames, Time(17'440'000)),
               Contains("'capacity 47 frames'") && Contains("first loss 17.44 µs"));
    const std::string commented = folder.write("c.csv", "# capacity: 60 kB\n" + kSteps);
    CHECK_THAT(script(folder, {commented}), Contains("'capacity 60 kB'") && Contains("memory occupied / kB'"));
    CHECK_THAT(script(folder, {commented}, k47Frames), Contains("'capacity 47 frames'"));
    const std::string run =
        folder.write("run.json", R"({"frames": {}, "losses": [], "first_loss": {"time_s": 17.44e-6}})");
    CHECK_THAT(script(folder, {run, steps}), Contains("first loss 17.44 µs"));
    const std::string lossless = folder.write("run.json", R"({"frames": {}, "losses": [], "first_loss": null})");
    CHECK_THAT(script(folder, {lossless, steps}), !Contains("first loss"));
}

TEST_CASE("A hundred thousand steps are thinned to what can be seen, and the peak stays") {
    const TemporaryFolder folder;
    std::string steps = "time_us,frames,bytes\n";
    for (int i = 0; i < 100'000; ++i)
        steps += std::to_string(i) + "," + (i == 54'321 ? "99999" : std::to_string(i % 44)) + ",0\n";
    const std::string gp = script(folder, {folder.write("o.csv", steps)});
    CHECK(std::count(gp.begin(), gp.end(), '\n') < 13'000);
    CHECK(folder.read("figure.svg").size() < 400'000);
    CHECK_THAT(gp, Contains("54.321 99.999\n") && Contains("100000 steps thinned"));
}

TEST_CASE("What an occupancy cannot be drawn from is an error") {
    const TemporaryFolder folder;
    const std::string steps = folder.write("o.csv", kSteps);
    CHECK_THROWS_AS(script(folder, {steps, steps}), InputError);
    CHECK_THROWS_AS(script(folder, {folder.write("run.json", R"({"frames": {}, "losses": []})")}), InputError);
    CHECK_THROWS_WITH(script(folder, {steps}, MemorySize{100, MemorySize::Unit::Cell}),
                      Contains("expected frames or bytes"));
}

TEST_CASE("An occupancy and the result of another run are refused, both named") {
    const TemporaryFolder folder;
    const std::string steps = folder.write("o.csv", "# run: pause.toml, seed 1, trigger.events=9\n" + kSteps);
    const auto result = [&](int seed, const std::string& set) {
        return folder.write("run.json", R"({"scenario": "scenarios/pause.toml", "set": [)" + set + R"(], "seed": )" +
                                            std::to_string(seed) + R"(, "frames": {}, "losses": []})");
    };
    CHECK_NOTHROW(script(folder, {result(1, "\"trigger.events=9\""), steps}));
    CHECK_THROWS_WITH(script(folder, {result(2, "\"trigger.events=9\""), steps}),
                      Contains("run.json") && Contains("pause.toml, seed 2, trigger.events=9") && Contains("o.csv") &&
                          Contains("pause.toml, seed 1, trigger.events=9"));
    CHECK_THROWS_WITH(script(folder, {result(1, ""), steps}),
                      Contains("run.json: found the run of pause.toml, seed 1, expected"));
    const std::string run = result(1, "\"trigger.events=9\"");
    CHECK_THROWS_WITH(script(folder, {run, steps, run}), Contains("found 2 results"));
}

TEST_CASE("The recovery is marked from the last moment at the peak to an empty memory") {
    const TemporaryFolder folder;
    const std::string steps = folder.write(
        "o.csv", "time_us,frames,bytes\n1,2,200\n2,3,300\n3,2,200\n4,3,300\n5,2,200\n8,0,0\n9,1,100\n10,0,0\n");
    draw_occupancy({{steps}, folder / "figure.svg", "", {}}, {}, {}, true);
    CHECK_THAT(folder.read("figure.gp"),
               Contains("set arrow from 4, ") && Contains(" to 8, ") && Contains("'empty after 4 µs'"));
}

TEST_CASE("A memory that was never occupied has no recovery to mark") {
    const TemporaryFolder folder;
    const std::string idle = folder.write("idle.csv", "time_us,frames,bytes\n0,0,0\n10,0,0\n");
    draw_occupancy({{idle}, folder / "figure.svg", "", {}}, {}, {}, true);
    CHECK_THAT(folder.read("figure.gp"), !Contains("after 10 µs"));
}
