#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Hosts that send a burst to one server at once, from Python (cppyy): its memory and its link decide what arrives. For each number of hosts it prints
what was received, and what the closed form says: while bursts of n frames each arrive, n - 1 leave, and the memory holds more.

    ./ns3 run contrib/watershed/examples/udp-burst.py"""

from ns import ns

FRAMES, MEMORY = 200, 100


def received(hosts):
    nodes, switches = ns.NodeContainer(hosts + 1), ns.NodeContainer(1)
    helper = ns.WatershedSwitchHelper()
    helper.Set("MaxSize", ns.StringValue(f"{MEMORY}p"))
    helper.SetDeviceAttribute("DataRate", ns.StringValue("1Gbps"))
    devices = helper.Install(nodes, switches.Get(0))
    ns.InternetStackHelper().Install(nodes)
    addresses = ns.Ipv4AddressHelper()
    addresses.SetBase(ns.Ipv4Address("10.0.0.0"), ns.Ipv4Mask("255.255.255.0"))
    interfaces = addresses.Assign(devices)
    ns.WatershedSwitchHelper.PopulateTables()
    ns.WatershedSwitchHelper.PopulateNeighbors(interfaces)
    server = ns.UdpServerHelper(9).Install(ns.NodeContainer(nodes.Get(hosts))).Get(0)
    client = ns.UdpClientHelper(ns.InetSocketAddress(interfaces.GetAddress(hosts), 9).ConvertTo())
    client.SetAttribute("MaxPackets", ns.UintegerValue(FRAMES))
    client.SetAttribute("Interval", ns.StringValue("0s"))
    for host in range(hosts):
        client.Install(ns.NodeContainer(nodes.Get(host))).Start(ns.Seconds(1))
    ns.Simulator.Stop(ns.Seconds(2))
    ns.Simulator.Run()
    arrived = ns.DynamicCast[ns.UdpServer](server).GetReceived()
    ns.Simulator.Destroy()
    return arrived


print("# hosts  received  closed_form  of")
for hosts in 2, 4, 8:
    print(hosts, received(hosts), min(hosts * FRAMES, FRAMES - 1 + MEMORY), hosts * FRAMES)
