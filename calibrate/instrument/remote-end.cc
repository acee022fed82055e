// SPDX-License-Identifier: GPL-2.0-only
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "calibrate/instrument/receiving-end.h"
#include "calibrate/measure/frame-record.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr Time kPatience{5'000'000'000'000};
constexpr std::size_t kLongestLine = 64'000'000;

MacAddress mac_of(const std::string& text) {
    unsigned part[6];
    if (std::sscanf(text.c_str(), "%2x:%2x:%2x:%2x:%2x:%2x", &part[0], &part[1], &part[2], &part[3], &part[4],
                    &part[5]) != 6)
        throw std::runtime_error("found \"" + text + "\", expected a MAC address");
    MacAddress mac{};
    for (std::size_t i = 0; i < mac.size(); ++i) mac[i] = static_cast<std::uint8_t>(part[i]);
    return mac;
}

/// The same time whatever the token is, so that it cannot be found letter by letter.
bool same_token(const std::string& a, const std::string& b) {
    unsigned char different = a.size() != b.size();
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
        different = static_cast<unsigned char>(different | (a[i] ^ b[i]));
    return different == 0;
}

std::string random_token() {
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
        throw std::runtime_error("no random numbers for a token");
    std::string token;
    for (const unsigned char byte : bytes) token += text_line("%02x", byte);
    return token;
}

/// A TCP connection that carries lines of JSON.
class LineConnection {
  public:
    explicit LineConnection(int file) : socket_(file) {}

    /// @throws std::runtime_error where nobody answers
    static std::unique_ptr<LineConnection> to(const std::string& host, int port) {
        addrinfo hints{}, *found = nullptr;
        hints.ai_socktype = SOCK_STREAM;
        const std::string service = std::to_string(port);
        if (const int error = getaddrinfo(host.c_str(), service.c_str(), &hints, &found); error != 0)
            throw InputError("--peer: " + host + ": " + gai_strerror(error));
        const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, &freeaddrinfo);
        std::string why;
        for (const addrinfo* one = found; one; one = one->ai_next) {
            const int file = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
            if (file < 0) continue;
            if (connect(file, one->ai_addr, one->ai_addrlen) == 0) {
                const int on = 1;
                setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                return std::make_unique<LineConnection>(file);
            }
            why = std::strerror(errno);
            close(file);
        }
        throw std::runtime_error(host + ":" + service + ": " + why + ": does `watershed measure --listen` run there?");
    }

    void send(const json& line) {
        const std::string text = line.dump() + '\n';
        for (std::size_t sent = 0; sent < text.size();) {
            const ssize_t done = ::send(socket_.file, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
            if (done < 0 && errno == EINTR) continue;
            if (done <= 0) throw std::runtime_error("the other end has closed the control connection");
            sent += static_cast<std::size_t>(done);
        }
    }

    /// @throws std::runtime_error after so long, at the end, and for anything else than a JSON object
    json receive(Time patience) {
        const auto until = Clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(patience);
        constexpr int kMilliseconds = 50;
        for (json line; Clock::now() < until; read_some(kMilliseconds))
            if (take_line(line)) return line;
        throw std::runtime_error("the other end does not answer");
    }

    /// The same, while something else is done, until there is a line.
    json receive(const std::function<void()>& meanwhile) {
        for (json line;; read_some(0)) {
            if (take_line(line)) return line;
            meanwhile();
        }
    }

  private:
    bool read_some(int milliseconds) {
        pollfd wait{socket_.file, POLLIN, 0};
        if (poll(&wait, 1, milliseconds) <= 0) return false;
        char buffer[65536];
        const ssize_t got = recv(socket_.file, buffer, sizeof buffer, 0);
        if (got < 0 && errno == EINTR) return false;
        if (got <= 0) throw std::runtime_error("the other end has closed the control connection");
        read_.append(buffer, static_cast<std::size_t>(got));
        if (read_.size() > kLongestLine)
            throw std::runtime_error("the other end sends something else than lines of JSON");
        return true;
    }

    bool take_line(json& line) {
        const std::size_t end = read_.find('\n');
        if (end == std::string::npos) return false;
        line = json::parse(read_.substr(0, end), nullptr, false);
        read_.erase(0, end + 1);
        if (!line.is_object()) throw std::runtime_error("the other end sends something else than lines of JSON");
        return true;
    }

    OwnedFile socket_;
    std::string read_;
};

