// SPDX-License-Identifier: GPL-2.0-only
#include "model/fill/fill-test.h"

#include <rapidcheck.h>

#include <stdexcept>
#include <string>

#include "model/switch/switch-memory.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A stopped switch keeps what it takes until the oldest frame is released") {
    NetworkScenario scenario;
    scenario.front_end.modules = 2;
    scenario.network_switch.buffer.size = {3, MemorySize::Unit::Frame};
    scenario.network_switch.buffer.headroom = {1, MemorySize::Unit::Frame};
    scenario.network_switch.flow_control.kind = FlowControl::Kind::Pause;
    scenario.network_switch.flow_control.xoff = {1, MemorySize::Unit::Frame};
    scenario.network_switch.flow_control.xon = {1, MemorySize::Unit::Frame};
    const auto stopped = make_exact_tx_disabled_switch(scenario, 100);
    CHECK_FALSE(stopped->offer(0).paused);
    CHECK(stopped->offer(0).paused);
    CHECK(stopped->offer(1).in_memory);
    const auto on_headroom = stopped->offer(0);  // the memory of 3 is full
    CHECK(on_headroom.on_headroom);
    CHECK(stopped->offer(0).lost == &SwitchMemory::kHeadroomFull);
    CHECK(stopped->offer(1).lost == &SwitchMemory::kBufferFull);  // its sender is not paused
    CHECK(stopped->release(0));                                   // 2 frames and 1 more than xon
    CHECK_FALSE(stopped->release(0));
}

namespace {

MemorySize cells(std::int64_t n) { return {n, MemorySize::Unit::Cell}; }

/// `groups` priority groups in the first of 4 slices of `shared` cells; frames of one cell.
NetworkScenario lossless_switch(int groups, std::int64_t shared, Ratio alpha) {
    NetworkScenario scenario;
    scenario.frame.payload = Bytes{18};
    scenario.front_end.modules = 4 * groups;
    scenario.front_end.obeys_pause = false;
    Switch& filled = scenario.network_switch;
    filled.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    filled.buffer.accounting = Buffer::Accounting::Ingress;
    filled.buffer.size = cells(shared);
    filled.buffer.alpha = alpha;
    filled.buffer.slices = 4;
    filled.buffer.cell = Bytes{208};
    filled.buffer.reserved = cells(6);
    filled.buffer.headroom = cells(486);
    filled.flow_control.kind = FlowControl::Kind::Pfc;
    filled.flow_control.alpha = alpha;
    filled.flow_control.xon_fixed = true;
    filled.flow_control.xon_offset = cells(12);
    return scenario;
}

std::int64_t found(FillEvent event, int before, int together, const NetworkScenario& scenario) {
    FillTest test;
    test.event = event;
    test.before = before;
    test.together = together;
    test.scenario = scenario;
    return fill(test, make_exact_tx_disabled_switch);
}

}  // namespace

TEST_CASE("A lone group is told to pause at alpha / (1 + alpha) of its slice and its own minimum") {
    // 160236 / 4 = 40059 cells. alpha 1: 20029.5 and 6, so that frame 20036 reaches it. alpha 1/8: 4451 and 6.
    const NetworkScenario one = lossless_switch(1, 160236, {1, 1});
    CHECK(found(FillEvent::Xoff, 0, 1, one) == 20036);
    CHECK(found(FillEvent::IngressDrop, 0, 1, one) == 20036 + 486 + 1);
    CHECK(found(FillEvent::HeadroomFull, 0, 1, one) == 486);
    CHECK(found(FillEvent::Xon, 0, 1, one) == 12);
    CHECK(found(FillEvent::Xoff, 0, 1, lossless_switch(1, 160236, {1, 8})) == 4457);
}

TEST_CASE("N groups that fill together rest at alpha / (1 + N alpha) of their slice each") {
    // The first comes to rest when the others have one frame less: 8 d >= 40059 - 14 d + 13 at d = 1822, beside its 6;
    // 8 d >= 40059 - 19 d + 18 at d = 1485. The closed form says 1820.9 and 1483.7.
    CHECK(found(FillEvent::Xoff, 0, 14, lossless_switch(14, 160236, {1, 8})) == 1822 + 6);
    CHECK(found(FillEvent::Xoff, 0, 19, lossless_switch(19, 160236, {1, 8})) == 1485 + 6);
}

