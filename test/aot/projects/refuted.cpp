#include <tegula/tegula.hpp>

using namespace tegula;

static void all_write_one(OutTiles<i32, 16> y) { y.tile(0).store(zeros<i32, 16>()); }
static void right(Out<i32, 16> y) { y.store(zeros<i32, 16>()); }
static void misses(Out<i32, 16> y, In<i32, 16> x) { y.store(x(y.at(0) - 1)); }

static const auto first = kernel<all_write_one>("first");
static const auto second = kernel<right>("second");
static const auto third = kernel<misses>("third");
