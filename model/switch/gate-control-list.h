// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/base/timestamp.h"
#include "model/frontend/module-ports.h"
#include "model/switch/switch.h"

namespace watershed {

/// Gates of an uplink (IEEE 802.1Qbv): a list of open classes that repeats from time 0 on. A frame begins only if the
/// gate of its class is open and stays open until the frame has left (IEEE 802.1Q-2018, 8.6.8.4), preamble and gap
/// included.
class GateControlList {
  public:
    /// @param entries  one at least
    /// @throws KeyError if an entry lasts no time, or all of them last longer than 10 days
    explicit GateControlList(const std::vector<GateEntry>& entries);

    /// Returns true if the gate of a class is open from `begin` to `end`.
    bool is_open(int traffic_class, const Timestamp& begin, const Timestamp& end) const;
    /// Returns the first time after `now` at which the gate of a class opens for a frame.
    /// @param lasts  the frame's time on the link, rounded up
    /// @throws KeyError if the gate never stays open for so long
    Timestamp opens(int traffic_class, const Timestamp& now, Time lasts) const;
    /// @param lasts  a frame's time on the link, rounded up
    /// @throws KeyError if the gate of a class never stays open for so long
    void require(const std::string& key, int traffic_class, Time lasts) const;
    /// Returns the fraction of time in which frames of a class are sent that follow each other and last this long, in
    /// picoseconds.
    double share(int traffic_class, double lasts) const;

  private:
    /// Time for which a gate is open, from the beginning of a cycle on; it may end in the next one.
    struct Window {
        Time from, until;
    };

    bool never_closes(const Window& window) const { return window.until - window.from == cycle_; }
    const std::vector<Window>& windows_of(int traffic_class) const {
        return windows_[static_cast<std::size_t>(traffic_class)];
    }

    Time cycle_{0};
    std::array<std::vector<Window>, kTrafficClasses> windows_;  ///< by class, ascending, a gap between them
};

/// Classes as a text names them, "0-3,6", as a bit each; std::nullopt if it is not of that form.
std::optional<unsigned> read_classes(const std::string& text);
/// Returns the classes as read_classes() reads them: "0,1,2,3,6".
std::string classes_text(unsigned classes);

}  // namespace watershed
