// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace watershed {

/// What was asked for.
struct Request {
    using Facts = std::map<std::string, std::string>;
    Facts facts;  ///< by name; two runs with the same facts give the same pieces
    std::size_t pieces = 0;
    std::string header;    ///< the first lines of the exported file
    std::string scenario;  ///< the file, as it was
};

/// A file in which long work keeps every finished piece at once, so that a killed run goes on where it stood: SQLite
/// with a write-ahead log, tables `about` (name, value: "request …" for each fact, "header", "pieces", "scenario text")
/// and `piece` (number, result).
class Campaign {
  public:
    /// What a file name must end in for a campaign to be kept.
    static bool is_name(const std::string& file);
    /// Where the campaign of a run is kept that writes `output`.
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

}  // namespace watershed
