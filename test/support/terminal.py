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
import select
import struct
import sys
import termios


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

# One thread alone: a terminal that another thread reads from stays open when it is closed.
ended_of_child = os.pidfd_open(child)
closed = False
orders = b""
watched = [master, 0, ended_of_child]


def obey(line):
    """Carries out one order, and tells whether the terminal is closed by it."""
    order, _, rest = line.partition(" ")
    if order == "type":
        os.write(master, rest.encode().decode("unicode_escape").encode("latin-1"))
    elif order == "size":
        sized(master, *map(int, rest.split()))
    elif order == "close":
        os.close(slave)
        os.close(master)
        return True
    return False


def shown():
    """Passes on what was said by now; false once nothing can be said any more."""
    try:
        said = os.read(master, 65536)
    except OSError:
        return False
    os.write(1, said)
    return bool(said)


while True:
    ready, _, _ = select.select(watched, [], [])
    if master in ready and not shown():
        watched.remove(master)
    if 0 in ready:
        read = os.read(0, 65536)
        if not read:
            watched.remove(0)
        *lines, orders = (orders + read).split(b"\n")
        for line in lines:
            if not closed and obey(line.decode()):
                closed = True
                watched.remove(master)
    if ended_of_child in ready:
        break
while not closed and select.select([master], [], [], 0)[0] and shown():
    pass
_, status = os.waitpid(child, 0)
ended = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
looks = "closed" if closed else "cooked" if is_cooked(slave) else "raw"
print(f"{ended}, {looks}", file=sys.stderr, flush=True)
