// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/nuisance-model.h"

// One line per nuisance model: the function of its file.
#define WATERSHED_NUISANCE_MODELS(MODEL) MODEL(drift)

#define WATERSHED_DECLARE(name) NuisanceModel name();
#define WATERSHED_LIST(name) nuisance::name(),

namespace watershed {

namespace nuisance {
WATERSHED_NUISANCE_MODELS(WATERSHED_DECLARE)
}  // namespace nuisance

const std::vector<NuisanceModel>& nuisance_models() {
    static const std::vector<NuisanceModel> all{WATERSHED_NUISANCE_MODELS(WATERSHED_LIST)};
    return all;
}

}  // namespace watershed
