"""Which rows could share a class at little cost: compiled, the same anywhere."""

from __future__ import annotations

from singleout.deidentify.class_exchange_kernels import FAR, price
from singleout.engine.codes.loop_compiler import compile_inner_loop, compile_loop


@compile_inner_loop
def pair_cost(raw, row, other, limit, shape, table):
    """What a record of the row loses if it has to look like the other; FAR from `limit` on."""
    cost = 0.0
    for column in range(raw.shape[1]):
        here, there = raw[row, column], raw[other, column]
        cost += price(column, min(here, there), max(here, there), shape, table)
        if cost >= limit:
            return FAR
    return cost


@compile_inner_loop
def keep_near(row, other, cost, near, paid):
    """Put the other among the row's nearest, which are in the order of what they cost, if it is one."""
    last = near.shape[1] - 1
    if cost >= paid[row, last]:
        return
    for index in range(last + 1):
        if near[row, index] == other:
            return
    index = last
    while index > 0 and paid[row, index - 1] > cost:
        near[row, index], paid[row, index] = near[row, index - 1], paid[row, index - 1]
        index -= 1
    near[row, index], paid[row, index] = other, cost


@compile_inner_loop
def compare(raw, row, other, near, paid, shape, table):
    last = near.shape[1] - 1
    limit = max(paid[row, last], paid[other, last])
    cost = pair_cost(raw, row, other, limit, shape, table)
    if cost < FAR:
        keep_near(row, other, cost, near, paid)
        keep_near(other, row, cost, near, paid)


@compile_loop
def look_around(raw, order, reach, near, paid, shape, table):
    """Hold each row against those that follow it in this order."""
    for place in range(len(order)):
        for index in range(place + 1, min(len(order), place + 1 + reach)):
            compare(raw, order[place], order[index], near, paid, shape, table)


@compile_loop
def look_further(raw, nearest, near, paid, shape, table):
    """Hold each row against the nearest of its nearest."""
    for row in range(len(raw)):
        for between in nearest[row]:
            if between < 0:
                break
            for other in nearest[between]:
                if other < 0:
                    break
                if other != row:
                    compare(raw, row, other, near, paid, shape, table)
