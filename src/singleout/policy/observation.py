"""What was noticed of a release that no rule need ask for, and that stops it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

RegulatorQuestion = Literal["singling out", "linkability", "inference"]
QUESTIONS: dict[RegulatorQuestion, str] = {
    "singling out": "Can somebody be picked out of the data?",
    "linkability": "Can records of one person be linked to each other, or to other data?",
    "inference": "Can something be learned about a person that the data was not to tell?",
}


@dataclass(frozen=True)
class Observation:
    """It `forbids` the release, or else leaves open whether it may go out; neither passes.

    `topic` names it in a few words, `words` are a sentence that says what would settle it.
    """

    topic: str
    words: str
    question: RegulatorQuestion
    forbids: bool

    def to_dict(self) -> dict[str, Any]:
        return vars(self).copy()
