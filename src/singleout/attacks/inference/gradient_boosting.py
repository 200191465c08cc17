"""The guess by a model: gradient-boosted trees that learn from the people of other folds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from singleout.attacks.inference.people_features import Features
from singleout.attacks.inference.people_folds import Weights
from singleout.engine.codes.histories import Indices
from singleout.engine.codes.parallel import map_units

# trees cost time: each round grows one for two classes, and one for each of more classes
MOST_CLASSES, MOST_TREES, MOST_ROUNDS = 16, 160, 60
LEAST_RATE, MOST_RATE = 0.1, 0.4
LEAST_ROWS_A_LEAF, MOST_ROWS_A_LEAF = 2, 20
# without a penalty, rare classes of a column of many values run away
MOST_PENALTY, ROWS_A_PENALTY = 10.0, 500


def boosted_guesses(
    features: Features, value: Indices, fold: Indices, weight: Weights, threads: int = 1
) -> Indices:
    """For each row the value that trees guess which learned from the rows of all other folds.

    Values beyond the most frequent 15 are learned as one, which is guessed as the most frequent of them.
    Nothing is drawn, and folds are shared out among threads, so that the answer is always the same.
    """
    guess = numpy.zeros(len(value), dtype=numpy.int64)

    def learn(one: int) -> None:
        own = fold == one
        guess[own] = _Lesson.of(features, value, weight, ~own).guess(features.at(numpy.flatnonzero(own)))

    map_units(numpy.unique(fold).tolist(), learn, threads)
    return guess


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

        classes, rows = len(self.value_of), len(self.label)
        rounds = min(MOST_TREES // (1 if classes == 2 else classes), MOST_ROUNDS)
        model = HistGradientBoostingClassifier(
            max_iter=rounds,
            learning_rate=min(max(6 / rounds, LEAST_RATE), MOST_RATE),
            min_samples_leaf=min(max(rows // 50, LEAST_ROWS_A_LEAF), MOST_ROWS_A_LEAF),
            l2_regularization=min(rows / ROWS_A_PENALTY, MOST_PENALTY),
            categorical_features=self.features.categorical,
            early_stopping=False,
            random_state=0,
        )
        # threads of its own that wait for each other on a busy machine are many times slower
        with threadpool_limits(1, user_api="openmp"):
            model.fit(self.features.matrix, self.label, sample_weight=self.weight / self.weight.mean())
            label: Indices = model.predict(asked.matrix)
        return self.value_of[label]
