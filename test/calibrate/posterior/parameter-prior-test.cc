// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/parameter-prior.h"

#include <rapidcheck.h>

#include <cmath>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/initial-proposal.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 500, 10'000'000'000, 1};

std::vector<Burst> bursts() {
    std::vector<LossMapRow> rows;
    for (const int payload : {400, 1024})
        for (const std::int64_t events : {20, 60})
            rows.push_back(measured(kHidden, 44, payload, Time{15'000'000}, events));
    return bursts_of({"map", rows}, default_conditions(), CountUse::Count);
}

Point anywhere(const ParameterPrior& prior, RandomBits& random) {
    Point point(prior.dimensions());
    for (double& x : point) x = uniform(random);
    BurstParameters hidden = prior.given();
    prior.read(point, hidden);
    if (prior.has_depth()) point[0] = std::log(std::exp(prior.log_depth(point[0])) + prior.bucket_depth(hidden));
    if (prior.has_rate()) point[prior.leading() - 1] = prior.log_rate(point[prior.leading() - 1]);
    return point;
}

}  // namespace

TEST_CASE("Depths beyond what any burst fills are possible, unless the depth is bounded") {
    const BurstLikelihood law({}, bursts());
    const FitOptions free;
    const SearchBox box = known_box({}, bursts(), free);
    const ParameterPrior prior(law, {}, box, free);
    CHECK(std::exp(prior.log_depth(1)) == Approx(20.0 * static_cast<double>(box.depth_high + 1)));
    SearchBox bounded = box;
    bounded.depth_bounded = true;
    CHECK(std::exp(ParameterPrior(law, {}, bounded, free).log_depth(1)) ==
          Approx(static_cast<double>(box.depth_high + 1)));
}

TEST_CASE("The density of depth and rate sums to one over the box, and rates are drawn by it") {
    const BurstLikelihood law({}, bursts());
    const FitOptions options;
    const ParameterPrior prior(law, {}, known_box({}, bursts(), options), options);
    constexpr int kSteps = 400;
    const double depth_step = (prior.log_depth(1) - prior.log_depth(0)) / kSteps,
                 rate_step = (prior.log_rate(1) - prior.log_rate(0)) / kSteps;
    double sum = 0, below = 0;
    const double quarter = prior.log_rate(0.25);
    for (int i = 0; i < kSteps; ++i)
        for (int j = 0; j < kSteps; ++j) {
            Point point(prior.dimensions(), 0.4);  // no bucket
            point[0] = prior.log_depth(0) + (i + 0.5) * depth_step;
            point[1] = prior.log_rate(0) + (j + 0.5) * rate_step;
            const double mass = std::exp(prior.log_density(point)) * depth_step * rate_step;
            sum += mass;
            if (point[1] < quarter) below += mass;
        }
    CHECK(sum == Approx(1).margin(0.01));
    CHECK(below == Approx(0.25).margin(0.01));
}

TEST_CASE("Where the sampling begins covers the prior: what it draws too often weighs less in proportion") {
    const std::vector<Burst> map = bursts();
    const FitOptions options;
    const BurstLikelihood law({}, map);
    const ParameterPrior prior(law, {}, known_box({}, map, options), options);
    const InitialProposal start(law, prior, {}, find_likelihood_modes(law, prior, {}));
    RandomBits random(1);
    BurstParameters hidden = prior.given();
    // The mean of prior / start over draws of the start is one.
    double sum = 0;
    constexpr int kDraws = 20'000;
    for (int i = 0; i < kDraws; ++i) {
        const Point point = start.draw(random);
        prior.read(point, hidden);
        sum += std::exp(prior.log_density(point) - start.log_density(point, hidden)) / kDraws;
    }
    CHECK(sum == Approx(1).margin(0.05));
    CHECK(start.likeliest().depth == Approx(500).margin(3));
    CHECK(start.likeliest().rate == Approx(10e9).epsilon(0.01));
}

