"""What is read whole: ordinary files only."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from singleout.errors import InputError
from singleout.policy.rules.policy import policy_of
from singleout.read.input_files import input_bytes
from singleout.recipe.recipe import read_recipe
from singleout.roles.study import read_study


@pytest.mark.parametrize("read", [input_bytes, read_study, policy_of, read_recipe])
def test_nobody_waits_for_a_pipe(tmp_path: Path, read: Callable[[Any], Any]) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match=r"pipe\.toml: is a pipe or a device; save it as an ordinary file"):
        read(pipe)


def test_no_device_is_read_for_ever() -> None:
    with pytest.raises(InputError, match="is a pipe or a device"):
        input_bytes("/dev/zero")
