// SPDX-License-Identifier: GPL-2.0-only

#include <csignal>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "calibrate/instrument/receiving-end.h"
#include "calibrate/measure/frame-record.h"
#include "calibrate/measure/program.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/units.h"

namespace watershed {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PortFacts, name, mtu, queue, megabits, half_duplex, knows_pause, negotiates, obeys,
                                   asks, ring, longer, interrupt_us, merges, others)

namespace {

using nlohmann::json;
using std::chrono::nanoseconds;

constexpr int kVersion = 5;
constexpr std::size_t kLongestAnswer = 64'000'000, kLongestQuestion = 64'000;  // bytes; an answer has a bit a frame

MacAddress mac_of(const std::string& text) {
    unsigned part[6];
    if (std::sscanf(text.c_str(), "%2x:%2x:%2x:%2x:%2x:%2x", &part[0], &part[1], &part[2], &part[3], &part[4],
                    &part[5]) != 6)
        throw std::runtime_error("found \"" + text + "\", expected a MAC address");
    MacAddress mac{};
    for (std::size_t i = 0; i < mac.size(); ++i) mac[i] = std::uint8_t(part[i]);
    return mac;
}

/// @throws std::runtime_error for anything else than a JSON object
json object_of(const std::string& line) {
    json object = json::parse(line, nullptr, false);
    constexpr std::size_t kShown = 80;
    if (!object.is_object())
        throw std::runtime_error("found \"" + line.substr(0, kShown) + "\", expected lines of JSON");
    return object;
}

class RemoteEnd final : public ReceivingEnd {
  public:
    explicit RemoteEnd(const std::string& command) : ReceivingEnd({}), command_(command) { start(); }

    PortFacts facts() const override { return facts_; }

    void begin(const BurstSetting& setting, std::uint32_t run, const std::vector<MacAddress>& senders) override {
        setting_ = setting;
        began_ = Clock::now();
        json macs = json::array();
        for (const MacAddress& mac : senders) macs.push_back(address_text(mac));
        const json question = {{"begin",
                                {{"run", run},
                                 {"ports", setting.ports},
                                 {"payload_bytes", setting.payload.count},
                                 {"events", setting.events},
                                 {"senders", macs}}}};
        // Restart a remote end that died between two bursts.
        if (!program_) start();
        try {
            ask(question, kPatience);
        } catch (const std::runtime_error&) {
            start();
            ask(question, kPatience);
        }
    }

    /// Returns the frames that arrived; none are known if the program dies, and the next burst starts it again.
    ArrivedFrames end(std::int64_t expected, Time quiet) override {
        const std::size_t sent = std::size_t(setting_.ports * setting_.events);
        constexpr Time kMinute{60'000'000'000'000};  // for a queue to empty
        try {
            const json answer = ask({{"end", {{"expected", expected}, {"quiet_ps", quiet.count()}}}}, quiet + kMinute);
            return arrived(answer, sent);
        } catch (const json::exception&) {
            return lost(sent, "found something else than what arrived");
        } catch (const std::exception& error) {
            return lost(sent, error.what());
        }
    }

  private:
    /// Returns the frames that an answer reports. No reported time may exceed the duration of the burst.
    /// @throws json::exception, or std::exception with the value found and the one expected
    ArrivedFrames arrived(const json& answer, std::size_t sent) const {
        const std::string digits = answer.at("missing");
        const auto missing = frames_of(digits, sent);
        if (!missing)
            throw std::runtime_error("\"missing\": found " + std::to_string(digits.size()) +
                                     " digits, expected one for each 4 of the " + std::to_string(sent) +
                                     " frames sent");
        const std::int64_t frames = count_of(answer.at("frames"), "frames", std::int64_t(sent)),
                           there = std::count(missing->begin(), missing->end(), false);
        if (frames != there)
            throw std::runtime_error("\"frames\": found " + std::to_string(frames) + ", expected the " +
                                     std::to_string(there) + " that \"missing\" leaves of " + std::to_string(sent));
        constexpr std::int64_t kPicoseconds = 1000;
        const std::int64_t longest = std::chrono::nanoseconds(Clock::now() - began_).count() * kPicoseconds;
        std::vector<OutputStall> stalls;
        for (const json& told : answer.at("stalls"))
            stalls.push_back({std::size_t(count_of(told.at(0), "stalls", std::int64_t(sent) - 1)),
                              Time{count_of(told.at(1), "stalls", longest)},
                              Time{count_of(told.at(2), "stalls", longest)}});
        return {frames,
                *missing,
                one_line(answer.at("host_loss")),
                Time{count_of(answer.at("silence_ps"), "silence_ps", longest)},
                Time{count_of(answer.at("spread_ps"), "spread_ps", longest)},
                stalls};
    }

    static constexpr Time kPatience{60'000'000'000'000};  // a person may type a password

