"""How a platform is run: where it keeps things, whom it answers to, and how much a submission may take."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from singleout.errors import UsageError
from singleout.platform.store.database import database_address

DATABASE_VARIABLE = "SINGLEOUT_DATABASE"


@dataclass(frozen=True)
class ProcessLimits:
    """What the process that reads and scores a submission may take."""

    validation_seconds: int = 120
    scoring_seconds: int = 3600
    memory_megabytes: int = 8_000
    disk_megabytes: int = 8_000

    def __post_init__(self) -> None:
        for name in ("validation_seconds", "scoring_seconds", "memory_megabytes", "disk_megabytes"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name.replace('_', ' ')}: must be at least 1")


@dataclass(frozen=True)
class Settings:
    """Of one platform; `database` is an address as SQLAlchemy writes it.

    `hosts` are the names by which browsers may ask for it. Over `https` cookies are never sent in the clear.
    """

    folder: Path
    database: str
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    https: bool = False
    most_upload_bytes: int = 4_100_000_000
    rates: bool = True
    limits: ProcessLimits = field(default_factory=ProcessLimits)


def settings_for(folder: Path, address: str | None = None) -> Settings:
    """The folder is made if it is not there; only its owner can look into it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"{folder}: is or lies in what is no folder; choose another --folder") from error
    return Settings(folder, database_address(address, folder))
