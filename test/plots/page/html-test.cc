// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/html.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A column of nothing is left out, and every cell names its column for narrow pages") {
    Table table({"<switch", "price", "load"});
    table.add({"a<b", "–", "30 %"}, true);
    table.add_note("a note");
    table.add({"c", "", "40 %"});
    const std::string html = table.html();
    CHECK_THAT(html, !Contains("price"));
    CHECK(escaped("a\x1b[31m\tb") == "a\ufffd[31m\tb");
    CHECK_THAT(html, Contains("<td class=\"text\" data-label=\"switch\">a&lt;b</td><td data-label=\"load\">30 %</td>"));
    CHECK_THAT(html, Contains("<tr class=\"front\">"));
    CHECK_THAT(html, Contains("colspan=\"2\">a note"));
}

TEST_CASE("A figure is captioned by what it says of itself, and by nothing that gnuplot says") {
    CHECK(caption_of("<svg><title>Title</title><desc>What &lt;to&gt; see.</desc></svg>") == "What <to> see.");
    CHECK(caption_of("<svg><desc>What to see.</desc></svg>") == "What to see.");
    CHECK(caption_of("<svg><title>Gnuplot</title><desc>Produced by GNUPLOT 5.4</desc></svg>").empty());
    CHECK(caption_of("<svg></svg>").empty());
}
