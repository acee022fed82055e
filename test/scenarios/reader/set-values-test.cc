// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/network-reader.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

namespace watershed {
namespace {

CatalogueSwitch with(const std::string& key, std::optional<KeyValue> value) {
    CatalogueSwitch entry;
    entry.values.push_back({key, std::move(value), "", "", "some.toml:7"});
    return entry;
}

}  // namespace

TEST_CASE("A file of a switch is refused by line and key where no scenario could use it") {
    Switch any;
    set_values(any, with("switch.buffer.size", std::string("4 MB")));
    CHECK(any.buffer.size.amount == 4'000'000);
    set_values(any, with("switch.buffer.alpha", std::nullopt));  // unknown to its maker's readers
    CHECK_THROWS_WITH(set_values(any, with("switch.buffer.size", std::string("4"))),
                      StartsWith("some.toml:7: switch.buffer.size: found \"4\""));
    CHECK_THROWS_WITH(set_values(any, with("switch.buffer.siez", std::string("4 MB"))),
                      StartsWith("some.toml:7: switch.buffer.siez: unknown key"));
    CHECK_THROWS_AS(set_values(any, with("switch.model", std::string("s60"))), InputError);
    CHECK_THROWS_AS(set_values(any, with("front_end.modules", std::int64_t{3})), InputError);
}

}  // namespace watershed
