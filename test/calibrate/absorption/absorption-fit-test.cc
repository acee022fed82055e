// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/absorption/absorption-fit.h"

#include <cmath>
#include <cstdlib>
#include <random>
#include <sstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const StreamAndBurst kLineRate(BitRate{1'000'000'000}, BitRate{1'000'000'000});

/// Frames that a switch of these limits passes, to the frame.
BurstTable::Part table_of(const AbsorptionModel& model, const std::vector<std::int64_t>& sizes) {
    BurstTable::Part part;
    for (const std::int64_t size : sizes) {
        BurstTableRow row;
        row.row = static_cast<int>(part.rows.size()) + 1;
        row.frame = size;
        row.lossless = kLineRate.longest(model.room(size)) + model.in_fifo(size);
        row.drops = 1;
        part.rows.push_back(row);
    }
    return part;
}

AbsorptionModel cells(std::int64_t cell, std::int64_t header, std::int64_t depth) {
    AbsorptionModel model;
    model.unit = MemorySize::Unit::Cell;
    model.cell = cell;
    model.header = header;
    model.depth = depth;
    return model;
}

std::vector<AbsorptionFit> published() {
    const char* folder = std::getenv("WATERSHED_SOURCE");
    const BurstTable table = burst_table_from(
        CsvTable::read((folder ? std::string(folder) + "/" : "") + "scenarios/data/miercom-n-plus-1.csv"));
    std::vector<AbsorptionFit> fits;
    for (const BurstTable::Part& part : table.parts) fits.push_back(fit_absorption(part, kLineRate));
    return fits;
}

CsvTable csv(const std::string& text) {
    std::istringstream in(text);
    return CsvTable::read(in, "table.csv");
}

}  // namespace

TEST_CASE(
    "The published switches come out by their limiting resource, and other frame sizes predict each one or say why "
    "not") {
    const std::vector<AbsorptionFit> fits = published();
    REQUIRE(fits.size() == 5);
    const std::string names[] = {"shared-cells", "shared-cells", "shared-bytes-descriptors", "shared-frames",
                                 "shared-cells-descriptors"};
    int predicted = 0;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        const AbsorptionFit& fit = fits[i];
        INFO(*fit.name);
        CHECK(fit.model.name() == names[i]);
        CHECK(fit.violating.empty());
        REQUIRE(fit.predictions.size() == 4);
        for (std::size_t s = 0; s < 4; ++s) {
            const AbsorptionPrediction& one = fit.predictions[s];
            INFO(one.frame);
            CHECK(one.lossless.has_value() == one.undetermined.empty());
            if (!one.lossless) continue;
            ++predicted;
            CHECK(static_cast<double>(*one.lossless) ==
                  Approx(static_cast<double>(fit.rows[s].lossless)).epsilon(0.05));
            REQUIRE(one.drops);
            CHECK(std::abs(*one.drops - *fit.rows[s].drops) <= 3);
        }
    }
    // Larger sizes than the Ciscos' 64 B show memory only. A switch with the same memory and 270 descriptors has the
    // same rows.
    CHECK(predicted == 14);
    for (const std::size_t cisco : {0, 1}) {
        CHECK_THAT(fits[cisco].predictions[0].undetermined, Contains("limit on the number of frames"));
        CHECK(*fits[cisco].predictions[0].interval95.low <= static_cast<double>(fits[cisco].rows[0].lossless));
        CHECK(*fits[cisco].predictions[0].interval95.high >= static_cast<double>(fits[cisco].rows[0].lossless));
    }
    // 525 to 535 cells at 1, 2, 5 and 7 cells for 64, 256, 1024 and 1518 B
    CHECK(fits[0].model.cost(64) == 1);
    CHECK(fits[0].model.cost(256) == 2);
    CHECK(fits[0].model.cost(1518) == 7);
    CHECK(fits[0].memory_resume->immediate);
    // Up to 1024 B the Dell shows its 92 descriptors; that memory ends at 64 frames of 1518 B is to be seen in none of
    // them.
    CHECK(fits[2].descriptors.value == 92);
    CHECK_FALSE(fits[2].predictions[3].lossless);
    CHECK_THAT(fits[2].predictions[3].undetermined, Contains("memory limit that larger frames reach"));
    CHECK(fits[3].descriptor_resume->fraction == Approx(0.5).margin(0.01));
    CHECK(fits[4].descriptor_resume->fraction == Approx(0.75).margin(0.01));
    CHECK(fits[4].memory_resume->fraction == Approx(0).margin(0.01));
}

