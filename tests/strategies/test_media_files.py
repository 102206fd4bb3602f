"""Every file is what its media type says, small, and different for each number."""

import gzip
import json
import wave
import zipfile
import zlib
from io import BytesIO
from xml.etree import ElementTree

import pytest

from hypothesis_mcp.media import (
    _MAKERS,
    AUDIO_TYPES,
    BLOB_TYPES,
    IMAGE_TYPES,
    TEXT_TYPES,
    base64_file_of,
    file_of,
)

EVERY = sorted({*_MAKERS, *IMAGE_TYPES, *AUDIO_TYPES, *BLOB_TYPES, *TEXT_TYPES, "text/x-any"})
NUMBERS = (0, 1, 255, 256, 65_536, 2**32 - 1)


@pytest.mark.parametrize("mime_type", EVERY)
def test_each_number_gives_bytes_of_its_own(mime_type: str) -> None:
    assert len({file_of(mime_type, n) for n in NUMBERS}) == len(NUMBERS)


@pytest.mark.parametrize("mime_type", EVERY)
def test_files_are_small(mime_type: str) -> None:
    assert len(file_of(mime_type, 2**32 - 1)) <= (350 if "pdf" in mime_type.lower() else 150)


def test_case_and_parameters_of_a_type_do_not_matter() -> None:
    assert file_of("IMAGE/Png ; a=b", 5) == file_of("image/png", 5)


def test_a_number_out_of_range_is_an_error() -> None:
    for n in (-1, 2**32):
        with pytest.raises(ValueError, match="n must lie in"):
            file_of("image/png", n)


@pytest.mark.parametrize("mime_type", [name for name in TEXT_TYPES if "svg" not in name])
def test_text_types_give_ascii_with_the_token(mime_type: str) -> None:
    if mime_type != "application/x-pfz":
        assert "pfz7" in file_of(mime_type, 7).decode("ascii").replace("pfz:", "pfz")


def test_png_chunks_have_right_lengths_and_checksums() -> None:
    data = file_of("image/png", 0xDEADBEEF)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, pixels = 8, b""
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        body = data[at + 4 : at + 8 + length]
        checksum = data[at + 8 + length : at + 12 + length]
        assert zlib.crc32(body).to_bytes(4, "big") == checksum
        if body[:4] == b"IDAT":
            pixels += body[4:]
        at += 12 + length
    assert zlib.decompress(pixels) == b"\0\xde\xad\xbe\xef"


def test_gif_and_jpeg_begin_and_end_as_they_must() -> None:
    gif, jpeg = file_of("image/gif", 3), file_of("image/jpeg", 3)
    assert gif[:6] == b"GIF89a"
    assert gif[-1:] == b";"
    assert jpeg[:2] == b"\xff\xd8"
    assert jpeg[-2:] == b"\xff\xd9"


def test_jpeg_segments_follow_one_another() -> None:
    data, at = file_of("image/jpeg", 3), 2
    while data[at + 1] != 0xDA:
        assert data[at] == 0xFF
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    assert at < len(data)


@pytest.mark.parametrize(("mime_type", "form"), [("image/webp", b"WEBP"), ("audio/wav", b"WAVE")])
def test_riff_sizes_are_right(mime_type: str, form: bytes) -> None:
    data = file_of(mime_type, 9)
    assert data[:4] == b"RIFF"
    assert data[8:12] == form
    at = 12
    while at < len(data):
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "little")
        at += at % 2
    assert at == len(data) == 8 + int.from_bytes(data[4:8], "little")


def test_wav_is_read_by_the_standard_library() -> None:
    with wave.open(BytesIO(file_of("audio/wav", 0x01020304))) as sound:
        assert sound.readframes(9) == b"\x01\x02\x03\x04"


def test_bmp_says_its_own_size() -> None:
    data = file_of("image/bmp", 1)
    assert int.from_bytes(data[2:6], "little") == len(data)
    assert data[int.from_bytes(data[10:14], "little") :] == b"\x01\0\0\0"


def test_mp3_has_a_frame_after_its_tag() -> None:
    data = file_of("audio/mpeg", 1)
    assert data[:3] == b"ID3"
    assert data[10 + data[9] :][:2] == b"\xff\xe3"
    assert len(data) - 10 - data[9] == 72


def test_ogg_and_flac_have_their_headers() -> None:
    assert file_of("audio/ogg", 1).count(b"OggS") == 2
    flac = file_of("audio/flac", 1)
    assert flac[:8] == b"fLaC\0\0\0\x22"
    assert flac[42] & 0x80


def test_zip_gzip_json_and_xml_are_read_by_the_standard_library() -> None:
    with zipfile.ZipFile(BytesIO(file_of("application/zip", 5))) as archive:
        assert archive.testzip() is None
        assert archive.read("a") == b"pfz5"
    assert gzip.decompress(file_of("application/gzip", 5)) == b"pfz5"
    assert json.loads(file_of("application/json", 5)) == {"token": "pfz5"}
    assert ElementTree.fromstring(file_of("text/xml", 5)).text == "pfz5"
    assert b"pfz0000000005" in file_of("image/svg+xml", 5)
    ElementTree.fromstring(file_of("image/svg+xml", 5))


def test_pdf_offsets_are_right() -> None:
    data = file_of("application/pdf", 5)
    start = int(data.split(b"startxref\n")[1].split(b"\n")[0])
    assert data[start : start + 4] == b"xref"
    for number, line in enumerate(data[start:].split(b"\n")[3:6], 1):
        assert data[int(line[:10]) :].startswith(b"%d 0 obj" % number)


def test_the_plainest_image_and_sound_are_the_smallest() -> None:
    for table in (IMAGE_TYPES, AUDIO_TYPES, BLOB_TYPES):
        sizes = [len(file_of(mime_type, 0)) for mime_type in table]
        assert sizes[0] == min(sizes)


def test_base64_is_standard_and_padded() -> None:
    assert base64_file_of("application/octet-stream", 0) == "/wAAAAA="
