"""An attacker on the network: thousands of mDNS records that nobody asked for.

python -m tests.lan.stranger ADDRESS
"""

import random
import socket
import struct
import sys

GROUP = ("224.0.0.251", 5353)
RESPONSE = 0x8400
A, PTR, TXT, SRV = 1, 12, 16, 33
CLASS_IN = 1
TTL = 4500
SERVICES = 1_000
SERVICE = [b"_diadem", b"_tcp", b"local"]
MEAN = (
    b"name=[@click=app.quit]x[/]\x1b[2J\x07",
    b"name=\xff\xfe\xc3(",
    b"name=" + "\u202e\u2066\U0001f451".encode() * 20,
    b"name",
    b"=" * 255,
    b"name=" + b"W" * 250,
    b"tables=99999999999999999999",
    b"tables=-1",
    b"password=" + b"yes" * 80,
    b"protocol=diadem.v999",
    b"",
)


def name(labels: list[bytes]) -> bytes:
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def record(owner: list[bytes], kind: int, data: bytes) -> bytes:
    return name(owner) + struct.pack("!HHIH", kind, CLASS_IN, TTL, len(data)) + data


def packet(*records: bytes) -> bytes:
    return struct.pack("!6H", 0, RESPONSE, 0, len(records), 0, 0) + b"".join(records)


def texts(chance: random.Random, some: int) -> bytes:
    return b"".join(bytes([len(each)]) + each for each in chance.choices(MEAN, k=some))


def service(number: int, chance: random.Random) -> bytes:
    instance = [chance.choice([b"x%d", b"[b]%d[/]", b"\xff\x00%d", b"a.b.%d"]) % number, *SERVICE]
    host = [b"host%d" % number, b"local"]
    address = bytes([10, 77, chance.choice([0, 1, 255]), number % 256])
    return packet(
        record(SERVICE, PTR, name(instance)),
        record(instance, SRV, struct.pack("!HHH", 0, 0, number % 70_000 % 65536) + name(host)),
        record(instance, TXT, texts(chance, chance.choice([0, 1, 6, 60]))),
        record(host, A, chance.choice([address, b"\x7f\0\0\1", b"\xe0\0\0\1", b"\0" * 4])),
    )


def nonsense(chance: random.Random) -> bytes:
    loop = struct.pack("!6H", 0, RESPONSE, 0, 1, 0, 0) + b"\xc0\x0c" + b"\0\x0c\0\x01" * 3
    cut = service(1, chance)[: chance.randrange(80)]
    counts = struct.pack("!6H", 0, RESPONSE, 65535, 65535, 65535, 65535)
    root = packet(record(SERVICE, PTR, b"\0"), record([], TXT, b"\xff"))
    return chance.choice([loop, cut, counts, root, chance.randbytes(chance.randrange(1, 1400))])


def main(address: str) -> None:
    chance = random.Random(address)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        for number in range(SERVICES):
            line.sendto(service(number, chance), GROUP)
            line.sendto(nonsense(chance), GROUP)


if __name__ == "__main__":
    main(sys.argv[1])
