// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include <cmath>

#include "calibrate/posterior/burst-likelihood.h"
#include "model/exact/exact-engine.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Burst burst_of(std::int64_t ports, int uplinks, std::int64_t events, std::int64_t nanoseconds) {
    Burst burst;
    burst.row = 1;
    burst.ports = ports;
    burst.uplinks = uplinks;
    burst.events = events;
    burst.payload = 1024;
    burst.wire = 1090;
    burst.buffer = 1070;
    burst.spacing = burst.separation = Time{nanoseconds * 1000};
    burst.sent = burst.fragments();
    return burst;
}

}  // namespace

TEST_CASE("The law of a memory with a feature loses what its closed form loses, to the frame of each uplink") {
    for (const Feature feature : {Feature::Descriptors, Feature::Resume, Feature::DynamicThreshold,
                                  Feature::UnevenUplinks, Feature::Reserve, Feature::OutputReserve}) {
        REQUIRE(rc::check([&] {
            const int uplinks = *rc::gen::inRange(feature == Feature::UnevenUplinks ? 2 : 1, 4);
            const Burst burst = burst_of(*rc::gen::inRange(12, 60) / uplinks * uplinks, uplinks,
                                         *rc::gen::inRange(2, 300), *rc::gen::inRange(8720, 20'000));
            const std::int64_t depth = *rc::gen::inRange(400, 3000);
            QueueModel model;
            model.feature = feature;
            model.owners = 60;
            model.value = feature == Feature::Descriptors        ? *rc::gen::inRange(200, 3000)
                          : feature == Feature::Resume           ? *rc::gen::inRange(0, 99) / 100.0
                          : feature == Feature::DynamicThreshold ? *rc::gen::inRange(1, 17) / 8.0
                                                                 : *rc::gen::inRange(35, 100) / 100.0;
            BurstParameters parameters{static_cast<double>(depth), 10e9};
            parameters.feature = model.value;
            const BurstLikelihood law(model, {burst});
            const std::int64_t room = model.room(burst, depth);
            RC_PRE(room >= least_busy_room(model, burst));  // else the closed form counts too few
            const auto lost = static_cast<double>(frames_lost(
                model, burst, room, static_cast<std::int64_t>(burst.drain() * parameters.rate * (1 + 1e-12))));
            const double by_law = std::max(0.0, law.overflow(0, parameters));
            RC_LOG() << to_text(feature) << " " << lost << " " << by_law;
            // A resume level that is passed a frame earlier or later loses an event more or fewer.
            const double open = feature == Feature::Resume ? static_cast<double>(burst.ports) : uplinks;
            RC_ASSERT(std::abs(by_law - lost) <= open + 0.01 * lost);
        }));
    }
}

TEST_CASE("No outcome is more than certain, however slow the uplinks are and however small the memory is") {
    for (const Feature feature :
         {Feature::None, Feature::Descriptors, Feature::Resume, Feature::DynamicThreshold, Feature::UnevenUplinks}) {
        REQUIRE(rc::check([&] {
            const auto share = [] { return *rc::gen::inRange(0, 1001) / 1000.0; };
            Burst burst = burst_of(*rc::gen::inRange(2, 65), *rc::gen::inRange(1, 5), *rc::gen::inRange(1, 2500),
                                   *rc::gen::inRange(8720, 1'000'000));
            burst.lost = *rc::gen::inRange<std::int64_t>(0, burst.fragments() + 1);
            burst.lossy = burst.counted = burst.lost > 0;
            QueueModel model;
            model.feature = feature;
            BurstParameters parameters;
            parameters.depth = std::pow(2000, share());
            parameters.rate = 1e10 * std::pow(1e-7, share());
            parameters.feature = feature == Feature::Descriptors ? 1 + 2000 * share() : std::max(0.01, share());
            parameters.order = static_cast<AskingOrder>(*rc::gen::inRange(0, 6));
            parameters.loss = 0.5 * share() * *rc::gen::inRange(0, 2);
            parameters.noise_frames = 40 * share() * *rc::gen::inRange(0, 2);
            const double log_likelihood = BurstLikelihood(model, {burst}).log_likelihood(parameters);
            RC_LOG() << to_text(feature) << " " << log_likelihood;
            RC_ASSERT(log_likelihood <= 1e-6);
        }));
    }
}

TEST_CASE("Under a dynamic threshold fuller queues leave others more, where modules do not divide by uplinks") {
    // Played by the exact engine: the law predicts which bursts lose frames, and how many to 2 %.
    int lossy = 0;
    for (const int modules : {7, 11, 14, 29, 43})
        for (const int alpha : {2, 8, 32})
            for (const std::int64_t events : {120, 250, 600}) {
                constexpr int kUplinks = 3, kDepth = 1500, kSixteenths = 16;
                Scenario scenario;
                Buffer& buffer = scenario.network_switch.buffer;
                buffer.sharing = Buffer::Sharing::DynamicThreshold;
                buffer.alpha = Ratio{alpha, kSixteenths};
                buffer.size = {kDepth, MemorySize::Unit::Frame};
                scenario.front_end.modules = modules;
                scenario.network_switch.uplinks = kUplinks;
                const Burst burst = burst_of(modules, kUplinks, events, 1000 + 500 * modules / kUplinks);
                scenario.front_end.link_rate = BitRate{100'000'000'000};
                scenario.trigger.separation = burst.separation;
                scenario.trigger.events = events;
                const auto lost = static_cast<double>(ExactEngine().run(scenario).frames_lost());
                QueueModel model;
                model.feature = Feature::DynamicThreshold;
                BurstParameters parameters{kDepth, 10e9};
                parameters.feature = static_cast<double>(alpha) / kSixteenths;
                const double by_law = BurstLikelihood(model, {burst}).overflow(0, parameters);
                INFO(modules << " modules, alpha " << alpha << "/16, " << events << " events: " << lost << " by law "
                             << by_law);
                constexpr double kRounding = 3;  // frames, a few for each queue
                CHECK(std::abs(std::max(0.0, by_law) - lost) <= kRounding + 0.02 * lost);
                lossy += lost > 0;
            }
    CHECK(lossy > 10);
}
