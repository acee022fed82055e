// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/input-file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {

void expect_an_end(const std::string& file) {
    constexpr unsigned kMemoryDevices = 1, kNull = 3;  // Linux, Documentation/admin-guide/devices.txt
    struct stat about {};
    if (stat(file.c_str(), &about) != 0 || !S_ISCHR(about.st_mode)) return;
    if (major(about.st_rdev) == kMemoryDevices && minor(about.st_rdev) != kNull)
        throw InputError(file + ": cannot be read: it has no end");
}

void keep_pipe(const std::string& file) {
    const std::string folder = "/dev/fd/";
    const bool of_folder = begins_with(file, folder) && file.size() > folder.size() &&
                           file.find_first_not_of("0123456789", folder.size()) == std::string::npos;
    if (!of_folder && file != "/dev/stdin") return;
    const int pipe = of_folder ? std::atoi(file.c_str() + folder.size()) : STDIN_FILENO;
    struct stat about {};
    if (fstat(pipe, &about) != 0 || !S_ISFIFO(about.st_mode) || (fcntl(pipe, F_GETFL) & O_ACCMODE) != O_RDONLY) return;
    const auto check = [&](bool done) {
        if (!done) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    };
    const int kept = memfd_create("input", 0);
    check(kept >= 0);
    char buffer[65536];
    for (ssize_t got = 0; (got = read(pipe, buffer, sizeof buffer)) != 0;) {
        if (got < 0 && errno == EINTR) continue;
        check(got > 0 && write(kept, buffer, std::size_t(got)) == got);
    }
    check(lseek(kept, 0, SEEK_SET) == 0 && dup2(kept, pipe) == pipe);
    close(kept);
}

}  // namespace watershed
