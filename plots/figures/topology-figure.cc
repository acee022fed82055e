// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/topology-figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "model/frontend/module-groups.h"
#include "plots/style/drawing-program.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Text within Graphviz's HTML.
std::string label_text(const std::string& text) {
    std::string result;
    for (const char c : one_line(text))
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return result;
}

std::string coloured(const std::string& text, const char* colour) {
    return "<font color=\"" + std::string(colour) + "\"><b>" + label_text(text) + "</b></font>";
}

std::string percent(double share) { return text_line("%.*f %%", share < 0.9995 ? 1 : 0, 100 * share); }

/// Keeps a label off the line below it.
constexpr const char* kDistance = "<br/><font point-size=\"5\"> </font>";

/// From pale to dark, so that they differ without colours, too; the last is for links that hardly ever rest.
struct Load {
    double below;
    const char* colour;
    const char* name;
};
constexpr std::array<Load, 5> kLoads{{{0.25, "#9BC4E2", "below 25 %"},
                                      {0.5, "#4F94CD", "25 to 50 %"},
                                      {0.75, "#1F5FA8", "50 to 75 %"},
                                      {0.95, "#0B2E5C", "75 to 95 %"},
                                      {1e9, colour::purple, "95 % or more"}}};

const char* colour_of(double utilisation) {
    return std::find_if(kLoads.begin(), kLoads.end(), [=](const Load& load) { return utilisation < load.below; })
        ->colour;
}

/// In points: one more for each doubling of the rate beyond 1 Gb/s.
double width_of(BitRate rate) {
    return std::clamp(1.2 + 0.9 * std::log2(static_cast<double>(rate.count) / 1e9), 0.8, 9.0);
}

std::string memory_of(const Buffer& buffer) { return to_text(buffer.size) + buffer.sharing->drawn; }

std::string range_of(std::vector<double> shares) {
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    return percent(*least) == percent(*most) ? percent(*most) : percent(*least) + " to " + percent(*most);
}

class Drawing {
  public:
    Drawing(const Scenario& scenario, const Network& network, const std::optional<NetworkResult>& result)
        : scenario_(scenario), network_(network), result_(result), groups_(ModuleGroups(scenario).all()) {}

    std::string script(const std::string& source, const std::string& title) {
        out_ << Provenance::comment() << "digraph camera {\n"
             << "graph [rankdir=LR, ranksep=1.1, nodesep=0.2, splines=spline, outputorder=edgesfirst, bgcolor=white, "
                "pad=0.3, fontname=\"DejaVu Sans\", labelloc=b, label=<"
             << legend(source) << ">]\n"
             << "node [shape=plain, fontname=\"DejaVu Sans\", fontsize=15]\nedge [arrowhead=none, fontname=\"DejaVu "
                "Sans\", fontsize=13, color=\"#404040\"]\n";
        if (!title.empty())
            out_ << "subgraph cluster_title { labelloc=t; penwidth=0; fontsize=19; label=<" << label_text(title)
                 << ">\n";
        for (std::size_t i = 0; i < network_.switches().size(); ++i) add_switch(i);
        add_order();
        add_server();
        add_links();
        if (!title.empty()) out_ << "}\n";
        out_ << "}\n";
        return out_.str();
    }

  private:
    /// A box of lines. @param port of the i-th line, if any
    static std::string box(const std::vector<std::string>& lines, const char* border, int width, const char* fill,
                           bool ports = false) {
        std::string text = "<<table border=\"" + std::to_string(width) +
                           "\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\" color=\"" + border +
                           "\" bgcolor=\"" + fill + "\">";
        for (std::size_t i = 0; i < lines.size(); ++i)
            text += "<tr><td align=\"left\"" +
                    (ports && i > 0 ? " port=\"i" + std::to_string(i) + "\"" : std::string()) + ">" + lines[i] +
                    "</td></tr>";
        return text + "</table>>";
    }

