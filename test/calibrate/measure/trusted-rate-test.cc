// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "calibrate/measure/measuring.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A cable and two ports that keep up with triggers no closer than `fastest`; with closer ones something goes wrong.
class Cable final : public Rig {
  public:
    enum class Fault { LossWithoutATrace, RingFull, Late };
    Cable(Time fastest, Fault fault) : fastest_(fastest), fault_(fault) {}
    BurstRecord measure(const BurstSetting& setting) override {
        ++bursts;
        shortest = std::min(shortest, setting.separation);
        BurstRecord record;
        record.row.ports = setting.ports;
        record.row.separation = setting.separation;
        record.row.events = setting.events;
        record.row.frames_sent = record.row.frames_received = setting.ports * setting.events;
        record.row.worst_trigger_lateness = Time{0};
        if (setting.separation >= fastest_ && bursts > disturbed) return record;
        if (fault_ == Fault::Late) {
            record.row.worst_trigger_lateness = setting.separation;
            return record;
        }
        record.row.frames_received -= 3;
        if (fault_ == Fault::RingFull) record.host_loss = "the receive ring had no room for 3 frames";
        return record;
    }
    int bursts = 0;
    int disturbed = 0;  ///< bursts that go wrong at first, however slow
    Time shortest{Time::max()};

  private:
    Time fastest_;
    Fault fault_;
};

constexpr std::int64_t kMost = 1'000'000;
constexpr Time kFastest{137'000'000};

MaxReliableRate trusted(Cable& cable, std::vector<ReliabilityStep>* steps = nullptr) {
    return find_max_reliable_rate(cable, 44, Bytes{1024}, kMost, [&](const ReliabilityStep& step) {
        if (steps) steps->push_back(step);
    });
}

}  // namespace

TEST_CASE("The highest rate that ports keep up with is found to a twentieth, with the reason why it is no higher") {
    using Fault = Cable::Fault;
    for (const auto& [fault, reason] : {std::pair{Fault::LossWithoutATrace, "without a trace"},
                                        {Fault::RingFull, "the receive ring had no room"},
                                        {Fault::Late, "late"}}) {
        Cable cable(kFastest, fault);
        const MaxReliableRate found = trusted(cable);
        REQUIRE(found.closest);
        CHECK(found.closest->separation >= kFastest);
        CHECK(static_cast<double>(found.closest->separation.count()) < 1.06 * static_cast<double>(kFastest.count()));
        CHECK_THAT(found.limit, Contains(reason));
    }
}

TEST_CASE("Bursts that the machine itself spoils are sent again, one that loses frames without a trace is enough") {
    Cable spoilt(kFastest, Cable::Fault::Late), lossy(kFastest, Cable::Fault::LossWithoutATrace);
    spoilt.disturbed = 1, lossy.disturbed = 1;
    CHECK(trusted(spoilt).closest);
    CHECK_FALSE(trusted(lossy).closest);
    CHECK(lossy.bursts == 1);
}

TEST_CASE("Each separation is tried with bursts that last, of no more frames than are allowed") {
    Cable cable(kFastest, Cable::Fault::Late);
    std::vector<ReliabilityStep> steps;
    trusted(cable, &steps);
    for (const ReliabilityStep& step : steps) {
        CHECK(step.setting.events * 44 <= kMost);
        CHECK(step.setting.separation * step.setting.events >= Time{200'000'000'000});
        CHECK(step.why_not.empty() == (step.setting.separation >= kFastest));
    }
}

TEST_CASE("Ports that nothing is too fast for are asked for no closer triggers than a microsecond") {
    Cable cable(Time{0}, Cable::Fault::Late);
    const MaxReliableRate found = trusted(cable);
    REQUIRE(found.closest);
    CHECK(found.closest->separation == Time{1'000'000});
    CHECK(found.limit.empty());
    CHECK(cable.shortest == Time{1'000'000});
}