TEST_CASE("A descriptor limit that only the smallest frames reach is not claimed to be known from the others") {
    AbsorptionModel model;  // 100 kB and 300 descriptors: 300, 195, 97, 65 frames
    model.depth = 100'000;
    model.descriptors = 300;
    const AbsorptionFit fit = fit_absorption(table_of(model, {64, 512, 1024, 1518}), kLineRate);
    CHECK(fit.model.name() == "shared-bytes-descriptors");
    CHECK(fit.model.descriptors == 300);
    CHECK_FALSE(fit.predictions[0].lossless);
    CHECK_THAT(fit.predictions[0].undetermined, Contains("limit on the number of frames"));
    for (std::size_t i = 1; i < 4; ++i)
        if (fit.predictions[i].lossless)
            CHECK(static_cast<double>(*fit.predictions[i].lossless) ==
                  Approx(static_cast<double>(fit.rows[i].lossless)).epsilon(0.05));
}

TEST_CASE(
    "Tables of simulated switches give back their limits, and predictions are right to 5 % as often as they must be to "
    "be given") {
    int wrong = 0, predicted = 0;
    std::mt19937_64 random(1);
    const auto between = [&](std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low));
    };
    constexpr std::int64_t kCells[] = {1, 80, 128, 160, 208, 256}, kHeaders[] = {0, 16, 64};
    for (int i = 0; i < 9; ++i) {
        const std::int64_t cell = kCells[i % 6];
        AbsorptionModel model =
            cells(cell, cell == 1 ? 0 : kHeaders[between(0, 3)], between(100, 5000) * (cell == 1 ? 300 : 1));
        if (cell == 1) model.unit = MemorySize::Unit::Byte;
        if (between(0, 2))
            model.descriptors = between(std::max<std::int64_t>(1, *model.depth / model.cost(512)),
                                        *model.depth / model.cost(128) + 1);  // two sizes reach it at least
        const AbsorptionFit fit = fit_absorption(table_of(model, {64, 128, 512, 1024, 1518}), kLineRate);
        INFO(cell << " B cells, " << *model.depth << " deep");
        CHECK(fit.violating.empty());
        for (std::size_t s = 0; s < fit.rows.size(); ++s) {
            const BurstTableRow& row = fit.rows[s];
            CHECK(static_cast<double>(std::abs(fit.model.longest(row.frame, kLineRate) - row.lossless)) <=
                  std::max(2.0, 0.03 * static_cast<double>(row.lossless)));
            if (!fit.predictions[s].lossless) continue;
            ++predicted;
            wrong += static_cast<double>(std::abs(*fit.predictions[s].lossless - row.lossless)) >
                     std::max(2.0, 0.05 * static_cast<double>(row.lossless));
        }
    }
    CHECK(predicted > 20);
    // A prediction is given where it is at least 80 % sure; some 12 % turn out wrong.
    CHECK(wrong <= predicted / 5);
}

TEST_CASE("One frame size alone gives a number of frames, and predicts nothing") {
    const AbsorptionFit fit = fit_absorption(table_of(cells(208, 64, 1000), {512}), kLineRate);
    CHECK(fit.status == FitStatus::Separated);
    REQUIRE(fit.predictions.size() == 1);
    CHECK_FALSE(fit.predictions.front().lossless);
    CHECK_THAT(fit.predictions.front().undetermined, Contains("no other frame size"));
}

TEST_CASE("Lengths that no memory can have are called inconsistent") {
    BurstTable::Part part = table_of(cells(208, 64, 1000), {64, 256, 1024, 1518});
    part.rows[3].lossless = 5000;  // more large frames than small ones
    const AbsorptionFit fit = fit_absorption(part, kLineRate);
    CHECK(fit.status == FitStatus::Inconsistent);
    CHECK_FALSE(fit.violating.empty());
}

