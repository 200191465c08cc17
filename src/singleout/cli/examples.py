"""Three ways to call each command, as its page of help shows them; tests read each of them."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        "singleout assess shop.csv --user customer              # how risky is it?",
        "singleout attack shop.csv release.csv --user customer  # who is recognised?",
        "singleout check release.csv --policy public            # may it be released?",
    ),
    "assess": (
        "singleout assess shop.csv --user customer",
        "singleout assess shop.csv --user customer --columns date,time,goods --html report.html",
        "singleout assess patients.parquet --user none --sensitive diagnosis --policy public",
    ),
    "describe": (
        "singleout describe shop.csv --user customer --item goods",
        "singleout describe card.parquet --user user --amount fare --html card.html",
        "singleout describe shop.csv --user customer --json",
    ),
    "combinations": (
        "singleout combinations shop.csv --user customer --allow 3",
        "singleout combinations shop.csv --user customer --size 2 --synergy 10",
        "singleout combinations shop.csv --user customer --costs costs.csv --resource 5",
    ),
    "entropy": (
        "singleout entropy card.csv --user user --domain purchases=fare@usage=purchase",
        "singleout entropy shop.csv --user customer --domain goods=goods --domain days=date",
        "singleout entropy card.csv --user user --domain stations=entraining_point+alighting_point --json",
    ),
    "predict": (
        "singleout predict shop.csv --user customer --columns date,goods,number",
        "singleout predict --avfm frequencies.csv --record-counts 1000,1000000",
        "singleout predict --avfm frequencies.csv --drop date --add age=80",
    ),
    "attack": (
        "singleout attack shop.csv release.csv --user customer --truth who.csv",
        "singleout attack shop.csv release.csv --user customer --recipe recipe.toml --item goods",
        "singleout attack shop.csv release.csv --user customer --columns date,goods --html attack.html",
    ),
    "compare": (
        "singleout compare shop.csv release.csv --truth who.csv --user customer",
        "singleout compare shop.csv one.csv two.csv --user customer --plot releases.svg",
        "singleout compare shop.csv release.csv --user customer --html compare.html",
    ),
    "sweep": (
        "singleout sweep sweep.toml --out runs.csv",
        "singleout sweep sweep.toml --out runs.parquet --html sweep.html",
        "singleout sweep sweep.toml --out runs.csv --json",
    ),
    "check": (
        "singleout check release.csv --policy policy.toml --user none",
        "singleout check release.csv --policy public --original shop.csv --user customer",
        "singleout check --write-policy policy.toml",
    ),
    "protect": (
        "singleout protect shop.csv --user customer --policy policy.toml --out release.csv --truth who.csv",
        "singleout protect adult.csv --user none --policy public --hierarchies folder --out release.csv",
        "singleout protect shop.csv --user customer --policy policy.toml --minutes 5 --out release.csv",
    ),
    "deidentify": (
        "singleout deidentify generalise adult.csv --hierarchies folder --k 5 --out release.csv",
        "singleout deidentify dummies shop.csv --user customer --item goods --clusters 50 --out release.csv",
        "singleout deidentify apply shop.csv --user customer --recipe recipe.toml --out release.csv",
    ),
    "deidentify apply": (
        "singleout deidentify apply shop.csv --user customer --recipe recipe.toml --out release.csv",
        "singleout deidentify apply shop.csv --recipe recipe.toml --out release.csv --truth who.csv",
        "singleout deidentify apply shop.csv --recipe recipe.toml --json",
    ),
    "deidentify dummies": (
        "singleout deidentify dummies shop.csv --user customer --item goods --clusters 50 --out hidden.csv",
        "singleout deidentify dummies shop.csv --user customer --item goods --recognised 0.1 --out x.csv",
        "singleout deidentify dummies shop.csv --user customer --item goods --smallest 8",
    ),
    "deidentify generalise": (
        "singleout deidentify generalise adult.csv --hierarchies folder --k 5 --out release.csv",
        "singleout deidentify generalise adult.csv --hierarchies folder --k 5 --local --out release.csv",
        "singleout deidentify generalise shop.csv --user customer --hierarchies folder --k 5 --suppress 0.02",
    ),
    "deidentify suppress": (
        "singleout deidentify suppress adult.csv --k 5 --columns age,sex,race --out release.csv",
        "singleout deidentify suppress adult.csv --k 3 --size 2 --out release.csv",
        "singleout deidentify suppress adult.csv --k 3 --json",
    ),
    "hierarchy": (
        "singleout hierarchy shop.csv --column date --date-parts month,quarter --out hierarchies/date.csv",
        "singleout hierarchy shop.csv --column price --out hierarchies/price.csv",
        "singleout hierarchy shop.csv --column number --intervals 10,100 --out hierarchies/number.json",
    ),
    "roles": (
        "singleout roles shop.csv --suggest",
        "singleout roles shop.csv --suggest --out study.toml",
        "singleout roles shop.csv --check study.toml",
    ),
    "sample": (
        "singleout sample shop --out shop.csv",
        "singleout sample card --out card.parquet --people 1000 --seed 1",
        "singleout sample shop --out shop.csv --people 40000",
    ),
    "data": (
        "singleout data t1 --from online_retail.parquet --out t1.csv",
        "singleout data adult --from adult.data --out adult.csv",
        "singleout data t2 --from diabetic_data.csv.gz --out t2.parquet",
    ),
    "serve": (
        "singleout serve --demo",
        "singleout serve --folder contests --port 8080",
        "singleout serve backup contests.backup --folder contests",
    ),
    "worker": (
        "singleout worker --folder contests",
        "singleout worker --folder contests --database postgresql://singleout@db/singleout",
        "singleout worker --folder contests --memory 4GB",
    ),
    "submit": (
        "singleout submit release.csv --server https://contest.example.org --contest cards",
        "singleout submit release.csv --server https://contest.example.org --contest cards --truth who.csv",
        "singleout submit release.csv --server https://contest.example.org --contest cards --json",
    ),
    "metric": (
        "singleout metric run spent.sql shop.csv release.csv",
        "singleout metric run spent.py shop.csv release.csv --user customer --json",
        "singleout metric run matches.R shop.csv release.csv --truth who.csv",
    ),
    "demo": (
        "singleout demo",
        "singleout demo --html report.html",
    ),
    "doctor": (
        "singleout doctor",
        "singleout doctor --clean",
        "singleout doctor --json",
    ),
    "warm-up": ("singleout warm-up", "NUMBA_CACHE_DIR=cache singleout warm-up"),
    "completion": (
        'eval "$(singleout completion bash)"',
        "singleout completion zsh > ~/.zfunc/_singleout",
        "singleout completion fish > ~/.config/fish/completions/singleout.fish",
    ),
    "help": ("singleout help reading", "singleout help assess --all", "singleout help deidentify apply"),
}
