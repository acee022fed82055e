// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/measuring.h"

#include "calibrate/fit/fit.h"
#include "scenarios/reader/reader.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

Scenario scenario_of(std::int64_t frames) {
    Scenario scenario;
    scenario.front_end.modules = 28;
    scenario.network_switch.buffer.size = {frames, MemorySize::Unit::Frame};
    return scenario;
}

/// A rig without a laboratory, whose first bursts go wrong in some way.
class FaultyRig final : public Rig {
  public:
    explicit FaultyRig(const Scenario& hidden) : hidden_(hidden, {}) {}
    BurstRecord measure(const BurstSetting& setting) override {
        settings.push_back(setting);
        BurstRecord record;
        record.row = hidden_.measure(static_cast<std::int64_t>(settings.size()), setting);
        record.row.worst_trigger_lateness = late;
        if (settings.size() <= host_losses)
            record.host_loss = "the receive ring had no room for 3 frames", record.row.frames_received -= 3;
        return record;
    }
    std::vector<BurstSetting> settings;
    Time late{0};  ///< its latest trigger
    std::size_t host_losses = 0;

  private:
    SimulatedSwitch hidden_;
};

constexpr Time kHour{3'600'000'000'000'000};
constexpr int kMost = 40;

struct Laboratory {
    explicit Laboratory(std::int64_t frames = 3300) : rig(scenario_of(frames)) {}
    TemporaryFolder folder;
    FaultyRig rig;
    GrowingLossMap map{folder / "map.csv"};
    std::vector<std::string> said;
    MeasurementCampaign measuring(Time budget = kHour, int most = kMost) {
        return MeasurementCampaign(rig, map, budget, most, [this](const std::string& line) { said.push_back(line); });
    }
};

const std::vector<BurstSetting> kTwo{{28, Bytes{1024}, Time{20'000'000}, 400},
                                     {28, Bytes{1024}, Time{10'000'000}, 400}};

CampaignPlan plan_of(std::int64_t believed) {
    const Scenario scenario = scenario_of(believed);
    const Conditions conditions = conditions_of(scenario, "believed");
    CampaignPlan plan{prior_of(scenario, conditions), conditions, {}, {}, {}, {}};
    plan.advice.payloads = std::vector<std::int64_t>();
    return plan;
}

/// 50 frames of 1000 B fit, and half of what is offered leaves; some overloads come to nothing.
class Queue final : public Rig {
  public:
    enum class Fault { None, Sender, FirstFrame };
    explicit Queue(std::vector<Fault> faults) : faults_(std::move(faults)) {}
    BurstRecord measure(const BurstSetting& setting) override {
        const Fault fault = sent < faults_.size() ? faults_[sent] : Fault::None;
        ++sent;
        BurstRecord record;
        record.row.frames_sent = record.row.frames_received = setting.events;
        if (fault == Fault::Sender) record.host_loss = "the receive ring had no room for 3 frames";
        for (int i = 0; i < setting.events; ++i) {
            record.trigger_times.push_back(setting.separation * i);
            record.missing.push_back((i >= 100 && i % 2 == 0) || (i == 0 && fault == Fault::FirstFrame));
            record.row.frames_received -= record.missing.back();
        }
        return record;
    }
    std::size_t sent = 0;

  private:
    std::vector<Fault> faults_;
};

/// Measures until an overload has told something.
void measure(Queue& queue) {
    OverloadPlan plan;
    plan.rate = BitRate{100'000'000};
    plan.payload = Bytes{934};
    plan.wire = Bytes{1000};
    plan.frames = 600;
    plan.most_frames = 10'000;
    plan.budget = Time{1'000'000'000'000'000};
    plan.most = 100;
    bool told = false;
    measure_overloads(
        queue, plan, [&](const OverloadOutcome& outcome) { told = told || outcome.overload; }, [&] { return told; },
        [](const std::string&) {});
}

}  // namespace

TEST_CASE("A list of bursts is measured in its order, as often as is wanted") {
    Laboratory laboratory;
    laboratory.measuring().measure_list(kTwo, 2);
    REQUIRE(laboratory.map.map().rows.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(laboratory.map.map().rows[i].separation == kTwo[i % 2].separation);
}

TEST_CASE("What the map of an interrupted campaign has is not measured again") {
    Laboratory laboratory;
    laboratory.measuring(kHour, 3).measure_list(kTwo, 2);
    CHECK(laboratory.map.map().rows.size() == 3);
    laboratory.measuring().measure_list(kTwo, 2);
    CHECK(laboratory.map.map().rows.size() == 4);
    CHECK(laboratory.rig.settings.size() == 4);
}

TEST_CASE("A burst of which the machine lost frames is noted and sent again") {
    Laboratory laboratory;
    laboratory.rig.host_losses = 2;
    MeasurementCampaign measuring = laboratory.measuring();
    measuring.measure_list(kTwo, 1);
    CHECK(measuring.bursts() == 4);
    CHECK(laboratory.map.map().rows.size() == 2);
    CHECK(laboratory.said[0].find("set aside: the receive ring had no room for 3 frames") != std::string::npos);
}

TEST_CASE("A machine that loses frames of every burst ends the campaign without a row") {
    Laboratory laboratory;
    laboratory.rig.host_losses = 1000;
    CHECK_THROWS_WITH(laboratory.measuring().measure_list(kTwo, 1), Contains("the receive ring had no room"));
    CHECK(laboratory.map.map().rows.empty());
}

TEST_CASE("A trigger more than half a separation late sets a burst aside, one half a separation late does not") {
    BurstRecord record;
    record.row = {28, Bytes{1024}, Time{20'000'000}, 400, 11200, 11200, Time{10'000'000}};
    CHECK(reason_to_set_aside(record).empty());
    record.row.worst_trigger_lateness = Time{10'000'001};
    CHECK(reason_to_set_aside(record).find("late") != std::string::npos);
    record.row.events = 1;  // nothing to be late against
    CHECK(reason_to_set_aside(record).empty());
}

TEST_CASE("A late trigger spoils a burst where the queue runs empty meanwhile, and none that loses nothing") {
    // 10 triggers of 4 frames, 1 ms apart; a trigger takes 2 ms to leave, and a full queue 6 ms: the fifth overflows.
    constexpr Time kMillisecond{1'000'000'000};
    BurstRecord record;
    record.row = {4, Bytes{1024}, kMillisecond, 10, 40, 36, kMillisecond * 3};
    record.row.delay = kMillisecond * 6;
    record.missing = std::vector<bool>(40);
    for (const std::size_t frame : {19U, 27U, 35U, 39U}) record.missing[frame] = true;
    const auto with_late = [&](std::size_t late, Time by) {
        record.trigger_times.clear();
        for (std::size_t i = 0; i < 10; ++i) record.trigger_times.push_back(kMillisecond * static_cast<int>(i));
        for (std::size_t i = late; i < 10; ++i)
            record.trigger_times[i] = std::max(record.trigger_times[i], kMillisecond * static_cast<int>(late) + by);
        record.row.span = record.trigger_times.back() - record.trigger_times.front();
        return reason_to_set_aside(record);
    };
    CHECK(with_late(7, kMillisecond * 3) == "");
    CHECK(idle_by_lateness(record) == Time{0});
    CHECK(with_late(9, kMillisecond * 4) == "");
    // After the first trigger the queue lasts 2 ms, after the second 3 ms.
    CHECK_THAT(with_late(1, kMillisecond * 3), Contains("the queue ran empty for 2 ms"));
    CHECK_THAT(with_late(1, kMillisecond * 2), Contains("the queue ran empty for 1 ms"));
    CHECK(with_late(2, kMillisecond * 2) == "");
    CHECK_THAT(with_late(9, kMillisecond * 7), Contains("late"));
    record.missing.assign(40, false);
    record.row.frames_received = 40;
    CHECK(with_late(9, kMillisecond * 7) == "");
    record.row.span.reset();
    CHECK_THAT(reason_to_set_aside(record), Contains("late"));  // nobody knows the times
}

TEST_CASE("A machine that sends triggers one after the other, and later than asked, does not keep the pace") {
    BurstRecord record;
    record.row = {4, Bytes{1024}, Time{1'000}, 20, 80, 80, std::nullopt};
    const auto pace = [&](Time apart, Time held_up) {
        record.trigger_times.clear();
        for (int i = 0; i < 20; ++i) record.trigger_times.push_back(std::max(apart * i, i < 5 ? Time{0} : held_up));
        return pace_not_kept(record);
    };
    CHECK(pace(Time{1'000}, Time{0}) == Time{0});
    CHECK(pace(Time{1'000}, Time{9'000}) == Time{0});
    CHECK(pace(Time{3'000}, Time{0}) == Time{3'000});
    // Held up by others most of the time, but not always, it could be faster.
    record.trigger_times = {Time{0}};
    for (int i = 1; i < 20; ++i)
        record.trigger_times.push_back(record.trigger_times.back() + Time{i % 5 ? 9'000 : 1'000});
    CHECK(pace_not_kept(record) == Time{0});
}

TEST_CASE("Advice from a wrong mixture finds depth and rate in less than forty bursts") {
    Laboratory laboratory(3300);
    CampaignPlan plan = plan_of(300);
    MeasurementCampaign measuring = laboratory.measuring();
    measuring.measure_as_advised(plan, {{AdviceTarget::Depth, 0.02}, {AdviceTarget::Rate, 0.01}});
    CHECK(measuring.bursts() < kMost);
    const PartialFit found = fit_so_far(laboratory.map.map(), plan.conditions, plan.fit);
    REQUIRE(found.fit);
    CHECK(*found.fit->best().depth.value == Approx(3300).epsilon(0.02));
    CHECK(*found.fit->best().rate.value == Approx(10e9).epsilon(0.01));
}

TEST_CASE("A machine that cannot keep short separations gets longer ones") {
    Laboratory laboratory(3300);
    laboratory.rig.late = Time{5'000'000};
    const CampaignPlan plan = plan_of(3300);
    laboratory.measuring(kHour, 8).measure_as_advised(plan, {{AdviceTarget::Depth, 0.05}});
    const auto& rows = laboratory.map.map().rows;
    REQUIRE(rows.size() > 3);
    for (const LossMapRow& row : rows) CHECK(row.separation >= 2 * laboratory.rig.late);
}

TEST_CASE("A campaign that has found nothing says why") {
    const CampaignPlan plan = plan_of(3300);
    const auto found = [&](std::vector<LossMapRow> rows) {
        return fit_so_far({"map", std::move(rows)}, plan.conditions, plan.fit);
    };
    LossMapRow burst{28, Bytes{1024}, Time{10'000'000}, 100, 2800, 2800, std::nullopt};
    CHECK_THAT(nothing_known(found({}), false, 3, "map.csv"), Contains("of 3 bursts none can be used; map.csv"));
    const PartialFit lossless = found({burst});
    CHECK_THAT(nothing_known(lossless, true, 1, "map.csv"),
               Contains("none of 1 bursts lost a frame, the longest of 2800 frames"));
    CHECK(nothing_known(lossless, false, 1, "map.csv").empty());
    LossMapRow lossy = burst;
    lossy.frames_received = 2799;
    CHECK(nothing_known(found({burst, lossy}), true, 2, "map.csv").empty());
    burst.peak = PeakReading{100'000, false, 1};
    CHECK(nothing_known(found({burst}), true, 1, "map.csv").empty());
}

TEST_CASE("No burst begins when the time is over") {
    Laboratory laboratory;
    CHECK(laboratory.measuring(Time{1})
              .measure_as_advised(plan_of(300), {{AdviceTarget::Depth, 0.01}})
              .find("the time that was given is over") == 0);
    CHECK(laboratory.rig.settings.empty());
}

TEST_CASE("The payload that tells frames from bytes lies between the thresholds of both") {
    Laboratory laboratory(3300);
    CampaignPlan plan = plan_of(3300);
    laboratory.measuring().measure_as_advised(plan, {{AdviceTarget::Depth, 0.05}});
    const PartialFit so_far = fit_so_far(laboratory.map.map(), plan.conditions, plan.fit);
    REQUIRE(so_far.fit);
    CHECK_FALSE(discriminating_payload(*so_far.fit, plan));  // none is allowed
    plan.advice.payloads.reset();
    const auto burst = discriminating_payload(*so_far.fit, plan);
    REQUIRE(burst);
    CHECK(burst->payload == Bytes{512});
    // The memory holds 3300 frames, or twice as many of half the size: one kind loses this burst, the other does not.
    const LossMapRow as_frames = SimulatedSwitch(scenario_of(3300), {}).measure(1, *burst);
    Scenario bytes = scenario_of(3300);
    bytes.network_switch.buffer.size = {3300 * (1024 + 46), MemorySize::Unit::Byte};
    CHECK(as_frames.frames_lost() > 0);
    CHECK(SimulatedSwitch(bytes, {}).measure(1, *burst).lossless());
}

TEST_CASE(
    "A sender that is held up says nothing of the queue: three overloads of the queue's own end the measurement") {
    using Fault = Queue::Fault;
    Queue fine({});
    measure(fine);
    CHECK(fine.sent == 1);
    std::vector<Fault> faults(9, Fault::Sender);
    faults.insert(faults.begin() + 4, 2, Fault::FirstFrame);
    Queue held_up(faults);
    measure(held_up);
    CHECK(held_up.sent == 12);
    faults.push_back(Fault::FirstFrame);
    Queue odd(faults);
    CHECK_THROWS_WITH(measure(odd), Contains("set aside 3 times: the first frames are missing"));
    CHECK(odd.sent == 12);
    Queue never(std::vector<Fault>(20, Fault::Sender));
    CHECK_THROWS_WITH(measure(never), Contains("set aside 10 times: the receive ring"));
    CHECK(never.sent == 10);
}
