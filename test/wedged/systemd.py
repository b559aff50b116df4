"""What systemd is to a service: a datagram socket; each message it gets is printed as a line, with the time in ms."""
import socket
import sys
import time

listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print("0 listening", flush=True)
while True:
    text = listener.recv(4096).decode()
    print(int(time.time() * 1000), text.replace("\n", " "), flush=True)
