"""The compiled loops over the values of several records or domains, and the people who have them all."""

from __future__ import annotations

import math

import numpy

from singleout.engine.codes.loop_compiler import compile_loop


@compile_loop
def extend_entries(people, scores, keys, starts, value, count, radix):
    """One entry for each value that the person of an entry has in the next domain."""
    size = 0
    for person in people:
        size += starts[person + 1] - starts[person]
    more_people = numpy.empty(size, dtype=people.dtype)
    more_scores = numpy.empty(size, dtype=scores.dtype)
    more_keys = numpy.empty(size, dtype=keys.dtype)
    made = 0
    for entry in range(len(people)):
        person = people[entry]
        for cell in range(starts[person], starts[person + 1]):
            more_people[made] = person
            more_scores[made] = scores[entry] * count[cell]
            more_keys[made] = keys[entry] * radix + value[cell]
            made += 1
    return more_people, more_scores, more_keys


@compile_loop
def add_columns(people, scores, starts, value, count, factor, sums, top, ties, touched):
    """Add the entries of one column up over the last domain's values; which of them were touched.

    `sums` holds, for each prior, Σ P(u, x), the largest P(u, x), and Σ P(u, x) of those that tie for the
    largest product of counts; `ties` says how many these are.
    """
    priors = factor.shape[1]
    new = 0
    for entry in range(len(people)):
        person = people[entry]
        for cell in range(starts[person], starts[person + 1]):
            last = value[cell]
            score = scores[entry] * count[cell]
            if top[last] == 0:
                touched[new] = last
                new += 1
            ahead = score > top[last]
            level = score == top[last]
            if ahead:
                top[last] = score
                ties[last] = 1
            elif level:
                ties[last] += 1
            for prior in range(priors):
                joint = factor[person, prior] * score
                sums[last, prior] += joint
                sums[last, priors + prior] = max(sums[last, priors + prior], joint)
                if ahead:
                    sums[last, 2 * priors + prior] = joint
                elif level:
                    sums[last, 2 * priors + prior] += joint
    return new


@compile_loop
def settle_columns(new, touched, sums, top, ties, row):
    """Take Σ −q·log2(q), the best and the printed guess of the touched columns, and clear them."""
    priors = len(row) // 3
    for index in range(new):
        last = touched[index]
        for prior in range(priors):
            row[prior] -= sums[last, prior] * math.log2(sums[last, prior])
            row[priors + prior] += sums[last, priors + prior]
            row[2 * priors + prior] += sums[last, 2 * priors + prior] / ties[last]
        sums[last, :] = 0.0
        top[last] = 0
        ties[last] = 0


@compile_loop
def joint_columns(first, last, heads, head_person, head_count, starts, value, count, sizes, factor, rows):
    """All columns of the product table whose first value is first … last−1, one row of results a value.

    `starts` are those of the further domains, the last of which is added up value by value; entries of those
    between are put in order of their values, so that no more than one first value's entries are held.
    """
    sums = numpy.zeros((sizes[-1], rows.shape[1]), dtype=numpy.float64)
    top = numpy.zeros(sizes[-1], dtype=count.dtype)
    ties = numpy.zeros(sizes[-1], dtype=numpy.int64)
    touched = numpy.empty(sizes[-1], dtype=numpy.int64)
    final = len(starts) - 1
    for head in range(first, last):
        people = head_person[heads[head] : heads[head + 1]]
        scores = head_count[heads[head] : heads[head + 1]]
        keys = numpy.zeros(len(people), dtype=numpy.int64)
        for domain in range(final):
            people, scores, keys = extend_entries(
                people, scores, keys, starts[domain], value, count, sizes[domain]
            )
        if final:
            order = numpy.argsort(keys, kind="mergesort")
            people, scores, keys = people[order], scores[order], keys[order]
        begin = 0
        while begin < len(keys):
            end = begin + 1
            while end < len(keys) and keys[end] == keys[begin]:
                end += 1
            new = add_columns(
                people[begin:end],
                scores[begin:end],
                starts[final],
                value,
                count,
                factor,
                sums,
                top,
                ties,
                touched,
            )
            settle_columns(new, touched, sums, top, ties, rows[head])
            begin = end


@compile_loop
def narrow(people, size, person, low, high, kept, positions):
    """Which of the rising `people` are in person[low:high], rising too, and where: by steps that double."""
    left = 0
    position = low
    for candidate in range(size):
        wanted = people[candidate]
        end = position
        step = 1
        while end < high and person[end] < wanted:
            position = end + 1
            end += step
            step *= 2
        end = min(end, high)
        while position < end:
            middle = (position + end) // 2
            if person[middle] < wanted:
                position = middle + 1
            else:
                end = middle
        if position == high:
            break
        if person[position] == wanted:
            kept[left] = candidate
            positions[left] = position
            left += 1
    return left


@compile_loop
def longest_list(heads):
    longest = 0
    for head in range(len(heads) - 1):
        longest = max(longest, heads[head + 1] - heads[head])
    return longest


