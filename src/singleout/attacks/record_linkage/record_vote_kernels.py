"""The compiled loops in which released records vote for the people who own their nearest ones.

Rows asked for, levels and the `space` to look through are those of nearest_kernels. `near` is what
`nearest_owners` found, `held` (starts, row, copies) which rows the released people have, and how often.
"""

from __future__ import annotations

import numpy

from singleout.attacks.linkage.nearest_record_kernels import FAR, levels_near, memory_for
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop

ALL_VOTES = numpy.int64(2**62)
VOTE_STEP = numpy.int64(2**24)


@compile_loop
def nearest_owners(first, last, asked, space, limit, owners, listed, count):
    """For each row asked for: how far its nearest levels are, and how many people own one of them.

    The levels themselves are listed where there are few of them; their `count` says whether.
    """
    levels, starts, people = space[0], space[3], space[4]
    memory = memory_for(1, len(levels), levels.shape[1])
    found = memory[4]
    seen = numpy.full(int(people.max()) + 1, -1, dtype=numpy.int64)
    for row in range(first, last):
        count[row], limit[row] = levels_near(asked[row], FAR, space, memory)
        for index in range(count[row]):
            for entry in range(starts[found[index]], starts[found[index] + 1]):
                if seen[people[entry]] != row:
                    seen[people[entry]] = row
                    owners[row] += 1
        if count[row] <= listed.shape[1]:
            listed[row, : count[row]] = found[: count[row]]


@compile_inner_loop
def cast_votes(person, asked, space, near, held, memory, votes, seen, touched, stamp):
    """Add up the votes of one released person's records, which make up about ALL_VOTES together.

    Returns how many people have votes, who are in `touched`, and the next free stamp.
    """
    starts, people = space[3], space[4]
    limit, owners, listed, count = near
    held_starts, held_row, held_copies = held
    found = memory[4]
    records = held_copies[held_starts[person] : held_starts[person + 1]].sum()
    voted = 0
    for index in range(held_starts[person], held_starts[person + 1]):
        row = held_row[index]
        if not owners[row]:
            continue
        share = ALL_VOTES // records // owners[row] * held_copies[index]
        if count[row] <= listed.shape[1]:
            found[: count[row]] = listed[row, : count[row]]
        else:
            levels_near(asked[row], limit[row], space, memory)
        for level in found[: count[row]]:
            for entry in range(starts[level], starts[level + 1]):
                owner = people[entry]
                if seen[owner] == stamp:
                    continue
                seen[owner] = stamp
                if votes[owner] == 0:
                    touched[voted] = owner
                    voted += 1
                votes[owner] += share
        stamp += 1
    return voted, stamp


@compile_inner_loop
def rounded_votes(votes):
    """Votes in steps so coarse that the rounding of the shares does not show."""
    return (votes + VOTE_STEP // 2) // VOTE_STEP


@compile_loop
def people_by_votes(first, last, asked, space, near, held, people, person, points, tied):
    """The people with the most votes of the records of the released persons first … last−1."""
    memory = memory_for(1, len(space[0]), space[0].shape[1])
    votes, touched = numpy.zeros(people, dtype=numpy.int64), numpy.empty(people, dtype=numpy.int64)
    seen = numpy.full(people, -1, dtype=numpy.int64)
    stamp = 0
    for row in range(first, last):
        voted, stamp = cast_votes(row, asked, space, near, held, memory, votes, seen, touched, stamp)
        some = 0
        for index in range(voted):
            votes[touched[index]] = rounded_votes(votes[touched[index]])
            some += votes[touched[index]] > 0
        list_by_votes(touched[:voted], votes, some, person[row], points[row], tied[row : row + 1])
        votes[touched[:voted]] = 0


@compile_inner_loop
def list_by_votes(touched, votes, some, person, points, tied):
    """Fill a row by falling votes, then by rising numbers; those without any come last."""
    filled = 0
    for owner in touched:
        own = votes[owner]
        index = filled
        while index > 0 and (
            points[index - 1] < own or (points[index - 1] == own and person[index - 1] > owner)
        ):
            index -= 1
        if own == 0 or index == len(person):
            continue
        filled = min(filled + 1, len(person))
        for later in range(filled - 1, index, -1):
            person[later], points[later] = person[later - 1], points[later - 1]
        person[index], points[index] = owner, own
    other = 0
    while filled < len(person):
        if votes[other] == 0:
            person[filled], points[filled] = other, 0
            filled += 1
        other += 1
    if points[-1] == 0:
        tied[0] = len(votes) - some
    else:
        tied[0] = (votes[touched] == points[-1]).sum()


@compile_loop
def votes_of_pairs(first, last, left, right, asked, space, near, held, people, points):
    """The votes of pairs of people, of which those with the same released person stand together."""
    memory = memory_for(1, len(space[0]), space[0].shape[1])
    votes, touched = numpy.zeros(people, dtype=numpy.int64), numpy.empty(people, dtype=numpy.int64)
    seen = numpy.full(people, -1, dtype=numpy.int64)
    stamp = voted = 0
    for pair in range(first, last):
        if pair == first or left[pair] != left[pair - 1]:
            votes[touched[:voted]] = 0
            voted, stamp = cast_votes(
                left[pair], asked, space, near, held, memory, votes, seen, touched, stamp
            )
        points[pair] = rounded_votes(votes[right[pair]])