class RemoteEnd final : public ReceivingEnd {
  public:
    RemoteEnd(const std::string& host, int port, const std::string& token, Time quiet)
        : connection_(LineConnection::to(host, port)), quiet_(quiet) {
        const json answer = ask({{"token", token}, {"version", kVersion}}, kPatience);
        try {
            name_ = answer.at("name").get<std::string>();
            mac_ = mac_of(answer.at("mac").get<std::string>());
            mtu_ = answer.at("mtu").get<std::int64_t>();
        } catch (const json::exception&) {
            throw std::runtime_error(host + ": this is no `watershed measure --listen`");
        }
        name_ += " of " + host;
    }

    std::string name() const override { return name_; }
    MacAddress mac() const override { return mac_; }
    std::int64_t mtu() const override { return mtu_; }

    void begin(const BurstSetting& setting, std::uint32_t run, const std::vector<MacAddress>& senders) override {
        setting_ = setting;
        json macs = json::array();
        for (const MacAddress& mac : senders) macs.push_back(address_text(mac));
        ask({{"begin",
              {{"run", run},
               {"ports", setting.ports},
               {"payload_bytes", setting.payload.count},
               {"events", setting.events},
               {"senders", macs}}}},
            kPatience);
    }

    ArrivedFrames end(std::int64_t expected) override {
        constexpr Time kMinute{60'000'000'000'000};  // for a queue to empty
        const json answer = ask({{"end", {{"expected", expected}}}}, quiet_ + kMinute);
        try {
            const auto missing = frames_of(answer.at("missing").get<std::string>(),
                                           static_cast<std::size_t>(setting_.ports * setting_.events));
            if (!missing) throw std::runtime_error("the listener's frames are not as many as were sent");
            return {answer.at("frames").get<std::int64_t>(), *missing, answer.at("host_loss").get<std::string>()};
        } catch (const json::exception&) {
            throw std::runtime_error("the listener answers something else than what arrived");
        }
    }

  private:
    json ask(const json& question, Time patience) {
        connection_->send(question);
        json answer = connection_->receive(patience);
        if (answer.contains("error")) throw std::runtime_error("the listener: " + answer["error"].dump());
        return answer;
    }

    std::unique_ptr<LineConnection> connection_;
    std::string name_;
    MacAddress mac_{};
    std::int64_t mtu_ = 0;
    Time quiet_;
    BurstSetting setting_{};
};

/// One sender's commands; there are no others.
class PeerSession {
  public:
    PeerSession(LineConnection& connection, ReceivingEnd& end, const ReceivingOptions& options)
        : connection_(connection), end_(end), options_(options) {}

    bool greet(const std::string& token) {
        const json hello = connection_.receive(kPatience);
        if (!same_token(hello.value("token", ""), token) || hello.value("version", 0) != kVersion) {
            connection_.send({{"error", "another token or version"}});
            return false;
        }
        connection_.send({{"mac", address_text(end_.mac())}, {"mtu", end_.mtu()}, {"name", end_.name()}});
        return true;
    }

