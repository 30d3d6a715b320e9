"""check_compile_time.py COMPILER SOURCE INCLUDE SECONDS: the file compiles in so much processor time, whatever else the machine does."""
import resource
import subprocess
import sys

compiler, source, include, limit = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
subprocess.run([compiler, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-I", include, "-c", source, "-o", "/dev/null"], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
print(f"{compiler}: {seconds:.2f} s, at most {limit} s")
sys.exit(seconds > limit)
