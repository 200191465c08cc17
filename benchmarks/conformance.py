"""Puts singleout's numbers beside those of other tools, and writes docs/conformance.md.

What other tools say is in tests/golden.toml and other_tools.py; those that are installed are asked again.
Needs the public data that docs/data.md names: python benchmarks/conformance.py [FOLDER]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import conformance_rows as rows
import other_tools
import page

PAGE = page.PAGE.parent / "conformance.md"
DATA_FOLDER = page.HERE.parents[1] / "shared" / "data"
NO_DATA = "conformance: left out, as the public data is not at hand; docs/data.md says where it is published"


@dataclass(frozen=True)
class Section:
    """A tool: where its numbers come from and what the data is, and its rows for a folder of public data."""

    tool: str
    answers: Callable[[Path], list[rows.Row]]
    needs_data: bool
    about: str

    def text(self, found: list[rows.Row]) -> str:
        head = f"| what {self.tool} is asked<br>and singleout | {self.tool} | singleout | the same? |"
        lines = [f"## {self.tool}", "", self.about.strip(), "", head, "|---|---|---|---|"]
        return "\n".join([*lines, *(row.line() for row in found), ""])


HEAD = """# Beside other tools

The same data and the same definition should give the same number, whoever computes it. Here singleout is
asked what other tools were asked; where the numbers differ, the page says why. The script
`benchmarks/conformance.py` writes it, and a test fails when singleout's numbers or a reason are out of date.
The data sets are [published](data.md); the small tables are in `benchmarks/other_tools.py`.

Below each question is the command that answers it here, without `singleout` before it and without `--user`;
`--json` prints the fields that are named after it, and `--record-risks` writes the columns.
"""

SECTIONS = (
    Section("ARX", rows.arx, True, """
**Published, not run here:** what ARX's tests `TestRiskMetrics` and `TestRiskQuasiIdentifiers` expect, and
its own runs for k = 5 by the geometric mean. **Run, ARX 3.9.2,**
not at each build: where it says so. Data: ARX's Adult table (`adult.csv`: 30,162 records, 9
columns) with its hierarchies, and five records of age, sex and state. Levels are in the order sex, age, race,
marital-status, education, native-country, workclass, occupation, salary-class.
"""),
    Section("sdcMicro", rows.sdcmicro, False, """
**Published, not run here:** the example of `freqCalc`, the test `test_suda2.R`, and the practice guide for
Statistical Disclosure Control by Benschop, Machingauta and Welch, which used sdcMicro. Its individual
risk and its `modRisk` were read and simulated, never run. Data: tables of eight
and ten records.
"""),
    Section("pyCANON", rows.pycanon, True, """
**Run here:** pyCANON 1.3.5 with pandas 2.3.3. Data: UCI Adult (`adult.data`: 32,561 records) by age,
education, occupation, relationship, sex and native-country, the income being sensitive; and three records, of
which one lacks its zip. Its recursive (c,l)-diversity sorts the values from the rarest to the most frequent,
and is not compared.
What becomes of that one depends on pandas: 2.3.3 leaves it out if there is one column, 3.0 also if there are
several.
"""),
    Section("ANJANA", rows.anjana, True, """
**Run here:** ANJANA 1.2.3. Data: ARX's Adult table with its hierarchies, levels in the same order. Its
release was read again, and ARX's Loss of it computed.
"""),
    Section("scikit-mobility", rows.scikit_mobility, False, """
**Run here:** scikit-mobility 1.3.1 with pandas 1.5.3 and Shapely 1.8.5; its documentation prints the same
for its example. A person's risk is 1 ÷ the people who fit, at the worst choice of so many known points.
Data: the seven people and 23 trips of its example, and the trips of 40 generated card holders
(`singleout sample card --people 40 --out card.csv`) by the route where they boarded. The release that
singleout attacks is the original itself; `--person-risks` writes the risk of each person, and `unicity` in
its JSON the rate of who takes any of the people who fit.
"""),
    Section("Anonymeter", rows.anonymeter, False, """
**Run here:** Anonymeter 1.1.0, `success_rate` with a confidence of 95 %. Both use Wilson's interval.
"""),
)  # fmt: skip

TAIL = """## Why tools disagree

- **Counted over what.** An average risk over classes, over records or over people: three numbers, one name.
  singleout says beside each number what it is counted over.
- **Missing values.** They can be a value, drop the record, or fit every value. singleout takes them as a
  value unless you ask for `--missing drop` or `--missing wildcard`, and prints the rule. Dropped records make
  a table look safer than it is.
- **Suppressed records.** They can be a class of their own, or be left out. In singleout they are not in the
  release, and are counted apart.
- **Records or cells.** A record with two unsafe values is one record and two cells.
- **Records or people.** Most tools take each record for a person. With `--user` singleout counts people:
  somebody with three equal records is no crowd of three.
- **The best, or good enough.** A search that takes the first safe generalisation it meets loses more than
  one that proves its answer.
- **Sensitive values that a class lacks.** To rule a value out is to disclose: δ-disclosure as it is defined
  holds for no δ then. ARX (whose δ is in bits) and pyCANON look only at the values that a class has.
- **An estimate and its interval.** The middle of Wilson's interval is not the share of successes.
"""


def whole_page(data: Path) -> str:
    return "\n".join([HEAD, *(section.text(section.answers(data)) for section in SECTIONS), TAIL])


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder", nargs="?", type=Path, default=DATA_FOLDER, help="the public data sets")
    folder = words.parse_args().folder
    if not (folder / "arx_adult").is_dir():
        print(NO_DATA)
        return
    other_tools.ask_again()
    PAGE.write_text(whole_page(folder))
    print(f"wrote {PAGE.relative_to(page.HERE.parent)}")


if __name__ == "__main__":
    main()
