// SPDX-License-Identifier: GPL-2.0-only
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <future>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "scenarios/sweep/ranks.h"

namespace watershed {
namespace {

using std::chrono::milliseconds;

constexpr int kFirst = 0;
enum Tag { kPiece, kReport };
constexpr auto kNoPiece = std::numeric_limits<std::size_t>::max();

/// Report of a rank on one piece.
struct Report {
    std::size_t piece = kNoPiece;
    bool failed = false;
    std::string result;  ///< or what it failed of

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& piece& failed& result;
    }
};

Report report_on(std::size_t piece, const DoPiece& work) {
    try {
        return {piece, false, work(piece)};
    } catch (const std::exception& error) {
        return {piece, true, error.what()};
    }
}

/// Messages are few and small: Open MPI need not look for the fastest network, for a quarter of a second.
std::unique_ptr<boost::mpi::environment> begin_mpi() {
    constexpr int kUnlessSet = 0;
    setenv("OMPI_MCA_pml", "ob1", kUnlessSet);
    return std::make_unique<boost::mpi::environment>(boost::mpi::threading::funneled, false);
}

class MpiLink final : public RankLink {
  public:
    MpiLink() : environment_(begin_mpi()) {
        if (!first()) wait_for_piece();
    }
    /// On failure without MPI's farewell, which would wait for the others: mpirun ends them instead.
    ~MpiLink() override {
        if (std::uncaught_exceptions() > 0) static_cast<void>(environment_.release());
    }

    bool alone() const { return world_.size() == 1; }
    bool first() const override { return world_.rank() == kFirst; }

    void do_pieces(const std::vector<std::size_t>& pieces, const DoPiece& work, const PieceDone& finished) override {
        if (first())
            lead(pieces, work, finished);
        else
            follow(work);
    }

  private:
    /// MPI's own waiting keeps a processor busy, which the first rank's work may need.
    void wait_for_piece() const {
        for (milliseconds pause{1}; !world_.iprobe(kFirst, kPiece); pause = std::min(2 * pause, milliseconds{16}))
            std::this_thread::sleep_for(pause);
    }

    void follow(const DoPiece& work) const {
        for (;;) {
            std::size_t piece = kNoPiece;
            wait_for_piece();
            world_.recv(kFirst, kPiece, piece);
            if (piece == kNoPiece) return;
            world_.send(kFirst, kReport, report_on(piece, work));
        }
    }

    /// Hands out and takes in here, where MPI is called and results are stored, and works in a thread beside it.
    void lead(const std::vector<std::size_t>& pieces, const DoPiece& work, const PieceDone& finished) const {
        std::size_t handed_out = 0, done = 0;
        const auto next = [&] { return handed_out < pieces.size() ? pieces[handed_out++] : kNoPiece; };
        const auto accept = [&](const Report& report) {
            if (report.failed) throw std::runtime_error(report.result);
            finished(report.piece, report.result);
            ++done;
        };
        std::future<Report> own;
        const auto begin_own = [&] {
            const std::size_t piece = next();
            if (piece != kNoPiece)
                own = std::async(std::launch::async, [&work, piece] { return report_on(piece, work); });
        };

        for (int rank = 1; rank < world_.size(); ++rank) world_.send(rank, kPiece, next());
        begin_own();
        while (done < pieces.size()) {
            bool waiting = true;
            while (const auto status = world_.iprobe(boost::mpi::any_source, kReport)) {
                Report report;
                world_.recv(status->source(), kReport, report);
                world_.send(status->source(), kPiece, next());
                accept(report);
                waiting = false;
            }
            const milliseconds pause{waiting ? 1 : 0};
            if (!own.valid()) {
                std::this_thread::sleep_for(pause);
            } else if (own.wait_for(pause) == std::future_status::ready) {
                const Report report = own.get();
                begin_own();
                accept(report);
            }
        }
    }

    std::unique_ptr<boost::mpi::environment> environment_;
    boost::mpi::communicator world_;
};

}  // namespace

std::unique_ptr<RankLink> join_ranks() {
    auto link = std::make_unique<MpiLink>();
    if (link->alone()) return nullptr;
    return link;
}

}  // namespace watershed
