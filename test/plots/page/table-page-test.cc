// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/pages.h"
#include "test/catch.h"
#include "test/plots/page/words.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

const std::string kMap = "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n";

}  // namespace

TEST_CASE("A map tells the longest burst that arrived complete and the shortest that did not") {
    const TemporaryFolder folder;
    const std::string page = page_of_table(folder.write("map.csv", kMap + "2,1024,10,4,8,8\n"
                                                                          "2,1024,10,5,10,10\n"
                                                                          "2,1024,10,7,14,13\n"
                                                                          "2,1024,10,9,18,14\n"
                                                                          "2,1024,20,9,18,18\n"));
    CHECK_THAT(page, Contains("Of 5 bursts, 3 arrived complete and 2 lost frames."));
    CHECK_THAT(page, Contains("5 events still arrived complete, and 7 events lost frames."));
}

TEST_CASE("A map in which every burst lost frames has no place between") {
    const TemporaryFolder folder;
    const std::string page = page_of_table(folder.write("map.csv", kMap + "2,1024,10,7,14,13\n2,1024,20,9,18,14\n"));
    CHECK_THAT(page, Contains("0 arrived complete and 2 lost frames.") && !Contains("At the shortest separation"));
}

TEST_CASE("A table that no command writes is refused with its columns, and with what was likely meant") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(
        page_of_table(folder.write("mine.csv", "switch,price\na,3\n")),
        Contains("mine.csv: found the columns switch,price, expected a table that a command writes: map ("));
    CHECK_THROWS_WITH(page_of_table(folder.write(
                          "map.csv", "ports,payload_bytes,separation_us,events,frames_sent,frames_recieved\n")),
                      Contains("frames_recieved: did you mean frames_received?"));
}

TEST_CASE("Tables of other commands are shown as they are, and that of several depths is not taken for one boundary") {
    const TemporaryFolder folder;
    CHECK_THAT(page_of_table(folder.write("depths.csv", "separation_us,depth,events_lossless\n9,1000,4\n9,2000,8\n")),
               Contains("depths.csv") && Contains("2000") && !Contains("Which bursts does it survive?"));
    for (const char* table : {"ports,saturation_khz\n4,300\n",
                              "rate_khz,loss,uplinks,load,frames,bytes,frames_at_least\n8,1e-9,1,0.3,32,34240,32\n",
                              "time_us,frames,bytes\n0,1,1070\n", "strategy,bursts\ngrid,4\n"})
        CHECK_THAT(page_of_table(folder.write("other.csv", table)), Contains("other.csv"));
}

TEST_CASE("A map has a row for each place, with what is counted there, and the picture of all") {
    const TemporaryFolder folder;
    const auto words = [&](const std::string& rows) {
        const std::string all = barred(page_of_table(folder.write("map.csv", kMap + rows)));
        return all.substr(all.find(".csv|") + 5);
    };
    const std::string figure =
        "Each mark is a burst, by the separation of its events and their number: a dot where it arrived complete, a "
        "cross where it lost frames. The watershed runs between them.|ports|payload|separation|bursts|with losses|"
        "longest complete|shortest with losses|frames sent|frames lost|part lost|";
    CHECK(words("2,1024,10,5,8,8\n2,1024,10,4,8,8\n2,1024,10,9,16,12\n2,1024,10,7,14,13\n2,1024,10,8,16,16\n"
                "1,1024,20,1,1,1\n") ==
          "Of 6 bursts, 4 arrived complete and 2 lost frames. At the shortest separation, 20 µs with 1 ports, 1 event "
          "still arrived complete.|" +
              figure +
              // 4 + 1 of 8 + 8 + 16 + 14 + 16 frames
              "1|1.024 kB|20 µs|1|0|1 event|none|1|0|0 %|2|1.024 kB|10 µs|5|2|8 events|7 events|62|5|8.06 %|");
    CHECK(words("2,1024,10,3,6,5\n2,1024,10,4,8,7\n2,1024,20,1,2,2\n") ==
          "Of 3 bursts, 1 arrived complete and 2 lost frames. At the shortest separation, 10 µs with 2 ports, no burst "
          "arrived complete, and 3 events lost frames.|" +
              figure + "2|1.024 kB|10 µs|2|2|none|3 events|14|2|14.3 %|2|1.024 kB|20 µs|1|0|1 event|none|2|0|0 %|");
    CHECK(words("2,1024,10,1,2,1\n2,1024,20,1,2,2\n") ==
          "Of 2 bursts, 1 arrived complete and 1 lost frames. At the shortest separation, 10 µs with 2 ports, no burst "
          "arrived complete, and 1 event lost frames.|" +
              figure + "2|1.024 kB|10 µs|1|1|none|1 event|2|1|50 %|2|1.024 kB|20 µs|1|0|1 event|none|2|0|0 %|");
    CHECK_THAT(words("2,1024,10,3,6,6\n"), Contains("Of 1 burst, 1 arrived complete and 0 lost frames.|Each mark"));
    const std::string peaks = barred(page_of_table(
        folder.write("map.csv",
                     "ports,payload_bytes,separation_us,events,frames_sent,frames_received,peak_bytes,peak_resolution\n"
                     "2,1024,10,5,10,,1070,1\n2,1024,10,4,8,8,1070,1\n")));
    CHECK_THAT(peaks, Contains("Of 1 burst, 1 arrived complete and 0 lost frames."));
}

