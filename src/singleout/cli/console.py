"""What the installed command runs: requests to end are taken before the commands are loaded, to the end."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from singleout.cli.interruption import ENDING, SIGNALS, ignore_signals, stopped, take_signals


def console() -> int:
    try:
        take_signals()
        code = _outcome()
    except KeyboardInterrupt:
        # while commands were loaded, or an ending was told: a second signal, or the alarm
        code = stopped()
    except SystemExit as leaving:  # once help was told
        code = leaving.code if isinstance(leaving.code, int) else 0
    ENDING.append(True)
    if SIGNALS:
        _leave(code)
    ignore_signals()
    return code


def _outcome() -> int:
    from singleout.cli.main import main, own_fault

    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        # whoever started us with a closed stream does not want to read from it
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
        try:
            return main(tells=True)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # as libraries in Rust raise where their own code gives up
            return own_fault(error)


def _leave(code: int) -> None:
    """At once: Python ends by the signal, whatever we return, if the interruption went through code that a
    library runs by itself; files may be left where the interruption came while they were removed."""
    from singleout.temporary_files import remove_own

    remove_own()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
