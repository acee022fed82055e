// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/sweep/ranks.h"

namespace watershed {

/// Request of a run: identity and size of its work.
struct Request {
    using Facts = std::map<std::string, std::string>;
    Facts facts;             ///< values by name; two runs with equal facts give equal pieces
    std::size_t pieces = 0;  ///< number of pieces
    std::string header;      ///< the first lines of the exported file
    std::string scenario;    ///< the file, as it was
};

/// A file in which long work keeps every finished piece at once, so that a killed run goes on where it stood: SQLite
/// with a write-ahead log, tables `about` (name, value: "request …" for each fact, "header", "pieces", "scenario text")
/// and `piece` (number, result).
class Campaign {
  public:
    /// Returns true if a file name has the ending of a campaign's file.
    static bool is_name(const std::string& file);
    /// Returns the name of the campaign's file for a run that writes `output`.
    static std::string name_for(const std::string& output);

    /// Opens a campaign, or begins one.
    /// @param resume  go on with the one that is there
    /// @throws InputError if there is another one already, or if its facts were others: names what differs
    Campaign(std::string file, const Request& request, bool resume);
    /// Opens a campaign to read it. @throws InputError
    explicit Campaign(std::string file);
    ~Campaign();

    /// @throws std::runtime_error if it cannot be written; what was stored before stays
    void store(std::size_t piece, const std::string& result);
    /// By number.
    std::map<std::size_t, std::string> stored() const;
    std::size_t pieces() const;
    std::string header() const;
    const std::string& file() const { return file_; }
    /// Deletes the file, once its content is elsewhere.
    void remove();

  private:
    std::string about(const std::string& name) const;

    struct Tables;
    std::string file_;
    std::unique_ptr<Tables> tables_;
};

/// Long work in pieces, and where its results go.
struct CampaignWork {
    std::string what;  ///< for the progress bar, as are the units
    std::string unit;
    Request request;
    std::string output;  ///< a campaign, or a file beside which one is kept while the work lasts
    bool resume = false;
    int jobs = 1;
};

/// Results of the work.
struct CampaignResults {
    std::string header;                  ///< header of the run that began the campaign
    std::vector<std::string> pieces;     ///< results in the order of the pieces
    std::unique_ptr<Campaign> campaign;  ///< null if none was begun

    /// Ends the campaign once the output is written: its file is no longer needed.
    void written(const std::string& output) const;
};

/// Works through the pieces that are not stored yet, with a progress bar, and stores each at once. What takes less than
/// a second is not stored beside its output.
/// @return nothing on ranks other than the first
/// @throws InputError, std::runtime_error as Campaign and Ranks do
CampaignResults do_campaign(const CampaignWork& work, Ranks& ranks, const DoPiece& piece);

}  // namespace watershed
