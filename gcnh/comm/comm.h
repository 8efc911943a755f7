// The processes of one job, which MPI calls ranks, and the messages between them. Rank 0 is the one that people see.
// What a rank does with a message is the affair of whoever sent it.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace gcnh {

using Bytes = std::shared_ptr<const std::string>;

struct Message {
  int from = 0;
  std::string bytes;
};

// All calls are made by one thread, those aside among them. Messages from one rank to another arrive in the order in
// which they were sent.
class Comm {
 public:
  virtual ~Comm() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int size_here() const = 0;  // ranks on this machine
  // Returns at once; the message is on its way, and its memory free when it has left, as long as receive() is called
  // now and then, here or aside. Several ranks may be sent the same bytes.
  virtual void send(int to, Bytes bytes) = 0;
  // A message that has arrived, from any rank; nothing when there is none.
  virtual std::optional<Message> receive() = 0;
  // The same ranks with messages of their own, which do not mix with these.
  virtual Comm& aside() = 0;
};

// One process alone.
std::unique_ptr<Comm> serial_comm();

// The ranks of the job that this process was started in. Without MPI (the build says whether, GCNH_MPI) that is one
// process, and a usage error under a launcher of several. A job ends for all ranks when this object does, so it is made
// once and lives as long as the program.
std::unique_ptr<Comm> open_comm();

// Lends the ranks to whatever spreads work over them, called from this thread, for as long as the scope lives.
class CommScope {
 public:
  explicit CommScope(Comm& comm);
  ~CommScope();
  CommScope(const CommScope&) = delete;
  CommScope& operator=(const CommScope&) = delete;

 private:
  Comm* previous_;
};

// What was lent; one process alone where nothing was.
Comm& current_comm();

}  // namespace gcnh
