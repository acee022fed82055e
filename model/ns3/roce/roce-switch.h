// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object.h>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "model/base/pause-gate.h"
#include "model/ns3/core/watershed-frame-handler.h"
#include "model/ns3/core/watershed-net-device.h"
#include "model/ns3/roce/roce-frame.h"
#include "model/roce/distribution.h"
#include "model/switch/pause-control.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// A store-and-forward switch between producers and consumers. Data wait for their output in the shared memory, which
/// is accounted for by input: an input that has its share tells its producer to pause (802.1Qbb), and what comes until
/// that works goes to the input's headroom. A consumer may pause its output. Congestion notifications go back in a
/// class of their own, of no account here.
class RoceSwitch : public ns3::Object, private WatershedFrameHandler {
  public:
    /// Of a frame that was lost.
    using Lost = std::function<void(const roce::Headers&, const LossCause&, Time)>;

    static ns3::TypeId GetTypeId();

    void Configure(const Distribution& distribution, std::uint64_t seed, Lost lost);
    /// Producers first, each in the order of their numbers.
    void AddPort(ns3::Ptr<WatershedNetDevice> device);

    const SwitchMemory& GetMemory() const { return *m_memory; }
    std::int64_t GetPauses() const { return m_pauses ? m_pauses->pauses() : 0; }
    std::int64_t GetMarked() const { return m_marked; }
    std::int64_t GetPausesObeyed() const { return m_pausesObeyed; }
    /// Of all outputs together.
    Time GetPauseTime(Time now) const;

  private:
    struct Stored {
        WatershedFrame frame;
        MemoryClaim claim;
    };
    struct Output {
        std::deque<Stored> queue;  ///< the first is being sent, if `sending`
        Bytes queued{0};
        PauseGate gate;
        bool sending = false;
    };

    void DoDispose() override;
    void FrameArrived(std::uint32_t port, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t port, const Moment& now) override;
    void FromConsumer(std::size_t output, const WatershedFrame& frame, Time now);
    void Send(std::size_t output, Time now);
    void GoOn(std::size_t output);
    void Order(int input, Time now);
    void Tell(int input, std::int64_t quanta, Time now);
    void Renew(int input);

    Distribution m_distribution;
    std::uint64_t m_seed = 1;
    Lost m_lost;
    std::vector<ns3::Ptr<WatershedNetDevice>> m_devices;
    std::unique_ptr<SwitchMemory> m_memory;
    std::optional<PauseControl> m_pauses;
    std::vector<Output> m_outputs;
    std::uint64_t m_arrived = 0;
    std::int64_t m_marked = 0, m_pausesObeyed = 0;
};

}  // namespace watershed