TEST_CASE("The queue grows by what two inputs bring beyond what the output takes") {
    // at line rate m + 1 frames wait after m slots; an output of 3/2 the rate takes floor(3 (m - 1) / 2) of 2 m
    CHECK(kLineRate.longest(65) == 64);
    const StreamAndBurst faster(BitRate{2'000'000'000}, BitRate{3'000'000'000});
    CHECK(faster.waiting(5) == 4);
    for (const std::int64_t room : {2, 3, 10, 1000}) {
        CHECK(faster.waiting(faster.longest(room)) <= room);
        CHECK(faster.waiting(faster.longest(room) + 1) > room);
    }
    CHECK_THROWS_AS(StreamAndBurst(BitRate{1}, BitRate{2}), std::invalid_argument);
}

TEST_CASE(
    "A table where the frame on its way out takes no room is explained to the frame, and depth and release are found") {
    // D cells hold floor(D / c) frames of c cells, and that many is the longest burst: nothing is added for the frame
    // that leaves.
    AbsorptionModel model = cells(256, 64, 1000);
    model.release_at_start = true;
    const AbsorptionFit fit = fit_absorption(table_of(model, {64, 256, 512, 1024, 1518}), kLineRate);
    CHECK(fit.rows[1].lossless == 500);
    CHECK(fit.status == FitStatus::Separated);
    CHECK(fit.model.release_at_start);
    CHECK(fit.model.depth == 1000);
    CHECK(fit.model.cost(1518) == 7);
    for (std::size_t i = 0; i < fit.predictions.size(); ++i)
        if (fit.predictions[i].lossless)
            CHECK(static_cast<double>(*fit.predictions[i].lossless) ==
                  Approx(static_cast<double>(fit.rows[i].lossless)).epsilon(0.05));
}

TEST_CASE("Any number of frames that is the only limit is found exactly") {
    for (const std::int64_t descriptors : {501, 1873, 3664, 20'001}) {
        AbsorptionModel model;
        model.descriptors = descriptors;
        const AbsorptionFit fit = fit_absorption(table_of(model, {128, 512, 1024, 1518}), kLineRate);
        INFO(descriptors);
        CHECK(fit.status == FitStatus::Separated);
        CHECK(fit.model.name() == "shared-frames");
        CHECK(fit.depth.value == static_cast<double>(descriptors));
        CHECK(fit.depth.hard.low == static_cast<double>(descriptors));
        CHECK(fit.depth.hard.high == static_cast<double>(descriptors));
    }
}

TEST_CASE("A table is known by frame_bytes, and split by switch in the order of the file") {
    const BurstTable table = burst_table_from(csv(
        "# made "
        "up\nswitch,frame_bytes,max_burst_lossless_frames,drops_at_burst_plus_1\nA,64,100,1\nB,64,50,\nA,256,40,2\n"));
    REQUIRE(table.parts.size() == 2);
    CHECK(table.parts[0].name == "A");
    REQUIRE(table.parts[0].rows.size() == 2);
    CHECK(table.parts[0].rows[1].row == 3);
    CHECK(table.parts[0].rows[1].line == 5);
    CHECK(table.parts[0].rows[1].drops == 2);
    CHECK_FALSE(table.parts[1].rows[0].drops);
    CHECK_FALSE(is_burst_table(csv("ports,payload_bytes\n1,1\n")));
    CHECK_FALSE(burst_table_from(csv("lossless,frame_bytes\n7,64\n")).parts.front().name);
}

TEST_CASE("A wrong cell is refused with its line") {
    const std::string header = "frame_bytes,max_burst_lossless_frames,drops_at_burst_plus_1\n";
    for (const std::string row : {"64,-1,1", "0,5,1", "64,nan,1", "64,5,0", "64,5,900", "70000,5,1"})
        CHECK_THROWS_WITH(burst_table_from(csv(header + "64,100,1\n" + row + "\n")), Contains("table.csv:3"));
    CHECK_THROWS_AS(burst_table_from(csv(header)), InputError);
    CHECK_THROWS_WITH(burst_table_from(csv("frame_bytes,drops\n64,1\n")), Contains("max_burst_lossless_frames"));
}
