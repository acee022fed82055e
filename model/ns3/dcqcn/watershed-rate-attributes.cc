// SPDX-License-Identifier: GPL-2.0-only
// The parameters of all laws of rate as attributes of a sender.
#include "model/base/rate-laws.h"
#include "model/ns3/dcqcn/watershed-dcqcn-sender.h"
#include "model/ns3/device/watershed-attribute.h"

namespace watershed {
namespace {

ns3::Ptr<const ns3::AttributeChecker> CheckerOf(Time) { return ns3::MakeTimeChecker(ns3::NanoSeconds(1)); }
ns3::Ptr<const ns3::AttributeChecker> CheckerOf(BitRate) { return ns3::MakeDataRateChecker(); }
ns3::Ptr<const ns3::AttributeChecker> CheckerOf(Bytes) { return ns3::MakeUintegerChecker<std::uint64_t>(1, INT64_MAX); }
ns3::Ptr<const ns3::AttributeChecker> CheckerOf(int) { return ns3::MakeUintegerChecker<std::uint32_t>(0, 1000); }
ns3::Ptr<const ns3::AttributeChecker> CheckerOf(Ratio) { return ns3::MakeDoubleChecker<double>(0, 1); }
ns3::Ptr<const ns3::AttributeChecker> CheckerOf(double) { return ns3::MakeDoubleChecker<double>(1e-6, 1e6); }
ns3::Ptr<const ns3::AttributeChecker> CheckerOf(bool) { return ns3::MakeBooleanChecker(); }

}  // namespace

void WatershedDcqcnSender::AddRateAttributes(ns3::TypeId& tid) {
    const auto add = [&](auto law, auto field, const char* name, const char* help) {
        RateParameters initial;
        auto& value = initial.*law.*field;
        using Value = decltype(ValueOf(value));
        const auto accessor = ns3::Create<WatershedAccessor<WatershedDcqcnSender, Value>>(
            [=](WatershedDcqcnSender& self, const Value& given) {
                return Read(given.Get(), *self.m_parameters.*law.*field);
            },
            [=](const WatershedDcqcnSender& self) { return ValueOf(*self.m_parameters.*law.*field); });
        tid.AddAttribute(name, help, ValueOf(value), accessor, CheckerOf(value));
    };
    constexpr auto dcqcn = &RateParameters::dcqcn;
    add(dcqcn, &Dcqcn::gain, "Gain", "DCQCN: of the estimate alpha, the paper's g; to a thousandth, or a 1024th.");
    add(dcqcn, &Dcqcn::alpha_timer, "AlphaTimer", "DCQCN: without a notification after which alpha falls.");
    add(dcqcn, &Dcqcn::rate_timer, "RateTimer", "DCQCN: after which the rate is increased, the paper's T.");
    add(dcqcn, &Dcqcn::byte_counter, "ByteCounter",
        "DCQCN: bytes of the link after which it is increased, too: the paper's B.");
    add(dcqcn, &Dcqcn::fast_recovery, "FastRecovery",
        "DCQCN: increases that only halve the distance to the target, the paper's F.");
    add(dcqcn, &Dcqcn::additive_increase, "AdditiveIncrease", "DCQCN: of the target, the paper's R_AI.");
    add(dcqcn, &Dcqcn::hyper_increase, "HyperIncrease",
        "DCQCN: of the target, once timer and bytes both count so far, R_HAI.");
    add(dcqcn, &Dcqcn::least, "LeastRate", "DCQCN: the rate is never cut below it.");
    constexpr auto connectx = &RateParameters::connectx;
    add(connectx, &DcqcnConnectx::cut_timer, "CutTimer",
        "DCQCN of ConnectX: between cuts, rate_reduce_monitor_period of the cards.");
    add(connectx, &DcqcnConnectx::clamps, "ClampTarget",
        "DCQCN of ConnectX: each cut sets the target, not the first after an increase alone; clamp_tgt_rate.");
    constexpr auto hpcc = &RateParameters::hpcc;
    add(hpcc, &Hpcc::base_rtt, "BaseRtt", "HPCC: round trip of the longest path without queues, the paper's T.");
    add(hpcc, &Hpcc::eta, "Eta", "HPCC: target utilisation of links; to a thousandth, or a 1024th.");
    add(hpcc, &Hpcc::max_stage, "MaxStage", "HPCC: additive increases before one by target and utilisation.");
    add(hpcc, &Hpcc::additive, "AdditiveWindow", "HPCC: additive increase of the window in bytes of the link, W_AI.");
    constexpr auto swift = &RateParameters::swift;
    add(swift, &Swift::base_target, "BaseTarget", "Swift: target of the round trip without switches on the way.");
    add(swift, &Swift::hop_scaling, "HopScaling", "Swift: target of each switch on the way.");
    add(swift, &Swift::flow_scaling, "FlowScaling", "Swift: range of what narrow windows add, fs_range.");
    add(swift, &Swift::flow_scaling_from, "FlowScalingFrom", "Swift: packets of a window that gets it all.");
    add(swift, &Swift::flow_scaling_to, "FlowScalingTo", "Swift: packets of a window that gets none of it.");
    add(swift, &Swift::additive, "AdditivePackets", "Swift: packets by which a window grows in a round trip, ai.");
    add(swift, &Swift::beta, "Beta", "Swift: of the excess over the target by which a window shrinks.");
    add(swift, &Swift::max_decrease, "MaxDecrease", "Swift: most of a window that goes at once, max_mdf.");
    add(swift, &Swift::min_window, "MinWindow", "Swift: packets of the narrowest window.");
    add(swift, &Swift::max_window, "MaxWindow", "Swift: packets of the widest window.");
}

}  // namespace watershed
