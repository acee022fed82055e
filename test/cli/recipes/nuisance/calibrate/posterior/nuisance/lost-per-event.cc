// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/nuisance-model.h"

namespace watershed::nuisance {

NuisanceModel lost_per_event();

/// Every event of a burst loses so many frames more, wherever that is.
NuisanceModel lost_per_event() {
    static constexpr double kMost = 4;
    NuisanceModel model;
    model.name = "lost-per-event";
    model.unit = "frames";
    model.what = "frames that every event loses more";
    model.meaning = "every event loses so many frames more than the memory makes it lose";
    model.most = kMost;
    model.value = [](double share) { return kMost * share; };
    model.share = [](double value) { return value / kMost; };
    model.is_identifiable = [](const std::vector<Burst>& bursts, bool counted) {
        return counted && bursts.size() >= 12;
    };
    model.disturb = [](DisturbedBurst& burst, double value) {
        burst.frames += value * static_cast<double>(burst.burst.events);
    };
    model.headline = [](const std::string& amount, double) { return "every event loses " + amount + " more"; };
    return model;
}

}  // namespace watershed::nuisance
