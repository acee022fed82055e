// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/address.h>
#include <ns3/application.h>
#include <ns3/data-rate.h>
#include <ns3/event-id.h>
#include <ns3/log.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/socket.h>
#include <ns3/traced-callback.h>

#include <cstdint>
#include <memory>
#include <string>

#include "model/ns3/base/watershed-namespace.h"

namespace watershed {

struct RateParameters;
struct Transport;

/// A flow that sends UDP as fast as the law of its rate lets it: DCQCN, or one of the others that rate_laws() names.
/// Its packets say that they can be marked (ECT(0)); every datagram that comes back is an answer or a notification, as
/// a WatershedDcqcnReceiver sends it. For any node with a stack of IPv4. Flows of a node take turns at its link, and a
/// port that is paused stops them, as an adapter of RoCE does: a packet is sent when the port can send it at once.
class WatershedDcqcnSender : public ns3::Application {
  public:
    static ns3::TypeId GetTypeId();  ///< @return the id of this class, with attributes and trace sources
    WatershedDcqcnSender();
    ~WatershedDcqcnSender() override;

    /// @return now, in bits per second of the link
    ns3::DataRate GetRate();
    /// @return payload that was sent, repeated or not
    std::uint64_t GetSent() const { return m_sent; }
    /// @return payload up to the first that was not acknowledged; all that was sent without "Recovery"
    std::uint64_t GetAcknowledged() const;
    /// @return time from its start until all was acknowledged; 0 before
    ns3::Time GetCompletionTime() const { return m_completionTime; }
    std::uint64_t GetNotifications() const { return m_notifications; }  ///< @return notifications that came

    /// Notified. @param rate  the new one
    using NotificationTracedCallback = void (*)(ns3::DataRate rate);
    /// Completed. @param bytes, time  that were acknowledged, since the start
    using CompletionTracedCallback = void (*)(std::uint64_t bytes, ns3::Time time);

  private:
    static ns3::LogComponent g_log;
    static void AddRateAttributes(ns3::TypeId& tid);
    void StartApplication() override;
    void StopApplication() override;
    void DoDispose() override;
    bool SetRecovery(std::string recovery);
    std::string GetRecovery() const { return m_recovery; }
    bool SetLaw(std::string law);
    std::string GetLaw() const { return m_law; }
    void ScheduleNext();
    /// The next packet waits by the rate of now, which an answer or a notification has changed. Timers of a law leave
    /// it as it waits; both as in the simulator of HPCC.
    void Repace();
    /// @return false if there is nothing to send
    bool Send();
    void Receive(ns3::Ptr<ns3::Socket> socket);
    void Answered(const Transport& answer, const ns3::Packet& packet);
    void TimedOut();

    ns3::Address m_remote;
    ns3::DataRate m_linkRate;
    std::uint32_t m_packetSize = 0, m_overhead = 0;
    std::uint64_t m_maxBytes = 0, m_window = 0;
    std::string m_recovery, m_law;
    std::unique_ptr<RateParameters> m_parameters;
    std::uint32_t m_ackEvery = 0, m_reorderWindow = 0;
    ns3::Time m_timeoutAfter;
    std::uint8_t m_tos = 0;

    ns3::Ptr<ns3::Socket> m_socket;
    struct Flow;
    std::unique_ptr<Flow> m_flow;  ///< from the start on
    ns3::EventId m_next, m_timeout;
    ns3::Time m_completionTime;
    std::uint64_t m_sent = 0, m_notifications = 0;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>> m_tx;
    ns3::TracedCallback<ns3::DataRate> m_notified;
    ns3::TracedCallback<std::uint64_t, ns3::Time> m_completed;
    ns3::TracedCallback<ns3::Time> m_rtt;
};

}  // namespace watershed