    void add_switch(std::size_t i) {
        const Network::Switch& self = network_.switches()[i];
        std::vector<std::string> lines{
            "<b>" + label_text(self.name) + "</b>" +
                (self.settings.model.empty() ? "" : "&#160;" + label_text("(" + self.settings.model + ")")),
            label_text(memory_of(self.settings.buffer))};
        const bool loses = result_ && result_->switches[i].frames_lost > 0;
        if (result_) lines.push_back("peak " + std::to_string(result_->switches[i].peak_frames) + " frames");
        if (loses)
            lines.push_back(coloured(
                "lost " + std::to_string(result_->switches[i].frames_lost) + ": " + result_->switches[i].reasons,
                colour::vermilion));
        out_ << "s" << i << " [label=" << box(lines, loses ? colour::vermilion : "#404040", loses ? 4 : 1, "#FFF3D6")
             << "]\n";
        int before = 0;
        const int end = self.modules_before + self.modules;
        for (std::size_t from = 0, to = 0; from < groups_.size() && before < end; from = to) {
            const int first = std::max(before, self.modules_before) + 1;
            do before += groups_[to++].front_end.modules;
            while (to < groups_.size() && before > self.modules_before && before < end &&
                   are_copies(groups_[from], groups_[to]));
            if (before >= first) add_modules(i, from, to, first, std::min(before, end));
        }
    }

    /// Whether two groups are "name-1", "name-2" and so on, with as many modules on links of one rate.
    static bool are_copies(const Group& a, const Group& b) {
        return a.name.find('-') != std::string::npos &&
               a.name.substr(0, a.name.rfind('-')) == b.name.substr(0, b.name.rfind('-')) &&
               a.front_end.modules == b.front_end.modules && a.front_end.link_rate == b.front_end.link_rate;
    }

    /// The modules at a switch of groups that are copies, and their links. @param from, to  the groups, `to` excluded
    void add_modules(std::size_t i, std::size_t from, std::size_t to, int first, int last) {
        const Group& group = groups_[from];
        const bool alone = groups_.size() == 1;
        std::vector<std::string> lines{(first == last
                                            ? "module " + std::to_string(first)
                                            : "modules " + std::to_string(first) + " to " + std::to_string(last))};
        if (!group.name.empty())
            lines.insert(lines.begin(), "<b>" + label_text(group.name) +
                                            (to - from > 1 ? " to " + label_text(groups_[to - 1].name) : "") + "</b>");
        // A run tells what the links of all modules of a switch carried, and what all their FIFOs refused.
        const bool is_first = first == network_.switches()[i].modules_before + 1;
        const std::int64_t refused = result_ && is_first ? result_->switches[i].refused_by_modules : 0;
        if (refused > 0)
            lines.push_back(coloured("lost " + std::to_string(refused) + ": fifo-full", colour::vermilion));
        const std::string node = "m" + std::to_string(i) + (is_first ? "" : "_" + std::to_string(first));
        out_ << node
             << " [label=" << box(lines, refused > 0 ? colour::vermilion : "#808080", refused > 0 ? 4 : 1, "white")
             << "]\n";
        const double busy = result_ ? result_->switches[i].module_links : 0;
        const bool tells = result_ && alone;
        out_ << node << " -> s" << i << " [label=<"
             << label_text(std::to_string(last - first + 1) + " × " + to_text(group.front_end.link_rate))
             << (tells ? "<br/>busy " + percent(busy) : "") << kDistance
             << ">, penwidth=" << width_of(group.front_end.link_rate) << ", color=\""
             << (tells ? colour_of(busy) : "#606060") << "\"]\n";
    }

    /// Switches with modules that send to the same places stand one below the other, in their order.
    void add_order() {
        std::map<std::set<int>, std::vector<std::size_t>> alike;
        for (std::size_t i = 0; i < network_.switches().size(); ++i) {
            std::set<int> to;
            for (const Network::Link& link : network_.links())
                if (link.from == static_cast<int>(i)) to.insert(link.to);
            if (network_.switches()[i].modules > 0) alike[to].push_back(i);
        }
        for (const auto& [to, switches] : alike) {
            if (switches.size() < 2) continue;
            for (const char* kind : {"m", "s"}) {
                out_ << "{ rank=same; edge [style=invis];";
                for (std::size_t k = 0; k < switches.size(); ++k) out_ << (k > 0 ? " -> " : " ") << kind << switches[k];
                out_ << " }\n";
            }
        }
    }