    int serve() {
        int bursts = 0;
        while (true) {
            json command;
            try {
                // Without a burst there is nothing to count, and no need to hurry.
                command = running_ ? connection_.receive([&] {
                    constexpr std::chrono::microseconds kMoment{50};
                    if (!end_.count_some()) std::this_thread::sleep_for(kMoment);
                })
                                   : connection_.receive(kIdle);
            } catch (const std::runtime_error&) {
                return bursts;
            }
            try {
                if (command.contains("begin")) {
                    begin(command["begin"]);
                    connection_.send({{"ready", true}});
                } else if (command.contains("end") && running_) {
                    const ArrivedFrames arrived = end_.end(command["end"].at("expected").get<std::int64_t>());
                    running_ = false;
                    ++bursts;
                    connection_.send({{"frames", arrived.frames},
                                      {"missing", digits_of(arrived.missing)},
                                      {"host_loss", arrived.host_loss}});
                } else {
                    throw std::runtime_error("found another command, expected begin, then end");
                }
            } catch (const std::exception& error) {
                running_ = false;
                connection_.send({{"error", error.what()}});
            }
        }
    }

  private:
    static constexpr Time kIdle{600'000'000'000'000};

    void begin(const json& burst) {
        const std::int64_t ports = burst.at("ports").get<std::int64_t>(),
                           events = burst.at("events").get<std::int64_t>();
        if (ports < 1 || events < 1 || events > options_.most_frames / ports)
            throw std::runtime_error("found a burst of " + std::to_string(events) + " events of " +
                                     std::to_string(ports) + " frames, expected at most --most-frames " +
                                     std::to_string(options_.most_frames));
        std::vector<MacAddress> senders;
        constexpr std::size_t kMostSenders = 64;
        for (const json& mac : burst.at("senders"))
            if (senders.size() < kMostSenders) senders.push_back(mac_of(mac.get<std::string>()));
        end_.begin({static_cast<int>(ports), Bytes{burst.at("payload_bytes").get<std::int64_t>()}, Time{0}, events},
                   burst.at("run").get<std::uint32_t>(), senders);
        running_ = true;
    }

    LineConnection& connection_;
    ReceivingEnd& end_;
    const ReceivingOptions& options_;
    bool running_ = false;
};

}  // namespace

std::unique_ptr<ReceivingEnd> remote_end(const std::string& host, int port, const std::string& token, Time quiet) {
    return std::make_unique<RemoteEnd>(host, port, token, quiet);
}

int listen_for_peer(const ReceivingOptions& options, const std::function<void(const std::string&)>& say) {
    const std::unique_ptr<ReceivingEnd> end = local_end(options);
    OwnedFile listener(-1);
    const int on = 1, off = 0;
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = in6addr_any;
    address.sin6_port = htons(static_cast<std::uint16_t>(options.port));
    sockaddr_in address4{};
    address4.sin_family = AF_INET;
    address4.sin_port = address.sin6_port;
    const auto bound_to = [&](int family, const auto& own) {
        if (listener.file >= 0) close(listener.file);
        listener.file = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (listener.file < 0) return false;
        if (family == AF_INET6) setsockopt(listener.file, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        setsockopt(listener.file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        return bind(listener.file, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0;
    };
    // The second for a machine without IPv6.
    if (!(bound_to(AF_INET6, address) || bound_to(AF_INET, address4)) || listen(listener.file, 1) != 0)
        throw std::runtime_error("port " + std::to_string(options.port) + ": " + std::strerror(errno));
    const std::string token = options.token.empty() ? random_token() : options.token;
    say("listening on port " + std::to_string(options.port) + ", receiving by " + end->name() + " " +
        address_text(end->mac()));
    say("token " + token);
    constexpr int kMostRefused = 10;
    for (int refused = 0; refused < kMostRefused;) {
        const int file = accept4(listener.file, nullptr, nullptr, SOCK_CLOEXEC);
        if (file < 0 && errno == EINTR) continue;
        if (file < 0) throw std::runtime_error(std::string("no connection: ") + std::strerror(errno));
        setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        LineConnection connection(file);
        PeerSession session(connection, *end, options);
        try {
            if (session.greet(token)) {
                say("a peer with the token is connected");
                return session.serve();
            }
        } catch (const std::exception&) {
        }
        ++refused;
        say("refused a peer without the token");
    }
    throw std::runtime_error("refused " + std::to_string(kMostRefused) + " peers without the token");
}

}  // namespace watershed
