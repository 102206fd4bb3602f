"""Small valid audio files, each holding a number that makes its bytes unique.

Layouts follow RIFF/WAVE (PCM), MPEG-1 layer III with an ID3v2.3 tag, Ogg (RFC 3533) with Opus
headers (RFC 7845), and FLAC (RFC 9639).
"""

__all__ = ["flac", "mp3", "ogg", "wav"]


def wav(n: int) -> bytes:
    """Four 8-bit samples, the bytes of ``n``, at 8 kHz."""
    rate = (8000).to_bytes(4, "little")
    body = (
        b"WAVEfmt \x10\0\0\0\x01\0\x01\0" + rate + rate + b"\x01\0\x08\0"
        + b"data\x04\0\0\0" + n.to_bytes(4, "big")
    )  # fmt: skip
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def mp3(n: int) -> bytes:
    """An ID3 title with ``n`` and one silent frame (MPEG-2.5, 8 kbit/s, 8 kHz, mono: 72 bytes)."""
    title = b"\0pfz%d" % n
    frame = b"TIT2" + len(title).to_bytes(4, "big") + b"\0\0" + title
    # ID3 sizes are four bytes of seven bits; the tag is far shorter than 128 bytes.
    tag = b"ID3\x03\0\0\0\0\0" + bytes((len(frame),)) + frame
    return tag + b"\xff\xe3\x18\xc4" + b"\0" * 68


def _ogg_checksum(page: bytes) -> int:
    # RFC 3533: CRC-32 with polynomial 0x04c11db7, no reflection, no inversion; so not zlib's.
    value = 0
    for byte in page:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1) ^ (0x04C11DB7 if value & 0x80000000 else 0)
        value &= 0xFFFFFFFF
    return value


def _ogg_page(flags: int, sequence: int, serial: int, packet: bytes) -> bytes:
    head = b"OggS\0" + bytes((flags,)) + b"\0" * 8 + serial.to_bytes(4, "little")
    head += sequence.to_bytes(4, "little")
    lacing = b"\x01" + bytes((len(packet),))
    checksum = _ogg_checksum(head + b"\0" * 4 + lacing + packet)
    return head + checksum.to_bytes(4, "little") + lacing + packet


def ogg(n: int) -> bytes:
    """An Opus stream without audio whose serial number is ``n``."""
    rate = (48000).to_bytes(4, "little")
    identification = b"OpusHead\x01\x01\0\0" + rate + b"\0\0\0"
    comments = b"OpusTags\x03\0\0\0pfz\0\0\0\0"
    return _ogg_page(2, 0, n, identification) + _ogg_page(4, 1, n, comments)


def flac(n: int) -> bytes:
    """A stream without frames whose application block holds ``n``."""
    # Block size 4096, frame sizes unknown, 44.1 kHz, one channel, 16 bits, length and MD5 unknown.
    packed = (44100 << 44) | (0 << 41) | (15 << 36)
    info = b"\x10\0\x10\0" + b"\0" * 6 + packed.to_bytes(8, "big") + b"\0" * 16
    application = b"pfzn" + n.to_bytes(4, "big")
    return b"fLaC\0\0\0\x22" + info + b"\x82\0\0\x08" + application
