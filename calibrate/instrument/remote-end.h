// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "calibrate/instrument/receiving-end.h"

/// Two machines, one that sends and one that receives: they agree over a TCP connection, in lines of JSON.
///
///     {"token": "…", "version": 1}                                              the sender greets; any other token
///     ends it
///     {"mac": "02:…", "mtu": 1500, "name": "eth1"}                              the listener answers
///     {"begin": {"run": 7, "ports": 44, "payload_bytes": 1024, "events": 100, "senders": ["02:…"]}}
///     {"ready": true}
///     {"end": {"expected": 4400}}
///     {"frames": 4390, "missing": "00a8…", "host_loss": ""}                     or {"error": "…"}
namespace watershed {

constexpr int kControlPort = 47'611;

/// A TCP connection that carries lines of JSON.
class LineConnection {
  public:
    explicit LineConnection(int file) : file_(file) {}
    ~LineConnection();
    LineConnection(const LineConnection&) = delete;
    LineConnection& operator=(const LineConnection&) = delete;
    /// @param host  "HOST" or "HOST:PORT" @throws std::runtime_error where nobody answers
    static std::unique_ptr<LineConnection> to(const std::string& host, int port);

    void send(const nlohmann::json& line);
    /// @throws std::runtime_error after so long, at the end, and for anything else than a JSON object
    nlohmann::json receive(Time patience);
    /// The same, while something else is done, until there is a line.
    nlohmann::json receive(const std::function<void()>& meanwhile);

  private:
    bool read_some(int milliseconds);
    bool take_line(nlohmann::json& line);

    int file_;
    std::string read_;
};

/// A port of another machine, on which `watershed measure --listen` runs.
class RemoteEnd final : public ReceivingEnd {
  public:
    /// @throws std::runtime_error where nobody listens or the token is refused
    RemoteEnd(const std::string& host, int port, const std::string& token, Time quiet);
    std::string name() const override { return name_; }
    MacAddress mac() const override { return mac_; }
    std::int64_t mtu() const override { return mtu_; }
    void begin(const BurstSetting& setting, std::uint32_t run, const std::vector<MacAddress>& senders) override;
    ArrivedFrames end(std::int64_t expected) override;

  private:
    nlohmann::json ask(const nlohmann::json& question, Time patience);

    std::unique_ptr<LineConnection> connection_;
    std::string name_;
    MacAddress mac_{};
    std::int64_t mtu_ = 0;
    Time quiet_;
    BurstSetting setting_{};
};

struct ListenOptions {
    ReceivingOptions receiving;
    int port = kControlPort;
    std::string token;                     ///< empty: a random one
    std::int64_t most_frames = 1'000'000;  ///< of a burst
};

/// Serves one sender, which knows the token, until it closes the connection.
/// @param say  told what happens @returns the bursts it counted @throws InputError for an interface that cannot be used
int listen_for_peer(const ListenOptions& options, const std::function<void(const std::string&)>& say);

}  // namespace watershed
