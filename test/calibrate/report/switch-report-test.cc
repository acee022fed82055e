// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "calibrate/report/fit-report.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A scenario that names a fitted switch.
Scenario read_with(const std::function<void(std::ostream&)>& write) {
    const auto folder = std::filesystem::temp_directory_path() / ("watershed-switch-" + std::to_string(std::rand()));
    std::filesystem::create_directories(folder);
    std::ofstream model(folder / "fitted.toml");
    write(model);
    model.close();
    std::ofstream(folder / "s.toml")
        << "[trigger]\nevents = 1\nseparation = \"9 us\"\n[switch]\nmodel = \"fitted.toml\"\n";
    const Scenario scenario = read_scenario((folder / "s.toml").string());
    std::filesystem::remove_all(folder);
    return scenario;
}

Fit fit_of(const std::vector<std::int64_t>& lengths) {
    const HiddenSwitch hidden{Buffer::Sharing::PerInput, MemorySize::Unit::Frame, 70, 10'000'000'000, 1};
    std::vector<LossMapRow> rows = measured_grid(hidden, {9, 20}, lengths, {30, 44});
    return fit_loss_map({"a \"map\".csv", rows}, default_conditions(), {});
}

}  // namespace

TEST_CASE("A switch fitted to a loss map is read back as what was fitted") {
    const Fit fit = fit_of({60, 90, 130, 200, 400});
    const Scenario scenario = read_with([&](std::ostream& out) { write_switch(out, fit); });
    CHECK(scenario.network_switch.buffer.sharing == fit.best().model.sharing);
    CHECK(scenario.network_switch.buffer.size ==
          MemorySize{std::llround(*fit.best().depth.value), fit.best().model.unit});
    CHECK(static_cast<double>(scenario.network_switch.uplink_rate.count) ==
          Approx(*fit.best().rate.value).epsilon(1e-9));
    CHECK_THROWS_AS(read_with([&](std::ostream& out) { write_switch(out, fit_of({2, 5})); }), InputError);
}

TEST_CASE("A fitted resume level is read back as it was fitted, and what was given says so in the file") {
    Fit fit = fit_of({60, 90, 130, 200, 400});
    ModelFit& best = fit.models.front();
    best.model = {};
    best.model.feature = Feature::Resume;
    best.model.value = 0.69963;
    best.feature = Estimate{0.69963, {}, {0.699, 0.7}, {0.698, 0.701}};
    const auto resume = read_with([&](std::ostream& out) { write_switch(out, fit); }).network_switch.buffer.resume;
    REQUIRE(resume);
    const Ratio ratio = std::get<Ratio>(*resume);
    CHECK(static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator) ==
          Approx(0.69963).epsilon(1e-6));
    std::ostringstream text;
    fit.status = FitStatus::Inconsistent;
    CHECK_THROWS_WITH(write_switch(text, fit),
                      Contains("no switch to write: no estimate, because bursts contradict each other"));
    CHECK(to_json(fit)["models"][0]["depth_text"] == "-");
    fit.options.depth = MemorySize{70, MemorySize::Unit::Frame};
    fit.options.service_rate = BitRate{10'000'000'000};
    write_switch(text, fit);
    CHECK_THAT(
        text.str(),
        Contains("status inconsistent") &&
            Contains("uplink_rate = { value = \"10 Gb/s\", source = \"Given by --fix service_rate, not fitted\" }") &&
            Contains("size = { value = \"70 frames\", source = \"Given by --fix depth, not fitted\" }"));
    fit.status = FitStatus::Misfit;
    CHECK_THROWS_WITH(write_switch(text, fit), Contains("no switch to write: no kind of memory explains these bursts"));
}

TEST_CASE("A fitted dynamic threshold is read back with its alpha") {
    for (const double alpha : {0.125, 0.75, 8.0}) {
        Fit fit = fit_of({60, 90, 130, 200, 400});
        ModelFit& best = fit.models.front();
        best.model = {};
        best.model.feature = Feature::DynamicThreshold;
        best.model.value = alpha;
        best.feature = Estimate{alpha, {}, {alpha, alpha}, {alpha, alpha}};
        const Buffer buffer = read_with([&](std::ostream& out) { write_switch(out, fit); }).network_switch.buffer;
        CHECK(buffer.sharing == Buffer::Sharing::DynamicThreshold);
        CHECK(as_number(buffer.alpha) == Approx(alpha).epsilon(1e-9));
    }
}

TEST_CASE("Uneven uplinks are read back with the fullest's share of the modules") {
    Fit fit = fit_of({60, 90, 130, 200, 400});
    for (Burst& burst : fit.bursts) burst.uplinks = 2;
    ModelFit& best = fit.models.front();
    best.model = {};
    best.model.feature = Feature::UnevenUplinks;
    best.model.value = 0.7;
    best.feature = Estimate{0.7, {}, {0.69, 0.71}, {0.68, 0.72}};
    const auto list = read_with([&](std::ostream& out) { write_switch(out, fit); }).network_switch.uplink_choice.list;
    CHECK(list.size() == 30);
    CHECK(std::count(list.begin(), list.end(), 1) == 21);  // 0.7 of 30
}

TEST_CASE("A switch fitted to a burst-absorption table is read back with its cells, descriptors and resume levels") {
    AbsorptionModel model;
    model.unit = MemorySize::Unit::Cell;
    model.cell = 208;
    model.header = 64;
    model.depth = 1000;
    model.descriptors = 400;
    const StreamAndBurst rates(BitRate{1}, BitRate{1});
    BurstTable::Part part;
    for (const std::int64_t size : {64, 128, 256, 512, 1024, 1518}) {
        BurstTableRow row;
        row.frame = size;
        row.lossless = rates.longest(model.room(size));
        row.drops = model.by_descriptors(size) ? 200 : 1;  // resumes at half of the descriptors
        part.rows.push_back(row);
    }
    const AbsorptionFit fit = fit_absorption(part, rates);
    const Buffer buffer = read_with([&](std::ostream& out) {
                              write_switch(out, fit, {"table.csv", "", BitRate{1}, BitRate{1}});
                          }).network_switch.buffer;
    CHECK(buffer.size == MemorySize{*fit.model.depth, MemorySize::Unit::Cell});
    CHECK(buffer.cell == Bytes{208});
    CHECK(buffer.cell_header == Bytes{64});
    CHECK(buffer.descriptors == 400);
    REQUIRE(buffer.descriptors_resume);
    CHECK(std::get<Ratio>(*buffer.descriptors_resume) == Ratio{1, 2});
    CHECK_FALSE(buffer.resume);
}
