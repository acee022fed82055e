// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/ping-keys.h"

#include "model/ping/ping.h"
#include "scenarios/keys/key-setters.h"

namespace watershed {

std::vector<ScenarioKey> ping_keys() {
    return {{"ping.hops", "integer", "1", "Links that the packet crosses.",
             key_setters::count(WATERSHED_PLACE(of<Ping>().hops), 0, 1000)}};
}

}  // namespace watershed
