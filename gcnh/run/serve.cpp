// The side of the ranks that serve rank 0.
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "gcnh/base/error.h"
#include "gcnh/graph/content_hash.h"
#include "gcnh/io/file.h"
#include "gcnh/run/hand_out.h"
#include "gcnh/run/messages.h"

namespace gcnh {
namespace {

class Server {
 public:
  explicit Server(Comm& comm) : comm_(comm) {}

  void run() {
    while (!is_dismissed_) {
      while (std::optional<Message> m = comm_.receive()) hear(std::move(m->bytes));
      if (!crew_) {
        std::this_thread::sleep_for(kBetweenLooks);
        continue;
      }
      for (const Event& event : crew_->events(kBetweenLooks)) comm_.send(0, message(Say::event, event));
    }
  }

 private:
  void hear(std::string bytes) {
    WireReader read(bytes);
    switch (read.take<Say>()) {
      case Say::begin: {
        const auto wanted = read.take<std::uint64_t>();
        crew_.emplace(read.take<int>());
        if (wanted != fingerprint_) dataset_.reset();  // never two of them
        fingerprint_ = wanted;
        comm_.send(0, message(Say::ready, dataset_ != nullptr));
        return;
      }
      case Say::data: {
        require(text_hash(bytes) == fingerprint_, "the dataset did not arrive as it was sent");
        auto dataset = std::make_shared<Dataset>();
        read(*dataset);
        dataset_ = std::move(dataset);
        return;
      }
      case Say::task: {
        auto task = read.take<Task>();
        task.experiment.dataset = dataset_;
        return crew_->start(std::move(task));
      }
      case Say::parts: {
        auto task = read.take<PartsTask>();
        std::string().swap(bytes);  // or the parts would be there twice for as long as the training lasts
        return follow_parts(comm_, std::move(task));
      }
      case Say::stop:
        return crew_->stop();
      default:
        is_dismissed_ = true;
    }
  }

  Comm& comm_;
  bool is_dismissed_ = false;
  std::shared_ptr<const Dataset> dataset_;
  std::uint64_t fingerprint_ = 0;  // of the message that it came in
  std::optional<Crew> crew_;
};

}  // namespace

Identity identity_of(const std::string& command) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return {host.data(), command, text_hash(read_file("/proc/self/exe"))};
}

void serve(Comm& comm, const std::string& command) {
  comm.send(0, message(Say::hello, identity_of(command)));
  Server(comm).run();
}

}  // namespace gcnh
