"""UTF-16 counts on strings of code points, against strings that are made of code units."""

from __future__ import annotations

import random
import unittest
from typing import List

from spillway.text import count_units, drop_units, join

SEEDS = range(1, 301)
CHARACTERS = ["a", "é", "日", "\U0001f98a", "\U0001f469\u200d\U0001f467", "\ud83e", "\udd8a", "\n"]


def to_units(text: str) -> List[bytes]:
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[at : at + 2] for at in range(0, len(raw), 2)]


def to_text(units: List[bytes]) -> str:
    return b"".join(units).decode("utf-16-le", "surrogatepass")


def random_text(chance: random.Random) -> str:
    # By way of units, in which halves that stand side by side are one character.
    return to_text(to_units("".join(chance.choice(CHARACTERS) for _ in range(chance.randrange(12)))))


class Units(unittest.TestCase):
    def test_lengths_cuts_and_joins_are_those_of_code_units(self) -> None:
        for seed in SEEDS:
            chance = random.Random(seed)
            text, more = random_text(chance), random_text(chance)
            units = to_units(text)
            with self.subTest(seed=seed, text=text, more=more):
                self.assertEqual(len(units), count_units(text))
                self.assertEqual(to_text(units + to_units(more)), join(text, more))
                for count in range(len(units) + 1):
                    self.assertEqual(to_text(units[count:]), drop_units(text, count))

    def test_dropping_does_not_look_beyond_what_goes(self) -> None:
        class Watched(str):
            taken: List[int] = []

            def __getitem__(self, key: object) -> str:
                part = super().__getitem__(key)  # type: ignore[index]
                if isinstance(key, slice) and key.stop is not None:
                    self.taken.append(len(part))
                return part

        text = Watched("\U0001f98a line\n" * 10_000)

        self.assertEqual("line\n", drop_units(text, 3)[:5])
        self.assertLessEqual(max(Watched.taken), 5)
