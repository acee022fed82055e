// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/overload-text.h"

#include "scenarios/text/text-line.h"

namespace watershed {

std::string overload_text(const LinkLoad& fullest) {
    if (fullest.load < 1) return "";
    const std::string given = text_line("given %.4g times what", fullest.load);
    if (fullest.of_modules)
        return "the modules' links are " + given + " they can carry: events wait there ever longer, or are lost";
    return fullest.name + " is " + given +
           " it can carry: the memory in front of it fills, however large it is, and in the long run" +
           text_line(" at least %.3g %% of its frames are lost", 100 - 100 / fullest.load);
}

}  // namespace watershed
