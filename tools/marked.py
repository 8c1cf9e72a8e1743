"""Pages of which parts are taken from the code: what stands between `<!-- name -->` and `<!-- end -->`."""

import re
from collections.abc import Callable, Iterable, Mapping

MARKED = re.compile(r"(<!-- (?P<name>[a-z_ ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def renewed(page: str, tables: Mapping[str, Callable[[], Iterable[str]]]) -> str:
    """The page with its marked parts as the code has them now."""

    def as_it_is_now(mark: re.Match[str]) -> str:
        lines = "\n".join(tables[mark["name"]]())
        return f"{mark[1]}\n{lines.strip()}\n\n{mark[3]}"

    return MARKED.sub(as_it_is_now, page)
