"""Files of word lists: what goes in comes out, and what was harmed is refused by code."""

import struct
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.lexicon import Fault, WordListRefused, make, pack, unpack
from tests.cases import cases
from tests.shared.lexicon.examples import by_tiles, lexicon_of, word_sets

FILE = pack(lexicon_of("Ei", "es", "schon", "schön", "Straße", "Erbschaft"))


@given(word_sets)
def test_a_list_survives_its_file(written: set[str]) -> None:
    before = make("fr", by_tiles(written))
    after = unpack(pack(before))
    assert (after.language, after.lengths, len(after)) == ("fr", before.lengths, len(before))
    for length in before.lengths:
        assert after.packed(length) == before.packed(length)
    for word in by_tiles(written):
        assert after.spellings(word) == before.spellings(word)
    assert pack(after) == pack(before)


@given(word_sets)
def test_the_same_words_make_the_same_bytes(written: set[str]) -> None:
    backwards = dict(reversed(by_tiles(written).items()))
    assert pack(make("de", backwards)) == pack(make("de", by_tiles(written)))


@cases("at", range(len(FILE)))
def test_a_harmed_byte_is_noticed(at: int) -> None:
    harmed = bytearray(FILE)
    harmed[at] ^= 0x55
    with pytest.raises(WordListRefused) as refused:
        unpack(bytes(harmed))
    expected = Fault.FOREIGN if at < 4 else Fault.VERSION if at == 4 else Fault.DAMAGED
    assert refused.value.code is expected


@cases("size", range(4, len(FILE)))
def test_a_cut_file_is_noticed(size: int) -> None:
    with pytest.raises(WordListRefused) as refused:
        unpack(FILE[:size])
    assert refused.value.code is Fault.DAMAGED


def test_a_lengthened_file_is_noticed() -> None:
    with pytest.raises(WordListRefused) as refused:
        unpack(FILE + b"\0")
    assert refused.value.code is Fault.DAMAGED


@given(st.binary(max_size=300).filter(lambda data: not data.startswith(b"DiaW")))
def test_a_foreign_file_is_refused(data: bytes) -> None:
    with pytest.raises(WordListRefused) as refused:
        unpack(data)
    assert refused.value.code is Fault.FOREIGN


def test_another_version_is_named() -> None:
    with pytest.raises(WordListRefused) as refused:
        unpack(FILE[:4] + b"\x07" + FILE[5:])
    assert refused.value.params == {"found": 7, "known": 1}


def resealed(data: bytes, at: int, field: bytes) -> bytes:
    """The file with a field of its head replaced and the head's check made good again."""
    head = bytearray(data[:137])
    head[at : at + len(field)] = field
    head[133:] = struct.pack("<I", zlib.crc32(head[:133]))
    return bytes(head) + data[137:]


def test_resealing_what_was_there_changes_nothing() -> None:
    assert resealed(FILE, 5, b"de") == FILE


@pytest.mark.parametrize(
    ("at", "field"),
    [
        (5, b"\xff\xff"),  # a language that is none
        (13, struct.pack("<I", 3)),  # one word of two letters more than there are
        (13, struct.pack("<I", 2**32 - 1)),  # more words than memory holds
    ],
)
def test_a_head_that_lies_is_refused(at: int, field: bytes) -> None:
    with pytest.raises(WordListRefused) as refused:
        unpack(resealed(FILE, at, field))
    assert refused.value.code is Fault.DAMAGED


def test_a_claim_of_many_words_is_not_given_their_memory() -> None:
    lie = resealed(FILE, 13, struct.pack("<I", 2**32 - 1))
    tracemalloc.start()
    try:
        with pytest.raises(WordListRefused):
            unpack(lie)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@cases("language", ["", "d", "DE", "../etc", "deutschland"])
def test_a_language_must_be_a_code(language: str) -> None:
    with pytest.raises(ValueError, match="language code"):
        pack(make(language, {"EI": {"Ei"}}))


def test_a_list_without_words_is_refused() -> None:
    with pytest.raises(WordListRefused) as refused:
        make("de", {})
    assert refused.value.code is Fault.EMPTY
