// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <memory>
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

/// A port of another machine, on which `watershed measure --listen` runs.
/// @throws std::runtime_error where nobody listens or the token is refused
std::unique_ptr<ReceivingEnd> remote_end(const std::string& host, int port, const std::string& token, Time quiet);

/// Serves one sender, which knows the token, until it closes the connection.
/// @param say  told what happens @returns the bursts it counted @throws InputError for an interface that cannot be used
int listen_for_peer(const ReceivingOptions& options, const std::function<void(const std::string&)>& say);

}  // namespace watershed
