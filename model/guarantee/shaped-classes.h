// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/guarantee/queue-source.h"

/// Bounds of classes behind shapers and strict priority.
namespace watershed {

/// Returns true if a shaper holds up one of the classes.
bool has_shapers(const Scheduling& scheduling, BitRate uplink);

/// Classes of one uplink with shapers and strict priority. Within a class frames are served in the order of arrival.
///
/// Shaper. It has rate r and a bucket of b, and counts L for the longest frame of its class. A frame is due when the
/// bucket has its tokens or is full. After a frame of the class has begun, its tokens are short by no more than it
/// took, so the next is due no later than tau = max(L / r, s) after it, s being the longest slot of the class. This
/// holds for any b, and for frames of one size with b = 0 it is exact. Tokens of a full bucket are lost, so that
/// nothing is gained in the long run from what a frame was late.
///
/// Delay. A frame that is due waits for at most one frame of a lower class, of slot B, and for higher classes. Let u be
/// the instant at which the first of a sequence of frames is ready, each next one being ready no later than tau after
/// its predecessor began. The K-th of them begins at u + w at the latest, w being the least solution of
///     w = (K - 1) tau + K B + H(w),
/// and has left s later. H(w) bounds the work of higher classes that the uplink sends in [u, u + w]. A class without a
/// shaper, once it waits, lets no lower one begin: it has left as class_delays() says, with this H(w).
///
/// Higher classes. An uplink with shapers may be idle while frames wait, so higher classes may have frames at u that
/// came long before. A frame of class j stays D_j at most (without the latency), so those sent in [u, u + w] were ready
/// in less than w + D_j, which bounds their number by n_j(w + D_j). If the class has a shaper, those frames begin
/// within w + s. Before the last of them began, the bucket had its tokens or was full. They count no more than max(b,
/// L) + r (w + s) (Le Boudec and Thiran, Network Calculus, 2001, sections 1.2 and 1.5). H(w) is the sum over the higher
/// classes of the smaller of both, so that they leave a rate-latency service to those below (section 1.3). The bucket
/// counts whole picoseconds: L / r is rounded up, and its interval may be one longer.
class ShapedClasses {
  public:
    /// @param uplink  rate of the uplink
    ShapedClasses(std::vector<QueueSource>& sources, const Scheduling& scheduling, BitRate uplink, const Ticks& ticks)
        : sources_(sources), scheduling_(scheduling), uplink_(uplink), ticks_(ticks) {}

    /// Returns the largest load of a class, with tau + B in place of the slot of shaped frames, and of higher classes.
    /// Below 1 all delays are bounded.
    Rational load() const;
    /// Returns the least time between triggers with bounds, ticks: the largest, over the classes, of load() by
    /// the camera for one trigger in one tick, divided by what streams leave; std::nullopt if they leave nothing.
    /// @param per_trigger  frames of a trigger to this queue
    std::optional<Rational> least_distance(const Rational& per_trigger) const;
    /// Bounds the delay of each class, and sets QueueSource::delay. @pre load() < 1
    /// @param latency  latency of the switch, ticks
    /// @return false if too many frames would have to be followed
    bool set_delays(Wide latency);

  private:
    bool is_shaped(int traffic_class) const;
    /// Returns the bytes that a shaper counts of a frame.
    Bytes counted(const QueueSource& source) const;
    /// Returns the longest slot of a class; 0 if it gets no frames.
    Wide longest_slot(int traffic_class) const;
    /// Returns the longest slot of the lower classes.
    Wide below(int traffic_class) const;
    /// Returns tau of a class with a shaper.
    Wide apart(int traffic_class) const;
    /// Returns the time for which a frame takes its class, or lower ones: its slot or, in its own with a shaper,
    /// tau + B.
    Wide taken(const QueueSource& source, int in_class) const;
    /// Returns H(w) for all classes above this one.
    Wide higher(int traffic_class, Wide within) const;
    /// Returns the least w = beside + H(w), from `from` on.
    Wide settled(int traffic_class, Wide beside, Wide from) const;
    bool set_delay(int traffic_class, Wide latency);

    std::vector<QueueSource>& sources_;
    const Scheduling& scheduling_;
    BitRate uplink_;
    Ticks ticks_;
    Wide delays_[kTrafficClasses] = {};  ///< delays of classes without the latency
};

}  // namespace watershed
