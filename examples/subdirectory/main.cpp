// A graph made in memory, where friends rarely have the same opinion: how well does a model guess opinions that looks at
// friends, and how well one that does not?
#include <gcnh/graph/synthetic.h>
#include <gcnh/train/runner.h>

#include <iostream>

int main() {
  try {
    const gcnh::Tables tables = gcnh::make_synthetic({.homophily = 0.05, .nodes = 600, .features = 200});
    const gcnh::Dataset data = gcnh::make_dataset(tables, gcnh::View{});
    for (const char* model : {"gcnh", "mlp"}) {
      gcnh::RunConfig config{.model = model, .splits = {0, 1, 2}};
      config.train.epochs = 100;
      const gcnh::RunResult result = gcnh::run(data, config, {});
      std::cout << model << ": " << gcnh::test_accuracy(result).mean << "\n";
    }
  } catch (const gcnh::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
