"""How much there is of something for each key, such as connections from the prefix of an address."""

from collections import Counter
from collections.abc import Callable, Mapping


class Counts:
    def __init__(self) -> None:
        self._here: Counter[str] = Counter()
        self._elsewhere: dict[int, dict[str, int]] = {}
        """On other nodes, as they said last."""
        self.changed: Callable[[str], None] | None = None
        """Called with the key of what there is more or less of here."""

    def __getitem__(self, key: str) -> int:
        """Wherever it is."""
        return self._here[key] + sum(node.get(key, 0) for node in self._elsewhere.values())

    def add(self, key: str, how_many: int = 1) -> None:
        """Negative for what is gone."""
        self._here[key] += how_many
        if not self._here[key]:
            del self._here[key]
        if self.changed is not None:
            self.changed(key)

    @property
    def here(self) -> Mapping[str, int]:
        return self._here

    def set_elsewhere(self, node: int, counts: Mapping[str, int]) -> None:
        """Another node has so many of these now; of others as many as before."""
        there = self._elsewhere.setdefault(node, {})
        there.update(counts)
        for key in [key for key, count in counts.items() if not count]:
            del there[key]

    def forget(self, node: int) -> None:
        self._elsewhere.pop(node, None)
