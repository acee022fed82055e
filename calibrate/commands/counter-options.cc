// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/counter-options.h"

#include <boost/algorithm/cxx11/none_of.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/range/algorithm/find.hpp>
#include <boost/range/algorithm_ext/erase.hpp>
#include <filesystem>
#include <set>

#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

std::vector<Counter> counters_of(const std::string& place_and_file) {
    const std::size_t equals = place_and_file.find('=');
    if (equals == std::string::npos) return read_counters(place_and_file);
    return read_counters(place_and_file.substr(equals + 1), place_named(place_and_file.substr(0, equals)));
}

/// "eth0, eth1"; "they name none"
std::string devices_of(const std::vector<Counter>& counted) {
    std::set<std::string> names;
    for (const Counter& one : counted)
        if (!one.device.empty()) names.insert(one.device);
    return names.empty() ? "they name none" : boost::algorithm::join(names, ", ");
}

}  // namespace

std::vector<Counter> CounterFiles::counted() const {
    if (before.size() != after.size())
        throw InputError("--before, --after: found " + std::to_string(before.size()) + " and " +
                         std::to_string(after.size()) + " files, expected as many, in the same order");
    std::vector<ToldCounter> meanings;
    for (const std::string& each : told) {
        const ToldCounter one = told_counter(each);
        for (const ToldCounter& other : meanings)
            if (other.name == one.name) throw InputError("--count: found " + one.name + " twice, expected once");
        meanings.push_back(one);
    }
    std::vector<Counter> all;
    std::vector<std::string> names;
    std::set<std::string> told_of;  // names of counters that are there
    for (std::size_t i = 0; i < after.size(); ++i) {
        std::vector<Counter> then = counters_of(before[i]), now = counters_of(after[i]);
        count_as_told(then, meanings), count_as_told(now, meanings);
        for (const Counter& one : now) {
            names.push_back(one.name);
            for (const ToldCounter& each : meanings)
                if (each.means(one)) told_of.insert(each.name);
        }
        const std::vector<Counter> one = between(then, now, after[i]);
        all.insert(all.end(), one.begin(), one.end());
    }
    for (const ToldCounter& each : meanings)
        if (told_of.count(each.name) == 0)
            throw InputError("--count: found no counter \"" + each.name + "\", expected one of the files" +
                             did_you_mean(each.name, names));
    if (devices.empty()) return all;
    for (const std::string& device : devices)
        if (boost::algorithm::none_of(all, [&](const Counter& one) { return one.device == device; }))
            throw InputError("--device: found \"" + device +
                             "\", expected a device of the counters: " + devices_of(all));
    const auto other = [&](const Counter& one) {
        return !one.device.empty() && boost::range::find(devices, one.device) == devices.end();
    };
    boost::remove_erase_if(all, other);
    return all;
}

std::optional<PeakReading> CounterFiles::peak() const {
    std::optional<PeakReading> largest;
    for (const std::string& each : peaks) {
        std::string file = each, wanted;
        if (!std::filesystem::exists(file)) {
            const std::size_t colon = each.find(':');
            if (colon != std::string::npos) file = each.substr(0, colon), wanted = each.substr(colon + 1);
        }
        std::string there;
        bool found = false;
        for (const Counter& one : read_counters(file)) {
            if (!one.is_peak()) continue;
            if (there.find(one.name) == std::string::npos) there += (there.empty() ? "" : ", ") + one.name;
            if (!wanted.empty() && one.name != wanted && one.device != wanted) continue;
            found = true;
            const bool cells = one.what == Counter::What::PeakCells;
            if (one.value > 0 && (!largest || one.value > largest->amount)) largest = PeakReading{one.value, cells, 1};
        }
        if (!found)
            throw InputError("--peak " + each + ": found " + (there.empty() ? "no peak" : there) + ", expected " +
                             (wanted.empty() ? "the most that was in use" : wanted));
    }
    if (!peaks.empty() && !largest) throw InputError("--peak: found nothing in use, expected a peak of this burst");
    if (largest) {
        try {
            largest->resolution = largest->cells ? std::stoll(resolution) : parse_bytes(resolution).count;
        } catch (const std::exception&) {
            largest->resolution = 0;
        }
        if (largest->resolution < 1)
            throw InputError("--peak-resolution: found \"" + resolution +
                             "\", expected at least one byte such as \"208 B\", or cells of a peak in cells");
    }
    return largest;
}

void add_counter_options(CLI::App& command, CounterFiles& files) {
    repeatable_option(command, "--before", files.before,
                      "Counters from before the burst (repeatable); with their place where that is not the tool's own: "
                      "switch=FILE");
    repeatable_option(command, "--after", files.after, "The same from after it, in the same order");
    repeatable_option(command, "--device", files.devices,
                      "Interface or port whose counters count (repeatable); without it all, which add up");
    repeatable_option(command, "--count", files.told,
                      "NAME=lost, NAME=received or NAME=ignore: what a counter counts (repeatable); # in NAME stands "
                      "for a number. Of one that rose and is not known nobody knows what was lost. Those of a place "
                      "add up");
    repeatable_option(command, "--peak", files.peaks,
                      "What was in use at most, since it was cleared: the largest, or FILE:NAME for one pool, queue or "
                      "device (repeatable)");
    shown_option(command, "--peak-resolution", files.resolution, "The peak may be off by so much, such as a cell");
}

}  // namespace watershed
