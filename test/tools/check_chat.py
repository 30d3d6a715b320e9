"""check_chat.py COMMAND MODEL FOLDER: conversations with a model that gets a template; FOLDER is made anew."""
import os
import pathlib
import shutil
import subprocess
import sys

command, model, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(model, folder)
os.chmod(folder, 0o755)
template = folder / "chat_template.jinja"
template.write_text("{% for m in messages %}{% if m.content == 'bad' %}{{ raise_exception('no such message') }}{% endif %}"
                    "{{ m.content }}\n{% endfor %}")


def chat(lines, *options):
    return subprocess.run([command, "chat", str(folder), "--greedy", *options], input=lines, capture_output=True)


wrong = []


def check(what, holds):
    if not holds:
        wrong.append(what)


# Bytes that are no text do not end the conversation, and a line that is too long is not part of it.
long_line = b"to be or not to be " * 20
run = chat(b"h\xff\n" + long_line + b"\nROMEO:\n/clear\nROMEO:\n/exit\nnever\n", "--context", "64", "--tokens", "4")
errors = run.stderr.decode()
check(f"exit status {run.returncode}", run.returncode == 0)
check("three answers", errors.count("tokens/s") == 3)
check("a line that is too long is said", "tokens, and there is room for 64, an answer included: begin anew with /clear; --context N makes room, up to 1024\n" in errors)
check("after /clear the answer is as at first", run.stdout.decode().splitlines()[-1] == "I'll tell thee")

# A conversation may fill the context but for one token: that is room for an answer.
prompt = b"ROMEO:\n"
tokens = len(subprocess.run([command, "tokenize", "--plain", str(folder)], input=prompt, capture_output=True).stdout.split())
check("room for one token", b"1 tokens" in chat(prompt, "--context", str(tokens + 1)).stderr)
check("room for none", b"begin anew" in chat(prompt, "--context", str(tokens)).stderr)

stopped = chat(b"ROMEO:\n", "--tokens", "6", "--stop", "thee")
check("what stops is not shown", stopped.stdout.decode().rstrip("\n") == "I'll tell ")

# A message that the template refuses is left out, and the conversation goes on.
refused = chat(b"ROMEO:\nbad\n/clear\nROMEO:\n", "--tokens", "4")
check("a message that is refused", b"no such message\nthe conversation goes on without this message\n" in refused.stderr)
check("and nothing else", refused.returncode == 0 and refused.stdout == b"I'll tell thee\n" * 2)


def tegula(*arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True)


# Whether there is a template is said before any weights are read, and so is what is wrong with it.
check("there is one", "\nchat        yes\n" in tegula("info", str(folder)).stdout)
template.write_text("{{")
broken = tegula("info", str(folder))
check("a broken one", broken.returncode == 1 and "chat_template.jinja:1:3: expected an expression" in broken.stderr)
template.unlink()
weights = folder / "model.safetensors"
os.chmod(weights, 0o644)
os.truncate(weights, 1_000_000)
check("none", "there is no chat template in it" in tegula("chat", str(folder)).stderr)
check("weights that were cut", "ends at byte 1000000, but the tensor" in tegula("info", str(folder)).stderr)

for problem in wrong:
    print("wrong:", problem)
if wrong:
    print(run.stdout, run.stderr, stopped.stdout, stopped.stderr)
sys.exit(bool(wrong))
