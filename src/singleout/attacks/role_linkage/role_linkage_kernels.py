"""The compiled loops that give people and items their roles, and weigh how well two roles agree."""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.candidate_list_kernels import insert
from singleout.engine.codes.count_kernels import MIX
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

HALF = numpy.uint64(32)


@compile_loop
def sign(starts, others, counts, colour, first, last, keys, mixed):
    """The signatures of nodes first … last−1: the sorted colours of their neighbours, each with its count.

    A key is exact: 32 bits of colour, 32 of count. `mixed` is a hash of the whole signature, to sort by.
    """
    for node in range(first, last):
        begin, end = starts[node], starts[node + 1]
        for at in range(begin, end):
            keys[at] = (numpy.uint64(colour[others[at]]) << HALF) | numpy.uint64(counts[at])
        keys[begin:end].sort()
        whole = numpy.uint64(end - begin)
        for at in range(begin, end):
            whole = (whole ^ keys[at]) * MIX
            whole ^= whole >> HALF
        mixed[node] = whole


@compile_loop
def number_signatures(order, starts, keys, mixed):
    """Numbers of signatures, equal exactly where these are: whole signatures are compared, not their hashes.

    `order` is by hashes; where they are equal, nodes come into the order of their signatures. So numbers
    depend on the signatures alone, and not on how nodes are numbered.
    """
    for index in range(1, len(order)):
        node, place = order[index], index
        while place > 0 and mixed[order[place - 1]] == mixed[node]:
            if _compare(starts, keys, order[place - 1], node) <= 0:
                break
            order[place] = order[place - 1]
            place -= 1
        order[place] = node
    number = numpy.empty(len(order), dtype=numpy.uint32)
    numbers = 0
    for index in range(len(order)):
        node = order[index]
        if (
            index == 0
            or mixed[order[index - 1]] != mixed[node]
            or _compare(starts, keys, order[index - 1], node) != 0
        ):
            numbers += 1
        number[node] = numbers - 1
    return number, numbers


@compile_inner_loop
def _compare(starts, keys, one, other):
    """Below, at or above 0 as the one signature comes before, is, or comes after the other."""
    at, there = starts[one], starts[other]
    length = starts[one + 1] - at
    difference = length - (starts[other + 1] - there)
    if difference != 0:
        return difference
    for index in range(length):
        if keys[at + index] != keys[there + index]:
            return -1 if keys[at + index] < keys[there + index] else 1
    return 0


@compile_loop
def expected_lengths(starts, others, link_starts, link_others, columns, first, last, lengths):
    """Of how many columns of the release each row first … last−1 of the original may have records."""
    seen = numpy.full(columns, -1, dtype=numpy.int64)
    for row in range(first, last):
        for at in range(starts[row], starts[row + 1]):
            for link in range(link_starts[others[at]], link_starts[others[at] + 1]):
                column = link_others[link]
                if seen[column] != row:
                    seen[column] = row
                    lengths[row] += 1


@compile_loop
def expected_counts(
    starts, others, counts, link_starts, link_others, link_shares, columns, first, last,
    found_starts, found_columns, found_counts,
):  # fmt: skip
    """How many records of each column of the release each row of the original is expected to have."""
    expected = numpy.zeros(columns)
    for row in range(first, last):
        begin = filled = found_starts[row]
        for at in range(starts[row], starts[row + 1]):
            for link in range(link_starts[others[at]], link_starts[others[at] + 1]):
                column = link_others[link]
                if expected[column] == 0.0:
                    found_columns[filled] = column
                    filled += 1
                expected[column] += counts[at] * link_shares[link]
        found_columns[begin:filled].sort()
        for place in range(begin, filled):
            found_counts[place] = expected[found_columns[place]]
            expected[found_columns[place]] = 0.0


@compile_inner_loop
def _weigh(row, starts, columns, counts, list_starts, list_rows, list_weights, scores):
    """Add to each row of the original what it has in common with a row of the release."""
    entries = 0
    for at in range(starts[row], starts[row + 1]):
        count, begin, end = numpy.int64(counts[at]), list_starts[columns[at]], list_starts[columns[at] + 1]
        rows, weights = list_rows[begin:end], list_weights[begin:end]
        for entry in range(len(rows)):
            scores[rows[entry]] += count * weights[entry]
        entries += end - begin
    return entries


@compile_loop
def likeliest(
    starts, columns, counts, list_starts, list_rows, list_weights, least, asked, first, last, found, scored
):
    """The rows of the original that explain the asked rows of the release best, and how well.

    They have something in common: if there are not enough such rows, places stay as they are.
    """
    common = numpy.zeros_like(least)
    for index in range(first, last):
        row, filled = asked[index], 0
        entries = _weigh(row, starts, columns, counts, list_starts, list_rows, list_weights, common)
        if entries >= len(common):
            for other in range(len(common)):
                filled = _offer(other, common, least, found[index], scored[index], filled)
            continue
        for at in range(starts[row], starts[row + 1]):
            for entry in range(list_starts[columns[at]], list_starts[columns[at] + 1]):
                filled = _offer(list_rows[entry], common, least, found[index], scored[index], filled)


@compile_inner_loop
def _offer(other, common, least, found, scored, filled):
    """Offer a row to a list, by falling score and then by number; returns how many are in the list."""
    if common[other] == 0:
        return filled
    value, most = common[other] + least[other], len(found)
    common[other] = 0
    if filled == most and value < scored[most - 1]:
        return filled
    if filled == most and value == scored[most - 1] and other > found[most - 1]:
        return filled
    place = min(filled, most - 1)
    while place > 0 and (
        scored[place - 1] < value or (scored[place - 1] == value and found[place - 1] > other)
    ):
        found[place], scored[place] = found[place - 1], scored[place - 1]
        place -= 1
    found[place], scored[place] = other, value
    return min(filled + 1, most)


@compile_loop
def link(
    starts, columns, counts, list_starts, list_rows, list_weights, least, same, lead, row_of_person,
    first, last, person, score, tied,
):  # fmt: skip
    """Lists of people for the rows first … last−1 of the release; who has the row's very role leads."""
    scores = numpy.empty_like(least)
    for row in range(first, last):
        scores[:] = least
        _weigh(row, starts, columns, counts, list_starts, list_rows, list_weights, scores)
        if same[row] >= 0:
            scores[same[row]] += lead
        filled = 0
        for who in range(len(row_of_person)):
            value = scores[row_of_person[who]]
            if filled == person.shape[1] and value < score[row, filled - 1]:
                continue
            filled, tied[row] = insert(person[row], score[row], filled, tied[row], who, value)


@compile_loop
def pair_weights(starts, columns, counts, other_starts, other_columns, other_weights, pairs, other_pairs):
    """What the rows of each pair have in common."""
    common = numpy.zeros(len(pairs), dtype=numpy.int64)
    for pair in range(len(pairs)):
        at, end = starts[pairs[pair]], starts[pairs[pair] + 1]
        there, stop = other_starts[other_pairs[pair]], other_starts[other_pairs[pair] + 1]
        while at < end and there < stop:
            if columns[at] == other_columns[there]:
                common[pair] += numpy.int64(counts[at]) * other_weights[there]
            step = columns[at] <= other_columns[there]
            there += columns[at] >= other_columns[there]
            at += step
    return common
