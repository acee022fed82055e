// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

const std::string kMapHeader = "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n";
const std::string kMap = kMapHeader +
                         "44,1024,8.72,8000,352000,352000\n"
                         "44,1024,8.72,10000,440000,400000\n"
                         "44,1024,20,14000,616000,616000\n"
                         "44,1024,36,60000,2640000,2640000\n"
                         "44,512,36,500,22000,22000\n";
// M(d) = 1 + 6999 / (1 - d / 38.368)
const std::string kBoundary = "separation_us,events_lossless\n8.72,9058\n20,14620\n30,32092\n36,113406\n40,\n";

std::string fit_json(const std::string& more) {
    return R"({"status": "overlap", "model": "shared-bytes", "map": "map.csv", "ports": 44, "payload_bytes": 1024, "depth": {"unit": "frames"}, "service_rate": {},
        "curve": [{"separation_us": 8.72, "events": 9000, "events_low": 8900, "events_high": 9100},
                  {"separation_us": 36, "events": 110000, "events_low": 90000, "events_high": 130000}],
        "asymptote_us": 38.4)" +
           more + "}";
}

const WatershedStyle kLog{true, false, true};

/// The script of the figure that is drawn from these files.
std::string script(const TemporaryFolder& folder, FigureRequest request, const WatershedStyle& look = {}) {
    request.output = folder / "figure.svg";
    draw_watershed(request, look);
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE(
    "Beside a boundary a map becomes bullets and crosses of one mix of ports and payload, and the others are counted") {
    const TemporaryFolder folder;
    const std::string gp =
        script(folder, {{folder.write("map.csv", kMap), folder.write("s60.csv", kBoundary)}, "", "", {}});
    CHECK_THAT(gp, Contains("$complete << e\n8.72 8000\n20 14000\n36 60000\ne\n"));
    CHECK_THAT(gp, Contains("$lossy << e\n8.72 10000\ne\n"));
    CHECK_THAT(gp, Contains("data: map.csv, s60.csv (44 ports, 1024 B; 1 of other mixes left out)"));
    CHECK_THAT(gp, Contains("event separation / µs") && Contains("events in burst"));
}

TEST_CASE("The asymptote of a predicted boundary is labelled with its value") {
    const TemporaryFolder folder;
    const std::string boundary = folder.write("s60.csv", kBoundary);
    const std::string gp = script(folder, {{folder.write("map.csv", kMap), boundary}, "", "", {}});
    CHECK_THAT(gp, Contains("'asymptote 38.37 µs'"));
    CHECK_THAT(gp, Contains("title 's60'"));
    CHECK_THAT(gp, Contains("title 'no loss'"));
    CHECK_THAT(script(folder, {{boundary}, "", "The S60", {"7000 frames per input"}}),
               Contains("title '7000 frames per input'") && Contains("'The S60'"));
}

TEST_CASE("The label of an asymptote stays clear of another line that rises behind it") {
    const TemporaryFolder folder;
    const std::string s60 = folder.write("s60.csv", kBoundary),
                      late = folder.write("late.csv",
                                          "separation_us,events_lossless\n8,500\n38.9,800\n39.5,900\n40,1000\n");
    CHECK_THAT(script(folder, {{s60}, "", "", {}}), Contains("graph 0.98 offset character 0.9, 0 right"));
    CHECK_THAT(script(folder, {{s60, late}, "", "", {}}), Contains("graph 0.02 offset character 0.9, 0 left"));
}

TEST_CASE("The small-gap region is framed and magnified, unless it fills the figure anyway") {
    const TemporaryFolder folder;
    const FigureRequest request{{folder.write("map.csv", kMap), folder.write("s60.csv", kBoundary)}, "", "", {}};
    const std::string framed = "front fillstyle empty border";
    CHECK_THAT(script(folder, request), Contains(framed) && Contains("mark = 1.5 * mark"));
    CHECK_THAT(script(folder, request, {false, false, false}), !Contains(framed));
    CHECK_THAT(script(folder, request, kLog), !Contains(framed) && Contains("set logscale y"));
    const std::string low =
        folder.write("low.csv", kMapHeader + "44,1024,8.72,8000,352000,352000\n44,1024,8.72,10000,440000,400000\n");
    CHECK_THAT(script(folder, {{low, request.inputs[1]}, "", "", {}}), !Contains(framed));
}

TEST_CASE("A fit brings its line, and what it set aside is shown as such") {
    const TemporaryFolder folder;
    const std::string map = folder.write("map.csv", kMap),
                      fit = folder.write(
                          "fit.json",
                          fit_json(
                              R"(, "rows_set_aside": [{"row": 4}], "binding_rows": [1, 2], "violating_rows": [3])"));
    const std::string gp = script(folder, {{fit, map}, "", "", {}});
    CHECK_THAT(gp, Contains("title 'fit: shared-bytes'") && Contains("'asymptote 38.40 µs'"));
    CHECK_THAT(gp, Contains("$set_aside << e\n36 60000\ne\n"));
    CHECK_THAT(gp, Contains("$complete << e\n8.72 8000\n20 14000\ne\n"));
    CHECK_THAT(gp, Contains("$binding << e\n8.72 8000\n8.72 10000\ne\n") && Contains("$violating << e\n20 14000\ne\n"));
}

TEST_CASE("A map of several mixes has a panel for each, with the line that the fit has for it") {
    const TemporaryFolder folder;
    const std::string map = folder.write("map.csv", kMap + "44,512,36,900,39600,39000\n28,512,9,900,25200,25200\n");
    const std::string alone = script(folder, {{map}, "", "", {}});
    CHECK_THAT(alone, Contains("$complete_3 << e\n8.72 8000\n20 14000\n36 60000\ne\n") &&
                          Contains("$complete_2 << e\n36 500\ne\n") && Contains("$lossy_2 << e\n36 900\ne\n"));
    CHECK_THAT(alone, Contains("'44 ports, 1024 B' at screen") && Contains("'44 ports, 512 B' at screen") &&
                          Contains("'28 ports, 512 B' at screen"));
    CHECK_THAT(alone, Contains("data: map.csv · "));

    const std::string fit = folder.write(
        "fit.json",
        fit_json(R"(, "binding_rows": [5], "other_mixes": [{"ports": 44, "payload_bytes": 512, "congested_uplinks": 1,
        "curve": [{"separation_us": 9, "events": 700, "events_low": 600, "events_high": 800}, {"separation_us": 20, "events": 9000, "events_low": 8000, "events_high": null}],
        "asymptote_us": 20.2}])"));
    const std::string fitted = script(folder, {{map, fit}, "", "", {}});
    CHECK_THAT(fitted, Contains("$curve1_2 << e\n8.72 9000") && Contains("$curve1_1 << e\n9 700") &&
                           Contains("'asymptote 38.40 µs'") && Contains("'asymptote 20.20 µs'"));
    CHECK_THAT(fitted, !Contains("28 ports") && Contains("(1 burst of other mixes left out)"));
    // The legend, of all panels together, has what only one of them has.
    CHECK_THAT(fitted, Contains("keyentry with points pointtype 6 pointsize 1.5 * mark linewidth 1.5 linecolor rgb "
                                "'#000000' title 'limits the fit'"));
}