    void start() {
        program_.reset();
        program_ = std::make_unique<Program>(command_, Program::Group::Ours, kLongestAnswer);
        try {
            const json hello = answer(kPatience);
            if (hello.value("version", 0) != kVersion)
                throw std::runtime_error("found \"version\": " + hello.value("version", json()).dump() + ", expected " +
                                         std::to_string(kVersion));
            port_.name = one_line(hello.at("name")) + " of the peer";
            port_.mac = mac_of(hello.at("mac").get<std::string>());
            port_.mtu = count_of(hello.at("mtu"), "mtu");
            facts_ = hello.at("port").get<PortFacts>();
            facts_.name = port_.name;
            facts_.queue = one_line(facts_.queue);
            for (std::string& each : facts_.merges) each = one_line(each);
        } catch (const std::exception& error) {
            program_.reset();
            throw std::runtime_error("--peer: " + command_ + ": " + error.what() +
                                     ": does it start `watershed measure --serve`?");
        }
    }

    json ask(const json& question, Time patience) {
        program_->lines().send(question.dump());
        return answer(patience);
    }

    /// @throws std::runtime_error where it has ended, is silent, or answers with an error
    json answer(Time patience) {
        const auto line = program_->lines().receive(std::chrono::duration_cast<nanoseconds>(patience));
        if (!line) throw std::runtime_error("no answer within " + to_text(patience));
        json told = object_of(*line);
        if (told.contains("error")) throw std::runtime_error(told["error"].dump());
        return told;
    }

    ArrivedFrames lost(std::size_t sent, const std::string& why) {
        program_.reset();
        ArrivedFrames none;
        none.missing.assign(sent, true);
        none.host_loss = "the peer that receives: " + one_line(why);
        return none;
    }

    std::string command_;
    std::unique_ptr<Program> program_;
    PortFacts facts_;
    BurstSetting setting_{};
    Clock::time_point began_;
};

/// @throws json::exception for what a burst does not have, std::runtime_error for more than is allowed
void begin_burst(ReceivingEnd& end, const json& burst, std::int64_t most_frames) {
    const std::int64_t ports = count_of(burst.at("ports"), "ports"), events = count_of(burst.at("events"), "events");
    if (ports < 1 || events < 1 || events > most_frames / ports)
        throw std::runtime_error("found a burst of " + std::to_string(events) + " events of " + std::to_string(ports) +
                                 " frames, expected at most --most-frames " + std::to_string(most_frames));
    std::vector<MacAddress> senders;
    for (const json& mac : burst.at("senders")) senders.push_back(mac_of(mac.get<std::string>()));
    end.begin({int(ports), Bytes{count_of(burst.at("payload_bytes"), "payload_bytes")}, Time{0}, events},
              burst.at("run").get<std::uint32_t>(), senders);
}

}  // namespace

std::unique_ptr<ReceivingEnd> remote_end(const std::string& command) { return std::make_unique<RemoteEnd>(command); }

void serve_peer(const ReceivingOptions& options) {
    std::signal(SIGPIPE, SIG_IGN);
    LineChannel lines(STDIN_FILENO, STDOUT_FILENO, kLongestQuestion);
    const auto say = [&](const json& line) {
        try {
            lines.send(line.dump());
        } catch (const std::runtime_error&) {
            throw std::runtime_error("--serve: standard output: cannot be written: the other machine has ended");
        }
    };
    const std::unique_ptr<ReceivingEnd> end = local_end(options);
    bool running = false;
    // Between bursts there is nothing to count, and no need to look often.
    constexpr nanoseconds kHurry{0}, kIdle{1'000'000'000};
    const auto question = [&]() -> std::optional<json> {
        while (true) {
            try {
                if (const auto line = lines.receive(running ? kHurry : kIdle)) return object_of(*line);
            } catch (const std::runtime_error&) {
                return std::nullopt;
            }
            constexpr std::chrono::microseconds kMoment{50};
            if (running && end->count_some() == 0) std::this_thread::sleep_for(kMoment);
        }
    };
    say({{"version", kVersion},
         {"mac", address_text(end->port().mac)},
         {"mtu", end->port().mtu},
         {"name", end->port().name},
         {"port", end->facts()}});
    while (const auto asked = question()) {
        try {
            if (asked->contains("begin")) {
                begin_burst(*end, (*asked)["begin"], options.most_frames);
                running = true;
                say({{"ready", true}});
            } else if (asked->contains("end") && running) {
                running = false;
                const json& asked_end = (*asked)["end"];
                const ArrivedFrames arrived = end->end(count_of(asked_end.at("expected"), "expected"),
                                                       Time{count_of(asked_end.at("quiet_ps"), "quiet_ps")});
                json stalls = json::array();
                for (const OutputStall& stall : arrived.stalls)
                    stalls.push_back({stall.next, stall.begin.count(), stall.lost.count()});
                say({{"frames", arrived.frames},
                     {"missing", digits_of(arrived.missing)},
                     {"host_loss", arrived.host_loss},
                     {"silence_ps", arrived.silence.count()},
                     {"spread_ps", arrived.spread.count()},
                     {"stalls", stalls}});
            } else {
                throw std::runtime_error("found another command, expected begin, then end");
            }
        } catch (const std::exception& error) {
            running = false;
            say({{"error", error.what()}});
        }
    }
}

}  // namespace watershed
