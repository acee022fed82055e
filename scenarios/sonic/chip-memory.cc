// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cctype>

#include "scenarios/sonic/sonic-config.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

std::string small_letters(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

}  // namespace

// The meaning of a pool follows from the thresholds that hardware tests find (scenarios/data/sonic-set-points.csv): on
// Trident 2, Trident 3 and Tomahawk 5 they follow from the pool without headroom and minima, on Tomahawk 2 and
// Spectrum-3 from the pool as it is. Of Tomahawk 6 sonic-buildimage issue 28657 says it. The pool and the headroom of
// Dell's Z9332f together would be more than a Tomahawk 3 has. Tomahawk and the other Spectrum chips are taken to be as
// their next of kin, whose templates add up in the same way.
const std::vector<ChipMemory>& chip_memories() {
    static const std::string open_driver = "OpenBCM sdk-6.5.27",
                             templates = "SONiC, sonic-buildimage, buffer templates";
    static const std::vector<ChipMemory> all{
        // The driver's 60495 cells are 12 MiB; SONiC gives out 61376 of them on an Arista 7050QX-32, and tests pass.
        {"trident2", "td2", 208, 61376, 1, 64, PoolSize::Whole, templates + ", pool of Arista-7050-QX32"},
        {"trident2+", "td2+", 208, 80660, 1, 64, PoolSize::Unknown, open_driver},
        {"trident3", "td3", 256, 129024, 1, 64, PoolSize::Whole, open_driver},
        {"helix5", "hx5", 256, 32768, 1, 64, PoolSize::Unknown, open_driver},
        {"tomahawk", "th", 208, std::int64_t{4} * 20165, 4, 64, PoolSize::Shared, open_driver},
        {"tomahawk+", "th+", 208, std::int64_t{4} * 27727, 4, 64, PoolSize::Unknown, open_driver},
        {"tomahawk2", "th2", 208, std::int64_t{4} * 53248, 4, 64, PoolSize::Shared, open_driver},
        {"tomahawk3", "th3", 254, std::int64_t{2} * 134169, 2, 40, PoolSize::Whole, open_driver},
        // Its maker says 165.2 MB; SONiC gives out 166607744 B.
        {"tomahawk5", "th5", 254, 655936, 2, std::nullopt, PoolSize::Whole,
         templates + ", pool of Arista-7060X6-64PE-C256S2"},
        {"tomahawk6", "th6", 420, 636183, 1, std::nullopt, PoolSize::Shared, "sonic-buildimage, issue 28657"},
        // The pool of all egress: 13945824, 34287552 and 60817392 B.
        {"spectrum", "spc1", 96, 145269, 1, std::nullopt, PoolSize::Shared, templates},
        {"spectrum2", "spc2", 144, 238108, 1, std::nullopt, PoolSize::Shared, templates},
        {"spectrum3", "spc3", 144, 422343, 1, std::nullopt, PoolSize::Shared, templates}};
    return all;
}

const ChipMemory& chip_memory_named(const std::string& name) {
    const auto& all = chip_memories();
    const std::string wanted = small_letters(name);
    const auto found = std::find_if(all.begin(), all.end(), [&](const ChipMemory& chip) {
        return chip.name == wanted || chip.short_name == wanted;
    });
    if (found != all.end()) return *found;
    std::vector<std::string> names;
    for (const ChipMemory& chip : all) names.push_back(chip.name);
    throw InputError("--asic: found \"" + name + "\", expected one of " + listed(names) + did_you_mean(wanted, names));
}

}  // namespace watershed
