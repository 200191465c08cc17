"""What a column means to the person who decides about the data."""

from __future__ import annotations

from typing import Literal, get_args

Role = Literal["user", "quasi-identifier", "sensitive", "item", "time", "amount", "weight", "ignore"]
ROLES: tuple[Role, ...] = get_args(Role)
KNOWN_TO_ATTACKERS: tuple[Role, ...] = ("quasi-identifier", "item", "time", "amount")
MEANINGS: dict[Role, str] = {
    "user": "names the person a record belongs to",
    "quasi-identifier": "something about the person that others may know",
    "sensitive": "what must not be learned about the person; the attacker does not know it",
    "item": "what was bought, used or visited",
    "time": "when it happened",
    "amount": "how much: a price, a quantity, a fare",
    "weight": "how many people of the population the person stands for (survey weight)",
    "ignore": "takes no part in the assessment, such as a name that will be removed",
}