TEST_CASE("Groups that fill one after another halve what is left, with alpha 1") {
    std::int64_t free = 40059;
    for (int before = 0; before < 20; ++before) {
        const std::int64_t drawn = (free + 1) / 2;  // the first amount that reaches what is then left
        CHECK(found(FillEvent::Xoff, before, 1, lossless_switch(before + 1, 160236, {1, 1})) == drawn + 6);
        free -= drawn;
    }
}

TEST_CASE("Where nobody is told to pause, groups are filled to their limit; several of a port one after the other") {
    // Nested thresholds with alpha 1 for groups and ports: (P - 2 o) / 3 where the other group of the port holds o.
    NetworkScenario scenario = lossless_switch(2, 10'000, {1, 1});
    scenario.network_switch.flow_control = FlowControl{};
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.sharing = Buffer::Sharing::named("nested-threshold");
    buffer.port_alpha = {1, 1};
    buffer.reserved = cells(0);
    buffer.headroom = cells(0);
    buffer.slices = 1;
    buffer.classes = 2;
    CHECK(found(FillEvent::Limit, 0, 1, scenario) == 3334);
    CHECK(found(FillEvent::Limit, 1, 1, scenario) == 1111);
    CHECK(found(FillEvent::Limit, 2, 1, scenario) == 1852);  // of 5555 that the first port leaves
    CHECK(found(FillEvent::IngressDrop, 0, 1, scenario) == 3335);
}

TEST_CASE("A group stops where a table of limits falls, though the table would let a fuller one grow") {
    NetworkScenario scenario = lossless_switch(1, 1000, {1, 1});
    scenario.network_switch.flow_control = FlowControl{};
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.sharing = Buffer::Sharing::named("stepped-threshold");
    buffer.step_free = {cells(1), cells(880), cells(930)};
    buffer.step_limits = {cells(1000), cells(10), cells(1000)};
    buffer.reserved = buffer.headroom = cells(0);
    buffer.slices = 1;
    CHECK(found(FillEvent::Limit, 0, 1, scenario) == 71);  // 929 are free
}

TEST_CASE("A probe that fills group by group sees the headroom pool of its slice run out at the 20th") {
    // 9408 = 19 x 486 + 174: 19 groups have 486 each, the 20th has 174, the 21st none. A probe counts the frame that is
    // lost, too, so that its 21 groups sum up to 9408 + 21.
    NetworkScenario scenario = lossless_switch(21, 160236, {1, 1});
    scenario.network_switch.buffer.headroom_pool = cells(4 * 9408);
    const std::vector<ProbedGroup> groups = probe(scenario, 21, make_exact_tx_disabled_switch);
    CHECK(groups[0].xoff == 20036);
    CHECK(groups[0].drop == 20523);
    CHECK(groups[1].xoff == 10021);
    CHECK(groups[1].drop == 10508);
    CHECK(groups[18].headroom() == 487);
    CHECK(groups[19].headroom() == 175);
    CHECK(groups[20].headroom() == 1);
    std::int64_t sum = 0;
    for (const ProbedGroup& group : groups) sum += group.headroom();
    CHECK(sum == 9429);
    CHECK(found(FillEvent::HeadroomPartial, 0, 1, scenario) == 174);
}

TEST_CASE("Frames in the pipeline are not counted") {
    NetworkScenario scenario = lossless_switch(1, 160236, {1, 1});
    scenario.network_switch.buffer.egress_pipeline = 48;
    CHECK(found(FillEvent::Xoff, 0, 1, scenario) == 20036);
    CHECK(found(FillEvent::Xon, 0, 1, scenario) == 12);
}

TEST_CASE("A switch to which the event does not happen is told apart from one that is slow to fill") {
    NetworkScenario scenario = lossless_switch(1, 160236, {1, 1});
    scenario.network_switch.flow_control = FlowControl{};
    CHECK_THROWS_AS(found(FillEvent::Xoff, 0, 1, scenario), NoEvent);
}

namespace {

/// The switch of the exact engine, frame by frame.
class SingleSteps final : public TxDisabledSwitch {
  public:
    explicit SingleSteps(const NetworkScenario& scenario) : filled_(make_exact_tx_disabled_switch(scenario, 0)) {}
    Fate offer(int group) override { return filled_->offer(group); }
    bool release(int input) override { return filled_->release(input); }

  private:
    std::unique_ptr<TxDisabledSwitch> filled_;
};

std::unique_ptr<TxDisabledSwitch> stop_in_single_steps(const NetworkScenario& scenario, std::int64_t) {
    return std::make_unique<SingleSteps>(scenario);
}

FillTest random_test() {
    const auto draw = [](int from, int to) { return *rc::gen::inRange(from, to + 1); };
    const auto random_cells = [&](int from, int to) { return cells(draw(from, to)); };
    const auto ratio = [&] { return Ratio{draw(1, 8), draw(1, 8)}; };
    FillTest test;
    test.event = static_cast<FillEvent>(draw(0, static_cast<int>(FillEvent::HeadroomPartial)));
    test.before = draw(0, 3);
    test.together = draw(1, 2);
    test.scenario = lossless_switch(test.before + test.together, draw(1, 3000), ratio());
    test.scenario.frame.payload = Bytes{draw(18, 1500)};
    Switch& filled = test.scenario.network_switch;
    filled.uplinks = draw(1, 2);
    Buffer& buffer = filled.buffer;
    buffer.sharing = *rc::gen::elementOf(Sharing::all());
    buffer.accounting = *rc::gen::element(Buffer::Accounting::Ingress, Buffer::Accounting::Egress,
                                          Buffer::Accounting::Both, Buffer::Accounting::Mixed);
    buffer.slices = draw(1, 2);
    buffer.classes = draw(1, 2);
    buffer.reserved = random_cells(0, 20);
    buffer.headroom = random_cells(0, 100);
    if (draw(0, 1) == 1) buffer.headroom_pool = random_cells(0, 300);
    buffer.egress_pipeline = draw(0, 1) * draw(0, 50);
    buffer.port_alpha = ratio();
    buffer.excess = random_cells(0, 50);
    buffer.filter = {1, draw(1, 100)};
    buffer.threshold_whole = draw(0, 1) == 1;
    if (draw(0, 1) == 1) buffer.threshold_mantissa = draw(1, 6);
    buffer.threshold_extra_step = draw(0, 1) == 1;
    buffer.step_free = {random_cells(1, 100), random_cells(101, 1000), random_cells(1001, 2000)};
    buffer.step_limits = {random_cells(0, 100), random_cells(0, 500), random_cells(0, 1000)};  // they may fall
    if (draw(0, 3) == 0)
        buffer.port_limit =
            MemorySize{draw(1, 300), *rc::gen::element(MemorySize::Unit::Cell, MemorySize::Unit::Frame)};
    if (draw(0, 3) == 0) buffer.descriptors = draw(1, 500);
    if (draw(0, 3) == 0) buffer.resume = ratio();
    if (draw(0, 3) == 0) buffer.wred_to = random_cells(1, 500);
    FlowControl& control = filled.flow_control;
    control.kind = *rc::gen::element(FlowControl::Kind::None, FlowControl::Kind::Pause, FlowControl::Kind::Pfc);
    if (draw(0, 1) == 1) control.alpha = std::nullopt;
    control.xon_fixed = draw(0, 1) == 1;
    control.xoff = random_cells(0, 1000);
    control.xon = random_cells(0, 1000);  // above xoff as well
    control.xon_offset = random_cells(0, 20);
    if (draw(0, 3) == 0) control.rule = *rc::gen::element(FlowControl::Rule::Hpcc, FlowControl::Rule::Sonic);
    return test;
}

std::string text_of(const FillTest& test, const StoppedSwitchFactory& stop) {
    try {
        return std::to_string(fill(test, stop, 20'000));
    } catch (const std::exception& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("Frames that are offered many at a time come to what single ones do") {
    int happened = 0;
    CHECK(rc::check([&] {
        for (int i = 0; i < 20; ++i) {
            const FillTest test = random_test();
            const std::string singly = text_of(test, stop_in_single_steps);
            RC_ASSERT(text_of(test, make_exact_tx_disabled_switch) == singly);
            happened += singly.find_first_not_of("0123456789") == std::string::npos;
        }
    }));
    CHECK(happened > 200);
}
