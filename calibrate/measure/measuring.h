// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/advice/campaign.h"
#include "calibrate/closed-form/overload.h"
#include "scenarios/text/loss-map.h"

/// Measuring campaigns at a real switch: rigs that send bursts, the growing map, and the choice of the next burst.
namespace watershed {

// Rigs, which send bursts through a switch and count arrivals: ports of this machine, or a program that drives the
// user's own rig; and the growing map.

/// Result of one burst.
struct BurstRecord {
    LossMapRow row;
    std::optional<Time> median_trigger_lateness{};  ///< std::nullopt unless every trigger was timed
    std::string host_loss{};      ///< reason why the machine itself lost frames, which makes the row unusable
    std::vector<bool> missing{};  ///< true for lost frames, in the order of sending; empty if unknown
    std::vector<Time>
        trigger_times{};  ///< time at which each trigger was handed over, with all delays; empty if unknown
};

/// Set-up that sends bursts and counts arrivals.
class Rig {
  public:
    virtual ~Rig() = default;
    /// Sends one burst into an empty switch, and counts until no more frames arrive.
    /// @throws std::runtime_error if the burst cannot be sent, or if the rig fails
    virtual BurstRecord measure(const BurstSetting& setting) = 0;
};

/// Returns a rig behind a program that is started once and asked in lines of JSON; see "With a rig of your own" in
/// calibrate/README.md. Bursts of fewer frames than asked are set aside. measure() throws std::runtime_error if the
/// program ends, is silent or reports an error.
/// @param command   command for /bin/sh
/// @param patience  timeout of an answer, in addition to the length of the burst
std::unique_ptr<Rig> command_rig(const std::string& command, Time patience);

/// Returns the record in a rig's answer. @throws std::invalid_argument with the text found and the one expected
BurstRecord record_of(const BurstSetting& setting, const std::string& answer);

/// Returns the cells of a record under these columns, with commas between them; cells of unknown columns are empty.
std::string cells_of(const BurstRecord& record, const std::vector<std::string>& columns);

/// Returns the text of a table to be continued, or the beginning of a new one.
/// @param rig  set-up that measures, for the comment "# rig: …"; empty: any goes on
/// @throws InputError for a table of another rig
std::string table_to_continue(const std::string& file, const std::string& columns, const std::string& rig);

/// Loss map that grows burst by burst. After each burst the file is replaced as a whole, so that it is a valid map
/// however the program ends.
class GrowingLossMap {
  public:
    /// Continues the rows of an existing file.
    /// @param peaks  true: a new map gets columns for peak counters
    /// @param rig    as of table_to_continue()
    /// @throws InputError for a file that is no loss map, of another rig, or cannot be written
    explicit GrowingLossMap(std::string file, bool peaks = false, const std::string& rig = "");

    /// Adds a row or, if `why_not` is not empty, a comment with the reason why the burst is set aside.
    /// @throws std::runtime_error if the file cannot be written; it then remains unchanged
    void add(const BurstRecord& record, const std::string& why_not = "");

    const LossMap& map() const { return map_; }

  private:
    /// Adds columns for peak counters; their cells are empty in existing rows.
    void add_peak_columns(bool cells);

    std::string file_;
    std::string text_;  ///< contents of the file
    std::vector<std::string> columns_;
    LossMap map_;
};

/// Target of a campaign and its precision.
struct TargetPrecision {
    AdviceTarget target = AdviceTarget::Depth;
    double precision = 0.01;  ///< wanted relative half width of the 95 % interval
};

/// Measuring campaign: one rig, one map, and limits of time and bursts.
class MeasurementCampaign {
  public:
    /// @param budget   time after which no burst begins
    /// @param most     largest number of bursts, including those set aside
    /// @param say      function that gets a line of text for each burst
    MeasurementCampaign(Rig& rig, GrowingLossMap& map, Time budget, int most,
                        std::function<void(const std::string&)> say);

    /// Measures each setting `repeat` times in all; bursts that the map already has count.
    /// @return reason why it ended @throws std::runtime_error if the rig fails
    std::string measure_list(const std::vector<BurstSetting>& settings, int repeat);

    /// Measures advised bursts until each target is known, with a burst of another payload if it can determine the unit
    /// of the memory. Settings whose bursts repeatedly come late are replaced by longer separations.
    /// @return reason why it ended @throws std::runtime_error if the rig fails
    std::string measure_as_advised(CampaignPlan plan, const std::vector<TargetPrecision>& wanted);

