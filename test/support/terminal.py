"""Runs a command on a terminal of its own: terminal.py ROWS COLUMNS COMMAND…

What the command prints goes to standard output as it comes. Orders come on standard input, one a line:
  type TEXT      types it (with Python's escapes: \\x03 is Ctrl-C)
  size R C       gives the terminal another size
  close          closes the terminal
When the command has ended, one line on standard error says how, and what became of the terminal.
"""

import fcntl
import os
import pty
import struct
import sys
import termios
import threading


def sized(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def is_cooked(fd):
    return bool(termios.tcgetattr(fd)[3] & termios.ICANON) and bool(termios.tcgetattr(fd)[3] & termios.ECHO)


rows, columns = int(sys.argv[1]), int(sys.argv[2])
# A second hold on the command's side: the terminal can be looked at after the command has ended.
master, slave = pty.openpty()
sized(master, rows, columns)
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in range(3):
        os.dup2(slave, fd)
    os.close(master)
    os.execvp(sys.argv[3], sys.argv[3:])

closed = threading.Event()


def show():
    while True:
        try:
            said = os.read(master, 65536)
        except OSError:
            return
        if not said:
            return
        os.write(1, said)


def obey():
    for line in sys.stdin:
        order, _, rest = line.rstrip("\n").partition(" ")
        if order == "type":
            os.write(master, rest.encode().decode("unicode_escape").encode("latin-1"))
        elif order == "size":
            sized(master, *map(int, rest.split()))
        elif order == "close":
            closed.set()
            os.close(slave)
            os.close(master)


threading.Thread(target=show, daemon=True).start()
threading.Thread(target=obey, daemon=True).start()
_, status = os.waitpid(child, 0)
ended = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
looks = "closed" if closed.is_set() else "cooked" if is_cooked(slave) else "raw"
print(f"{ended}, {looks}", file=sys.stderr, flush=True)
os._exit(0)
