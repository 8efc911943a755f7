// One process alone, and what is lent to a thread.
#include "gcnh/comm/comm.h"

#include <gtest/gtest.h>

#include <thread>

#include "gcnh/base/error.h"

namespace gcnh::testing {
namespace {

TEST(Comm, AProcessAloneIsAJobOfOneRank) {
  for (Comm* comm : {serial_comm().release(), open_comm().release()}) {
    const std::unique_ptr<Comm> owner(comm);
    EXPECT_EQ(comm->rank(), 0);
    EXPECT_EQ(comm->size(), 1);
    EXPECT_EQ(comm->size_here(), 1);
    EXPECT_FALSE(comm->receive());
    EXPECT_THROW(comm->send(1, std::make_shared<const std::string>("x")), Error);
  }
}

TEST(Comm, RanksAreLentToTheThreadOfTheScopeAlone) {
  const Comm* alone = &current_comm();
  const std::unique_ptr<Comm> a = serial_comm(), b = serial_comm();
  {
    const CommScope scope(*a);
    EXPECT_EQ(&current_comm(), a.get());
    {
      const CommScope inner(*b);
      EXPECT_EQ(&current_comm(), b.get());
    }
    EXPECT_EQ(&current_comm(), a.get());
    std::thread([&] { EXPECT_EQ(&current_comm(), alone); }).join();
  }
  EXPECT_EQ(&current_comm(), alone);
}

}  // namespace
}  // namespace gcnh::testing
