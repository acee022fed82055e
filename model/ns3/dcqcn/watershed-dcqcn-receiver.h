// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/address.h>
#include <ns3/application.h>
#include <ns3/log.h>
#include <ns3/nstime.h>
#include <ns3/packet.h>
#include <ns3/socket.h>
#include <ns3/traced-callback.h>

#include <cstdint>
#include <map>
#include <memory>

#include "model/ns3/base/watershed-namespace.h"

namespace watershed {

class QueuePairReceiver;
struct Transport;

/// Receives the flows of WatershedDcqcnSenders. Where a packet of a flow comes with a mark of congestion it sends that
/// flow a notification (CNP), a datagram as long as that of RoCE, but no more than one in "CnpInterval": the paper's
/// notification point. Packets that have numbers it acknowledges, and counts each once. A packet that a switch has
/// trimmed counts as marked here, and if its flow repeats selectively it is asked for at once.
class WatershedDcqcnReceiver : public ns3::Application {
  public:
    static ns3::TypeId GetTypeId();  ///< @return the id of this class, with attributes and trace sources
    WatershedDcqcnReceiver();
    ~WatershedDcqcnReceiver() override;

    std::uint64_t GetReceived() const { return m_received; }            ///< @return bytes of payload, each once
    std::uint64_t GetMarked() const { return m_marked; }                ///< @return packets with a mark
    std::uint64_t GetTrimmed() const { return m_trimmed; }              ///< @return packets that came as headers
    std::uint64_t GetNotifications() const { return m_notifications; }  ///< @return notifications sent

  private:
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it
    void StartApplication() override;
    void StopApplication() override;
    void DoDispose() override;
    void Receive(ns3::Ptr<ns3::Socket> socket);
    void Take(const Transport& transport, const ns3::Packet& packet, const ns3::Address& flow, std::uint8_t tos);
    void Notify(const ns3::Address& flow);
    void SendTo(const ns3::Address& flow, const ns3::Ptr<ns3::Packet>& packet, std::uint8_t tos);

    ns3::Address m_local;
    ns3::Time m_interval;
    std::uint8_t m_tos = 0, m_trimTos = 0;
    ns3::Ptr<ns3::Socket> m_socket;
    std::map<ns3::Address, ns3::Time> m_notified;  ///< time at which each flow was last notified
    std::map<ns3::Address, std::unique_ptr<QueuePairReceiver>> m_pairs;
    std::uint64_t m_received = 0, m_marked = 0, m_trimmed = 0, m_notifications = 0;  ///< bytes, packets, and so on
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, const ns3::Address&> m_rx;
};

}  // namespace watershed