TEST_CASE(
    "Where nobody else sends, a slide changes depth, value and constants together, so that no burst overflows more or "
    "less, and it can be taken back") {
    const std::vector<Burst> map = bursts();
    QueueModel model;
    model.unit = MemorySize::Unit::Byte;
    model.feature = GENERATE(Feature::None, Feature::Descriptors, Feature::DynamicThreshold);
    const FitOptions options;
    const BurstLikelihood law(model, map);
    const ParameterPrior prior(law, model, known_box(model, map, options), options);
    const auto traffic = prior.coordinate(ParameterPrior::Parameter::Traffic);
    REQUIRE(traffic);
    CHECK(rc::check([&] {
        RandomBits random(*rc::gen::arbitrary<std::uint64_t>());
        Point point = anywhere(prior, random);
        point[0] = std::log(450'000 + 100'000 * uniform(random));
        point[1] = std::log(1e10);  // with which no uplink falls idle
        point[*traffic] = 0;        // others take a part of the memory, of whatever size
        if (const auto feature = prior.coordinate(ParameterPrior::Parameter::Feature);
            feature && model.feature == Feature::Descriptors)
            point[*feature] = prior.feature().share(200 + 500 * uniform(random), std::exp(point[0]));
        const Point before = point;
        const double deeper = 900 * (uniform(random) - 0.5),
                     more = (uniform(random) - 0.5) * (model.feature == Feature::Descriptors ? 3 : 0.01);
        const bool toggle = uniform(random) < 0.5;
        const double log_volume = prior.slide(point, law, deeper, more, toggle);
        if (std::isnan(log_volume)) return;
        BurstParameters from = prior.given(), to = prior.given();
        prior.read(before, from);
        prior.read(point, to);
        for (std::size_t i = 0; i < law.size(); ++i)
            RC_ASSERT(std::abs(law.overflow(i, from) - law.overflow(i, to)) < 1e-6);
        const double back = prior.slide(point, law, -deeper, -more, toggle);
        RC_ASSERT(std::abs(log_volume + back) < 1e-6);
        for (std::size_t k = 0; k < point.size(); ++k) RC_ASSERT(std::abs(point[k] - before[k]) < 1e-6);
    }));
}

