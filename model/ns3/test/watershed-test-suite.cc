// SPDX-License-Identifier: GPL-2.0-only
// For the test runner of an ns-3 tree that has watershed as contrib/watershed; ./waf check runs the same comparison on more scenarios.
#include <ns3/test.h>

#include <sstream>

#include "model/exact-engine.h"
#include "model/ns3/ns3-engine.h"
#include "test/agreement/random-scenario.h"

namespace watershed {
namespace {

class AgreementTestCase : public ns3::TestCase {
  public:
    AgreementTestCase() : TestCase("ns-3 and the exact engine agree in every counter and in the first loss") {}

  private:
    void DoRun() override {
        for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
            const Scenario scenario = random_scenario(seed);
            std::ostringstream text;
            text << "seed " << seed << "\n" << scenario;
            NS_TEST_ASSERT_MSG_EQ((Ns3Engine().run(scenario) == ExactEngine().run(scenario)), true, text.str());
        }
    }
};

class WatershedTestSuite : public ns3::TestSuite {
  public:
    WatershedTestSuite() : TestSuite("watershed", UNIT) { AddTestCase(new AgreementTestCase, TestCase::QUICK); }
};

const WatershedTestSuite g_watershedTestSuite;

}  // namespace
}  // namespace watershed
