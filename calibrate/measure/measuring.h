// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/advice/campaign.h"
#include "calibrate/closed-form/overload.h"
#include "scenarios/text/loss-map.h"

/// Measuring campaigns at a real switch: what sends their bursts, the map that they fill, and what is sent next.
namespace watershed {

// What sends bursts through a switch and counts what arrives: two ports of this machine, or a program that drives a
// rig of one's own; and the map that it fills.

/// Result of one burst.
struct BurstRecord {
    LossMapRow row;
    std::optional<Time> median_trigger_lateness{};  ///< where every trigger's was looked at
    std::string host_loss{};      ///< why the machine itself lost frames, so that the row does not tell of the switch
    std::vector<bool> missing{};  ///< which frames, as they were sent; empty where nobody knows
    std::vector<Time> trigger_times{};  ///< when each was handed over, held up as it may have been; empty likewise
};

class Rig {
  public:
    virtual ~Rig() = default;
    /// Sends one burst into a switch that is empty, and counts until nothing more arrives.
    /// @throws std::runtime_error where it cannot be sent, or the rig has failed
    virtual BurstRecord measure(const BurstSetting& setting) = 0;
};

/// Returns a rig behind a program that is started once and asked in lines of JSON; see "With a rig of your own" in
/// calibrate/README.md. Bursts of fewer frames than asked are set aside. measure() throws std::runtime_error if the
/// program ends, is silent or reports an error.
/// @param command   for /bin/sh
/// @param patience  for an answer, beside the length of the burst
std::unique_ptr<Rig> command_rig(const std::string& command, Time patience);

/// The record that an answer stands for. @throws std::invalid_argument that says what was found and expected
BurstRecord record_of(const BurstSetting& setting, const std::string& answer);

/// The cells of a record under these columns, with commas between them; columns that are not this program's stay empty.
std::string cells_of(const BurstRecord& record, const std::vector<std::string>& columns);

/// A loss map that grows burst by burst. After each burst the file is replaced as a whole, so that whatever ends the
/// program leaves a map.
class GrowingLossMap {
  public:
    /// Goes on with the rows of the file, if there is one. @throws InputError for a file that is no loss map, or cannot
    /// be written
    /// @param peaks  a new map gets columns for these
    explicit GrowingLossMap(std::string file, bool peaks = false);

    /// A row of the map, or a comment that says why it is none. @throws std::runtime_error if the file cannot be
    /// written, which then stays as it was
    void add(const BurstRecord& record, const std::string& why_not = "");

    const LossMap& map() const { return map_; }

  private:
    /// Columns for what was in use at most, empty in the rows that are there.
    void add_peak_columns(bool cells);

    std::string file_;
    std::string text_;  ///< of the file
    std::vector<std::string> columns_;
    LossMap map_;
};

/// Target of a campaign and its precision.
struct TargetPrecision {
    AdviceTarget target = AdviceTarget::Depth;
    double precision = 0.01;  ///< half width of the 95 % interval, relative
};

/// One rig, one map, and how long it may take.
class MeasurementCampaign {
  public:
    /// @param budget   no burst begins after that
    /// @param most     bursts, those set aside among them
    /// @param say      told each burst in a line
    MeasurementCampaign(Rig& rig, GrowingLossMap& map, Time budget, int most,
                        std::function<void(const std::string&)> say);

    /// Each of these, `repeat` times in all; what the map has already is not measured again.
    /// @returns why it ended @throws std::runtime_error where the rig fails
    std::string measure_list(const std::vector<BurstSetting>& settings, int repeat);

    /// Measures what is advised until each target is known, with a burst of another payload if it tells what the memory
    /// counts. Bursts that come late again and again are given up for longer separations.
    /// @returns why it ended @throws std::runtime_error if the rig fails
    std::string measure_as_advised(CampaignPlan plan, const std::vector<TargetPrecision>& wanted);

    int bursts() const { return bursts_; }
    /// The closest that triggers came where they were to come closer; 0 where they kept their pace.
    Time pace() const { return pace_; }
    /// Told each burst as well, and the row of the map that it became; 0 where it was set aside.
    void keep(std::function<void(const BurstRecord&, int row)> keep) { keep_ = std::move(keep); }

