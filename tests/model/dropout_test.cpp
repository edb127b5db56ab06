#include "model/dropout.h"

#include <gtest/gtest.h>

namespace pdvc {
namespace {

TEST(Dropout, DropsItsShareAndKeepsTheMean) {
  torch::manual_seed(1);
  Dropout dropout(0.3);
  const Tensor y = dropout(torch::ones({1000, 1000}));
  EXPECT_NEAR((y == 0).to(torch::kDouble).mean().item<double>(), 0.3, 0.003);
  EXPECT_NEAR(y.to(torch::kDouble).mean().item<double>(), 1, 0.005);
  // Rows and columns are as independent as a fair coin's: no visible pattern.
  const Tensor kept = (y != 0).to(torch::kDouble);
  EXPECT_LT((kept.mean(0) - 0.7).abs().max().item<double>(), 0.08);
  EXPECT_LT((kept.mean(1) - 0.7).abs().max().item<double>(), 0.08);
}

TEST(Dropout, SendsTheGradientWhereTheNumbersWent) {
  for (const auto type : {torch::kFloat, torch::kDouble}) {
    torch::manual_seed(2);
    Dropout dropout(0.5);
    const Tensor x = torch::ones({64, 33}, torch::dtype(type).requires_grad(true));
    const Tensor y = dropout(x);
    y.sum().backward();
    EXPECT_TRUE(x.grad().equal(y.detach()));
  }
}

TEST(Dropout, RepeatsForTheSameSeedAndDiffersFromCallToCall) {
  Dropout dropout(0.5);
  const Tensor x = torch::ones({1000});
  torch::manual_seed(3);
  const Tensor first = dropout(x), second = dropout(x);
  torch::manual_seed(3);
  EXPECT_TRUE(dropout(x).equal(first));
  EXPECT_FALSE(first.equal(second));
}

TEST(Dropout, LeavesEvaluationAlone) {
  Dropout dropout(0.5);
  dropout->eval();
  const Tensor x = torch::randn({10});
  EXPECT_TRUE(dropout(x).equal(x));
}

}  // namespace
}  // namespace pdvc
