"""How much there is of something for each key, such as connections from the prefix of an address, and for its site."""

from collections import Counter
from collections.abc import Callable, Mapping

from diadem_server.limits.sites import share_of, with_site


class Counts:
    def __init__(self) -> None:
        self._here: Counter[str] = Counter()
        self._by_node: dict[int, dict[str, int]] = {}
        """On other nodes, as they said last."""
        self._elsewhere: Counter[str] = Counter()
        """On all of them."""
        self.changed: Callable[[str, int], None] | None = None
        """Called with a key, and how much there is of it here now."""
        self.changed_elsewhere: Callable[[str, int], None] | None = None
        """Called with a key, and how much other nodes have of it now."""

    def __getitem__(self, key: str) -> int:
        """Wherever it is."""
        return self._here[key] + self._elsewhere[key]

    def has_room(self, key: str, most: int) -> bool:
        """Whether there is less than that for this key, and for its site less than a site may have."""
        return all(self[each] < most * share_of(each) for each in with_site(key))

    def add(self, key: str, how_many: int = 1) -> None:
        """Negative for what is gone."""
        for each in with_site(key):
            self.set_here(each, self._here[each] + how_many)

    def set_here(self, key: str, how_many: int) -> None:
        """For this key alone: whoever has counted it tells of its site as well."""
        _add(self._here, key, how_many - self._here[key])
        if self.changed is not None:
            self.changed(key, how_many)

    @property
    def here(self) -> Mapping[str, int]:
        return self._here

    @property
    def elsewhere(self) -> Mapping[str, int]:
        return self._elsewhere

    def set_elsewhere(self, node: int, counts: Mapping[str, int]) -> None:
        """Another node has so many of these now; of others as many as before."""
        there = self._by_node.setdefault(node, {})
        for key, count in counts.items():
            _add(self._elsewhere, key, count - there.pop(key, 0))
            if count:
                there[key] = count
            if self.changed_elsewhere is not None:
                self.changed_elsewhere(key, self._elsewhere[key])

    def forget(self, node: int) -> None:
        self.set_elsewhere(node, dict.fromkeys(self._by_node.get(node, ()), 0))
        self._by_node.pop(node, None)


def _add(counter: Counter[str], key: str, how_many: int) -> None:
    counter[key] += how_many
    if not counter[key]:
        del counter[key]
