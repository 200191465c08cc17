"""How often an address or an account may ask: enough for people and scripts, too little for guessing."""

from __future__ import annotations

from dataclasses import dataclass, field

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from singleout.platform.refusal import RefusalError

# a whole class may share one address: what an address may is for a crowd, what an account or a name may is
# for one
RATES = {
    "request": "6000/minute",
    "request_of_account": "1200/minute",
    "sign_in": "60/minute",
    "sign_in_of_name": "20/hour",
    "sign_up": "120/hour",
    "admin_link": "10/minute",
    "join_code": "20/minute",
    "upload": "60/minute",
}


@dataclass
class RateLimits:
    """Counted in this process; several processes allow several times as much."""

    on: bool = True
    rates: dict[str, RateLimitItem] = field(
        default_factory=lambda: {name: parse(rate) for name, rate in RATES.items()}
    )
    limiter: MovingWindowRateLimiter = field(default_factory=lambda: MovingWindowRateLimiter(MemoryStorage()))

    def check(self, kind: str, whose: str) -> None:
        if self.on and not self.limiter.hit(self.rates[kind], kind, whose):
            raise RefusalError("too_often", "too often; wait a moment")