TEST_CASE("A boundary tells its first point, from where on nothing is lost, or its last point") {
    const TemporaryFolder folder;
    const auto words = [&](const std::string& rows) {
        const std::string all = barred(page_of_table(folder.write("b.csv", "separation_us,events_lossless\n" + rows)));
        return all.substr(all.find(".csv|") + 5);
    };
    const std::string
        first = "Events 10 µs apart arrive complete in bursts of up to 1 event.",
        never = "From 20 µs on no burst of any length loses a frame.|",
        table = "separation|longest burst without loss|",
        figure =
            "The watershed: at the separations that were asked, bursts up to the line arrive complete and "
            "longer ones lose frames. Between them the line is a hyperbola, and the shaded region holds "
            "what is known to arrive complete.|";
    CHECK(words("10,1\n") == first + "|" + table + "10 µs|1 event|");
    CHECK(words("10,1\n20,3\n") == first + " At 20 µs, the longest separation that was tried, it is 3 events.|" +
                                       figure + table + "10 µs|1 event|20 µs|3 events|");
    CHECK(words("10,1\n20,\n30,\n") ==
          first + " " + never + figure + table + "10 µs|1 event|20 µs|no limit|30 µs|no limit|");
    CHECK(words("20,\n") == never + table + "20 µs|no limit|");
    CHECK(words("20,\n30,\n") == never + table + "20 µs|no limit|30 µs|no limit|");
    CHECK(words("10,1\n# separation 20 us: no loss up to 70 events; longer bursts were not tried\n20,\n") ==
          first + "|" + figure + table + "10 µs|1 event|20 µs|70 events or more: longer ones were not tried|");
    // A separation at which no length loses, before one at which some do, says nothing of those beyond.
    CHECK(words("10,\n20,3\n") == "At 20 µs, the longest separation that was tried, it is 3 events.|" + figure + table +
                                      "10 µs|no limit|20 µs|3 events|");
    CHECK(words("# separation 20 us: no loss up to 70 events; longer bursts were not tried\n20,\n") ==
          "No burst that was tried loses a frame, and longer ones were not tried.|" + table +
              "20 µs|70 events or more: longer ones were not tried|");
    CHECK(words("").empty());
}

TEST_CASE("Cells of other tables are numbers where they read as such") {
    const TemporaryFolder folder;
    const std::string html = page_of_table(folder.write("c.csv", "strategy,bursts\ngrid,40000\n7,007\n"));
    CHECK_THAT(barred(html), Contains("c.csv|strategy|bursts|grid|40\u202f000|7|007|"));
    CHECK_THAT(html, Contains("<th class=\"text\">strategy</th><th class=\"text\">bursts</th>"));
    CHECK_THROWS_WITH(page_of_table(folder.write("d.csv", "separation_us,a\n1,2\n")), !Contains("did you mean"));
}

TEST_CASE("A text becomes headings, paragraphs and lists, each of which ends what was before") {
    const auto [text, html] = GENERATE(table<const char*, const char*>({
        {"# A & B\n\none\ntwo\n\n- x\n- y\n\nthree\n",
         "<h2>A &amp; B</h2>\n<p>one two</p>\n<ul>\n<li>x</li>\n<li>y</li>\n</ul>\n<p>three</p>\n"},
        {"a\n## b\n### c\nd", "<p>a</p>\n<h2>b</h2>\n<h3>c</h3>\n<p>d</p>\n"},
        {"#a\n###\n-b", "<p>#a ### -b</p>\n"},
        {"a\n- b\n# c", "<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n<h2>c</h2>\n"},
        {"- a", "<ul>\n<li>a</li>\n</ul>\n"},
        {"\n\na b # c", "<p>a b # c</p>\n"},
        {"", ""},
    }));
    CHECK(page_of_text(text) == html);
}
