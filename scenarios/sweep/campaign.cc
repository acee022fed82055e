// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/campaign.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "scenarios/text/input-error.h"
#include "scenarios/text/progress.h"

namespace watershed {
namespace {

constexpr auto kSuffix = ".sqlite";
constexpr auto kExpected = ", expected a campaign that watershed map or boundary wrote";

/// The first line in which two texts differ.
std::string difference(const std::string& before, const std::string& now) {
    std::istringstream a(before), b(now);
    std::string x, y;
    do {
        x.clear(), y.clear();
        std::getline(a, x), std::getline(b, y);
    } while (x == y && (a || b));
    return "\"" + x + "\", now \"" + y + "\"";
}

/// A file of another program must not be written to.
void refuse_other_database(SQLite::Database& database, const std::string& file) {
    SQLite::Statement others(database,
                             "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('about', 'piece')");
    if (others.executeStep())
        throw InputError(file + ": found a database with a table \"" + others.getColumn(0).getString() + "\"" +
                         kExpected);
}

void refuse_damaged(const SQLite::Exception& error, const std::string& file) {
    if (error.getErrorCode() == SQLITE_NOTADB) throw InputError(file + ": found no database" + kExpected);
    if (error.getErrorCode() == SQLITE_CORRUPT) throw InputError(file + ": found a damaged database" + kExpected);
}

[[noreturn]] void refuse_unreadable(const SQLite::Exception& error, const std::string& file) {
    refuse_damaged(error, file);
    throw std::runtime_error(file + ": cannot be read: " + error.what());
}

}  // namespace

struct Campaign::Tables {
    Tables(const std::string& file, int flags) : database(file, flags, 10'000) {}
    SQLite::Database database;
};

bool Campaign::is_name(const std::string& file) { return std::filesystem::path(file).extension() == kSuffix; }

std::string Campaign::name_for(const std::string& output) { return is_name(output) ? output : output + kSuffix; }

Campaign::Campaign(std::string file, const Request& request, bool resume) : file_(std::move(file)) {
    std::error_code ignored;
    const bool there = std::filesystem::exists(file_, ignored);
    if (there && !resume) throw InputError(file_ + ": this campaign exists already; --resume continues it");
    try {
        tables_ = std::make_unique<Tables>(file_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        if (there) refuse_other_database(tables_->database, file_);
        tables_->database.exec("PRAGMA journal_mode=WAL");
        SQLite::Transaction begin(tables_->database);
        tables_->database.exec("CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL)");
        tables_->database.exec("CREATE TABLE IF NOT EXISTS piece (number INTEGER PRIMARY KEY, result TEXT NOT NULL)");
        const bool begun = tables_->database.execAndGet("SELECT count(*) FROM about").getInt() > 0;
        if (begun) {
            for (const auto& [name, value] : request.facts)
                if (const std::string before = about("request " + name); before != value)
                    throw InputError(file_ + ": this campaign was begun with another " + name + ": " +
                                     difference(before, value));
        } else {
            SQLite::Statement insert(tables_->database, "INSERT INTO about VALUES (?, ?)");
            const auto note = [&](const std::string& name, const std::string& value) {
                insert.bind(1, name);
                insert.bind(2, value);
                insert.exec();
                insert.reset();
            };
            for (const auto& [name, value] : request.facts) note("request " + name, value);
            note("header", request.header);
            note("pieces", std::to_string(request.pieces));
            note("scenario text", request.scenario);
        }
        begin.commit();
    } catch (const SQLite::Exception& error) {
        refuse_damaged(error, file_);
        throw std::runtime_error(file_ + ": cannot be used as a campaign: " + error.what());
    }
}

Campaign::Campaign(std::string file) : file_(std::move(file)) {
    if (std::error_code ignored; !std::filesystem::is_regular_file(file_, ignored))
        throw InputError(file_ + ": found no such file, expected a campaign");
    try {
        tables_ = std::make_unique<Tables>(file_, SQLite::OPEN_READWRITE);  // a killed run's log is taken in
        refuse_other_database(tables_->database, file_);
        if (!tables_->database.tableExists("piece")) throw InputError(file_ + ": found an empty database" + kExpected);
    } catch (const SQLite::Exception& error) {
        refuse_unreadable(error, file_);
    }
}

Campaign::~Campaign() = default;

void Campaign::store(std::size_t piece, const std::string& result) {
    try {
        SQLite::Statement insert(tables_->database, "INSERT OR REPLACE INTO piece VALUES (?, ?)");
        insert.bind(1, static_cast<std::int64_t>(piece));
        insert.bind(2, result);
        insert.exec();
    } catch (const SQLite::Exception& error) {
        throw std::runtime_error(file_ + ": cannot be written: " + error.what() +
                                 "; what was stored is intact, and --resume continues from there");
    }
}

std::map<std::size_t, std::string> Campaign::stored() const {
    std::map<std::size_t, std::string> results;
    try {
        SQLite::Statement rows(tables_->database, "SELECT number, result FROM piece");
        while (rows.executeStep())
            results[static_cast<std::size_t>(rows.getColumn(0).getInt64())] = rows.getColumn(1).getString();
    } catch (const SQLite::Exception& error) {
        refuse_unreadable(error, file_);
    }
    return results;
}

std::string Campaign::about(const std::string& name) const {
    try {
        SQLite::Statement row(tables_->database, "SELECT value FROM about WHERE name = ?");
        row.bind(1, name);
        return row.executeStep() ? row.getColumn(0).getString() : std::string();
    } catch (const SQLite::Exception& error) {
        refuse_unreadable(error, file_);
    }
}

std::size_t Campaign::pieces() const { return std::stoul("0" + about("pieces")); }
std::string Campaign::header() const { return about("header"); }

void Campaign::remove() {
    tables_.reset();
    for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file_ + part);
}

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
                std::filesystem::remove(name + part);  // rest of a run that nobody resumed
            results.campaign = std::make_unique<Campaign>(name, work.request, false);
            for (const auto& [stored, text] : done) results.campaign->store(stored, text);
        }
    });
    for (auto& [number, text] : done) results.pieces[number] = std::move(text);
    return results;
}

}  // namespace watershed
