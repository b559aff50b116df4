"""Runs a command on a terminal that nobody reads until a line comes on standard input. Then prints all that was said.

Says `pid N` first, on standard error.
"""

import os
import pty
import subprocess
import sys
import termios

master, slave = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdout=slave, stderr=slave, stdin=subprocess.DEVNULL)
os.close(slave)
print(f"pid {child.pid}", file=sys.stderr, flush=True)
termios.tcflow(master, termios.TCOOFF)
sys.stdin.readline()
termios.tcflow(master, termios.TCOON)
while True:
    try:
        said = os.read(master, 65536)
    except OSError:
        break
    if not said:
        break
    sys.stdout.buffer.write(said)
    sys.stdout.flush()
sys.exit(child.wait())