  private:
    /// A burst that came late, or of which the machine itself lost frames, is noted as set aside, and sent again.
    /// @returns how late the best of them came, where all came late, or 0 if longer separations do not help @throws
    /// std::runtime_error where the machine lost frames of all
    std::optional<Time> measure(const BurstSetting& setting);
    /// Why no further burst may be sent; empty where one may.
    std::string limit() const;

    Rig& rig_;
    GrowingLossMap& map_;
    Time budget_;
    int most_;
    std::function<void(const std::string&)> say_;
    std::function<void(const BurstRecord&, int)> keep_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    Time pace_{0};
    int bursts_ = 0;  ///< sent, those set aside among them
};

/// A burst of another payload that one of the kinds of memory that are left would lose frames of, and another would
/// not; nothing where there are none, or bursts of another payload have been measured.
std::optional<BurstSetting> discriminating_payload(const Fit& fit, const CampaignPlan& plan);

/// Why a campaign that has ended has found nothing, in one line; empty where it has found something.
/// @param advised  it was to find the depth, which takes a burst that lost frames; a list was only to be measured
/// @param bursts   sent, those set aside among them
std::string nothing_known(const PartialFit& found, bool advised, int bursts, const std::string& map);

/// Returns the time in which the queue of a lossy burst was empty because triggers were late: frames that would have
/// left meanwhile are lost in addition.
Time idle_by_lateness(const BurstRecord& record);

/// How far apart the triggers came where the machine sent them one right after the other and still later than asked;
/// else 0. One that is held up catches up.
Time pace_not_kept(const BurstRecord& record);

/// Returns why the row must be set aside: the machine lost frames, or a late trigger left the queue empty for longer
/// than a frame takes, or, with unknown times, came more than half a separation late. Empty otherwise.
std::string reason_to_set_aside(const BurstRecord& record);

/// How constant overloads are measured.
struct OverloadPlan {
    BitRate rate{0};            ///< offered
    int senders = 1;            ///< which send a frame each at a time
    Bytes payload{0}, wire{0};  ///< of a frame: sent, on a link
    std::int64_t frames = 0;    ///< of the first overload
    std::int64_t most_frames = 0;
    Time budget{0};  ///< none begins after that
    int most = 1;    ///< overloads, those set aside among them
    Time rest{0};    ///< before each, in which a token bucket fills that is larger than the queue
};

/// Sends overloads, each as long as the one before tells, until they are enough.
/// @param add   told what came of each: a row, or why there is none
/// @param enough  asked after each row
/// @param say   told each in a line
/// @returns why it ended @throws std::runtime_error where the rig fails, or nothing can be measured
std::string measure_overloads(Rig& rig, const OverloadPlan& plan,
                              const std::function<void(const OverloadOutcome&)>& add,
                              const std::function<bool()>& enough, const std::function<void(const std::string&)>& say);

// The highest rate that a rig can be trusted with, found over a cable in place of the switch.

/// Long bursts of one separation, with nothing between sender and receiver that may lose a frame.
struct ReliabilityStep {
    BurstSetting setting;
    std::int64_t lost = 0;  ///< frames of the last burst
    std::string why_not;    ///< why this separation cannot be trusted; empty where it can
};

struct MaxReliableRate {
    std::optional<BurstSetting> closest;  ///< the shortest separation that can be trusted; nothing where none can
    std::string limit;                    ///< why triggers must not come closer
};

/// Returns the shortest reliable separation, by halving and then bisection to a twentieth. Bursts that come late or
/// that the machine itself spoils are sent again. Losses without a trace fail at once: a measurement would attribute
/// them to the switch.
/// @param most_frames  of a burst
/// @param say          told each separation
MaxReliableRate find_max_reliable_rate(Rig& rig, int ports, Bytes payload, std::int64_t most_frames,
                                       const std::function<void(const ReliabilityStep&)>& say);

}  // namespace watershed
