// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/json-file.h"

#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;
using nlohmann::json;

TEST_CASE("What is no JSON is refused with its line, and a file that ends too early as such") {
    const TemporaryFolder folder;
    CHECK(read_json<json>(folder.write("a.json", R"({"a": [1, 2]})"))["a"][1] == 2);
    CHECK_THROWS_WITH(read_json<json>(folder.write("a.json", "{\n\"a\": 1,\n \"b\": }")),
                      Contains("a.json:3: found \"}\" in column 7, expected JSON"));
    CHECK_THROWS_WITH(read_json<json>(folder.write("a.json", "{\"a\": 1e400}")),
                      Contains("a.json: found a number that is too large"));
    CHECK_THROWS_WITH(read_json<json>(folder.write("a.json", "{\"a\":\n")),
                      Contains("a.json:1: found the end of the file, expected the rest"));
    CHECK_THROWS_WITH(read_json<json>(folder.write("a.json", " \n")), Contains("the file is empty"));
    CHECK_THROWS_WITH(read_json<json>(folder / "nowhere.json"), Contains("nowhere.json: cannot be read: No such file"));
    CHECK_THROWS_WITH(read_json<json>(folder / "."), Contains("it is a folder"));
}

TEST_CASE("A member that is missing or of another kind is named, with the file and what was expected") {
    const json document = json::parse(R"({"ports": "many", "list": [1], "nothing": null})");
    const auto read = [&](auto what) { return read_members("run.json", "a run", what); };
    CHECK(read([&] { return member<std::string>(document, "ports"); }) == "many");
    CHECK(read([&] { return member_or(document, "seed", 7); }) == 7);
    CHECK_THROWS_WITH(read([&] { return member<int>(document, "ports"); }),
                      "run.json: ports: found a string, expected a run");
    CHECK_THROWS_WITH(read([&] { return member_or(document, "ports", 7); }),
                      "run.json: ports: found a string, expected a run");
    CHECK_THROWS_WITH(read([&] { return member<int>(document, "seed"); }), "run.json: seed: missing, expected a run");
    CHECK_THROWS_WITH(read([&] { return member<int>(document, "nothing"); }),
                      "run.json: nothing: found null, expected a run");
    CHECK_THROWS_WITH(read([&] { return document.at("links").size(); }),
                      "run.json: found no \"links\", expected a run");
    CHECK_THROWS_WITH(read([&] { return document.at("list").at(3).get<int>(); }),
                      "run.json: found too short an array, expected a run");
    CHECK_THROWS_WITH(read([&] { return document.at("ports").at("x").get<int>(); }),
                      "run.json: found a string, expected a run");
}

TEST_CASE("Read exactly, decimals keep their digits, and a key stands once") {
    const TemporaryFolder folder;
    const json read = read_exact_json(folder.write(
        "a.json", R"({"a": [0.1, {"b": 12, "c": -3}, 1e-2, true, null, "x"], "d": 123456789012345678901234567890})"));
    CHECK(read == json::parse(R"({"a": ["0.1", {"b": 12, "c": -3}, "1e-2", true, null, "x"],
                                  "d": "123456789012345678901234567890"})"));
    CHECK_THROWS_WITH(read_exact_json(folder.write("a.json", "{\n\"a\": 1,\n \"b\": }")),
                      Contains("a.json:3: found \"}\" in column 7, expected JSON"));
    CHECK_THROWS_WITH(read_exact_json(folder.write("a.json", R"({"a": {"b": 1, "b": 2}})")),
                      Contains("a.json: b: found twice in one object"));
}
