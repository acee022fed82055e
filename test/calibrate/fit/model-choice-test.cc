// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit-steps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

ModelFit model_of(Buffer::Sharing sharing, MemorySize::Unit unit, Feature feature, double odds) {
    ModelFit one;
    one.model.sharing = sharing;
    one.model.unit = unit;
    one.model.feature = feature;
    one.log_evidence = std::log(odds);
    one.feasible = true;
    return one;
}

std::string chosen(std::vector<ModelFit> models, const Conditions& conditions = default_conditions()) {
    choose_model(models, conditions);
    double sum = 0;
    for (const ModelFit& one : models) sum += one.probability;
    CHECK(sum == Approx(1));
    return models.front().model.name();
}

constexpr auto kShared = Buffer::Sharing::Shared, kPerInput = Buffer::Sharing::PerInput;
constexpr auto kFrame = MemorySize::Unit::Frame, kByte = MemorySize::Unit::Byte;

}  // namespace

TEST_CASE(
    "Between models that the data do not tell apart the scenario's kind is chosen, and beyond odds of 3 the likelier "
    "one") {
    Conditions bytes = default_conditions();
    bytes.unit = kByte;
    const std::vector<ModelFit> close{model_of(kShared, kFrame, Feature::None, 2.9),
                                      model_of(kShared, kByte, Feature::None, 1)};
    CHECK(chosen(close) == "shared-frames");
    CHECK(chosen(close, bytes) == "shared-bytes");
    CHECK(chosen({model_of(kShared, kFrame, Feature::None, 3.1), model_of(kShared, kByte, Feature::None, 1)}, bytes) ==
          "shared-frames");
    CHECK(chosen({model_of(kShared, kFrame, Feature::None, 1), model_of(kPerInput, kFrame, Feature::None, 2.9)}) ==
          "shared-frames");
}

TEST_CASE("A feature is chosen from odds of ten on, and never where a plain memory is likelier") {
    CHECK(chosen({model_of(kShared, kFrame, Feature::None, 1), model_of(kShared, kFrame, Feature::Resume, 9)}) ==
          "shared-frames");
    CHECK(chosen({model_of(kShared, kFrame, Feature::None, 1), model_of(kShared, kFrame, Feature::Resume, 11)}) ==
          "shared-frames-resume");
    CHECK(chosen({model_of(kShared, kFrame, Feature::None, 2), model_of(kShared, kFrame, Feature::Resume, 1)}) ==
          "shared-frames");
}

TEST_CASE("Of exact counts a kind that explains each is chosen before a simpler one that does not") {
    std::vector<ModelFit> models{model_of(kShared, kFrame, Feature::None, 1),
                                 model_of(kShared, kFrame, Feature::Resume, 9)};
    models.front().feasible = false;
    models.front().noise = NoiseEstimate{};
    CHECK(chosen(models) == "shared-frames");
    choose_model(models, default_conditions(), true);
    CHECK(models.front().model.name() == "shared-frames-resume");
}

TEST_CASE("Where some model explains every burst, one that does so neither exactly nor by noise has no probability") {
    std::vector<ModelFit> models{model_of(kShared, kFrame, Feature::None, 1),
                                 model_of(kPerInput, kFrame, Feature::None, 1000)};
    models.back().feasible = false;
    choose_model(models, default_conditions());
    CHECK(models.front().model.name() == "shared-frames");
    CHECK(models.back().probability == 0);
}