TEST_CASE("A bucket leaves the depth's prior as it is, though a point tells what both hold together") {
    const BurstLikelihood law({}, bursts());
    const ParameterPrior prior(law, {}, known_box({}, bursts(), {}), {});
    const auto bucket = prior.coordinate(ParameterPrior::Parameter::Bucket);
    REQUIRE(bucket);
    Point point(prior.dimensions(), 0.4);
    point[*bucket] = prior.bucket_share(30'000);
    point[1] = prior.log_rate(0.5);
    Point without = point;
    without[*bucket] = 0.1;
    BurstParameters hidden = prior.given();
    constexpr int kSteps = 4000;
    const double low = prior.log_depth(0), high = prior.log_depth(1) + 0.5, step = (high - low) / kSteps;
    double mass = 0, expected = 0;
    for (int i = 0; i < kSteps; ++i) {
        point[0] = low + (i + 0.5) * step;
        const double density = std::exp(prior.log_density(point)) * step;
        prior.read(point, hidden);
        if (density > 0) REQUIRE(hidden.depth == Approx(std::exp(point[0]) - 30'000 * law.depth_per_bucket()));
        mass += density;
        without[0] = point[0];
        expected += std::exp(prior.log_density(without)) * step;
    }
    CHECK(mass == Approx(expected).epsilon(0.01));
}

TEST_CASE(
    "Half of the rate's prior is even over the logarithm of a load of up to twenty, and falls in proportion below") {
    // With one burst Jeffreys's half is proportional to the rate.
    const std::vector<Burst> one{bursts().front()};
    const BurstLikelihood law({}, one);
    const SearchBox box = known_box({}, one, {});
    const ParameterPrior prior(law, {}, box, {});
    const double low = std::max(box.rate_low, 1e-3 * box.rate_high), edge = std::max(low, box.rate_high / 20),
                 falling = 1 - low / edge, even = std::log(box.rate_high / edge);
    for (const double share : {0.02, 0.1, 0.3, 0.6, 0.9}) {
        const double rate = std::exp(prior.log_rate(share));
        const double jeffreys = (rate - low) / (box.rate_high - low),
                     below = rate < edge ? (rate - low) / edge : falling + std::log(rate / edge);
        CHECK((jeffreys + below / (falling + even)) / 2 == Approx(share).margin(0.01));
    }
}

TEST_CASE(
    "Below the rates at which bursts are known best the rate's prior does not jump, so that no interval ends by it") {
    const std::vector<Burst> map = bursts();
    const BurstLikelihood law({}, map);
    const SearchBox box = known_box({}, map, {});
    const ParameterPrior prior(law, {}, box, {});
    const double low = prior.log_rate(0), high = prior.log_rate(1) - std::log(4);
    constexpr double kApart = 0.004;  // a typical width of an interval
    RandomBits random(1);
    Point point = anywhere(prior, random);
    for (double log_rate = low; log_rate + kApart <= high; log_rate += kApart) {
        point[1] = log_rate;
        const double here = prior.log_density(point);
        point[1] += kApart;
        CHECK(std::abs(prior.log_density(point) - here) < 0.05);
    }
}

TEST_CASE("What is given is no coordinate, and noise within limits stays there") {
    FitOptions options;
    options.service_rate = BitRate{10'000'000'000};
    options.noise = KnownNoise{0.01, 0.02, true};
    options.bucket = KnownRange{3000, 3000};
    const BurstLikelihood law({}, bursts());
    const ParameterPrior prior(law, {}, known_box({}, bursts(), options), options),
        free(law, {}, known_box({}, bursts(), {}), {});
    CHECK(prior.dimensions() + 2 == free.dimensions());  // rate and bucket
    CHECK_FALSE(prior.has_rate());
    RandomBits random(2);
    BurstParameters hidden = prior.given();
    for (int i = 0; i < 200; ++i) {
        prior.read(anywhere(prior, random), hidden);
        REQUIRE(hidden.bucket == 3000);
        REQUIRE(hidden.noise_frames == 0);
        REQUIRE(hidden.noise_length >= 0.01 - 1e-12);
        REQUIRE(hidden.noise_length <= 0.02 + 1e-12);
    }
}

TEST_CASE(
    "Traffic of others traded for depth and rate leaves what bursts lose about as it was, and there is a way back") {
    const std::vector<Burst> map = bursts();
    const FitOptions options;
    const BurstLikelihood law({}, map);
    const ParameterPrior prior(law, {}, known_box({}, map, options), options);
    BurstParameters reference = prior.given();
    reference.depth = 500, reference.rate = 10e9;
    const BurstLikelihood::Likeness likeness = law.likeness_of_others(reference, true, true);
    RandomBits random(2);
    BurstParameters before = prior.given(), after = before;
    int traded = 0;
    double moved = 0, moved_alone = 0;  // squares of frames
    for (int i = 0; i < 200; ++i) {
        Point point = anywhere(prior, random), start = point;
        point[0] = start[0] = std::log(500), point[1] = start[1] = std::log(10e9);
        prior.read(point, before);
        const double factor = std::exp(2 * uniform(random) - 1);
        if (std::isnan(prior.trade_traffic(point, law, likeness, factor))) continue;
        prior.read(point, after);
        if (after.traffic_batch > 65536 || after.traffic_batch < 84) continue;
        ++traded;
        const auto odds = [](const BurstParameters& hidden) { return hidden.traffic / (1 - hidden.traffic); };
        CHECK(after.traffic == Approx(before.traffic * factor));
        CHECK(odds(after) * after.traffic_batch == Approx(odds(before) * before.traffic_batch));
        // Depth and rate take up most of what waits.
        BurstParameters alone = after;
        alone.depth = before.depth, alone.rate = before.rate;
        for (std::size_t row = 0; row < law.size(); ++row) {
            moved += std::pow(law.overflow(row, after) - law.overflow(row, before), 2);
            moved_alone += std::pow(law.overflow(row, alone) - law.overflow(row, before), 2);
        }
        REQUIRE_FALSE(std::isnan(prior.trade_traffic(point, law, likeness, 1 / factor)));
        for (std::size_t k = 0; k < point.size(); ++k) CHECK(point[k] == Approx(start[k]).margin(1e-9));
    }
    CHECK(traded > 20);
    CHECK(moved < 0.5 * moved_alone);
}

TEST_CASE("Half of the prior of the rate lies within 2 % of the nominal one, and all of the rest is as it is without") {
    const BurstLikelihood law({}, bursts());
    FitOptions about;
    about.nominal_rate = BitRate{9'000'000'000};
    const SearchBox box = known_box({}, bursts(), {});
    const ParameterPrior near(law, {}, box, about), wide(law, {}, box, {});
    const auto share_within = [](const ParameterPrior& prior, double low, double high) {
        constexpr int kDraws = 20000;
        int inside = 0;
        for (int i = 0; i < kDraws; ++i) {
            const double rate = std::exp(prior.log_rate((i + 0.5) / kDraws));
            inside += rate >= low && rate <= high;
        }
        return static_cast<double>(inside) / kDraws;
    };
    const double without = share_within(wide, 0.98 * 9e9, 1.02 * 9e9);
    CHECK(share_within(near, 0.98 * 9e9, 1.02 * 9e9) == Approx(0.5 + 0.5 * without).margin(0.01));
    CHECK(share_within(near, 2e9, 4e9) == Approx(0.5 * share_within(wide, 2e9, 4e9)).margin(0.005));
    CHECK(near.precision_of_rate(std::log(9e9)) == Approx(12 / std::pow(std::log(1.02 / 0.98), 2)));
    CHECK(near.precision_of_rate(std::log(9.5e9)) == 0);
    QueueModel receiver;
    receiver.per_packet = true;  // takes so many frames a second, whatever the link has
    CHECK(ParameterPrior(law, receiver, box, about).log_rate(0.3) == wide.log_rate(0.3));
}

TEST_CASE("Nine depths in ten do not drift; the others shrink or grow alike by any factor of half a per cent to 40 %") {
    const std::vector<Burst> few = bursts();
    std::vector<Burst> map = few;
    map.insert(map.end(), few.begin(), few.end());
    const FitOptions options;
    const SearchBox box = known_box({}, map, options);
    REQUIRE(nuisance_models().front().name == "drift");
    CHECK_FALSE(ParameterPrior(BurstLikelihood({}, few), {}, box, options).coordinate_of_nuisance(0));
    const BurstLikelihood law({}, map);
    const ParameterPrior prior(law, {}, box, options);
    const std::size_t drift = *prior.coordinate_of_nuisance(0);
    const auto read = [&](double share) {
        Point point(prior.dimensions(), 0.4);
        point[drift] = share;
        BurstParameters parameters = prior.given();
        prior.read(point, parameters);
        return parameters.nuisances.front();
    };
    CHECK(read(0.899) == 0);
    CHECK(read(0.925) == Approx(-std::sqrt(0.005 * 0.4)));  // the middle of those that shrink, by factors
    CHECK(read(0.975) == Approx(std::sqrt(0.005 * 0.4)));
    CHECK(read(1) == Approx(0.4));
    for (const double value : {-0.3, -0.01, 0.02, 0.4})
        CHECK(read(ParameterPrior::nuisance_share(0, value)) == Approx(value));
}

TEST_CASE("In three maps of four no frame is lost at random, whether lost frames are counted or not") {
    std::vector<Burst> flags = bursts();
    for (Burst& burst : flags) burst.counted = false;
    for (const std::vector<Burst>& map : {bursts(), flags}) {
        const BurstLikelihood law({}, map);
        const ParameterPrior prior(law, {}, known_box({}, map, {}), {});
        const auto chance = [&](double share) {
            Point point(prior.dimensions(), 0.4);
            point[*prior.coordinate(ParameterPrior::Parameter::Loss)] = share;
            BurstParameters parameters = prior.given();
            prior.read(point, parameters);
            return parameters.loss;
        };
        CHECK(chance(0.749) == 0);
        CHECK(chance(0.75) == Approx(1e-6));
        CHECK(chance(1) == Approx(0.5));
    }
}

TEST_CASE("Between a thousandth and a fifth of all bursts stray, each factor as likely") {
    const BurstLikelihood law({}, bursts());
    const ParameterPrior prior(law, {}, known_box({}, bursts(), {}), {});
    const auto stray = prior.coordinate(ParameterPrior::Parameter::Stray);
    REQUIRE(stray);
    const auto chance = [&](double share) {
        Point point(prior.dimensions(), 0.4);
        point[*stray] = share;
        BurstParameters parameters = prior.given();
        prior.read(point, parameters);
        return parameters.stray;
    };
    CHECK(chance(0) == Approx(0.001));
    CHECK(chance(0.5) == Approx(std::sqrt(0.001 * 0.2)));
    CHECK(chance(1) == Approx(0.2));
}

TEST_CASE("A drift, depth and rate are guessed from numbers of lost frames") {
    CHECK(rc::check("within what rounding to whole frames leaves open", [] {
        const auto depth = *rc::gen::inRange(500, 20'000), rate = *rc::gen::inRange(2'000, 20'000);  // frames, Mb/s
        const double drift = *rc::gen::inRange(-300, 300) * 1e-3;
        const int rows = 8 + *rc::gen::inRange(0, 20);
        std::vector<Burst> bursts;
        for (int row = 0; row < rows; ++row) {
            Burst burst = burst_of_44(1000 + *rc::gen::inRange(0, 1000));
            burst.row = row + 1;
            burst.spacing = Time{(row * 5 % 9 + 1) * 400'000};  // what is alike in all rows would tell nothing
            const double held = depth * (1 + drift * (double(row) / (rows - 1) - 0.5));
            burst = ended({}, burst, std::int64_t(held), rate * 1e6);
            bursts.push_back(burst);
        }
        const auto guessed = nuisance_models().front().guess(bursts, {});
        RC_ASSERT(guessed.has_value());
        RC_ASSERT(std::abs(guessed->depth - depth) < 4);
        RC_ASSERT(std::abs(guessed->value - drift) * depth < 12);
        RC_ASSERT(std::abs(guessed->rate / (rate * 1e6) - 1) < 5e-3);
    }));
    CHECK_FALSE(nuisance_models().front().guess(bursts(), {}));  // too few, and one separation tells no rate
}
