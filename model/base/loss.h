// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string_view>

namespace watershed {

/// Who lost a frame and why. Each component that loses frames names its own as constants.
struct LossCause {
    std::string_view where;
    std::string_view reason;

    friend bool operator==(const LossCause& a, const LossCause& b) {
        return a.where == b.where && a.reason == b.reason;
    }
};

/// A frame's place in the data taking; event and module count from 1, frame from 0 within the fragment.
/// Or in another stream: then `stream` counts from 1 and `event` its frames, from 1.
struct FrameId {
    std::int64_t event = 0;
    int module = 0;
    int frame = 0;
    int stream = 0;  ///< 0: the camera's
    int copy = 0;    ///< builders that it is for, where each gets a copy: see FrameCopies

    friend bool operator==(const FrameId& a, const FrameId& b) {
        return a.event == b.event && a.module == b.module && a.frame == b.frame && a.stream == b.stream &&
               a.copy == b.copy;
    }
};

}  // namespace watershed
