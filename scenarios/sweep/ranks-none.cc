// SPDX-License-Identifier: GPL-2.0-only
#include <stdexcept>

#include "scenarios/sweep/ranks.h"

namespace watershed {

std::unique_ptr<RankLink> join_ranks() {
    throw std::runtime_error(
        "mpirun or srun started several processes, but this program was built without MPI; with libboost-mpi-dev "
        "and openmpi-bin of Debian installed, ./waf configure finds it");
}

}  // namespace watershed
