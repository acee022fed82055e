// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>

#include "model/base/quantities.h"

namespace watershed {

/// How much has come of each flow, for memories that prefer the first frames of a flow (Apostolaki, Addanki, Ghobadi
/// and Vanbever, Workshop on Buffer Sizing 2019: FAB). Nothing is forgotten.
template <class Flow>
class FlowBytes {
  public:
    /// A frame comes. @return whether it begins within the first bytes of its flow
    bool is_first(const Flow& flow, Bytes frame, Bytes first) {
        Bytes& came = came_[flow];
        const bool begins = came < first;
        came += frame;
        return begins;
    }

  private:
    std::map<Flow, Bytes> came_;
};

}  // namespace watershed
