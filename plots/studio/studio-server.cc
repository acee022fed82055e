// SPDX-License-Identifier: GPL-2.0-only
#include "plots/studio/studio-server.h"

#include <sys/prctl.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>

#include "plots/page/html.h"
#include "plots/studio/call.h"
#include "plots/studio/studio-request.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::asio::ip::tcp;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;
using nlohmann::json;

constexpr std::uint64_t kLongestBody = std::uint64_t{8} << 20;
constexpr std::uint32_t kLongestHeader = 16'384;
constexpr std::chrono::seconds kToSend{5}, kToTake{20};  ///< time that a browser has for a request, and for an answer
constexpr int kConnections = 64;

/// 128 random bits in hexadecimal.
std::string random_token() {
    std::random_device bits;
    std::string token;
    for (int i = 0; i < 32; ++i) token += "0123456789abcdef"[bits() % 16];
    return token;
}

/// As long for a wrong token as for the right one.
bool equal(std::string_view one, std::string_view other) {
    unsigned differs = one.size() != other.size();
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
        differs |= static_cast<unsigned>(one[i] ^ other[i]);
    return differs == 0;
}

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

/// An answer other than that a request asks for.
struct Refusal {
    http::status status;
    std::string why;
};

std::string text_of(const json& answer) { return answer.dump(-1, ' ', false, json::error_handler_t::replace); }

class StudioServer {
  public:
    StudioServer(const Studio& studio, tcp::acceptor& acceptor, Calls& calls)
        : studio_(studio),
          acceptor_(acceptor),
          calls_(calls),
          port_(std::to_string(acceptor.local_endpoint().port())) {}

    std::string address() const { return "http://127.0.0.1:" + port_ + "/#token=" + token_; }

    [[noreturn]] void run() {
        for (;;) {
            auto context = std::make_unique<boost::asio::io_context>();
            tcp::socket socket(*context);
            boost::system::error_code error;
            acceptor_.accept(socket, error);
            if (error || open_ >= kConnections) continue;  // the socket closes
            socket.set_option(tcp::no_delay(true), error);
            ++open_;
            std::thread([this, context = std::move(context), socket = std::move(socket)]() mutable {
                talk(*context, beast::tcp_stream(std::move(socket)));
                --open_;
            }).detach();
        }
    }

  private:
    /// Answers what comes by a connection until its other end has enough, or is too slow.
    void talk(boost::asio::io_context& context, beast::tcp_stream stream) {
        beast::flat_buffer buffer;
        beast::error_code error;
        const auto wait = [&] {
            context.restart();
            context.run();
        };
        for (bool goes_on = true; goes_on;) {
            http::request_parser<http::string_body> parser;
            parser.body_limit(kLongestBody);
            parser.header_limit(kLongestHeader);
            stream.expires_after(kToSend);
            http::async_read(stream, buffer, parser, [&](beast::error_code why, std::size_t) { error = why; });
            wait();
            if (error && error != http::error::body_limit) return;
            const auto send = [&](const std::string& text) {
                stream.expires_after(kToTake);
                boost::asio::async_write(stream, boost::asio::buffer(text),
                                         [&](beast::error_code why, std::size_t) { error = why; });
                wait();
                return !error;
            };
            // An answer that takes long becomes a stream of events, the last of which it is.
            bool streams = false;
            const auto begin = std::chrono::steady_clock::now();
            const Listener listener = [&](std::optional<double> done) {
                std::ostringstream head;
                if (!streams) {
                    Response first = with(http::status::ok, kEvents, "");
                    first.keep_alive(false);
                    head << first.base();
                }
                streams = true;
                const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
                return send(head.str() + event("progress", text_of({{"done", done ? json(*done) : json()},
                                                                    {"seconds", passed.count()}})));
            };
            const auto asks_events = [&] { return view(parser.get()[http::field::accept]) == kEvents; };
            Response response = error
                                    ? refused({http::status::payload_too_large, "found more than 8 MB, expected less"})
                                    : respond(parser.get(), asks_events() ? listener : Listener{});
            if (streams) {
                if (!error) send(event("answer", response.body()));
                break;
            }
            goes_on = !error && parser.keep_alive();
            response.keep_alive(goes_on);
            response.prepare_payload();
            stream.expires_after(kToTake);
            http::async_write(stream, response, [&](beast::error_code why, std::size_t) { error = why; });
            wait();
            if (error) return;
        }
        // Some browsers read no answer before they have sent all; what they send is read, and forgotten.
        stream.socket().shutdown(tcp::socket::shutdown_send, error);
        stream.expires_after(kToSend);
        while (!error) {
            buffer.clear();
            stream.async_read_some(buffer.prepare(kLongestHeader),
                                   [&](beast::error_code why, std::size_t) { error = why; });
            wait();
        }
    }

    /// An event of a stream; its data may have several lines.
    static std::string event(const std::string& name, const std::string& data) {
        std::string text = "event: " + name + "\ndata: ";
        for (const char each : data) text += each == '\n' ? "\ndata: " : std::string(1, each);
        return text + "\n\n";
    }

