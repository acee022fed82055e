// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/workers.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "model/base/child-process.h"
#include "model/base/timestamp.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/warning.h"

namespace watershed {
namespace {

/// Header of a child's result for one piece; `size` bytes follow.
struct Message {
    std::uint64_t piece;
    std::uint64_t size;
    enum class Failure { None, WrongInput, Other } failure;
};

void write_all(int file, const void* data, std::size_t size) {
    for (const char* at = static_cast<const char*>(data); size > 0;) {
        const ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(1);  // the parent is gone
        at += written;
        size -= static_cast<std::size_t>(written);
    }
}

/// The life of a child: take the next piece nobody has, until none is left.
[[noreturn]] void serve(int file, std::atomic<std::size_t>& next, std::size_t pieces, const DoPiece& work) {
    for (std::size_t piece; (piece = next.fetch_add(1)) < pieces;) {
        std::string result;
        auto failure = Message::Failure::None;
        try {
            result = work(piece);
        } catch (const InputError& error) {
            result = error.what();
            failure = Message::Failure::WrongInput;
        } catch (const TimeExceeded& error) {
            result = error.what();
            failure = Message::Failure::WrongInput;
        } catch (const std::exception& error) {
            result = error.what();
            failure = Message::Failure::Other;
        }
        const Message message{piece, result.size(), failure};
        write_all(file, &message, sizeof message);
        write_all(file, result.data(), result.size());
        if (failure != Message::Failure::None) break;
    }
    _exit(0);
}

struct Child {
    pid_t process;
    int file;
    std::string received;
};

/// A counter that the children share.
class SharedCounter {
  public:
    SharedCounter()
        : memory_(mmap(nullptr, sizeof(std::atomic<std::size_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
        if (memory_ == MAP_FAILED)
            throw std::runtime_error("cannot share memory between processes: " + std::string(std::strerror(errno)));
        new (memory_) std::atomic<std::size_t>(0);
    }
    ~SharedCounter() { munmap(memory_, sizeof(std::atomic<std::size_t>)); }
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;
    std::atomic<std::size_t>& value() { return *static_cast<std::atomic<std::size_t>*>(memory_); }

  private:
    void* memory_;
};

/// The children, stopped and reaped whatever happens.
class Children {
  public:
    ~Children() {
        for (Child& child : children) {
            close(child.file);
            kill(child.process, SIGKILL);
            waitpid(child.process, nullptr, 0);
        }
    }
    std::vector<Child> children;
};

}  // namespace

int ranks_started() {
    // Variables of Open MPI, of MPICH and others, and of srun. SLURM_NTASKS is no sign of srun: batch scripts have it,
    // too.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
        if (const char* size = std::getenv(name)) return std::max(1, std::atoi(size));
    return 0;
}

int default_jobs() {
    return ranks_started() > 0 ? 1 : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int jobs_of_machine(int asked) {
    const int most = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    if (asked > most)
        warn("--jobs: found " + std::to_string(asked) + ", of which " + std::to_string(most) +
             " are started, as many as there are processors; --force starts all");
    return std::min(asked, most);
}

namespace {

std::optional<WorkShare> next_share;
std::optional<WorkDone> next_done;

/// @throws WorkDone
[[noreturn]] void do_share(const WorkShare& share, int jobs, std::size_t pieces, const DoPiece& work,
                           const PieceDone& finished) {
    std::vector<std::size_t> own;
    for (auto piece = static_cast<std::size_t>(share.number - 1); piece < pieces;
         piece += static_cast<std::size_t>(share.of))
        own.push_back(piece);
    const std::vector<std::string> results = do_in_processes(
        jobs, own.size(), [&](std::size_t i) { return work(own[i]); },
        [&](std::size_t i, const std::string& result) {
            if (finished) finished(own[i], result);
        });
    WorkDone done{pieces};
    for (std::size_t i = 0; i < own.size(); ++i) done.results[own[i]] = results[i];
    throw done;
}

std::vector<std::string> take_done(const WorkDone& done, std::size_t pieces, const PieceDone& finished) {
    if (done.pieces != pieces)
        throw InputError("found results of " + std::to_string(done.pieces) + " pieces of work, expected those of " +
                         std::to_string(pieces));
    std::vector<std::string> results;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        results.push_back(done.results.at(piece));
        if (finished) finished(piece, results.back());
    }
    return results;
}

}  // namespace

void do_next_work(const WorkShare& share) { next_share = share; }

void take_next_work(WorkDone done) { next_done = std::move(done); }

std::vector<std::string> do_in_processes(int jobs, std::size_t pieces, const DoPiece& work, const PieceDone& finished) {
    if (const auto share = std::exchange(next_share, {})) do_share(*share, jobs, pieces, work, finished);
    if (const auto done = std::exchange(next_done, {})) return take_done(*done, pieces, finished);
    std::vector<std::string> results(pieces);
    std::size_t done = 0;
    const auto store = [&](std::size_t piece, std::string result) {
        results[piece] = std::move(result);
        ++done;
        if (finished) finished(piece, results[piece]);
    };
    if (jobs <= 1 || pieces <= 1) {
        for (std::size_t piece = 0; piece < pieces; ++piece) store(piece, work(piece));
        return results;
    }

    SharedCounter next;
    Children all;
    std::cout.flush();
    for (std::size_t i = 0; i < std::min(static_cast<std::size_t>(jobs), pieces); ++i) {
        int ends[2];
        if (pipe(ends) != 0) throw std::runtime_error("cannot open a pipe: " + std::string(std::strerror(errno)));
        const pid_t process = fork_bound(SIGKILL);
        if (process < 0) throw std::runtime_error("cannot start a process: " + std::string(std::strerror(errno)));
        if (process == 0) {
            close(ends[0]);
            serve(ends[1], next.value(), pieces, work);
        }
        close(ends[1]);
        all.children.push_back({process, ends[0], {}});
    }

    while (done < pieces) {
        std::vector<pollfd> waiting;
        for (const Child& child : all.children) waiting.push_back({child.file, POLLIN, 0});
        if (poll(waiting.data(), waiting.size(), -1) < 0) {
            if (errno == EINTR) continue;
            throw std::runtime_error("cannot wait for processes: " + std::string(std::strerror(errno)));
        }
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting[i].revents == 0) continue;
            Child& child = all.children[i];
            char buffer[65536];
            const ssize_t size = ::read(child.file, buffer, sizeof buffer);
            if (size < 0 && errno == EINTR) continue;
            if (size <= 0) {
                // Normal once no piece is left; others may still be at work.
                int status = 0;
                waitpid(child.process, &status, 0);
                close(child.file);
                all.children.erase(all.children.begin() + static_cast<std::ptrdiff_t>(i));
                if (status != 0 || (all.children.empty() && done < pieces))
                    throw std::runtime_error("a worker process died before its work was done");
                break;  // the indices have moved
            }
            child.received.append(buffer, static_cast<std::size_t>(size));
            for (Message message; child.received.size() >= sizeof message;) {
                std::memcpy(&message, child.received.data(), sizeof message);
                if (child.received.size() < sizeof message + message.size) break;
                std::string result = child.received.substr(sizeof message, message.size);
                child.received.erase(0, sizeof message + message.size);
                if (message.failure == Message::Failure::WrongInput) throw InputError(result);
                if (message.failure == Message::Failure::Other) throw std::runtime_error(result);
                store(message.piece, std::move(result));
            }
        }
    }
    return results;
}

}  // namespace watershed
