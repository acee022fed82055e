// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/outcome.h"

namespace watershed {

/// Takes down the events some frames of which were lost, in their order: no more of them than whoever looks on wants to
/// keep.
class IncompleteEvents {
  public:
    /// @param observer  may be null; then all are kept
    explicit IncompleteEvents(const Observer* observer) : observer_(observer) {}

    void add(std::int64_t event, std::int64_t missing) {
        const Outcome::IncompleteEvent incomplete{event, missing};
        ++count_;
        last_ = event;
        if (!observer_ || count_ <= observer_->incomplete_kept) kept_.push_back(incomplete);
        if (observer_ && observer_->incomplete) observer_->incomplete(incomplete);
    }

    /// Closes the list of an outcome whose events_sent is known.
    void report(Outcome& outcome) {
        outcome.events_complete = outcome.events_sent - count_;
        outcome.last_incomplete = last_;
        outcome.incomplete = std::move(kept_);
    }

  private:
    const Observer* observer_;
    std::vector<Outcome::IncompleteEvent> kept_;
    std::int64_t count_ = 0;
    std::int64_t last_ = 0;
};

}  // namespace watershed
