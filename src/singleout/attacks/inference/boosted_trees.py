"""The guess by a model: gradient-boosted trees that learn from the people of other folds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.attacks.inference.people_features import Features
from singleout.attacks.inference.people_folds import Weights
from singleout.engine.codes.histories import Indices

# trees cost time: each round grows one for two classes, and one for each of more classes
MOST_CLASSES, MOST_TREES, MOST_ROUNDS = 16, 160, 60
# of few rows little may be learned: else it is chance that is learned, and guesses are worse for it
FEW_ROWS, FEWEST_ROUNDS, ROWS_A_ROUND = 5_000, 15, 20
FEW_LEAVES, MANY_LEAVES = 8, 31
LEAST_LEARNED, MOST_LEARNED, ROWS_A_LESSON, MOST_A_ROUND = 1.5, 6.0, 200, 0.4
SMALLEST_LEAF, LARGEST_LEAF, LEAVES_OF_A_TABLE = 3, 20, 12
PENALTY = 10.0
# what the model itself makes of a column at most
MOST_BINS = 255


def boosted_guesses(features: Features, value: Indices, fold: Indices, weight: Weights) -> Indices:
    """For each row the value that trees guess which learned from the rows of all other folds.

    Values beyond the most frequent 15 are learned as one, which is guessed as the most frequent of them.
    Nothing is drawn, so that the answer is always the same.
    """
    guess = numpy.zeros(len(value), dtype=numpy.int64)
    features = _binned(features)
    # one after the other: scikit-learn changes Python's list of warnings while it learns, for all threads
    for one in numpy.unique(fold):
        own = fold == one
        guess[own] = _Lesson.of(features, value, weight, ~own).guess(features.at(numpy.flatnonzero(own)))
    return guess


def _binned(features: Features) -> Features:
    """Numbers of many values as the number of their bin, once for all folds: trees see no more of them.

    The model would look for its own bins in each fold, by the weights of the rows, which takes as long as
    all its trees.
    """
    columns = [
        column if categorical else _bins(column)
        for column, categorical in zip(features.matrix.T, features.categorical, strict=True)
    ]
    return Features(numpy.stack(columns, axis=1), features.categorical)


def _bins(column: NDArray[numpy.float32]) -> NDArray[numpy.float32]:
    """About equally many rows in each; what is unknown stays so."""
    there = ~numpy.isnan(column)
    if len(numpy.unique(column[there])) <= MOST_BINS:
        return column
    edges = numpy.unique(numpy.quantile(column[there], numpy.arange(1, MOST_BINS) / MOST_BINS))
    bins = numpy.full(len(column), numpy.nan, dtype=numpy.float32)
    bins[there] = numpy.searchsorted(edges, column[there], side="right")
    return bins


@dataclass(frozen=True, eq=False)
class _Lesson:
    """What is learned from: rows, and for each class of the model the value that it is guessed as."""

    features: Features
    label: Indices
    weight: Weights
    value_of: Indices

    @classmethod
    def of(cls, features: Features, value: Indices, weight: Weights, rows: NDArray[numpy.bool_]) -> _Lesson:
        known = value[rows]
        frequent = numpy.argsort(-numpy.bincount(known, weight[rows]), kind="stable")
        frequent = frequent[numpy.isin(frequent, known)][:MOST_CLASSES]
        label_of = numpy.full(int(known.max()) + 1, len(frequent) - 1)
        label_of[frequent] = numpy.arange(len(frequent))
        return cls(features.at(numpy.flatnonzero(rows)), label_of[known], weight[rows], frequent)

    def guess(self, asked: Features) -> Indices:
        if len(self.value_of) == 1:
            return numpy.full(len(asked.matrix), self.value_of[0])
        # loaded late, for it takes a second
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        model = HistGradientBoostingClassifier(
            **_settings(len(self.value_of), len(self.label)),
            categorical_features=self.features.categorical,
            early_stopping=False,
            random_state=0,
        )
        # threads of its own that wait for each other on a busy machine are many times slower
        with threadpool_limits(1, user_api="openmp"):
            model.fit(self.features.matrix, self.label, sample_weight=self.weight / self.weight.mean())
            label: Indices = model.predict(asked.matrix)
        return self.value_of[label]


def _settings(classes: int, rows: int) -> dict[str, float]:
    """How much a model of so many classes may learn from so many rows.

    >>> _settings(2, 300)["max_iter"], _settings(2, 50_000)["max_iter"], _settings(10, 50_000)["max_iter"]
    (15, 60, 16)
    """
    rounds = min(MOST_TREES // (1 if classes == 2 else classes), MOST_ROUNDS)
    rounds = min(rounds, max(FEWEST_ROUNDS, rows // ROWS_A_ROUND))
    learned = min(max(rows / ROWS_A_LESSON, LEAST_LEARNED), MOST_LEARNED)
    return {
        "max_iter": rounds,
        "learning_rate": min(learned / rounds, MOST_A_ROUND),
        "max_leaf_nodes": FEW_LEAVES if rows < FEW_ROWS else MANY_LEAVES,
        "min_samples_leaf": min(max(rows // LEAVES_OF_A_TABLE, SMALLEST_LEAF), LARGEST_LEAF),
        "l2_regularization": PENALTY,
    }
