// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "model/base/quantities.h"
#include "model/switch/sharing.h"

namespace watershed {

/// Level to which a queue must have fallen: a fraction of the amount that it held at the drop, or an amount.
using ResumeLevel = std::variant<Ratio, MemorySize>;

/// The memory of a switch and the rules for its use.
struct Buffer {
    using Sharing = watershed::Sharing;
    /// Ports whose queues share the memory, and are counted.
    enum class Accounting { Egress, Ingress, Both, Mixed };
    /// Moment at which a frame gives its memory back: when it has left, or when it begins to leave.
    enum class Release { End, Start };

    Sharing sharing;                                 ///< sharing policy; default: one memory for all ports
    MemorySize size;                                 ///< the whole memory, or each port's own
    Accounting accounting = Accounting::Egress;      ///< used by the shared kinds
    Bytes cell{0};                                   ///< memory is handed out in cells of this size; 0: it is not
    Bytes cell_header{0};                            ///< bytes stored with each frame, where there are cells
    std::optional<std::int64_t> descriptors{};       ///< frames that `size` holds at most, however small
    int slices = 1;                                  ///< the memory is split evenly among so many groups of ports
    MemorySize reserved{0, MemorySize::Unit::Byte};  ///< amount of each queue alone, beside `size`
    Ratio alpha{};                                   ///< factor of the dynamic thresholds
    MemorySize excess{0, MemorySize::Unit::Byte};    ///< amount of the enhanced dynamic threshold
    std::optional<std::int64_t>
        threshold_mantissa{};           ///< bits that a dynamic threshold keeps, rounded down; absent: all
    bool threshold_extra_step = false;  ///< rounded down, it is then raised to the next such number
    Bytes first_bytes{0};          ///< first bytes of each flow; frames that begin within them are its first; 0: none
    Ratio first_alpha{};           ///< factor of the dynamic thresholds for these
    Time first_idle{0};            ///< a flow silent for longer begins anew; 0: none does
    bool threshold_whole = false;  ///< no frame takes a queue above its dynamic threshold
    Ratio port_alpha{};            ///< factor of a port's quota, under nested thresholds
    std::vector<MemorySize> step_free{};                   ///< ascending: from so much free on a queue holds at most
    std::vector<MemorySize> step_limits{};                 ///< this, under stepped thresholds; below the first nothing
    Ratio filter{};                                        ///< weight of the past in a filtered queue, under Reverie
    MemorySize congested_from{0, MemorySize::Unit::Byte};  ///< a queue of this filtered length is congested there
    int queues = 1;                                        ///< traffic classes of a port
    bool queue_split = false;                              ///< each class has its share of `size`; the camera uses one
    int classes = 1;  ///< not a key: queues of each port that have accounts of their own, one for each traffic class
    unsigned lossless = 0;                   ///< not a key: bit c for a class c that flow control pauses
    std::vector<MemorySize> class_limits{};  ///< most that the queue of each class holds, from class 0 on
    std::vector<Ratio> class_alphas{};       ///< factors by class, in place of `alpha`
    std::optional<MemorySize> port_limit{};  ///< most that all queues of a port that have accounts hold together
    std::optional<ResumeLevel>
        resume{};  ///< after a drop for want of memory a queue refuses until it has fallen to this
    std::optional<ResumeLevel> descriptors_resume{};  ///< level after a drop for want of descriptors; absent: `resume`
    Release release = Release::End;
    MemorySize wred_from{0, MemorySize::Unit::Byte};  ///< level of a queue at which random early detection begins
    MemorySize wred_to{0, MemorySize::Unit::Byte};    ///< level from which it drops every frame; 0: there is none
    Ratio wred_probability{0, 1};                     ///< probability just below `wred_to`
    std::vector<MemorySize> class_wred_from{}, class_wred_to{};  ///< by class, in place of `wred_from` and `wred_to`
    std::vector<Ratio> class_wred_probability{};
    bool ecn = false;  ///< frames are marked instead of dropped; UDP senders take no notice
    MemorySize headroom{0, MemorySize::Unit::Byte};  ///< room of each input, beside `size`, for frames that come
                                                     ///< although it was told to pause
    std::vector<MemorySize> class_headrooms{};       ///< headroom of classes 0, 1, … of each input; others share one
    std::optional<MemorySize> headroom_pool{};       ///< pool of the headroom of all inputs, split by slices;
                                                     ///< absent: each input has its own
    std::optional<MemorySize> egress_size{};  ///< size of the outputs' pool, where both sides decide; absent: as `size`
    std::optional<Ratio> egress_alpha{};      ///< factor of their dynamic thresholds; absent: they have none
    std::optional<MemorySize> egress_lossless_size{};  ///< pool of their lossless classes; absent: none of their own
    std::optional<Ratio> egress_lossless_alpha{};      ///< factor of the thresholds there; absent: none
    MemorySize egress_reserved{0, MemorySize::Unit::Byte};  ///< amount of each output's queue, beside their pool
    std::optional<MemorySize> dram{};                       ///< second tier behind `size`, to which long queues move
    MemorySize dram_from{0, MemorySize::Unit::Byte};        ///< most of a queue in the first tier
    std::optional<BitRate> dram_rate{};                     ///< rate at which frames are written to it, one by one
    std::int64_t egress_pipeline = 0;  ///< frames of each output that are on their way out and in the memory no more

    /// Random early detection in a queue; none if `to` is 0.
    struct Early {
        MemorySize from, to;
        Ratio probability;
    };
    Early early_of(int traffic_class) const {
        const auto at = [index = static_cast<std::size_t>(traffic_class)](const auto& of_classes, const auto& of_all) {
            return index < of_classes.size() ? of_classes[index] : of_all;
        };
        return {at(class_wred_from, wred_from), at(class_wred_to, wred_to),
                at(class_wred_probability, wred_probability)};
    }
    bool drops_early() const {
        return wred_to.amount > 0 || std::any_of(class_wred_to.begin(), class_wred_to.end(),
                                                 [](const MemorySize& to) { return to.amount > 0; });
    }
    void forget_early() {
        wred_to.amount = 0;
        class_wred_to.clear();
    }
};

}  // namespace watershed
