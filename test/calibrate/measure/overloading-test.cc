// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/measuring.h"
#include "test/catch.h"

using namespace watershed;
using Catch::Matchers::Contains;

namespace {

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
