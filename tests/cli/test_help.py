"""The pages of help, what was meant by a misspelt word, and what shells complete."""

import argparse
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from singleout.cli.examples import EXAMPLES
from singleout.cli.main import main, parser
from singleout.cli.parser import READING, Parser
from singleout.cli.warm_up import RUNS

WIDEST_EXAMPLE = 108
MOST_LINES = 75


def commands() -> dict[str, Parser]:
    found = parser().commands()
    return found | {
        f"{name} {step}": each for name, whole in found.items() for step, each in whole.commands().items()
    }


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == {"", *commands()}
    assert all(EXAMPLES.values())


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name])
def test_examples_can_be_read(name: str) -> None:
    for example in EXAMPLES[name]:
        words = shlex.split(example.replace('eval "$(', "").replace(')"', ""))
        called = words[words.index("singleout") + 1 :]
        called = called[: called.index(">")] if ">" in called else called
        assert parser().parse(called).command == name.split()[0]
        assert len(example) < WIDEST_EXAMPLE


@pytest.mark.parametrize("name", ["", *commands()])
def test_a_page_is_short_and_no_wider_than_a_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The question, the examples and the options by group; of every option also what it says."""
    monkeypatch.setenv("COLUMNS", "80")
    command = commands()[name] if name else parser()
    page, whole = command.format_help(), command.whole_page()
    assert len(page.splitlines()) <= MOST_LINES
    assert max(map(len, f"{page}{whole}".splitlines())) <= 80
    options = [each for each in command._actions if each.option_strings and each.help != argparse.SUPPRESS]
    told = [each for each in options if each not in reading(command)]
    assert all(re.search(rf"(?m)(?<![\w-]){each.option_strings[-1]}(?![\w-])", page) for each in told)
    assert all(re.search(rf"(?m)^ +.*{each.option_strings[-1]}\b", whole) for each in told)
    if page != whole:
        assert f"singleout help {name} --all\n" in page
        groups = [each.title for each in command._action_groups[2:] if each.title != READING]
        assert groups
        assert all(f"\n{title}:\n" in page for title in groups)


def reading(command: Parser) -> list[argparse.Action]:
    return [one for each in command._action_groups if each.title == READING for one in each._group_actions]


def test_every_option_is_told_by_help_all(capsys: pytest.CaptureFixture[str]) -> None:
    said = "so many people or fewer are too few"
    assert main(["help", "assess"]) == 0
    page = capsys.readouterr().out
    assert "--allow" in page
    assert said not in page
    assert main(["help", "assess", "--all"]) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("example", EXAMPLES["deidentify dummies"])
def test_a_shell_takes_a_long_example_as_one_command(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    page = commands()["deidentify dummies"].format_help()
    shown = page.partition("examples:\n")[2].partition("\n\n")[0].replace("\\\n", "")
    assert shlex.split(example) in [shlex.split(line) for line in shown.splitlines()]


def test_a_page_says_where_more_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["assess", "--help"])
    page = capsys.readouterr().out
    assert page.startswith("usage: singleout assess FILE [options]\n\nHow risky is each attribute")
    assert "--encoding" not in page
    assert "singleout help reading" in page
    main(["help", "assess"])
    assert capsys.readouterr().out == page
    main(["help", "reading"])
    assert "--encoding" in capsys.readouterr().out


def test_without_a_command_the_first_page_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    page = capsys.readouterr().out
    assert all(f"  {name}" in page for name in parser().commands())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["asess"], "there is no 'asess'; did you mean 'assess'?"),
        (
            ["assess", "x.csv", "--colums", "a"],
            "arguments: --colums a; did you mean '--columns'",
        ),
        (["deidentify", "aply"], "there is no 'aply'; did you mean 'apply'?"),
        (["assess", "x.csv", "y.csv"], "unrecognized arguments: y.csv; see singleout assess --help"),
    ],
)
def test_what_was_meant(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_page_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "reding"]) == 2
    assert "did you mean 'reading'" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command_and_option(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for command in commands().values():
        shown = [each for each in command._actions if each.help != argparse.SUPPRESS]
        names = [name for each in shown for name in each.option_strings if name.startswith("--")]
        assert all((f"-l {name[2:]}" if shell == "fish" else name) in script for name in names)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("singleout asse", "assess"),
        ("singleout assess shop.csv --us", "--user"),
        ("singleout deidentify ap", "apply"),
        ("singleout deidentify apply --rec", "--recipe"),
    ],
)
def test_bash_completes(words: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["completion", "bash"])
    script = capsys.readouterr().out
    typed = words.split()
    ask = f"COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}; _singleout; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    assert expected in done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_offers_files_where_options_are_not_begun(capsys: pytest.CaptureFixture[str]) -> None:
    """It does so by itself wherever nothing is offered."""
    main(["completion", "bash"])
    script = capsys.readouterr().out
    ask = "COMP_WORDS=(singleout assess ''); COMP_CWORD=2; _singleout; echo \"${COMPREPLY[*]}\""
    done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
    assert "complete -o default" in script


COMPLETIONS = [
    ("singleout asse", "assess"),
    ("singleout deidentify appl", "apply"),
    ("singleout assess x.csv --colu", "--columns"),
    ("singleout deidentify apply --reci", "--recipe"),
]
# a shell at a pseudo-terminal: the words, a tab, and a mark behind what stands there then
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='> '; fpath=($1 $fpath); autoload -U compinit; compinit -u -D; echo RE''ADY"
zpty -r shell seen '*READY*> *'
zpty -w -n shell "$2"$'\t'"MARK"
zpty -r shell seen "*MARK*" && print -r -- "$seen"
zpty -d shell
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize(("words", "expected"), COMPLETIONS)
def test_zsh_completes(words: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also at the first tab, when the file is only being loaded."""
    main(["completion", "zsh"])
    (tmp_path / "_singleout").write_text(capsys.readouterr().out)
    called = ["zsh", "-f", "-c", ZSH, "zsh", str(tmp_path), words, expected]
    done = subprocess.run(called, capture_output=True, text=True, check=True, timeout=300)
    assert expected in re.sub("\a|\x1b\\[[0-9?]*[a-zA-Z]", "", done.stdout)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize(("words", "expected"), COMPLETIONS)
def test_fish_completes(
    words: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["completion", "fish"])
    script = tmp_path / "singleout.fish"
    script.write_text(capsys.readouterr().out)
    ask = f"source {script}; complete -C '{words}'"
    called = ["fish", "--no-config", "-c", ask]
    done = subprocess.run(called, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.splitlines() == [expected]


def test_reading_options_are_on_one_page() -> None:
    readers = [
        each for each in commands().values() if READING in {group.title for group in each._action_groups}
    ]
    assert len(readers) > 10
    assert all("--encoding" not in each.format_help() for each in readers)


def test_runs_of_warm_up_can_be_read() -> None:
    read = [parser().parse(words) for words in RUNS]
    assert {each.command for each in read} >= {"assess", "attack", "combinations", "compare", "deidentify"}
