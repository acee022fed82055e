// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/json-text.h"

#include <nlohmann/json.hpp>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("JSON shows no noise of arithmetic, and keeps every other digit") {
    using Json = nlohmann::ordered_json;
    CHECK(json_text(Json{8.719999999999999, 0.16799999999999998, 1.0000000000000002e-12}, -1) == "[8.72,0.168,1e-12]");
    CHECK(json_text(Json{{"time_s", 123.456789012345}, {"chance", 0.24515987215100585}}, -1) ==
          R"({"time_s":123.456789012345,"chance":0.24515987215100585})");
    CHECK(json_text(Json{37.415578, 0.001298, 123456789012345680.0, -1.5e-300}, -1) ==
          "[37.415578,0.001298,123456789012345680.0,-1.5e-300]");
    CHECK(json_text(Json{R"(a \" 37.415577999999996)", "\\"}, -1) == R"(["a \\\" 37.415577999999996","\\"])");
    CHECK(json_text(Json{9007199254740993, nullptr, "8.719999999999999"}, -1) ==
          R"([9007199254740993,null,"8.719999999999999"])");
}
