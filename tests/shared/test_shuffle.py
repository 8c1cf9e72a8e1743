"""The hashes of a fair shuffle."""

from diadem.shuffle import commitment_of_server, hashed


def test_values_that_are_hashed_do_not_run_into_one_another() -> None:
    lists = [(b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""), (b"", b"abc")]
    assert len({hashed("label", *values) for values in lists}) == len(lists)
    assert hashed("label", b"a") != hashed("labe", b"la")


def test_a_commitment_tells_of_one_secret_alone() -> None:
    secrets = [bytes(32), bytes(31), bytes([*[0] * 31, 1])]
    assert len({commitment_of_server(secret) for secret in secrets}) == 3
