// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/nuisance-model.h"

namespace watershed::laws {

NuisanceModel lost_per_event();

/// Every event of a burst loses so many frames more, wherever that is.
NuisanceModel lost_per_event() {
    static constexpr double kMost = 4;
    NuisanceModel law;
    law.name = "lost-per-event";
    law.unit = "frames";
    law.what = "frames that every event loses more";
    law.meaning = "every event loses so many frames more than the memory makes it lose";
    law.most = kMost;
    law.value = [](double share) { return kMost * share; };
    law.share = [](double value) { return value / kMost; };
    law.told = [](const std::vector<Burst>& bursts, bool counted) { return counted && bursts.size() >= 12; };
    law.disturb = [](DisturbedBurst& burst, double value) {
        burst.frames += value * static_cast<double>(burst.burst.events);
    };
    law.headline = [](const std::string& amount, double) { return "every event loses " + amount + " more"; };
    return law;
}

}  // namespace watershed::laws
