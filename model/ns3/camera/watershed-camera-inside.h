// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/exact/time-grid.h"
#include "model/network/frame-copies.h"
#include "model/network/network.h"
#include "model/ns3/camera/watershed-copy-tag.h"
#include "model/ns3/switch/watershed-event-driven-bridge.h"
#include "model/switch/arrival-order.h"

namespace watershed {

/// Inside of a switch of a scenario where frames may wait, or be held back at their senders. Frames go from inputs to
/// uplinks, and switches and senders share a WatershedInstant.
class WatershedCameraInside final : public WatershedEventDrivenBridge {
  public:
    /// @param self, place  of the switch, in the network of the scenario
    /// @param copies       that its switches make
    WatershedCameraInside(WatershedSwitchImpl& of, const NetworkScenario& scenario, const Network::Switch& self,
                          const SwitchPlace& place, ns3::Ptr<WatershedInstant> instant,
                          std::shared_ptr<const FrameCopies> copies)
        : WatershedEventDrivenBridge(of, self.settings, place, senders_seen(scenario), exact_times(scenario).grid),
          m_rank(self.settings.arrival_order, self.inputs(), scenario.seed, self.inputs_before,
                 self.all_inputs() - self.inputs()),
          m_inputs(self.all_inputs()),
          m_place(place.number),
          m_copies(std::move(copies)) {
        m_instant = instant;
    }

    const SwitchControl<>& GetControl() const { return m_control; }
    /// After all uplinks.
    void Begin() { m_control.begin(); }

    void FrameBegins(std::uint32_t port, const WatershedFrame& frame, const Timestamp& end,
                     const Timestamp& now) override {
        if (static_cast<int>(port) >= m_inputs) return;
        const auto header = m_control.header_at(static_cast<int>(port), now);
        if (!header || *header >= end || Copies(frame)) return;
        m_instant->DoAt(*header, PlaceOf(port, frame), [this, port, frame, end](const Timestamp& then) {
            m_control.header_in(KeepIt(port, frame), then, end);
        });
    }
    void FrameArrived(std::uint32_t port, const std::optional<FrameId>&, std::uint64_t, WatershedFrame&& frame,
                      const Timestamp& now) override {
        const auto place = PlaceOf(port, frame);
        const auto arrive = [&](WatershedFrame&& arriving) {
            m_instant->DoAt(now, place, [this, port, frame = std::move(arriving)](const Timestamp& then) {
                m_control.frame_in(KeepIt(port, frame), then);
            });
        };
        const std::vector<int>* const copies = Copies(frame);
        if (!copies) return arrive(std::move(frame));
        for (const int copy : *copies) arrive(CopyOf(frame, copy));
    }

  private:
    SameTimeOrder PlaceOf(std::uint32_t input, const WatershedFrame& frame) const {
        // A frame of no event stands where its module would in event 1.
        const auto number = static_cast<int>(input);
        return At(Step::Arrival, number, arrival_rank(m_rank, frame.Identify().value_or(FrameId{1, 0, 0}), number));
    }
    /// Returns the copies to be made of a frame, or null if there are none.
    const std::vector<int>* Copies(const WatershedFrame& frame) const {
        if (!m_copies->are_made()) return nullptr;
        const auto id = IdentifyCopy(*frame.GetPacket());
        if (!id || id->stream != 0) return nullptr;
        const std::vector<int>& copies = m_copies->at(m_place, id->copy);
        return copies.size() > 1 ? &copies : nullptr;
    }
    SwitchedFrame& KeepIt(std::uint32_t input, const WatershedFrame& frame) {
        const auto id = m_copies->are_made() ? IdentifyCopy(*frame.GetPacket()) : frame.Identify();
        SwitchedFrame& kept = Keep(input, std::nullopt, frame);
        if (id) kept.id = *id;
        return kept;
    }

    ArrivalRank m_rank;
    int m_inputs;  ///< with those of streams
    int m_place;   ///< number of the switch
    std::shared_ptr<const FrameCopies> m_copies;
};

}  // namespace watershed
