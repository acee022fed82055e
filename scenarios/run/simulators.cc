// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/simulators.h"

#include "scenarios/text/input-error.h"

namespace watershed {

void ask_for_ns3(const std::string& what) {
    throw InputError(what +
                     ": this program was built without ns-3, which simulates it; the Debian package watershed has it, "
                     "and so has what ./waf build makes of the source");
}

}  // namespace watershed
