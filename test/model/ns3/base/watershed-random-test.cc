// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/base/watershed-random.h"

#include <ns3/random-variable-stream.h>

#include "test/catch.h"

namespace watershed {

TEST_CASE("A stream draws what ns-3's uniform variable of the same stream draws, assigned or in its turn") {
    for (const std::int64_t stream : {-1, 0, 7}) {
        const auto turn = ns3::RngSeedManager::GetNextStreamIndex();
        WatershedRandom ours;
        const auto theirs = ns3::CreateObject<ns3::UniformRandomVariable>();
        CHECK(ns3::RngSeedManager::GetNextStreamIndex() == turn + 3);  // each has taken its number
        if (stream < 0) {
            ns3::RngStream next(ns3::RngSeedManager::GetSeed(), turn + 1, ns3::RngSeedManager::GetRun());
            for (int i = 0; i < 100; ++i) CHECK(ours.GetInteger(9) == static_cast<std::uint32_t>(next.RandU01() * 10));
            continue;
        }
        ours.SetStream(stream);
        theirs->SetStream(stream);
        for (const std::uint32_t most : {0U, 1U, 9U, UINT32_MAX})
            for (int i = 0; i < 100; ++i) CHECK(ours.GetInteger(most) == theirs->GetInteger(0, most));
    }
}

}  // namespace watershed
