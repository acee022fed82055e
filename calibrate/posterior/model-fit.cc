// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/model-fit.h"

namespace watershed {

std::string to_text(FitStatus status) {
    switch (status) {
        case FitStatus::Separated: return "separated";
        case FitStatus::Overlap: return "overlap";
        case FitStatus::Inconsistent: return "inconsistent";
        case FitStatus::Unbounded: return "unbounded";
        case FitStatus::Misfit: return "misfit";
    }
    return "";
}

}  // namespace watershed