    static Response with(http::status status, std::string_view type, std::string text) {
        Response response{status, 11};
        response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
        response.set("Content-Security-Policy",
                     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
                     "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        response.set("X-Content-Type-Options", "nosniff");
        response.set("Referrer-Policy", "no-referrer");
        response.set(http::field::cache_control, "no-store");
        response.body() = std::move(text);
        return response;
    }
    static Response refused(const Refusal& refusal) {
        return with(refusal.status, kJson, text_of({{"error", refusal.why}}));
    }

    /// @param listener  of a long answer
    Response respond(const Request& request, const Listener& listener) {
        // A browser's console would count what the page expects; a stream has begun with a status.
        const bool in_body = listener || !request["X-Refusals"].empty();
        const auto refuse = [&](const Refusal& why) {
            return in_body ? with(http::status::ok, kJson,
                                  text_of({{"error", why.why}, {"refused", static_cast<unsigned>(why.status)}}))
                           : refused(why);
        };
        try {
            return answer(request, listener);
        } catch (const Refusal& refusal) {
            return refuse(refusal);
        } catch (const InputError& wrong) {
            return refuse({http::status::bad_request, wrong.what()});
        } catch (...) {
            return refused(
                {http::status::internal_server_error, "this program has a fault: please report the request"});
        }
    }

    Response answer(const Request& request, const Listener& listener) {
        // Names of this machine alone: another's name for this address would let its pages ask.
        const std::string_view host = view(request[http::field::host]), origin = view(request[http::field::origin]);
        if ((host != "127.0.0.1:" + port_ && host != "localhost:" + port_) ||
            (!origin.empty() && origin != "http://" + std::string(host)))
            throw Refusal{http::status::forbidden, "found another host or origin, expected http://127.0.0.1:" + port_};
        const std::string target(view(request.target()));
        if (request.method() == http::verb::get)
            for (const StudioFile& file : kStudioFiles)
                if (file.path == target) return with(http::status::ok, file.type, std::string(file.text));
        const std::string api = "/api/v1/";
        if (target.compare(0, api.size(), api) != 0) throw Refusal{http::status::not_found, "found no such page"};
        if (!equal(view(request[http::field::authorization]), "Bearer " + token_))
            throw Refusal{http::status::unauthorized,
                          "expected \"Authorization: Bearer TOKEN\", with the token of the printed address"};
        const std::string command = target.substr(api.size());
        if (request.method() == http::verb::get && command == "start") return with(http::status::ok, kJson, start());
        if (request.method() != http::verb::post)
            throw Refusal{http::status::method_not_allowed, "found no POST, expected one to /api/v1/COMMAND"};
        return with(http::status::ok, kJson, answer_of(command, request, listener));
    }

    std::string start() const {
        const auto text = [](const std::string& each) { return each.empty() ? json() : json(each); };
        return text_of({{"scenario", studio_.scenario},
                        {"scenario_name", studio_.scenario_name},
                        {"map", text(studio_.map)},
                        {"map_name", text(studio_.map_name)}});
    }

    std::string answer_of(const std::string& command, const Request& request, const Listener& listener) {
        const StudioRequest asked = studio_request(command, request.body());
        const Scratch folder;
        // Plainly: what keeps a command's files apart remembers them all, and this process has no end.
        for (const auto& [name, text] : asked.files) std::ofstream(folder.path(name)) << text;
        const std::string page(view(request["X-Page"]));
        const Call call = calls_.run(asked.words, folder.path(""), page.empty() ? "" : page + " " + command, listener);
        switch (call.end) {
            case Call::End::Done: return studio_answer(call.output);
            case Call::End::WrongInput: throw Refusal{http::status::bad_request, call.error};
            case Call::End::Failed: throw Refusal{http::status::unprocessable_entity, call.error};
            case Call::End::Cancelled: throw Refusal{http::status::conflict, "a newer request took its place"};
            case Call::End::TooMuch: break;
        }
        throw Refusal{http::status::unprocessable_entity,
                      "this takes more time or memory than a page gets: try it on the command line"};
    }

    static constexpr std::string_view kJson = "application/json", kEvents = "text/event-stream";

    const Studio& studio_;
    tcp::acceptor& acceptor_;
    Calls& calls_;
    const std::string port_, token_ = random_token();
    std::atomic<int> open_{0};
};

}  // namespace

void serve(const Studio& studio, const std::function<void(const std::string& address)>& ready) {
    if (kStudioFiles.empty())
        throw InputError("studio: the program was built without d3, expected Debian's package node-d3 when it is");
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    warm_up(studio.scenario);
    Calls calls({}, studio_work(studio.program));
    boost::asio::io_context context;
    tcp::acceptor acceptor(context);
    const tcp::endpoint here(boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(studio.port));
    boost::system::error_code error;
    acceptor.open(here.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(here, error);
    if (!error) acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error)
        throw InputError("--port: found " + std::to_string(studio.port) +
                         ", expected one that is free on this machine");
    StudioServer server(studio, acceptor, calls);
    ready(server.address());
    server.run();
}

}  // namespace watershed
