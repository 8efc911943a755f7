// The build without MPI.
#include <cstdlib>

#include "gcnh/base/error.h"
#include "gcnh/comm/comm.h"

namespace gcnh {

// Several processes that know nothing of each other would all do the same and write to the same files.
std::unique_ptr<Comm> open_comm() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (size && std::atoi(size) > 1)
    fail(Status::usage, "mpirun has started ", size, " processes of a gcnh that was built without MPI; ", "./run mpi ",
         size, " builds one with it (CMake: -DGCNH_MPI=ON)");
  return serial_comm();
}

}  // namespace gcnh