    /// Returns the number of bursts sent, including those set aside.
    int bursts() const { return bursts_; }
    /// Returns the shortest separation that the machine reached when it could not keep the wanted one; 0 if it always
    /// did.
    Time pace() const { return pace_; }
    /// Sets a function that gets each burst and its row in the map; 0 if the burst was set aside.
    void keep(std::function<void(const BurstRecord&, int row)> keep) { keep_ = std::move(keep); }

  private:
    /// Measures one setting. A burst that comes late, or of which the machine itself loses frames, is set aside and
    /// sent again, a few times.
    /// @return if all came late: lateness of the best, or 0 if longer separations do not help; else std::nullopt
    /// @throws std::runtime_error if the machine lost frames of each
    std::optional<Time> measure(const BurstSetting& setting);
    /// Returns the reason why no further burst may be sent; else empty.
    std::string limit() const;

    Rig& rig_;
    GrowingLossMap& map_;
    Time budget_;
    int most_;
    std::function<void(const std::string&)> say_;
    std::function<void(const BurstRecord&, int)> keep_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    Time pace_{0};
    int bursts_ = 0;  ///< bursts sent, including those set aside
};

/// Returns a burst of another payload with which one of the remaining kinds of memory loses frames and another does
/// not; std::nullopt if there is none, or if bursts of another payload have been measured.
std::optional<BurstSetting> discriminating_payload(const Fit& fit, const CampaignPlan& plan);

/// Returns the reason, in one line, why an ended campaign has found nothing; empty if it has a result.
/// @param advised  true: the campaign was to find the depth, which takes a lossy burst; false: it measured a list
/// @param bursts   number of bursts sent, including those set aside
std::string nothing_known(const PartialFit& found, bool advised, int bursts, const std::string& map);

/// Returns the time for which the queue of a lossy burst was empty because triggers were late. The frames that would
/// have left in this time are lost in addition.
Time idle_by_lateness(const BurstRecord& record);

/// Returns the separation of the triggers if the machine sent them back to back and still could not keep the wanted
/// one; else 0, also if a machine that was held up caught up afterwards.
Time pace_not_kept(const BurstRecord& record);

/// Returns why the row must be set aside: the machine lost frames, or a late trigger left the queue empty for longer
/// than a frame takes, or, with unknown times, came more than half a separation late. Empty otherwise.
std::string reason_to_set_aside(const BurstRecord& record);

/// Plan of a series of constant overloads.
struct OverloadPlan {
    BitRate rate{0};               ///< offered rate
    int senders = 1;               ///< number of senders; each sends one frame at a time
    Bytes payload{0}, wire{0};     ///< bytes of a frame: payload, and on a link
    std::int64_t frames = 0;       ///< length of the first overload, frames
    std::int64_t most_frames = 0;  ///< largest length of an overload, frames
    Time budget{0};                ///< time after which no overload begins
    int most = 1;                  ///< largest number of overloads, including those set aside
    Time rest{0};                  ///< pause before each, in which a token bucket fills that is larger than the queue
};

/// Sends overloads until they are enough; each result determines the length of the next one.
/// @param add     function that gets each result: a row, or the reason why there is none
/// @param enough  function that returns true if no more overloads are needed; called after each row
/// @param say     function that gets a line of text for each overload
/// @return reason why it ended
/// @throws std::runtime_error if the rig fails, or if nothing can be measured
std::string measure_overloads(Rig& rig, const OverloadPlan& plan,
                              const std::function<void(const OverloadOutcome&)>& add,
                              const std::function<bool()>& enough, const std::function<void(const std::string&)>& say);

// Highest rate at which a rig is reliable, measured with a cable in place of the switch.

/// Result of long bursts at one separation, with nothing between sender and receiver that may lose a frame.
struct ReliabilityStep {
    BurstSetting setting;
    std::int64_t lost = 0;  ///< frames lost in the last burst
    std::string why_not;    ///< reason why this separation is not reliable; empty if it is
};

/// Shortest reliable separation.
struct MaxReliableRate {
    std::optional<BurstSetting> closest;  ///< setting with this separation; std::nullopt if none is reliable
    std::string limit;                    ///< reason why triggers must not come closer
};

/// Returns the shortest reliable separation, by halving and then bisection to a twentieth. Bursts that come late or
/// that the machine itself spoils are sent again. Losses without a trace fail at once: a measurement would attribute
/// them to the switch.
/// @param most_frames  largest number of frames of a burst
/// @param say          function that gets the result of each separation
MaxReliableRate find_max_reliable_rate(Rig& rig, int ports, Bytes payload, std::int64_t most_frames,
                                       const std::function<void(const ReliabilityStep&)>& say);

}  // namespace watershed
