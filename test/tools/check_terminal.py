"""check_terminal.py COMMAND MODEL FOLDER: what the command does at a terminal; FOLDER is made anew, with MODEL and a template in it."""
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import time

command, model, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(model, folder)
os.chmod(folder, 0o755)
(folder / "chat_template.jinja").write_text("{% for m in messages %}{{ m.content }}\n{% endfor %}")
CTRL_C, CTRL_D = b"\x03", b"\x04"


class Terminal:
    """A program that runs at one: its input, output and errors."""

    def __init__(self, *arguments):
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.execv(command, [command, *arguments])
        self.all, self.seen = b"", 0

    def read(self):
        if not select.select([self.file], [], [], 60)[0]:
            return False
        try:
            part = os.read(self.file, 1 << 16)
        except OSError:  # it ended
            return False
        self.all += part
        return bool(part)

    def until(self, *texts):
        """Waits until it has printed them, in this order."""
        for text in texts:
            while text.encode() not in self.all[self.seen:]:
                if not self.read():
                    sys.exit(f"{text!r} is not in what came:\n{self.all[self.seen:].decode(errors='replace')}")
            self.seen = self.all.index(text.encode(), self.seen) + len(text.encode())
        return self

    def type(self, text):
        os.write(self.file, text)
        return self

    def ends(self, status):
        """With this status, or if it is negative, by this signal."""
        while self.read():
            pass
        deadline = time.monotonic() + 60
        ended = (0, 0)
        while ended[0] == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
            ended = os.waitpid(self.process, os.WNOHANG)
        if ended[0] == 0:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
            sys.exit(f"it does not end, after:\n{self.all.decode(errors='replace')}")
        os.close(self.file)
        found = os.waitstatus_to_exitcode(ended[1])
        if found != status:
            sys.exit(f"status {found}, not {status}, after:\n{self.all.decode(errors='replace')}")


def run(*arguments):
    return Terminal("run", str(folder), "--raw", "--greedy", *arguments)


# A text that is typed ends with one Ctrl-D, and whoever is to type it is told so.
Terminal("tokenize", str(folder)).until("the text, then Ctrl-D on a line of its own:").type(b"ROMEO:\n" + CTRL_D).until("870 266").ends(0)
run("--tokens", "4").until("loading 100 % of 6.6 MB", "loaded in", "the prompt, then Ctrl-D").type(b"ROMEO:\n" + CTRL_D).until(
    "I'll tell thee", "4 tokens", " s from the start)").ends(0)

# Ctrl-C ends an answer. While there is none, because the prompt is read, it says how to end the program.
run("-p", "ROMEO:\n").until("I'll tell").type(CTRL_C).until(" tokens/s").ends(130)
reads = run("-p", "ROMEO:\n").until("loaded in")
time.sleep(0.2)  # now kernels are compiled
reads.type(CTRL_C).until("the prompt is still being read; Ctrl-C again ends the program").until("1 tokens").ends(130)
reads = run("-p", "ROMEO:\n").until("loaded in")
time.sleep(0.2)
reads.type(CTRL_C).until("Ctrl-C again ends the program").type(CTRL_C).ends(-signal.SIGINT)

# In a conversation it goes on with the next line. At the beginning of one, a second Ctrl-C in a row ends it.
hint = "Ctrl-C again, or /exit, ends the conversation"
chat = Terminal("chat", str(folder), "--greedy", "--context", "512")
chat.until("> ").type(b"ROMEO:\n").until("I'll tell").type(CTRL_C).until(" tokens/s", "> ")
chat.type(CTRL_C).until(hint, "> ").type(b"/clear\n").until("> ").type(b"typed in vain" + CTRL_C).until(hint, "> ")
chat.type(b"ROMEO:\n").until("I'll tell").type(CTRL_C).until("> ").type(CTRL_C).until(hint).type(CTRL_C).ends(-signal.SIGINT)
Terminal("chat", str(folder)).until("> ").type(CTRL_D).ends(0)

# Whoever closes the pipe has had enough.
pipe = subprocess.Popen([command, "run", str(folder), "--raw", "--greedy", "-p", "ROMEO:\n"], stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL)
pipe.stdout.read(1)
pipe.stdout.close()
if pipe.wait(60) != -signal.SIGPIPE:
    sys.exit(f"after its pipe was closed: status {pipe.returncode}")