    /// Links to the server in the order of its interfaces; those of many builders that are alike are one line.
    std::vector<std::vector<std::size_t>> server_lines() const {
        constexpr int kMany = 8;
        std::vector<std::size_t> links(static_cast<std::size_t>(network_.interfaces()));
        for (std::size_t i = 0; i < network_.links().size(); ++i)
            if (const Network::Link& link = network_.links()[i]; link.to == Network::kServer)
                links[static_cast<std::size_t>(link.input)] = i;
        std::vector<std::vector<std::size_t>> lines;
        const Network::Link* before = nullptr;
        for (const std::size_t i : links) {
            const Network::Link& link = network_.links()[i];
            const bool joins =
                before && scenario_.builders.count > kMany && link.from == before->from && link.rate == before->rate;
            if (!joins) lines.emplace_back();
            lines.back().push_back(i);
            before = &link;
        }
        return lines;
    }

    std::string server_line(const std::vector<std::size_t>& links) const {
        const Network::Link& link = network_.links()[links.front()];
        if (links.size() > 1) {
            std::set<int> builders;
            for (const std::size_t i : links) builders.insert(network_.links()[i].builder);
            return std::to_string(builders.size()) + " builders: " + label_of(links, ", ");
        }
        return (scenario_.builders.count > 1 ? "builder " + std::to_string(link.builder + 1) + ", " : "") +
               "interface " + std::to_string(link.input + 1) + ": " + label_of(links, ", ");
    }

    void add_server() {
        std::vector<std::string> lines{scenario_.builders.count > 1 ? "<b>event builders</b>" : "<b>camera server</b>"};
        if (scenario_.builders.receiving() > 1) lines.emplace_back("each gets a copy of every frame");
        for (const std::vector<std::size_t>& links : server_lines()) lines.push_back(server_line(links));
        out_ << "server [label=" << box(lines, "#404040", 1, "#DDF0E8", true) << "]\n";
    }

    /// Links side by side are labelled together.
    void add_links() {
        std::map<std::pair<int, int>, std::vector<std::size_t>> bundles;
        for (std::size_t i = 0; i < network_.links().size(); ++i)
            if (network_.links()[i].to != Network::kServer)
                bundles[{network_.links()[i].from, network_.links()[i].to}].push_back(i);
        const auto add = [&](std::size_t i, double busy, const std::string& to, const std::string& label) {
            const Network::Link& link = network_.links()[i];
            out_ << "s" << link.from << " -> " << to << " [penwidth=" << width_of(link.rate) << ", color=\""
                 << (result_ ? colour_of(busy) : "#606060") << '"' << label << "]\n";
        };
        const auto busy = [&](std::size_t i) { return result_ ? result_->links[i] : 0; };
        for (const auto& [ends, links] : bundles)
            for (const std::size_t i : links)
                add(i, busy(i), "s" + std::to_string(ends.second),
                    i == links[links.size() / 2] ? ", label=<" + label_of(links, "<br/>") + kDistance + ">" : "");
        int line = 0;
        for (const std::vector<std::size_t>& links : server_lines()) {
            double most = 0;
            for (const std::size_t i : links) most = std::max(most, busy(i));
            add(links.front(), most, "server:i" + std::to_string(++line) + ":w", "");
        }
    }

    /// "2 × 10 Gb/s", and how busy they were after the separator.
    std::string label_of(const std::vector<std::size_t>& links, const char* separator) const {
        std::vector<std::string> rates;
        std::vector<double> shares;
        for (const std::size_t i : links) {
            const std::string rate = to_text(network_.links()[i].rate);
            if (std::find(rates.begin(), rates.end(), rate) == rates.end()) rates.push_back(rate);
            if (result_) shares.push_back(result_->links[i]);
        }
        std::string text = links.size() > 1 ? std::to_string(links.size()) + " × " : "";
        for (std::size_t i = 0; i < rates.size(); ++i) text += (i > 0 ? ", " : "") + rates[i];
        return label_text(text) + (result_ ? separator + ("busy " + range_of(shares)) : "");
    }

    std::string legend(const std::string& source) const {
        std::string text = "<table border=\"0\" cellspacing=\"6\"><tr><td> </td></tr><tr>";
        if (result_) {
            text += "<td>links busy</td>";
            for (const Load& load : kLoads)
                text += "<td bgcolor=\"" + std::string(load.colour) + "\" width=\"28\"></td><td align=\"left\">" +
                        load.name + "</td>";
        } else {
            text += "<td>the thicker a link, the faster; the links of modules are drawn as one</td>";
        }
        return text + "</tr><tr><td colspan=\"11\" align=\"right\"><font color=\"#707070\" point-size=\"11\">data: " +
               label_text(source) + " · " + label_text(Provenance::program()) + "</font></td></tr></table>";
    }

