// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/fuzz/targets.h"

using namespace watershed;

namespace {

std::filesystem::path corpus() {
    const char* root = std::getenv("WATERSHED_SOURCE");
    return std::filesystem::path(root ? root : ".") / "test/fuzz/corpus";
}

}  // namespace

TEST_CASE("What the fuzzer found is read or refused") {
    for (const FuzzTarget& target : fuzz_targets()) {
        int inputs = 0;
        for (const auto& input : std::filesystem::directory_iterator(corpus() / target.name)) {
            INFO(input.path().string());
            ++inputs;
            try {
                target.read(input.path().string());
            } catch (const InputError&) {
                // refused, as it should be
            }
        }
        INFO(target.name);
        CHECK(inputs > 0);
    }
}

TEST_CASE("Every kept input belongs to a reader") {
    for (const auto& folder : std::filesystem::directory_iterator(corpus())) {
        const std::string name = folder.path().filename().string();
        INFO(name);
        CHECK(std::any_of(fuzz_targets().begin(), fuzz_targets().end(),
                          [&](const FuzzTarget& target) { return target.name == name; }));
    }
}
