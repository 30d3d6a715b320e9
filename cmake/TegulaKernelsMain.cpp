// The program that tegula_add_kernels() makes of a project's kernels, and runs while the project is built.
namespace tegula::aot {
int generate(int argc, const char* const* argv);
}

int main(int argc, char** argv) { return tegula::aot::generate(argc, argv); }
