#include "right.hpp"

const tegula::Kernel<tegula::Out<tegula::f32, 16>, tegula::In<tegula::f32, 16>> twice = tegula::kernel<twice_tiles>("twice");
