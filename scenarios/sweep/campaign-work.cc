// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/campaign-work.h"

#include <chrono>
#include <filesystem>
#include <map>

#include "scenarios/text/input-error.h"
#include "scenarios/text/progress.h"

namespace watershed {

void CampaignResults::written(const std::string& output) const {
    if (campaign && !Campaign::is_name(output)) campaign->remove();
}

CampaignResults do_campaign(const CampaignWork& work, Ranks& ranks, const DoPiece& piece) {
    if (!ranks.first()) {
        ranks.do_pieces(work.jobs, {}, piece, {});
        return {};
    }
    const bool kept = Campaign::is_name(work.output);
    const std::string name = Campaign::name_for(work.output);
    if (work.resume && work.output == "-")
        throw InputError("--resume: expected an output file (-o) beside which the work was stored");
    // Nothing can be stored beside a device such as /dev/null.
    std::error_code ignored;
    const bool storable = work.output != "-" && (!std::filesystem::exists(work.output, ignored) ||
                                                 std::filesystem::is_regular_file(work.output, ignored));
    CampaignResults results{work.request.header, std::vector<std::string>(work.request.pieces), nullptr};
    std::map<std::size_t, std::string> done;
    if (kept || (work.resume && std::filesystem::exists(name, ignored))) {
        results.campaign = std::make_unique<Campaign>(name, work.request, work.resume);
        results.header = results.campaign->header();
        done = results.campaign->stored();
    }
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < work.request.pieces; ++i)
        if (done.find(i) == done.end()) missing.push_back(i);

    Progress progress(work.what, work.unit, static_cast<std::int64_t>(missing.size()));
    const auto start = std::chrono::steady_clock::now();
    std::int64_t now_done = 0;
    ranks.do_pieces(work.jobs, missing, piece, [&](std::size_t number, const std::string& result) {
        done[number] = result;
        progress.done(++now_done);
        if (results.campaign) {
            results.campaign->store(number, result);
        } else if (storable && std::chrono::steady_clock::now() - start > std::chrono::seconds(1)) {
            for (const char* part : {"", "-wal", "-shm"})
                std::filesystem::remove(name + part);  // of a run that nobody resumed
            results.campaign = std::make_unique<Campaign>(name, work.request, false);
            for (const auto& [stored, text] : done) results.campaign->store(stored, text);
        }
    });
    for (auto& [number, text] : done) results.pieces[number] = std::move(text);
    return results;
}

}  // namespace watershed