    const Scenario& scenario_;
    const Network& network_;
    const std::optional<NetworkResult>& result_;
    const std::vector<Group> groups_;
    std::ostringstream out_;
};

}  // namespace

void draw_topology(const Scenario& scenario, const Network& network, const std::optional<NetworkResult>& result,
                   const std::string& source, const std::string& title, const std::string& output) {
    namespace fs = std::filesystem;
    const fs::path target(output);
    const std::string kind = target.extension().string();
    OutputFile::expect_figure(output, ".dot");
    const ScratchFolder scratch(target.has_parent_path() ? target.parent_path() : ".");
    const std::string script_name = target.stem().string() + ".dot", figure_name = target.filename().string();
    std::ofstream(scratch.path() / script_name) << Drawing(scenario, network, result).script(source, title);
    std::vector<std::string> words{"dot", "-T" + kind.substr(1), "./" + script_name, "-o", "./" + figure_name};
    if (kind == ".png") words.insert(words.begin() + 2, "-Gdpi=144");
    run_program(words, scratch.path(), "graphviz");
    move_file(scratch.path() / script_name, target.parent_path() / script_name);
    move_file(scratch.path() / figure_name, target);
}

namespace {

/// Frames that the modules of a switch were asked for: they send them, but for what their FIFOs refuse.
std::int64_t sent_by(const Network::Switch& self, const nlohmann::json& run, const Scenario& scenario) {
    if (!run.contains("groups"))
        return member<std::int64_t>(run.at("frames"), "sent") / scenario.front_end.modules * self.modules;
    std::int64_t sent = 0;
    for (const auto& group : run.at("groups")) {
        const auto first = member<int>(group, "first_module") - 1, modules = member<int>(group, "modules");
        const int here =
            std::min(first + modules, self.modules_before + self.modules) - std::max(first, self.modules_before);
        sent += member<std::int64_t>(group, "sent") / modules * std::max(0, here);
    }
    return sent;
}

}  // namespace

NetworkResult NetworkResult::read(const std::string& file, const Scenario& scenario, const Network& network) {
    const auto expect = [&](const std::string& key, std::size_t found, std::size_t expected) {
        if (found != expected)
            throw InputError(file + ": " + key + ": found " + std::to_string(found) + ", expected the " +
                             std::to_string(expected) + " of the scenario");
    };
    NetworkResult result;
    const auto run = read_json<nlohmann::json>(file);
    read_members(file, "a run (JSON from watershed run)", [&] {
        const auto& switches = run.at("switches");
        expect("switches", switches.size(), network.switches().size());
        expect("links", run.at("links").size(), network.links().size());
        expect("lost_by_module", run.at("lost_by_module").size(), static_cast<std::size_t>(scenario.front_end.modules));
        std::map<std::string, std::string> reasons;
        for (const auto& loss : run.at("losses")) {
            std::string& text = reasons[member<std::string>(loss, "where")];
            text += (text.empty() ? "" : ", ") + member<std::string>(loss, "reason");
        }
        for (std::size_t i = 0; i < switches.size(); ++i) {
            const auto& each = switches[i];
            const Network::Switch& self = network.switches()[i];
            const auto name = member<std::string>(each, "name");
            if (name != self.name)
                throw InputError(file + ": switches: found \"" + name + "\", expected \"" + self.name +
                                 "\" as in the scenario");
            expect("switches." + name + ".modules", member<std::size_t>(each, "modules"),
                   static_cast<std::size_t>(self.modules));
            Switch seen;
            seen.frames_lost = member<std::int64_t>(each, "frames_lost");
            seen.reasons = reasons[name];
            seen.peak_frames = member<std::int64_t>(each, "peak_frames");
            if (self.modules > 0) {
                const auto& links = each.at("module_links");
                seen.module_links = member<double>(links, "utilisation");
                seen.refused_by_modules = sent_by(self, run, scenario) - member<std::int64_t>(links, "frames");
            }
            result.switches.push_back(seen);
        }
        for (const auto& link : run.at("links")) result.links.push_back(member<double>(link, "utilisation"));
        result.source =
            member<std::string>(run, "engine") + " engine, seed " + std::to_string(member<std::uint64_t>(run, "seed"));
    });
    return result;
}

}  // namespace watershed