@compile_loop
def joint_draws(first, last, lists, heads, person, count, factor, rows):
    """For each draw of lists, the shortest first: q(x), the best and the printed guess's part, by prior."""
    longest = longest_list(heads)
    people = numpy.empty(longest, dtype=person.dtype)
    scores = numpy.empty(longest, dtype=count.dtype)
    kept = numpy.empty(longest, dtype=numpy.int64)
    positions = numpy.empty(longest, dtype=numpy.int64)
    for draw in range(first, last):
        low = heads[lists[draw, 0]]
        size = heads[lists[draw, 0] + 1] - low
        for index in range(size):
            people[index] = person[low + index]
            scores[index] = count[low + index]
        for domain in range(1, lists.shape[1]):
            value_list = lists[draw, domain]
            size = narrow(people, size, person, heads[value_list], heads[value_list + 1], kept, positions)
            for index in range(size):
                people[index] = people[kept[index]]
                scores[index] = scores[kept[index]] * count[positions[index]]
        add_draw(people, scores, size, factor, rows[draw])


@compile_loop
def add_draw(people, scores, size, factor, row):
    priors = factor.shape[1]
    top = scores[0]
    for index in range(1, size):
        top = max(top, scores[index])
    ties = 0
    for index in range(size):
        ties += scores[index] == top
        for prior in range(priors):
            joint = factor[people[index], prior] * scores[index]
            row[prior] += joint
            row[priors + prior] = max(row[priors + prior], joint)
            if scores[index] == top:
                row[2 * priors + prior] += joint
    for prior in range(priors):
        row[2 * priors + prior] /= ties


@compile_loop
def logarithms(counts):
    """Of whole numbers; once for all, for they are asked for again and again."""
    logs = numpy.empty(len(counts), dtype=numpy.float64)
    for index in range(len(counts)):
        logs[index] = math.log(counts[index])
    return logs


@compile_loop
def fill_positions(heads, person, line, positions):
    """Where each person is in the lists that have a line; who is not there keeps −1."""
    for index in range(len(line)):
        if line[index] >= 0:
            for position in range(heads[index], heads[index + 1]):
                positions[line[index], person[position]] = position


@compile_loop
def look_up(people, size, positions_of, kept, positions):
    """As `narrow`, in a list that has the position of everybody."""
    left = 0
    for candidate in range(size):
        position = positions_of[people[candidate]]
        if position >= 0:
            kept[left] = candidate
            positions[left] = position
            left += 1
    return left


@compile_loop
def best_posteriors(first, last, lists, heads, person, logs, line, long_lists, log_weight, best):
    """For each draw of known values' lists, the shortest first: the highest posterior of a person.

    In logarithms, because the probability of many records together is too small for a number. Lists with a
    `line` have everybody's position in `long_lists`.
    """
    known = lists.shape[1]
    longest = longest_list(heads)
    people = numpy.empty(longest, dtype=person.dtype)
    scores = numpy.empty(longest, dtype=numpy.float64)
    kept = numpy.empty(longest, dtype=numpy.int64)
    positions = numpy.empty(longest, dtype=numpy.int64)
    for draw in range(first, last):
        low = heads[lists[draw, 0]]
        size = heads[lists[draw, 0] + 1] - low
        for index in range(size):
            people[index] = person[low + index]
            scores[index] = log_weight[people[index]]
        record = 0
        while record < known:
            value_list = lists[draw, record]
            times = 0
            while record < known and lists[draw, record] == value_list:
                record += 1
                times += 1
            if line[value_list] >= 0:
                size = look_up(people, size, long_lists[line[value_list]], kept, positions)
            else:
                low, high = heads[value_list], heads[value_list + 1]
                size = narrow(people, size, person, low, high, kept, positions)
            for index in range(size):
                people[index] = people[kept[index]]
                scores[index] = scores[kept[index]] + times * logs[positions[index]]
        best[draw] = highest_share(scores, size)


@compile_loop
def highest_share(logs, size):
    top = logs[0]
    for index in range(1, size):
        top = max(top, logs[index])
    total = 0.0
    for index in range(size):
        total += math.exp(logs[index] - top)
    return 1.0 / total


@compile_loop
def best_of_multisets(given, prior, known):
    """Σ over multisets of `known` values of the largest P(u)·P(multiset | u); given[x, u] = P(x | u).

    A walk in depth: what is chosen so far is a multiset of its own, with its probability for each person.
    """
    values, people = given.shape
    chosen = numpy.zeros(known, dtype=numpy.int64)
    times = numpy.ones(known, dtype=numpy.int64)
    joint = numpy.empty((known + 1, people), dtype=numpy.float64)
    for person in range(people):
        joint[0, person] = prior[person]
    total = 0.0
    depth = 0
    while depth >= 0:
        value = chosen[depth]
        if value == values:
            depth -= 1
            if depth >= 0:
                chosen[depth] += 1
            continue
        again = depth > 0 and chosen[depth - 1] == value
        times[depth] = times[depth - 1] + 1 if again else 1
        orders = (depth + 1) / times[depth]
        best = 0.0
        for person in range(people):
            joint[depth + 1, person] = joint[depth, person] * given[value, person] * orders
            best = max(best, joint[depth + 1, person])
        if best > 0 and depth + 1 < known:
            depth += 1
            chosen[depth] = value
        else:
            total += best
            chosen[depth] += 1
    return total
