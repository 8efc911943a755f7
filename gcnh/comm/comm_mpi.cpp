// The build with MPI: messages as bytes, of any length, cut into pieces that an int can count.
#define OMPI_SKIP_MPICXX
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <list>
#include <map>
#include <thread>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/comm/comm.h"

namespace gcnh {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 30;
enum Tag { kMore, kLast };  // whether a piece is the last one of its message

// A message, or a piece of one, that may not have left yet.
struct Sending {
  Bytes bytes;
  MPI_Request request = MPI_REQUEST_NULL;

  bool has_left() {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  }
};
using Outbox = std::list<Sending>;

class MpiComm : public Comm {
 public:
  // The outbox is that of all communicators: whichever is listened to, what any of them has sent is on its way, and
  // forgotten when it has left.
  MpiComm(MPI_Comm ranks, Outbox& outbox) : ranks_(ranks), outbox_(outbox) {
    MPI_Comm_rank(ranks, &rank_);
    MPI_Comm_size(ranks, &size_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &size_here_);
    MPI_Comm_free(&here);
  }

  MpiComm(const MpiComm&) = delete;
  MpiComm& operator=(const MpiComm&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int size_here() const override { return size_here_; }

  void send(int to, Bytes bytes) override {
    while (!outbox_.empty() && outbox_.front().has_left()) outbox_.pop_front();  // receive() looks at the others, too
    for (std::size_t begin = 0; begin == 0 || begin < bytes->size(); begin += kPiece) {
      const std::size_t size = std::min(bytes->size() - begin, kPiece);
      Sending& s = outbox_.emplace_back(Sending{bytes});
      MPI_Isend(bytes->data() + begin, static_cast<int>(size), MPI_BYTE, to,
                begin + size == bytes->size() ? kLast : kMore, ranks_, &s.request);
    }
  }

  Comm& aside() override { return *this; }

  std::optional<Message> receive() override {
    std::erase_if(outbox_, [](Sending& s) { return s.has_left(); });
    while (true) {
      int found = 0, count = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status{};
      MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks_, &found, &message, &status);
      if (!found) return std::nullopt;
      MPI_Get_count(&status, MPI_BYTE, &count);
      std::string& arrived = arrived_[status.MPI_SOURCE];
      const std::size_t before = arrived.size();
      arrived.resize(before + static_cast<std::size_t>(count));
      MPI_Mrecv(arrived.data() + before, count, MPI_BYTE, &message, MPI_STATUS_IGNORE);
      if (status.MPI_TAG == kLast) return Message{status.MPI_SOURCE, std::exchange(arrived, {})};
    }
  }

 private:
  MPI_Comm ranks_;
  int rank_ = 0, size_ = 1, size_here_ = 1;
  Outbox& outbox_;
  std::map<int, std::string> arrived_;  // by sender: a message that is not whole yet
};

// MPI itself, as long as somebody talks by it, and what has not left yet.
struct MpiJob {
  MpiJob() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  }
  ~MpiJob() { MPI_Finalize(); }
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  Outbox outbox;
};

class MpiRanks : MpiJob, public MpiComm {
 public:
  MpiRanks() : MpiComm(MPI_COMM_WORLD, outbox), aside_(twin(), outbox) {}

  // What was sent arrives before the job ends. A long message leaves only when it is taken, and nobody may want it any
  // more, such as a letter of a training that has failed: all ranks take what comes until nothing is left to send.
  ~MpiRanks() override {
    while (!outbox.empty()) take_all();
    MPI_Request barrier = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    for (int done = 0; !done; MPI_Test(&barrier, &done, MPI_STATUS_IGNORE)) take_all();
  }
  Comm& aside() override { return aside_; }

 private:
  void take_all() {
    for (MpiComm* comm : {static_cast<MpiComm*>(this), &aside_})
      while (comm->MpiComm::receive()) {
      }
    std::this_thread::yield();
  }
  static MPI_Comm twin() {
    MPI_Comm out = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &out);
    return out;
  }
  MpiComm aside_;
};

// Set for every process that a launcher of MPI starts. Starting MPI for one process takes longer than many a command.
bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

}  // namespace

std::unique_ptr<Comm> open_comm() {
  if (!is_launched()) return serial_comm();
  return std::make_unique<MpiRanks>();
}

}  // namespace gcnh
