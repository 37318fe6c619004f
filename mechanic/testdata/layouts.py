#!/usr/bin/env python3
"""Lays out units of the two games by the package documentation of collect and lines alone.

It is a second implementation, in another language, of the choices that LayOut makes. It writes
layouts.json: for each unit every choice, as [how many possibilities, answer], and the layout.

    python3 layouts.py > layouts.json
"""
import itertools
import json
import math
import random

LOSING = -1


class Choices:
    def __init__(self, source):
        self.source, self.made = source, []

    def below(self, n):
        answer = self.source.randrange(n)
        self.made.append([n, answer])
        return answer

    def weighted(self, weights):
        x = self.below(sum(weights))
        for place, weight in enumerate(weights):
            if x < weight:
                return place
            x -= weight


def default_weight(gains, wild, multiplier):
    weight = 64
    for _ in range(gains - 1):
        weight //= 4
    if wild:
        weight //= 2
    if multiplier > 1:
        weight //= 2
    return max(weight, 1)


# Pièce d'or at 0,50 €, gains in cents: or 0, croix 1, étoile 2, couronne 3, pièce trouée 4, trèfle 5.
COMBINATIONS = [([0, 0, 0], 500000), ([1, 1, 0, 0], 25000), ([1, 1, 1], 2500), ([1, 1, 2, 2], 500),
                ([2, 2, 2], 250), ([3, 3, 3], 100), ([4, 4, 4], 50)]
TIERS = [500000, 25000, 2500, 750, 500, 250, 100, 50]
CLOVER, CELLS = 5, 9


def manners():
    for number, (symbols, gain) in enumerate(COMBINATIONS):
        yield number, gain, False, symbols
        for stands in sorted(set(symbols)):
            with_clover = list(symbols)
            with_clover.remove(stands)
            yield number, gain, True, with_clover + [CLOVER]


MANNERS = [(n, g, w, tuple(s.count(k) for k in range(6))) for n, g, w, s in manners()]


def best(counts, first=0):
    """(-sum, number of gains, clover used, combinations) of the best reading."""
    found = (0, 0, False, ())
    for place in range(first, len(MANNERS)):
        number, gain, wild, need = MANNERS[place]
        if all(c >= n for c, n in zip(counts, need)):
            rest = best(tuple(c - n for c, n in zip(counts, need)), place)
            found = min(found, (rest[0] - gain, rest[1] + 1, rest[2] or wild, tuple(sorted(rest[3] + (number,)))))
    return found


def compositions():
    for counts in itertools.product(*[range(CELLS + 1)] * 5, range(2)):
        if sum(counts) == CELLS:
            yield counts


def orders(counts):
    return math.factorial(CELLS) // math.prod(math.factorial(c) for c in counts)


def collect_ways():
    ways = {}
    for counts in compositions():
        total, number, _, combinations = best(counts)
        key = (number, combinations, counts[CLOVER] > 0)
        ways.setdefault(-total, {}).setdefault(key, []).append(counts)
    return ways


def lay_out_collect(all_ways, prize, choices):
    ways = sorted(all_ways[prize].items())
    (_, _, wild), members = ways[choices.weighted([default_weight(k[0], k[2], 1) for k, _ in ways])]
    counts = members[choices.weighted([orders(c) for c in members])]
    layout = [code for code, n in enumerate(counts) for _ in range(n)]
    for i in range(CELLS - 1, 0, -1):
        j = choices.below(i + 1)
        layout[i], layout[j] = layout[j], layout[i]
    return layout


# Precius Aurus, gains in euros: nine paying symbols 0 to 8, chance 9, then ×2, ×3, ×4, ×5, ×10.
GAINS = [10000, 5000, 1000, 500, 100, 50, 10, 5, 1]
LINE_TIERS = [10000, 5000, 1000, 500, 150, 100, 50, 20, 10, 5, 2, 1]
CHANCE, COEFFICIENTS = 9, [2, 3, 4, 5, 10]
LINES = [[4 * r + c for c in range(4)] for r in range(4)] + [[4 * r + c for r in range(4)] for c in range(4)] + \
        [[0, 5, 10, 15], [3, 6, 9, 12]]


def winning(cells):
    won = set()
    for number, line in enumerate(LINES):
        shown = [cells.get(cell) for cell in line]
        rest = [s for s in shown if s != CHANCE]
        if None not in shown and len(rest) >= 3 and len(set(rest)) == 1 and rest[0] < 9:
            won.add(number)
    return won


def placements(gains, wild):
    for lines in itertools.product(range(10), repeat=len(gains)):
        if len(set(lines)) < len(lines) or any(a == b and x > y for (a, x), (b, y) in zip(zip(gains, lines), list(zip(gains, lines))[1:])):
            continue
        for chance in (range(16) if wild else [None]):
            cells = fixed(gains, lines, chance)
            if cells and winning(cells) == set(lines) and (chance is None or cells.get(chance) == CHANCE):
                yield lines, chance, cells


def fixed(gains, lines, chance):
    cells = {}
    for gain, line in zip(gains, lines):
        for cell in LINES[line]:
            shown = CHANCE if cell == chance else gain
            if cells.setdefault(cell, shown) != shown:
                return None
    return cells


def line_ways(prize):
    for size in (1, 2, 3):
        for gains in itertools.combinations_with_replacement(range(9), size):
            for wild in (False, True):
                for code, multiplier in [(None, 1)] + [(10 + i, n) for i, n in enumerate(COEFFICIENTS)]:
                    if sum(GAINS[g] for g in gains) * multiplier == prize:
                        places = list(placements(gains, wild))
                        if places:
                            yield gains, wild, code, multiplier, places


def lay_out_lines(ways, choices):
    if ways is None:
        while True:
            cells = {cell: choices.below(9) for cell in range(16)}
            if not winning(cells):
                return [cells[cell] for cell in range(16)]
    gains, wild, code, multiplier, places = ways[choices.weighted([default_weight(len(w[0]), w[1], w[3]) for w in ways])]
    free = [16 - len(cells) for _, _, cells in places]
    weights = [9 ** (f - min(free)) * (f if code else 1) for f in free]
    while True:
        lines, _, cells = places[choices.weighted(weights)]
        cells = dict(cells)
        if code:
            open_cells = [cell for cell in range(16) if cell not in cells]
            cells[open_cells[choices.below(len(open_cells))]] = code
        for cell in range(16):
            if cell not in cells:
                cells[cell] = choices.below(9)
        if winning(cells) == set(lines):
            return [cells[cell] for cell in range(16)]


def main():
    source, units = random.Random(2012), []

    def add(game, tier, lay_out):
        choices = Choices(source)
        layout = lay_out(choices)
        units.append({"game": game, "tier": tier, "choices": choices.made, "layout": bytes(layout).hex()})

    all_ways = collect_ways()
    for tier in range(LOSING, len(TIERS)):
        prize = 0 if tier == LOSING else TIERS[tier]
        for _ in range(12):
            add("piece-dor", tier, lambda choices: lay_out_collect(all_ways, prize, choices))
    for tier in range(LOSING, len(LINE_TIERS)):
        ways = None if tier == LOSING else list(line_ways(LINE_TIERS[tier]))
        for _ in range(24):
            add("precius-aurus", tier, lambda choices: lay_out_lines(ways, choices))
    print("[\n" + ",\n".join(json.dumps(unit, separators=(",", ":")) for unit in units) + "\n]")


if __name__ == "__main__":
    main()