TEST_CASE("Boundaries to compare have a colour and a name each, and no common region") {
    const TemporaryFolder folder;
    const std::string gp = script(folder,
                                  {{folder.write("deep.csv", kBoundary),
                                    folder.write("shallow.csv", "separation_us,events_lossless\n8.72,1\n20,2\n")},
                                   "",
                                   "",
                                   {}},
                                  kLog);
    CHECK_THAT(gp, Contains("title 'deep'") && Contains("title 'shallow'") && !Contains("$lossless"));
}

TEST_CASE("Of two boundaries that are the same the second is dashed, so that both are seen") {
    const TemporaryFolder folder;
    const std::string shallow = "separation_us,events_lossless\n8.72,1\n20,2\n";
    const auto dashed = [](const std::string& gp) {
        std::size_t count = 0;
        for (std::size_t at = gp.find("linewidth 2.2 dashtype"); at != std::string::npos;
             at = gp.find("linewidth 2.2 dashtype", at + 1))
            ++count;
        return count;
    };
    const std::string one = folder.write("one.csv", shallow), same = folder.write("same.csv", shallow),
                      deep = folder.write("deep.csv", kBoundary);
    CHECK(dashed(script(folder, {{one, same, deep}, "", "", {}}, kLog)) == 1);
    CHECK(dashed(script(folder, {{one, deep}, "", "", {}}, kLog)) == 0);
}

