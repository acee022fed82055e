// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/nuisance-model.h"

// One line per nuisance model: the function of its file.
#define WATERSHED_LAWS(LAW) LAW(drift)

#define WATERSHED_DECLARE(name) NuisanceModel name();
#define WATERSHED_LIST(name) laws::name(),

namespace watershed {

namespace laws {
WATERSHED_LAWS(WATERSHED_DECLARE)
}  // namespace laws

const std::vector<NuisanceModel>& nuisance_models() {
    static const std::vector<NuisanceModel> all{WATERSHED_LAWS(WATERSHED_LIST)};
    return all;
}

}  // namespace watershed
