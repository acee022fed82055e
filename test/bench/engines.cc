// SPDX-License-Identifier: GPL-2.0-only
#include <malloc.h>
#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/ns3/engine/ns3-engine.h"
#include "model/ns3/helper/watershed-switch-helper.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/output-file.h"
#include "stock-ns3.h"

// How fast each engine follows the same burst, and what maps, boundaries, jobs and ranks cost. Everything but these is
// timed in this process, in processor time, the median of three, or once where it takes long; jobs and ranks by the
// clock on the wall, on a machine that should have nothing else to do. The table says on what machine. Losses are
// compared before anything is timed.

using namespace watershed;
using StockStack = stock::Wiring::Stack;

namespace {

nlohmann::json report;

Scenario burst(std::int64_t events, Time separation = Time{8'000'000}, std::int64_t room = 300'000) {
    Scenario s;
    s.front_end.modules = 44;
    s.trigger.separation = separation;
    s.trigger.events = events;
    s.network_switch.buffer.size = {room};
    return s;
}

double heap() {
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// Processor time of this process, which others on the machine do not disturb; it runs one thing at a time.
double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double clock_on_the_wall() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double seconds(const std::function<void()>& work, int times = 3, double (*clock)() = processor_time) {
    std::vector<double> taken;
    for (int i = 0; i < times; ++i) {
        const double start = clock();
        work();
        taken.push_back(clock() - start);
    }
    std::sort(taken.begin(), taken.end());
    return taken[taken.size() / 2];
}

/// The contract's recursion in its barest form, no losses told apart: what a frame costs if nothing but time and count
/// are kept.
std::int64_t bare_loop(const Scenario& s, bool by_trigger) {
    const std::int64_t slot = 872'000, arrival = 8'720'000, room = s.network_switch.buffer.size.amount;
    const std::int64_t step = std::max(s.trigger.separation.count(), arrival);
    std::int64_t held = 0, progress = 0, lost = 0;
    for (std::int64_t event = 0; event < *s.trigger.events; ++event) {
        progress = held > 0 ? progress + step : 0;
        const std::int64_t left = std::min(held, progress / slot);
        held -= left;
        progress = held > 0 ? progress - left * slot : 0;
        if (by_trigger) {
            const std::int64_t taken = std::min<std::int64_t>(s.front_end.modules, room - held);
            held += taken;
            lost += s.front_end.modules - taken;
        } else {
            for (int module = 0; module < s.front_end.modules; ++module) {
                const bool fits = held < room;
                held += fits;
                lost += !fits;
                __asm__ volatile("" : "+r"(held));  // else the compiler makes one step of the loop
            }
        }
    }
    return lost;
}

/// The same burst as the packets of hosts, which the switch forwards as a bridge does.
std::int64_t bridge(const Scenario& s) {
    using namespace ns3;
    const NodeContainer cameras(static_cast<std::uint32_t>(s.front_end.modules)), server(1);
    const ns3::Ptr<ns3::Node> middle = NodeContainer(1).Get(0);
    WatershedSwitchHelper helper;
    helper.Set("MaxSize", StringValue(std::to_string(s.network_switch.buffer.size.amount) + "p"));
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(s.front_end.link_rate.count)));
    const NetDeviceContainer devices = helper.Install(cameras, middle);
    helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(s.network_switch.uplink_rate.count)));
    const auto sink = helper.Install(server, middle).Get(0);
    for (std::uint32_t i = 0; i < devices.GetN(); ++i) devices.Get(i)->SetAttribute("FifoLimit", UintegerValue(0));
    WatershedSwitchHelper::PopulateTables();
    std::int64_t received = 0, sent = 0;
    sink->SetReceiveCallback([&](Ptr<NetDevice>, Ptr<const Packet>, std::uint16_t, const Address&) {
        ++received;
        return true;
    });
    constexpr std::uint32_t kIpAndUdp = 28;
    const Address to = sink->GetAddress();
    std::function<void()> trigger = [&] {
        for (std::uint32_t i = 0; i < devices.GetN(); ++i)
            devices.Get(i)->Send(Create<Packet>(static_cast<std::uint32_t>(s.frame.payload.count) + kIpAndUdp), to,
                                 0x0800);
        if (++sent < *s.trigger.events)
            Simulator::Schedule(PicoSeconds(static_cast<std::uint64_t>(s.trigger.separation.count())),
                                [&] { trigger(); });
    };
    Simulator::Schedule(MilliSeconds(1), [&] { trigger(); });
    Simulator::Run();
    Simulator::Destroy();
    return *s.trigger.events * s.front_end.modules - received;
}

