"""The cookie: what counts as one, and what browsers are told to do with it."""

from websockets.datastructures import Headers

from diadem_server.gates.web import cookies

ANA = "ana_-" + 38 * "A"


def test_a_cookie_comes_back_as_it_was_set() -> None:
    for secure in (True, False):
        pair = cookies.set_cookie(ANA, secure=secure).partition(";")[0]
        headers = Headers({"Cookie": f"other=1; {pair}; more=2"})
        assert cookies.identity_in(headers, secure=secure) == ANA
        assert cookies.identity_in(headers, secure=not secure) is None


def test_no_page_can_read_it_and_links_bring_it_along() -> None:
    told = cookies.set_cookie(ANA, secure=False)
    assert "; Path=/;" in told
    assert "; HttpOnly; SameSite=Lax" in told
    assert "Secure" not in told
    assert "Domain" not in told


def test_over_tls_no_other_host_can_set_it() -> None:
    told = cookies.set_cookie(ANA, secure=True)
    assert told.startswith("__Host-")
    assert told.endswith("; Secure")


def test_no_two_browsers_get_the_same() -> None:
    assert len({cookies.new_identity() for _ in range(1000)}) == 1000
    assert cookies.IDENTITY.fullmatch(cookies.new_identity())


NO_COOKIES = (
    "",
    "diadem",
    "diadem=",
    f"diadem={ANA}x",
    f"diadem={ANA[:-1]}",
    f'diadem="{ANA}"',
    f"diadem={ANA[:-1]}\xe9",
    f"xdiadem={ANA}",
    f"diadem=../../{ANA[6:]}",
    "=" * 5000,
)


def test_what_has_another_form_is_nobody() -> None:
    found = {
        said: cookies.identity_in(Headers({"Cookie": said}), secure=False) for said in NO_COOKIES
    }
    assert found == dict.fromkeys(NO_COOKIES)


def test_it_is_found_in_whichever_line_it_stands() -> None:
    headers = Headers([("Cookie", "a=1"), ("Cookie", f"diadem={ANA}")])
    assert cookies.identity_in(headers, secure=False) == ANA
