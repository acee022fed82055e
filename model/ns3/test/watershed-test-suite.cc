// SPDX-License-Identifier: GPL-2.0-only
// For the test runner of an ns-3 tree that has watershed as contrib/watershed; ./waf check runs the same comparisons on
// more scenarios.
#include <sstream>

#include "model/exact/exact-engine.h"
#include "model/ns3/engine/ns3-engine.h"
#include "model/ns3/test/cases.h"
#include "test/agreement/random-network.h"
#include "test/agreement/random-scenario.h"

namespace watershed {
namespace {

/// ns-3 and the exact engine agree in every counter and in the first loss of scenarios drawn at random.
class AgreementTestCase : public ns3::TestCase {
  public:
    AgreementTestCase(const char* name, Scenario (*draw)(std::uint64_t seed)) : TestCase(name), m_draw(draw) {}

  private:
    static constexpr std::uint64_t kScenarios = 1000;

    void DoRun() override {
        for (std::uint64_t seed = 1; seed <= kScenarios; ++seed) {
            const Scenario scenario = m_draw(seed);
            std::ostringstream text;
            text << "seed " << seed << "\n" << scenario;
            NS_TEST_ASSERT_MSG_EQ((Ns3Engine().run(scenario) == ExactEngine().run(scenario)), true, text.str());
        }
    }

    Scenario (*m_draw)(std::uint64_t seed);
};

[[maybe_unused]] const bool g_added = [] {
    for (auto* each :
         {new AgreementTestCase("One switch: ns-3 does what the exact engine says",
                                [](std::uint64_t seed) { return random_scenario(seed); }),
          new AgreementTestCase("Frames that wait, cut through or are held back: ns-3 does what the exact engine says",
                                [](std::uint64_t seed) { return random_eventDriven_scenario(seed); }),
          new AgreementTestCase("Several switches: ns-3 does what the exact engine says", &random_network)})
        WatershedTestSuite::Get().AddTestCase(each);
    return true;
}();

}  // namespace
}  // namespace watershed