/// The losses of one run.
using Run = std::function<std::int64_t(const Scenario&)>;

struct Contestant {
    std::string name;
    Run run;
    std::int64_t events;  ///< of the burst it is timed with
    double events_per_frame = 0;
    double heap_per_frame = 0;
};

std::int64_t frames(const Scenario& s) { return *s.trigger.events * s.front_end.modules; }
/// Waiting when the last trigger has come: 44 arrive and 10 leave while an event lasts on the link.
double queued(std::int64_t events) { return 34.0 * static_cast<double>(events); }

std::vector<Contestant> contestants() {
    const auto stock_run = [](StockStack stack) {
        return
            [stack](const Scenario& s) { return frames(s) - stock::run(s, stock::wiring_of(s, stack), heap).received; };
    };
    const auto ns3_run = [](bool packets_at_once) {
        return [packets_at_once](const Scenario& s) { return Ns3Engine({}, packets_at_once).run(s).frames_lost(); };
    };
    const auto exact = [](ExactEngine::Path path) {
        return [path](const Scenario& s) { return ExactEngine(path).run(s).frames_lost(); };
    };
    std::vector<Contestant> all{
        {"stock ns-3: sockets, IP, PointToPoint", stock_run(StockStack::Sockets), 1000},
        {"stock ns-3: PointToPoint devices alone", stock_run(StockStack::Devices), 8000},
        {"ns3 engine", ns3_run(false), 8000},
        {"ns3 engine, a packet made for every frame", ns3_run(true), 8000},
        {"ns3 switch, packets that hosts send by it", bridge, 8000},
        {"exact engine, general path", exact(ExactEngine::Path::General), 8000},
        {"exact engine, frame by frame",
         [](const Scenario& s) { return run_by_frame(*SynchronousCamera::of(s), s, nullptr).frames_lost(); }, 8000},
        {"exact engine, trigger by trigger", exact(ExactEngine::Path::Fastest), 1'000'000},
        {"bare loop over frames", [](const Scenario& s) { return bare_loop(s, false); }, 100'000},
        {"bare loop over triggers", [](const Scenario& s) { return bare_loop(s, true); }, 1'000'000}};
    return all;
}

/// Events and heap of those that ns-3 runs.
void look_inside(std::vector<Contestant>& all) {
    for (const std::size_t i : {0u, 1u}) {
        Contestant& contestant = all[i];
        const Scenario s = burst(contestant.events);
        const stock::Result result =
            stock::run(s, stock::wiring_of(s, i == 0 ? StockStack::Sockets : StockStack::Devices), heap);
        contestant.events_per_frame =
            static_cast<double>(result.events) / static_cast<double>(frames(burst(contestant.events)));
        contestant.heap_per_frame = result.queued_heap / queued(contestant.events);
    }
    for (const std::size_t i : {2u, 3u}) {
        Ns3Engine engine({}, i == 3);
        double most = 0, before = heap();
        std::int64_t at = 1;
        Observer observer;
        observer.progress = [&](std::int64_t event) {
            most = heap() - before;
            at = event;
        };
        const Scenario s = burst(8000);
        engine.run(s, &observer);
        all[i].events_per_frame = static_cast<double>(engine.event_count()) / static_cast<double>(frames(s));
        all[i].heap_per_frame = most / queued(at);
    }
}

/// 9.001 us and 0.872 us have no common multiple within the burst: no departure meets an arrival, whose order stock
/// ns-3 leaves to chance.
void check_agreement(const std::vector<Contestant>& all) {
    const Scenario s = burst(600, Time{9'001'000}, 4000);
    const std::int64_t expected = all[5].run(s);
    if (expected == 0) throw std::runtime_error("the comparison needs losses");
    for (const Contestant& each : all)
        if (const std::int64_t lost = each.run(s); lost != expected)
            throw std::runtime_error(each.name + " loses " + std::to_string(lost) + " frames, the exact engine " +
                                     std::to_string(expected));
    std::printf("all lose the same %lld of %lld frames (600 events, 9.001 us apart, 4000 frames of memory)\n\n",
                static_cast<long long>(expected), static_cast<long long>(frames(s)));
}

void speeds(const std::vector<Contestant>& all) {
    std::printf("%-42s %12s %10s %14s %14s\n", "44 modules, 8 us apart, no loss", "Mframes/s", "ratio", "events/frame",
                "heap B/frame");
    double first = 0;
    for (const Contestant& each : all) {
        // A memory that nothing overflows.
        const Scenario s = burst(each.events, Time{8'000'000}, 100'000'000);
        const double rate = static_cast<double>(frames(s)) / seconds([&] { each.run(s); });
        if (first == 0) first = rate;
        const auto cell = [](double value) {
            return value > 0 ? std::to_string(value).substr(0, 6) : std::string("-");
        };
        std::printf("%-42s %12.4g %10.4g %14s %14s\n", each.name.c_str(), rate / 1e6, rate / first,
                    cell(each.events_per_frame).c_str(), cell(each.heap_per_frame).c_str());
        report["engines"].push_back({{"name", each.name},
                                     {"frames_per_s", rate},
                                     {"ratio_to_stock", rate / first},
                                     {"events_per_frame", each.events_per_frame},
                                     {"heap_bytes_per_queued_frame", each.heap_per_frame}});
    }
}

/// Who leaves in place what ns-3 installs beneath IP gets losses nobody asked for: FqCoDel takes 10240 packets in front
/// of a device queue of 100.
void default_queue_disc() {
    const Scenario s = burst(1000, Time{8'000'000}, 100'000'000);
    std::int64_t lost = 0;
    const double taken = seconds([&] { lost = frames(s) - stock::run(s, stock::as_installed(s), heap).received; }, 1);
    std::printf(
        "stock ns-3 with the queues and queue discs it installs by itself: %.4g Mframes/s, loses %lld of %lld frames "
        "where the rows above lose none\n\n",
        static_cast<double>(frames(s)) / taken / 1e6, static_cast<long long>(lost), static_cast<long long>(frames(s)));
    report["default_queue_disc"] = {
        {"frames_per_s", static_cast<double>(frames(s)) / taken}, {"frames_sent", frames(s)}, {"frames_lost", lost}};
}

void note(const std::string& group, const std::string& what, double taken) {
    std::printf("%-58s %12.4g s\n", what.c_str(), taken);
    report[group].push_back({{"what", what}, {"seconds", taken}});
}

std::vector<Time> line(Time first, Time last, std::int64_t count) {
    std::vector<Time> times;
    for (std::int64_t i = 0; i < count; ++i) times.push_back(first + (last - first) * i / (count - 1));
    return times;
}

void sweeps() {
    std::vector<std::int64_t> lengths;
    for (std::int64_t i = 0; i < 40; ++i) lengths.push_back(1 + 19'999 * i / 39);
    const auto map = [&](const Scenario& s) {
        ExactEngine engine;
        for (const Time d : line(Time{8'720'000}, Time{38'000'000}, 40)) map_column(engine, s, d, lengths);
    };
    Scenario s = burst(1);
    note("sweeps", "map of 40 x 40, 1 to 20000 events, one shared memory", seconds([&] { map(s); }));
    note("sweeps", "1000 points of its boundary", seconds([&] {
             ExactEngine engine;
             for (const Time d : line(Time{8'720'000}, Time{38'367'999}, 1000)) find_boundary(engine, s, d, 1'000'000);
         }));
    note("sweeps", "the same map in ns-3",
         seconds(
             [&] {
                 for (const Time d : line(Time{8'720'000}, Time{38'000'000}, 40)) {
                     Ns3Engine engine;
                     map_column(engine, s, d, lengths);
                 }
             },
             1));
    note("sweeps", "4 points of the boundary of 30000 frames in ns-3", seconds([&] {
             Scenario shallow = s;
             shallow.network_switch.buffer.size = {30'000};
             for (const Time d : line(Time{8'720'000}, Time{36'000'000}, 4)) {
                 Ns3Engine engine;
                 find_boundary(engine, shallow, d, 1'000'000);
             }
         }));
    s.network_switch.buffer = {};
    s.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    s.network_switch.buffer.size = {7000};
    note("sweeps", "the same map, a memory for each input", seconds([&] { map(s); }));
}

std::string content(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The program itself, once for each number of jobs or ranks; every file must be the first one's.
void scaling() {
    const char *program = std::getenv("WATERSHED"), *source = std::getenv("WATERSHED_SOURCE");
    if (!program || !source)
        throw std::runtime_error(
            "expected WATERSHED and WATERSHED_SOURCE in the environment, as ./waf bench sets them");
    const std::string map =
        std::string("'") + program + "' map '" + source +
        "/scenarios/second-stream.toml' --separation 20us:50us:40 --events 1:400:40 --engine ns3 -o scaling.csv";
    std::string first;
    double alone = 0;
    for (const bool ranks : {false, true}) {
        for (int n = ranks ? 2 : 1; n <= default_jobs(); n *= 2) {
            const std::string count = std::to_string(n);
            const std::string command =
                ranks ? "mpirun --allow-run-as-root --oversubscribe -n " + count + " " + map : map + " --jobs " + count;
            bool failed = false;
            const double taken =
                seconds([&] { failed = failed || std::system((command + " >scaling.log 2>&1").c_str()) != 0; }, 3,
                        clock_on_the_wall);
            if (failed && ranks) {
                std::printf("ranks: not measured, for there is no mpirun, or MPI is not built in: scaling.log tells\n");
                return;
            }
            if (failed) throw std::runtime_error(command + " failed");
            if (first.empty()) first = content("scaling.csv");
            if (content("scaling.csv") != first)
                throw std::runtime_error("another map with " + count + (ranks ? " ranks" : " jobs"));
            if (alone == 0) alone = taken;
            char what[80];
            std::snprintf(what, sizeof what, "map of 1600 points in ns-3, %d %s: x %.2f", n, ranks ? "ranks" : "jobs",
                          alone / taken);
            note(ranks ? "ranks" : "jobs", what, taken);
        }
    }
}

void costs() {
    const auto both = [](const std::string& what, const Scenario& s) {
        for (const bool exact : {true, false}) {
            const double taken = seconds([&] { exact ? ExactEngine().run(s) : Ns3Engine().run(s); });
            const double each = taken / static_cast<double>(frames(s)) * 1e9;
            std::printf("%-44s %-8s %12.4g ns a frame\n", what.c_str(), exact ? "exact" : "ns3", each);
            report["costs"].push_back({{"what", what}, {"engine", exact ? "exact" : "ns3"}, {"ns_per_frame", each}});
        }
    };
    for (const int modules : {11, 44, 176}) {
        Scenario s = burst(2000);
        s.front_end.modules = modules;
        both(std::to_string(modules) + " modules", s);
    }
    for (const std::int64_t room : {300, 3000, 30'000})
        both("memory of " + std::to_string(room) + " frames", burst(2000, Time{8'000'000}, room));
    for (const std::int64_t events : {100, 1000, 10'000})
        both("bursts of " + std::to_string(events) + " events", burst(events));
}

/// A second of the whole camera: 265 modules on six switches, Poisson triggers of 8 kHz, one frame or two to a
/// fragment.
void whole_camera() {
    for (const std::int64_t payload : {1024, 2360}) {
        Scenario s;
        s.frame.payload = Bytes{payload};
        s.frame.split = true;
        s.front_end.modules = 265;
        s.trigger.pattern = Trigger::Pattern::Poisson;
        s.trigger.rate = {8'000'000'000};
        s.trigger.dead_time = Time{2'000'000};
        s.trigger.duration = Time{1'000'000'000'000};
        s.network_switch.count = 6;
        s.network_switch.buffer = {};
        s.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
        s.network_switch.buffer.size = {7000};
        if (!(ExactEngine().run(s) == Ns3Engine().run(s)))
            throw std::runtime_error("the engines disagree on the whole camera");
        for (const bool exact : {true, false})
            note("camera",
                 "whole camera, 8 kHz for 1 s, " + std::to_string(payload) + " B, " + (exact ? "exact" : "ns3"),
                 seconds([&] { exact ? ExactEngine().run(s) : Ns3Engine().run(s); }));
    }
}

std::string processor() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string text; std::getline(in, text);)
        if (text.rfind("model name", 0) == 0) return text.substr(text.find(':') + 2);
    return "unknown processor";
}

}  // namespace

int main(int argc, char** argv) {
    Provenance::set_command_line(argc, argv);
    utsname system{};
    uname(&system);
    report["machine"] = {{"processor", processor()},
                         {"cores", std::thread::hardware_concurrency()},
                         {"system", std::string(system.sysname) + " " + system.release},
                         {"compiler", __VERSION__},
                         {"program", Provenance::program()}};
    std::printf("%s, %u cores, %s %s, g++ %s\n", processor().c_str(), std::thread::hardware_concurrency(),
                system.sysname, system.release, __VERSION__);
    try {
        const OutputFile checked("bench.json");
        Ns3Engine().run(burst(1));  // sets the resolution of ns-3's time before stock objects keep times
        auto all = contestants();
        if (argc == 3) {  // one of them alone, whose instructions somebody counts
            all.at(std::stoul(argv[1])).run(burst(std::stoll(argv[2]), Time{8'000'000}, 100'000'000));
            return 0;
        }
        look_inside(all);
        check_agreement(all);
        speeds(all);
        std::printf("\n");
        default_queue_disc();
        whole_camera();
        sweeps();
        scaling();
        std::printf("\n");
        costs();
        OutputFile file("bench.json");
        file.stream() << report.dump(2) << "\n";
        file.commit();
        std::printf("\nbench.json has all of it\n");
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