TEST_CASE("A boundary that never loses, or always does, still is a figure") {
    const TemporaryFolder folder;
    CHECK_THAT(script(folder, {{folder.write("map.csv", kMap),
                                folder.write("b.csv", "separation_us,events_lossless\n39,\n40,\n")},
                               "",
                               "",
                               {}}),
               Contains("$complete"));
    script(folder, {{folder.write("b.csv", "separation_us,events_lossless\n8.72,0\n20,0\n")}, "", "", {}});
    script(folder, {{folder.write("b.csv", "separation_us,events_lossless\n8.72,17\n")}, "", "", {}}, kLog);
    CHECK_THAT(script(folder, {{folder.write("b.csv", "separation_us,events_lossless\n39,\n40,\n")}, "", "", {}}),
               Contains("no line: no burst of any length loses") && Contains("$lossless << e\n39 0\n"));
}

TEST_CASE("More labels than curves are an error, and no figure") {
    const TemporaryFolder folder;
    const FigureRequest request{{folder.write("b.csv", kBoundary)}, folder / "figure.svg", "", {"one", "two"}};
    CHECK_THROWS_WITH(draw_watershed(request, {}), Contains("--label: found 2 labels, expected at most 1"));
    CHECK(folder.files() == std::set<std::string>{"b.csv"});
}

TEST_CASE("A comparison has logarithmic axes and takes no loss maps") {
    const TemporaryFolder folder;
    const std::string deep = folder.write("deep.csv", kBoundary),
                      shallow = folder.write("shallow.csv", "separation_us,events_lossless\n8.72,1\n20,2\n25,\n");
    draw_comparison({{deep, shallow}, folder / "figure.svg", "", {"S60", "46 frames"}});
    CHECK_THAT(folder.read("figure.gp"), Contains("set logscale x") && Contains("set logscale y") &&
                                             Contains("title 'S60'") && Contains("title '46 frames'"));
    CHECK_THROWS_AS(draw_comparison({{deep, folder.write("map.csv", kMap)}, folder / "figure.svg", "", {}}),
                    InputError);
}

TEST_CASE("Of marks that cover each other one is drawn, and each that stands alone") {
    const TemporaryFolder folder;
    std::string map = kMapHeader;
    const auto add = [&](double separation, int events, bool lost) {
        map += "44,1024," + std::to_string(separation) + ',' + std::to_string(events) + ',' +
               std::to_string(44 * events) + ',' + std::to_string(44 * events - (lost ? 1 : 0)) + '\n';
    };
    constexpr int kSide = 300;
    for (int x = 0; x < kSide; ++x)
        for (int y = 0; y < kSide; ++y) add(10 + 0.1 * x, 10 * (1 + y), y > x);
    add(5, 17, true);  // alone
    folder.write("map.csv", map);
    const std::string text = script(folder, {{folder / "map.csv"}});
    CHECK_THAT(text, Contains("\n5 17\n"));
    CHECK_THAT(text, Contains("of marks that cover each other one is drawn"));
    const auto lines = std::count(text.begin(), text.end(), '\n');
    CHECK(lines > 5'000);  // half of 168 x 104 places at least have one
    CHECK(lines < 168 * 104 * 2 + 1000);
    CHECK(lines < kSide * kSide / 4);
}
