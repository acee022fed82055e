// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/unsupported-key.h"

#include "model/exact/exact-engine.h"
#include "model/network/network.h"
#include "test/catch.h"

using namespace watershed;

namespace {

template <class Error, class Work>
Error error_of(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        return error;
    }
    FAIL("nothing is wrong");
    throw;
}

}  // namespace

TEST_CASE("A value that does not go with others tells its key and why, and the message is made of both") {
    NetworkScenario scenario;
    scenario.front_end.modules = 2;
    scenario.network_switch.count = 3;
    const auto error = error_of<KeyError>([&] { Network{scenario}; });
    CHECK(error.key == "switch.count");
    CHECK(error.why == "found 3 switches for 2 modules, expected no more than these");
    CHECK(error.what() == error.key + ": " + error.why);
}

TEST_CASE("A scenario that no engine models tells the key that asks for it") {
    const UnsupportedScenario error("switch.latency", "the engines do not model this");
    CHECK(error.key == "switch.latency");
    CHECK(error.why == "the engines do not model this");
    CHECK(std::string(error.what()) == "switch.latency: the engines do not model this");
}
