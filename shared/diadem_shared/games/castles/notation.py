"""Castle moves as a person types them: "draw", "stop", "buy from 2", "pay diamond diamond red3".

Seats count from 1 in text, as they do on the screen. What is written depends on the edition ("fairy",
"cannon"); what is read is forgiving: any case, any spacing, plurals, and the words of the leaflet.
"""

from diadem_shared.games.castles.editions import (
    CURRENCY,
    PARTS,
    SHIELD,
    TOLL,
    Card,
    Edition,
    in_order,
    part,
)
from diadem_shared.games.castles.table import Buy, Draw, Move, Pay, Shield, Stop
from diadem_shared.refusals import Code, Refusal, RefusalError

SEATS = {str(number): number - 1 for number in range(1, 10)}


class Notation:
    def __init__(self, edition: Edition) -> None:
        self._names = {CURRENCY: edition.words[CURRENCY], SHIELD: edition.words[SHIELD]}
        parts = [
            part(colour, number) for colour in edition.colours for number in range(1, PARTS + 1)
        ]
        self._cards: dict[str, Card] = {
            **{name: card for card, name in self._names.items()},
            **{f"{name}s": card for card, name in self._names.items()},
            **{card: card for card in parts},
        }
        shield = self._names[SHIELD]
        self._words: dict[str, Move] = {"draw": Draw(), "stop": Stop(), shield: Shield()}
        currency = self._names[CURRENCY]
        parts_like = f"(?:{'|'.join(edition.colours)})[1-{PARTS}]"
        cards_like = f"(?: (?:{currency}|{shield}|{parts_like})){{1,{TOLL}}}"
        self.moves_like = f"draw|stop|{shield}|buy from [1-4]|pay{cards_like}"
        self.forms = ["draw", "stop", "buy from 2", f"pay {currency} {currency} blue3", shield]

    def notate(self, move: Move) -> str:
        match move:
            case Draw():
                return "draw"
            case Stop():
                return "stop"
            case Buy(seller):
                return f"buy from {seller + 1}"
            case Pay(cards):
                return " ".join(["pay", *(self._names.get(card, card) for card in cards)])
            case Shield():
                return self._names[SHIELD]

    def parse(self, text: str) -> Move:
        words = text.casefold().split()
        match words:
            case [word] if word in self._words:
                return self._words[word]
            case ["play", word] if word == self._names[SHIELD]:
                return Shield()
            case ["buy", "from", seat] if seat in SEATS:
                return Buy(SEATS[seat])
            case ["pay", *cards] if all(card in self._cards for card in cards):
                return Pay(in_order(self._cards[card] for card in cards))
        raise RefusalError(Refusal(Code.UNREADABLE, {"text": text, "forms": self.forms}))
