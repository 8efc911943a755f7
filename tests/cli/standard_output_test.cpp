// What cannot be printed is an error: the caller would take half an answer for a whole one.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/program.h"

namespace gcnh::testing {
namespace {

// The program under a shell, with its standard streams as the shell's words say.
Answer run_redirected(const std::string& args, const std::string& redirection) {
  const TempDir folder;
  write_text(folder / "stderr", "");
  const std::string words = "'" GCNH_PROGRAM "' " + args + " 2>'" + (folder / "stderr").string() + "' " + redirection;
  const int status = std::system(words.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), "", slurp(folder / "stderr")};
}

const std::string kTrain = "train --model mlp --epochs 2 --splits 0 --hidden 4 --quiet";

TEST(StandardOutput, EveryCommandNoticesThatItIsFullOrClosed) {
  const TempDir folder;
  const std::string run = folder / "run", npz = folder / "g.npz";
  ASSERT_EQ(run_redirected(kTrain + " --out " + run, ">/dev/null").code, 0);
  for (const std::string& args :
       {std::string("--help"), std::string("--version"), std::string("train --help"), kTrain, kTrain + " --json",
        "compare --no-tune --models mlp,gcn" + kTrain.substr(kTrain.find(" --epochs")),
        "compare --no-tune --json --models mlp,gcn" + kTrain.substr(kTrain.find(" --epochs")),
        "predict --model " + run + "/model.safetensors", "eval --model " + run, "explain 7 --model " + run,
        "explain 7 --json --model " + run, "embed --model " + run, "update --model " + run, "report " + run, std::string("inspect"),
        std::string("inspect --json"), std::string("data list"), std::string("models"),
        "shard --parts 2 --out " + run + "/parts", std::string("scale-sim --parts-list 2 --steps 1"), "synth --nodes 200 --force --out " + npz,
        "tune --models mlp --axis hidden=2,4 --axis epochs=2 --splits 0 --quiet --out " + run + "/t",
        "journal " + run + "/t/journal.jsonl"}) {
    for (const char* redirection : {">/dev/full", ">&-"}) {
      SCOPED_TRACE(args + redirection);
      const Answer a = run_redirected(args, redirection);
      EXPECT_EQ(a.code, 74);
      EXPECT_NE(a.err.find("cannot write to standard output"), std::string::npos) << a.err;
    }
  }
}

TEST(StandardOutput, NothingIsPrintedIntoFilesThatTakeItsPlace) {
  const TempDir folder;
  const std::string tune = "tune --models mlp --axis hidden=2,4 --axis epochs=2 --splits 0 --quiet --out ";
  ASSERT_EQ(run_redirected(tune + (folder / "t").string(), "<&- >&-").code, 74);
  const Answer again = run_redirected(tune + (folder / "t").string(), ">/dev/null");
  EXPECT_EQ(again.code, 0) << "the journal holds its lines alone: " << again.err;
}

TEST(StandardOutput, ACommandThatPrintsNothingDoesNotNeedIt) {
  const TempDir folder;
  const std::string run = folder / "run";
  ASSERT_EQ(run_redirected(kTrain + " --out " + run, ">/dev/null").code, 0);
  const std::string predict = "predict --model " + run + "/model.safetensors --out " + run + "/p.csv";
  EXPECT_EQ(run_redirected(predict, ">&-").code, 0);
}

TEST(StandardOutput, NotesThatCannotBeShownEndNothing) {
  const TempDir folder;
  write_text(folder / "nodes.csv", "id,label,x\na,1,2\nb,2,3\n");
  write_text(folder / "edges.csv", "source,target,unused\na,b,7\n");
  const std::string inspect =
      "inspect --nodes " + (folder / "nodes.csv").string() + " --edges " + (folder / "edges.csv").string();
  EXPECT_NE(run_redirected(inspect, ">/dev/null").err.find("unused"), std::string::npos) << "there is one";
  EXPECT_EQ(run_redirected(inspect, ">/dev/null 2>/dev/full").code, 0);
}

TEST(StandardOutput, ErrorsFollowWhatWasPrintedBefore) {
  const TempDir folder;
  const std::string tune = "tune --models mlp --axis hidden=2,4 --axis epochs=2 --splits 0 --quiet --out ";
  ASSERT_EQ(run_redirected(tune + (folder / "t").string(), ">/dev/null").code, 0);
  const std::string both = folder / "both", journal = (folder / "t/journal.jsonl").string();
  EXPECT_EQ(run_redirected("journal " + journal + " --again 1", ">'" + both + "' 2>&1").code, 65);
  const std::string text = slurp(both);
  ASSERT_NE(text.find("engine  arithmetic"), std::string::npos) << text;
  EXPECT_LT(text.find("engine  arithmetic"), text.find("gcnh: ")) << text;
}

TEST(StandardOutput, ErrorsKeepTheirCode) {
  EXPECT_EQ(run_redirected("train --epochs 0", ">/dev/full").code, 2);
  EXPECT_EQ(run_redirected("train --epochs 0", "2>/dev/full").code, 2);
  EXPECT_EQ(run_redirected("train --epochs 0", "2>&-").code, 2);
}

// The program with a standard output that nobody reads any more.
Answer run_unread(const std::vector<std::string>& args, void (*on_pipe)(int) = SIG_DFL) {
  const TempDir folder;
  const std::string err = folder / "stderr";
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  close(ends[0]);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGPIPE, on_pipe);
    dup2(ends[1], STDOUT_FILENO);
    dup2(open(err.c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
    exec_program(args);
  }
  close(ends[1]);
  const int code = wait_for(child);
  return {code, "", slurp(err)};
}

// It ends as other tools do, by SIGPIPE and without a word. A caller that ignores the signal gets an error.
TEST(StandardOutput, AReaderThatGoesAwayEndsItQuietly) {
  const Answer list = run_unread({"data", "list"});
  EXPECT_EQ(list.code, 128 + SIGPIPE);
  EXPECT_EQ(list.err, "");
  const Answer ignored = run_unread({"data", "list"}, SIG_IGN);
  EXPECT_EQ(ignored.code, 74);
  EXPECT_NE(ignored.err.find("cannot write to standard output: Broken pipe"), std::string::npos) << ignored.err;
}

TEST(StandardOutput, ARunWhoseReaderGoesAwayCanBeResumed) {
  const TempDir folder;
  const std::string whole = folder / "whole", piped = folder / "piped";
  const auto into = [](const std::string& out) {
    return std::vector<std::string>{"compare", "--no-tune", "--models", "mlp,gcn", "--epochs", "2",   "--splits",
                                    "0",       "--hidden",  "4",        "--quiet", "--out",    out};
  };
  ASSERT_EQ(run_program(into(whole)).code, 0);
  EXPECT_EQ(run_unread(into(piped)).code, 128 + SIGPIPE);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(piped))
    EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos) << entry.path();
  std::vector<std::string> again = into(piped);
  again.push_back("--resume");
  const Answer a = run_program(again);
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* model : {"mlp", "gcn"})
    EXPECT_EQ(slurp(folder / "whole" / model / "model.safetensors"),
              slurp(folder / "piped" / model / "model.safetensors"));
}

}  // namespace
}  // namespace gcnh::testing
