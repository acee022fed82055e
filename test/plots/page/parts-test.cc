// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/parts.h"

#include <fstream>

#include "plots/page/html.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/page/words.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

const Json kDeep = Json::parse(R"({"a": {"b_us": 3, "c": null}, "d": 4})");

}  // namespace

TEST_CASE("A member is found by its path, and what is not there is null and a dash") {
    CHECK(at_path(kDeep, "") == kDeep);
    CHECK(at_path(kDeep, "a/b_us") == 3);
    for (const char* none : {"e", "a/e", "d/e", "e/a"}) CHECK(at_path(kDeep, none).is_null());
    CHECK(the("a/b_us")(kDeep) == "3 µs");
    CHECK(the("d")(kDeep) == "4");
    const Words dump = [](const Json& value) { return value.dump(); };
    CHECK(the("a/b_us", dump)(kDeep) == "3");
    CHECK(the("a/c", dump)(kDeep) == "–");
}

TEST_CASE("An answer says on how many assumed values it rests, in a sentence of its own") {
    CHECK(answer_resting_on(0, "a") == answer("a"));
    CHECK(answer_resting_on(1, "a") == answer("a. This rests on 1 assumed value, listed below."));
    CHECK(answer_resting_on(2, "a.b") == answer("a.b. This rests on 2 assumed values, listed below."));
    for (const std::string text : {"a.", "a?", "a:"})
        CHECK(answer_resting_on(2, text) == answer(text + " This rests on 2 assumed values, listed below."));
}

TEST_CASE("Sentences are an answer and paragraphs, or nothing") {
    const Json result{{"answer", {"a", "b", "c"}}, {"assumed", {1, 2}}};
    CHECK(its_answer()(result, "") ==
          answer("a. This rests on 2 assumed values, listed below.") + paragraph("b") + paragraph("c"));
    CHECK(its_answer()(Json::object(), "").empty());
    CHECK(answer_in([](const Json&) { return "a"; })(result, "") ==
          answer("a. This rests on 2 assumed values, listed below."));
    CHECK(sentence(the("d"))(kDeep, "") == paragraph("4"));
    CHECK(sentence([](const Json&) { return ""; })(kDeep, "").empty());
}

TEST_CASE("A table of a list is there if it tells more than what each row is called") {
    const auto rows = [](const char* list) { return Json{{"l", Json::parse(list)}}; };
    const std::vector<Column> one{{"<a", the("a")}}, two{{"<a", the("a")}, {"b", the("b")}};
    CHECK(barred(each_of("T", "l", one, "N")(rows("[{\"a\": 1}]"), "")) == "|T|a|1|N|");
    CHECK(barred(each_of("", "l", one)(rows("[{\"a\": 1}]"), "")) == "|a|1|");
    CHECK(each_of("T", "l", one)(rows("[]"), "").empty());
    CHECK(each_of("T", "m", one)(rows("[1]"), "").empty());
    CHECK(each_of("T", "l", two)(rows("[{\"a\": 1}, {\"a\": 2}]"), "").empty());
    CHECK(each_of("T", "l", {two[0], {"b", [](const Json&) { return ""; }}})(rows("[{\"a\": 1}]"), "").empty());
    CHECK(barred(each_of("", "l", two)(rows("[{\"a\": 1, \"b\": 3}, {\"a\": 2}]"), "")) == "|a|b|1|3|2|–|");
    CHECK(barred(each_of("", "", one)(Json::parse("[{\"a\": 1}]"), "")) == "|a|1|");
}

TEST_CASE("A table of a list has 300 rows, and says how many more there are") {
    const auto table = [](std::size_t rows) {
        return barred(each_of("", "", {{"a", the("a")}})(Json(rows, {{"a", 1}}), ""));
    };
    CHECK(table(300).size() == 3 + 300 * 2);
    CHECK(table(301) == table(300) + "The first 300 of 301; the file has all.|");
}

TEST_CASE("A picture is drawn from the file where it is wanted, and one that is refused is missing with the reason") {
    const auto draw = [](const FigureRequest& request) {
        if (request.inputs.front() == "bad.json") throw InputError("no points");
        std::ofstream(request.output) << "<svg/>";
    };
    const PagePart drawn = picture("n", "caption", draw, [](const Json& result) { return result == 1; });
    CHECK(drawn(1, "good.json") == figure("<svg/>", "caption"));
    CHECK(drawn(1, "bad.json") == remark("A figure is missing: no points"));
    CHECK(drawn(2, "good.json").empty());
}

TEST_CASE("A page is for what has all its members, or for a list of such") {
    const Page object{{"a", "d"}, "", {}}, list{{"[]", "a"}, "", {}};
    CHECK(is_of(object, kDeep));
    for (const char* other : {"{\"a\": 1}", "{\"d\": 1}", "[{\"a\": 1, \"d\": 1}]", "1"})
        CHECK_FALSE(is_of(object, Json::parse(other)));
    CHECK(is_of(list, Json::parse("[{\"a\": 1}, {\"a\": 2}]")));
    for (const char* other : {"[]", "[{\"a\": 1}, {\"b\": 2}]", "{\"c\": {\"a\": 1}}", "[1]", "[[\"a\"]]"})
        CHECK_FALSE(is_of(list, Json::parse(other)));
}

TEST_CASE("A page has its question, the scenario unless it tells that itself, its parts, and what they leave") {
    const PagePart part = [](const Json&, const std::string& file) { return paragraph("of " + file); };
    Json result{{"scenario", "s.toml"}, {"set", {"k=1"}}, {"a", 5}, {"b", 6}};
    CHECK(barred(html_of({{"a"}, "Q?", {part, part}, {"a"}}, result, "f")) ==
          "|Q?|Scenario s.toml with k=1|of f|of f|All other values|value of|is|b|6|");
    CHECK(barred(html_of({{"a"}, "Q?", {}, {"a", "b", "scenario"}}, result, "f")) == "|Q?|");
    result = {{"assumed", {"x"}}, {"overridden", {"y"}}, {"answer", "z"}};
    CHECK(barred(html_of({{"a"}, "Q?", {}, {}}, result, "f")) ==
          "|Q?|Values of switches that were assumed or overridden|assumed: x|overridden: y|");
    CHECK(barred(html_of({{"[]"}, "Q?", {part}, {}}, Json::parse("[{\"a\": 1}]"), "f")) == "|Q?|of f|");
}

TEST_CASE("A share is one number where its ends are one, and its range where they are not") {
    const auto words = [](const char* part) { return share_in_words(Json::parse(part), "e"); };
    CHECK(words("{\"e\": 0.5}") == "50 %");
    CHECK(words("{\"e\": 0}") == "0 %");
    CHECK(words("{\"e\": 0.123456, \"bounds\": [0.5, 0.5]}") == "12.35 %");  // to the nearest
    CHECK(words("{\"e\": 0.5, \"bounds\": [0, 0.123411]}") == "0 to 12.35 %");
    CHECK(words("{\"e\": 0.5, \"interval95\": [0.123456, 0.5]}") == "12.34 to 50 % (95 %)");
}
