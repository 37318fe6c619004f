#!/usr/bin/env python3
"""Check what a Talon lottery publishes, without any code of Talon.

This one file needs Python 3.9 or newer and nothing else. It was written from
the pages docs/spec/block.md, log.md, receipt.md and publication.md, and its
sections cite them, so that it can be read beside them from top to bottom:

    1  small tools: bytes, hashes, JSON           block.md 1, log.md 1
    2  AES-256, streams, numbers, shuffle         block.md 3 to 6
    3  definitions and mechanics                  block.md 2 and 7
    4  trees                                      block.md 8 and 9
    5  units: deal a block again                  block.md 5 to 8, 10
    6  Ed25519, keys, checkpoints                 log.md 3
    7  entries and rules of the public log        log.md 1 and 2
    8  the files of the public log                log.md 4, publication.md 2
    9  a block that is open                       publication.md 3
   10  receipts                                   receipt.md
   11  test vectors                               block.md 13
   12  the command line                           publication.md 5

Money is counted in ten-thousandths of the currency unit, time in milliseconds.
"""

import argparse
import base64
import bisect
import hashlib
import hmac
import itertools
import json
import math
import os
import re
import sys
from array import array

sha256 = hashlib.sha256


class Unusable(Exception):
    """The input cannot be used at all: exit code 2."""


class Failure(Exception):
    """A check failed; code is one of the codes of the specification."""

    def __init__(self, code, what):
        super().__init__(what)
        self.code = code
        self.what = what


class Findings:
    """What a check found: code, where, what. A list that only grows."""

    def __init__(self):
        self.items = []

    def add(self, code, where, what):
        self.items.append({"code": code, "where": where, "what": what})

    def codes(self):
        return [item["code"] for item in self.items]


def progress(text):
    """Tell the person who waits, on standard error."""
    print(text, file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------
# 1. Small tools: bytes, hashes, JSON (block.md 1, log.md 1)
# ---------------------------------------------------------------------------

def u32(number):
    return number.to_bytes(4, "big")


def u64(number):
    return number.to_bytes(8, "big")


def tag(text):
    """One byte of length, then the ASCII text."""
    return bytes([len(text)]) + text.encode("ascii")


def var(data):
    return u32(len(data)) + data


TAG_UNIT = tag("talon/unit/v1")
TAG_SALE = tag("talon/sale/v1")
TAG_PLAY = tag("talon/play/v1")
TAG_SECRET = tag("talon/secret-commitment/v1")
TAG_DEFINITION = tag("talon/definition/v1")
TAG_CONTRIBUTION = tag("talon/contribution/v1")
TAG_MIX = tag("talon/secret-mix/v1")


def definition_hash(text):
    """Hash of a definition; text is its canonical JSON as bytes (block.md 2)."""
    return sha256(TAG_DEFINITION + var(text)).digest()


def secret_commitment(block, secret):
    """The commitment that is published before the first sale (block.md 2)."""
    return sha256(TAG_SECRET + var(block) + var(secret)).digest()


def share_commitment(block, party, share):
    """A party's commitment to its share of a secret (block.md 12)."""
    return sha256(TAG_CONTRIBUTION + var(block) + var(party.encode()) + var(share)).digest()


def mixed_secret(block, shares, beacon):
    """The secret mixed from (party, share) in order and the beacon's bytes, which may be empty."""
    data = TAG_MIX + var(block)
    for party, share in shares:
        data += var(party.encode()) + var(share)
    return sha256(data + var(beacon)).digest()


NUMBER_MOST = 2**53 - 1
HEXADECIMAL = re.compile(r"(?:[0-9a-f]{2})*\Z")
NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")


def is_number(value):
    return type(value) is int and 0 <= value <= NUMBER_MOST


def is_bytes(value, length=None):
    """True for lower-case hexadecimal, of a number of bytes where one is given."""
    return (isinstance(value, str) and HEXADECIMAL.match(value) is not None
            and (length is None or len(value) == 2 * length))


def is_name(value):
    """True for a name as in definitions (definition.md 1)."""
    return isinstance(value, str) and len(value) <= 40 and NAME.match(value) is not None


def read_json(data):
    """Read JSON of our subset strictly: whole numbers, texts, lists, objects, true and false.

    Raises ValueError on anything else: fractions, null, a key twice, bytes that
    are not UTF-8, halves of surrogate pairs.
    """
    def whole(text):
        if len(text) > 16 or text.startswith("-") or not is_number(int(text)):
            raise ValueError("a number is not whole and from 0 to 2^53-1")
        return int(text)

    def refuse(text):
        raise ValueError("%s is not allowed" % text)

    def unique(pairs):
        result = dict(pairs)
        if len(result) != len(pairs):
            raise ValueError("a key stands twice")
        return result

    try:
        text = data.decode("utf-8")
        value = json.loads(text, parse_int=whole, parse_float=refuse, parse_constant=refuse,
                           object_pairs_hook=unique)
        canonical_json(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


JSON_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def canonical_json(value):
    """Write a value of our subset as RFC 8785 says, as bytes. ValueError for what is not in it."""
    return canonical_text(value).encode("utf-8")


def canonical_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"%s"' % "".join(
            JSON_ESCAPES.get(c) or ("\\u%04x" % ord(c) if c < " " else c) for c in value)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(canonical_text, value))
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{%s}" % ",".join(canonical_text(key) + ":" + canonical_text(value[key]) for key in keys)
    raise ValueError("null and fractions are not allowed")


def money(value):
    """An amount of a definition in ten-thousandths: a whole number, or a text with two to four decimals."""
    if is_number(value):
        return value * 10000
    if isinstance(value, str) and re.match(r"(?:0|[1-9][0-9]*)\.[0-9]{2,4}\Z", value):
        whole, decimals = value.split(".")
        return int(whole) * 10000 + int(decimals.ljust(4, "0"))
    raise ValueError("%r is not an amount" % (value,))


def money_text(amount):
    """10000 becomes 1.00; the third and fourth decimal are shown where they are needed."""
    if amount is None:
        return "?"
    decimals = "%04d" % (amount % 10000)
    return "%d.%s" % (amount // 10000, decimals[:2] + decimals[2:].rstrip("0"))


# ---------------------------------------------------------------------------
# 2. AES-256, streams, numbers, shuffle (block.md 3 to 6)
# ---------------------------------------------------------------------------

def hkdf(secret, salt, info, length=32):
    """HKDF of RFC 5869 with SHA-256."""
    key = hmac.new(salt, secret, sha256).digest()
    result = block = b""
    for count in itertools.count(1):
        if len(result) >= length:
            return result[:length]
        block = hmac.new(key, block + info + bytes([count]), sha256).digest()
        result += block


def derived_key(secret, block, purpose):
    """The key of a block for "shuffle", "layout" or "salt" (block.md 3)."""
    return hkdf(secret, block, b"talon/%s/v1" % purpose.encode("ascii"))


def field_double(x):
    """Twice x in the field of AES (FIPS 197, section 4.2.1)."""
    return (x << 1) ^ (0x11B if x & 0x80 else 0)


def substitution_table():
    """The S-box of FIPS 197: the inverse in the field, then an affine map."""
    powers, x = [], 1
    for _ in range(255):
        powers.append(x)
        x ^= field_double(x)  # 3 generates all non-zero elements
    table = bytearray(256)
    for value in range(256):
        inverse = 0 if value == 0 else powers[-powers.index(value) % 255]
        turned = 0
        for turn in range(5):
            turned ^= (inverse << turn) | (inverse >> (8 - turn))
        table[value] = (turned & 255) ^ 0x63
    return bytes(table)


SBOX = substitution_table()
# For each byte k of a round key: tables that add it and substitute, and that also double in the field.
ONCE = [bytes(SBOX[x ^ k] for x in range(256)) for k in range(256)]
TWICE = [table.translate(bytes(map(field_double, range(256)))) for table in ONCE]


class AES256:
    """AES-256 encryption (FIPS 197) of many blocks at once.

    Python is slow at single bytes and fast at long ones. So the n blocks are
    turned on their side into 16 columns: column p has byte p of every block.
    One bytes.translate() then substitutes a byte in all blocks, and one
    exclusive-or of two long integers adds a column to another. The round key's
    byte of a column is the same in all blocks, and is put into the table that
    the column is translated with.
    """

    def __init__(self, key):
        words = [key[i:i + 4] for i in range(0, 32, 4)]
        constant = 1
        for i in range(8, 60):
            word = words[-1]
            if i % 8 == 0:
                word = (word[1:] + word[:1]).translate(SBOX)
                word = bytes([word[0] ^ constant]) + word[1:]
                constant = field_double(constant)
            elif i % 8 == 4:
                word = word.translate(SBOX)
            words.append(bytes(a ^ b for a, b in zip(word, words[i - 8])))
        keys = b"".join(words)
        self.round_keys = [keys[i:i + 16] for i in range(0, 240, 16)]
        self.once = [[ONCE[k] for k in self.round_keys[r]] for r in range(14)]
        self.twice = [[TWICE[k] for k in self.round_keys[r]] for r in range(14)]

    def encrypt_columns(self, columns):
        """Encrypt the blocks that stand in 16 columns of equal length."""
        count = len(columns[0])
        number = int.from_bytes
        for once, twice in zip(self.once[:13], self.twice):
            mixed = [b""] * 16
            for c in range(0, 16, 4):
                # ShiftRows: row r of the state's column c / 4 comes from r columns further right
                places = [(c + 5 * r) % 16 for r in range(4)]
                w, x, y, z = [number(columns[p].translate(once[p]), "little") for p in places]
                w2, x2, y2, z2 = [number(columns[p].translate(twice[p]), "little") for p in places]
                every = w ^ x ^ y ^ z
                # MixColumns: 2w + 3x + y + z is (w + x + y + z) + w + 2w + 2x
                mixed[c] = (every ^ w ^ w2 ^ x2).to_bytes(count, "little")
                mixed[c + 1] = (every ^ x ^ x2 ^ y2).to_bytes(count, "little")
                mixed[c + 2] = (every ^ y ^ y2 ^ z2).to_bytes(count, "little")
                mixed[c + 3] = (every ^ z ^ z2 ^ w2).to_bytes(count, "little")
            columns = mixed
        last, result = self.round_keys[14], []
        for p in range(16):
            source = (p + 4 * (p % 4)) % 16
            table = bytes(x ^ last[p] for x in self.once[13][source])
            result.append(columns[source].translate(table))
        return result

    def encrypt(self, data):
        """Encrypt blocks of 16 bytes that follow each other, each by itself."""
        result = bytearray(len(data))
        for p, column in enumerate(self.encrypt_columns([data[p::16] for p in range(16)])):
            result[p::16] = column
        return bytes(result)

    def encrypt_pairs(self, pairs):
        """Encrypt u64(a) followed by u64(b) for each (a, b), as one text of bytes."""
        data = array("Q", itertools.chain.from_iterable(pairs))
        if sys.byteorder == "little":
            data.byteswap()
        return self.encrypt(data.tobytes())


PIECE = 8192  # blocks of AES that are encrypted together: few enough for the processor's cache


def words_of(data):
    """The numbers of a stream: four bytes each, the most significant first."""
    words = array("I", data)
    if sys.byteorder == "little":
        words.byteswap()
    return words


class Stream:
    """Numbers of stream(key, start), read one by one (block.md 4)."""

    def __init__(self, cipher, start, known=None, blocks=4):
        """known may hold the first words, computed before for many streams at once."""
        self.cipher = cipher
        self.start = start
        self.blocks = 0
        self.more = blocks
        self.read = 0
        if known is not None:
            self.blocks = len(known) // 4
        self.next = iter(known if known is not None else ()).__next__

    def word(self):
        try:
            return self.next()
        except StopIteration:
            begin, end = self.blocks, self.blocks + self.more
            self.blocks = end
            # The counter is one number of 128 bits; no stream comes near 2^64 blocks, where the first half would change.
            pairs = ((self.start, block) for block in range(begin, end))
            self.next = iter(words_of(self.cipher.encrypt_pairs(pairs))).__next__
            return self.next()

    def below(self, n):
        """A number from 0 to n-1, each exactly as likely (block.md 4)."""
        if not 1 <= n < 1 << 32:
            raise Failure("layout_not_prize", "a choice among %d cannot be made" % n)
        last = 0xFFFFFFFF - 0x100000000 % n
        while True:
            try:
                x = self.next()
            except StopIteration:
                x = self.word()
            if x <= last:
                return x % n


def shuffle(items, key):
    """Shuffle a list in place by stream(key, 0) (block.md 5)."""
    stream = Stream(AES256(key), 0, blocks=PIECE if len(items) > 1000 else 16)
    below = stream.below
    for i in range(len(items) - 1, 0, -1):
        j = below(i + 1)
        items[i], items[j] = items[j], items[i]


def salts_of(secret, block, size):
    """The salts of units 0 to size-1, 16 bytes each (block.md 6)."""
    cipher = AES256(derived_key(secret, block, "salt"))
    pieces = []
    for begin in range(0, size, PIECE):
        pieces.append(cipher.encrypt_pairs((0, i) for i in range(begin, min(begin + PIECE, size))))
    return b"".join(pieces)


# ---------------------------------------------------------------------------
# 3. Definitions and mechanics (block.md 2 and 7, definition.md)
# ---------------------------------------------------------------------------

LOSING = -1  # the tier of a losing unit


class Game:
    """A definition at one stake: what the units of its block follow from.

    tiers is a list of (amount, count); prize, lay and read go by tier, where
    LOSING is the losing units.
    """

    jackpot = False

    def __init__(self, definition, stake):
        self.name = definition["name"]
        self.size = definition["block"]["size"]
        self.price = money(definition["stakes"][stake]["price"])
        tiers = definition["prizes"]["tiers"]
        self.tiers = [(money(tier["amounts"][stake]), tier["count"]) for tier in tiers]
        # weights name a tier by its amount at the first stake
        first = {LOSING: 0}
        first.update((i, money(tier["amounts"][0])) for i, tier in enumerate(tiers))
        mechanic = definition["mechanic"]
        kinds = {"collect": Collect, "lines": Lines}
        if mechanic["kind"] not in kinds:
            raise ValueError("mechanic %r is not of this version" % mechanic["kind"])
        self.mechanic = kinds[mechanic["kind"]](mechanic, stake, first)
        self.words = self.mechanic.words

    def shuffled_tiers(self, secret, block):
        """The tier of every unit (block.md 5)."""
        tiers = [tier for tier, (_, count) in enumerate(self.tiers)
                 for _ in range(min(count, self.size))][:self.size]
        tiers += [LOSING] * (self.size - len(tiers))
        shuffle(tiers, derived_key(secret, block, "shuffle"))
        return tiers

    def prize(self, tier):
        return 0 if tier == LOSING else self.tiers[tier][0]

    def lay(self, tier, stream):
        """The layout of a unit, as bytes."""
        return self.mechanic.lay(tier, self.prize(tier), stream)

    def read(self, layout):
        """What a layout pays, by the rules for reading alone."""
        return self.mechanic.read(layout)


class Participations:
    """A definition of a jackpot: each participation wins by itself (block.md 7.3)."""

    jackpot = True
    tiers = ()
    words = 1

    def __init__(self, name, size, odds, price=0, start=0, pot=0):
        self.name, self.size, self.odds = name, size, odds
        self.price, self.start, self.pot = price, start, pot

    def shuffled_tiers(self, secret, block):
        return [LOSING] * self.size

    def prize(self, tier):
        return 0

    def lay(self, tier, stream):
        return b"\x01" if stream.below(self.odds) == 0 else b"\x00"

    def read(self, layout):
        return 0

    def win_amount(self, since):
        """Starting amount and since times the pot's share, rounded up to a whole cent."""
        return -(-(self.start + since * self.pot) // 100) * 100


def read_definition(text, stake):
    """A definition's canonical JSON, as bytes, at a stake. ValueError when it is none."""
    try:
        definition = read_json(text)
        if definition["kind"] == "game":
            return Game(definition, stake)
        if definition["kind"] == "jackpot" and stake == 0:
            if not is_number(definition["one_in"]):
                raise ValueError("one_in is not a whole number")
            return Participations(definition["name"], definition["block"]["size"], definition["one_in"],
                                  money(definition["price"]), money(definition["start"]),
                                  money(definition["shares"]["pot"]))
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError("it has not the form of a definition: %r" % error) from None
    raise ValueError("it is neither a game nor a jackpot with this stake")


class Choice:
    """A list to pick from by weights (block.md 7)."""

    def __init__(self, items, weights):
        self.items = items
        self.totals = list(itertools.accumulate(weights))

    def pick(self, stream):
        totals = self.totals
        return self.items[bisect.bisect_right(totals, stream.below(totals[-1]))]


class Mechanic:
    """What both mechanics share: symbols, combinations and the weights of ways."""

    def __init__(self, mechanic, stake, first_prizes):
        self.roles = [symbol.get("role", "paying") for symbol in mechanic["symbols"]]
        self.names = [symbol["name"] for symbol in mechanic["symbols"]]
        self.gains = [money(combination["gains"][stake]) for combination in mechanic["combinations"]]
        self.first_prizes = first_prizes
        self.weights = {}
        for weight in mechanic.get("weights", ()):
            way = (money(weight["prize"]), tuple(sorted(weight["gains"])),
                   bool(weight.get("wild")), weight.get("multiplier"))
            self.weights[way] = weight["weight"]
        self.choices = {}

    def weight(self, tier, gains, wild, multiplier=None):
        """The weight of a way: the definition's, or the rule of block.md 7."""
        given = self.weights.get((self.first_prizes[tier], gains, wild, multiplier))
        if given is not None:
            return given
        weight = 64 // 4 ** max(len(gains) - 1, 0)
        if wild:
            weight //= 2
        if multiplier is not None:
            weight //= 2
        return max(weight, 1)

    def choice(self, tier, prize):
        """The ways of a tier to pick from, made when they are first asked for."""
        if tier not in self.choices:
            ways = self.ways(tier, prize)
            if not ways:
                raise Failure("layout_not_prize", "no layout pays %s" % money_text(prize))
            self.choices[tier] = Choice([way for _, way in ways], [weight for weight, _ in ways])
        return self.choices[tier]


class Collect(Mechanic):
    """Symbols are collected from the cells; their order pays nothing (block.md 7.1)."""

    def __init__(self, mechanic, stake, first_prizes):
        super().__init__(mechanic, stake, first_prizes)
        self.cells = mechanic["cells"]
        self.words = self.cells + 1
        self.wild = self.roles.index("wild") if "wild" in self.roles else None
        self.combinations = []
        for combination in mechanic["combinations"]:
            need = [0] * len(self.names)
            for name in combination["symbols"]:
                need[self.names.index(name)] += 1
            if not sum(need):
                raise ValueError("a combination has no symbol")
            self.combinations.append(need)
        self.by_way = None
        self.read_before = {}

    def best_reading(self, counts):
        """The best reading of a composition, as (sum, gains)."""
        best = (0, 0, False, ())  # minus the sum, number of gains, wild used, gains: the least is best

        def extend(first, left, wild_left, total, used, gains):
            nonlocal best
            best = min(best, (-total, len(gains), used, gains))
            for number in range(first, len(self.combinations)):
                need = self.combinations[number]
                short = sum(n - have for n, have in zip(need, left) if n > have)
                if short == 0:
                    rest = [have - n for n, have in zip(need, left)]
                    extend(number, rest, wild_left, total + self.gains[number], used, gains + (number,))
                if wild_left:
                    # The wild stands in for one symbol of the combination. Each is tried, as the symbol
                    # that is saved may serve another combination.
                    for symbol, n in enumerate(need):
                        if n == 0 or short - (n > left[symbol]) != 0:
                            continue
                        rest = [have - m for m, have in zip(need, left)]
                        rest[symbol] += 1
                        extend(number, rest, False, total + self.gains[number], True, gains + (number,))

        left = list(counts)
        wild_left = self.wild is not None and left[self.wild] == 1
        if self.wild is not None:
            left[self.wild] = 0
        extend(0, left, wild_left, 0, False, ())
        return -best[0], best[3]

    def compositions(self):
        """All compositions, ordered by the count of symbol 0, then of symbol 1, and so on."""
        def fill(symbol, left):
            if symbol == len(self.names):
                if left == 0:
                    yield ()
                return
            most = min(left, 1) if symbol == self.wild else left
            for count in range(most + 1):
                for rest in fill(symbol + 1, left - count):
                    yield (count,) + rest
        return fill(0, self.cells)

    def ways(self, tier, prize):
        """The ways of a tier, each with its compositions to pick from, as (weight, choice)."""
        if self.by_way is None:
            self.by_way = {}
            for counts in self.compositions():
                total, gains = self.best_reading(counts)
                wild = self.wild is not None and counts[self.wild] == 1
                self.by_way.setdefault((total, len(gains), gains, wild), []).append(counts)
        result = []
        for total, number, gains, wild in sorted(self.by_way):
            if total == prize:
                found = self.by_way[total, number, gains, wild]
                laid = [bytes(s for s, count in enumerate(counts) for _ in range(count)) for counts in found]
                choice = Choice(laid, [self.orders(counts) for counts in found])
                result.append((self.weight(tier, gains, wild), choice))
        return result

    def orders(self, counts):
        """In how many orders a composition can be laid."""
        result = math.factorial(self.cells)
        for count in counts:
            result //= math.factorial(count)
        return result

    def lay(self, tier, prize, stream):
        composition = self.choice(tier, prize).pick(stream)
        cells = bytearray(composition.pick(stream))
        below = stream.below
        for i in range(len(cells) - 1, 0, -1):
            j = below(i + 1)
            cells[i], cells[j] = cells[j], cells[i]
        return bytes(cells)

    def read(self, layout):
        key = bytes(sorted(layout))
        total = self.read_before.get(key)
        if total is None:
            counts = [layout.count(code) for code in range(len(self.names))]
            total = self.read_before[key] = self.best_reading(counts)[0]
        return total


class Lines(Mechanic):
    """Lines of cells win with one symbol throughout (block.md 7.2)."""

    ATTEMPTS_MOST = 1000

    def __init__(self, mechanic, stake, first_prizes):
        super().__init__(mechanic, stake, first_prizes)
        rows, columns = mechanic["rows"], mechanic["columns"]
        self.cells = rows * columns
        self.words = self.cells
        self.gains_most = mechanic.get("gains_most", 3)
        self.lines = []
        for line in mechanic["lines"]:
            if line == "rows":
                self.lines += [range(r * columns, (r + 1) * columns) for r in range(rows)]
            elif line == "columns":
                self.lines += [range(c, self.cells, columns) for c in range(columns)]
            elif line == "diagonals":
                if rows != columns:
                    raise ValueError("diagonals need as many rows as columns")
                self.lines += [range(0, self.cells, columns + 1),
                               range(columns - 1, self.cells - 1, columns - 1)]
            else:
                self.lines.append(line)
        self.lines = [tuple(line) for line in self.lines]
        if not all(line and set(line) <= set(range(self.cells)) for line in self.lines):
            raise ValueError("a line has cells that there are not")
        self.code_symbols(mechanic)
        if any(combination["alike"] != len(line)
               for combination in mechanic["combinations"] for line in self.lines):
            raise ValueError("a combination is not as long as a line")
        crossings = max(sum(cell in line for line in self.lines) for cell in range(self.cells))
        # With more fillers than lines through any cell there is always one that makes no line win.
        self.filling_is_easy = len(self.fillers) > crossings
        self.placements_before = {}

    def code_symbols(self, mechanic):
        """Give each symbol its code; a multiplier takes one for each coefficient."""
        self.wild, self.coefficients, self.fillers, codes = None, {}, [], {}
        code = 0
        for name, role in zip(self.names, self.roles):
            codes[name] = code
            if role == "multiplier":
                for coefficient in mechanic["multiplier"]["coefficients"]:
                    if not is_number(coefficient):
                        raise ValueError("a coefficient is not a whole number")
                    self.coefficients[code] = coefficient
                    code += 1
                continue
            if role == "wild":
                self.wild = code
            else:
                self.fillers.append(code)
            code += 1
        self.symbols = [codes[combination["symbol"]] for combination in mechanic["combinations"]]
        self.gain_of = dict(zip(self.symbols, self.gains))

    def ways(self, tier, prize):
        """The ways of a tier as (weight, (multiplier's code or None, placements to pick from))."""
        if tier == LOSING:
            raise Failure("layout_not_prize", "losing units have no ways")
        result = []
        wilds = (False,) if self.wild is None else (False, True)
        multipliers = [(None, 1)] + sorted(self.coefficients.items())
        for number in range(1, self.gains_most + 1):
            for gains in itertools.combinations_with_replacement(range(len(self.gains)), number):
                total = sum(self.gains[gain] for gain in gains)
                for wild in wilds:
                    for code, coefficient in multipliers:
                        if total * coefficient != prize:
                            continue
                        placements = self.placements(gains, wild, code is not None)
                        if placements is not None:
                            weight = self.weight(tier, gains, wild, None if code is None else coefficient)
                            result.append((weight, (code, placements)))
        return result

    def placements(self, gains, wild, multiplier):
        """The placements of a way to pick from, or None.

        A placement is (fixed cells with their codes, free cells, lines that must win).
        """
        key = gains, wild, multiplier
        if key in self.placements_before:
            return self.placements_before[key]
        found = []
        for lines in self.line_choices(gains):
            shown, twice = {}, set()
            for gain, line in zip(gains, lines):
                for cell in self.lines[line]:
                    if shown.setdefault(cell, self.symbols[gain]) != self.symbols[gain]:
                        twice.add(cell)
            for cell in sorted(shown) if wild else (None,):
                if twice - {cell}:
                    continue
                fixed = dict(shown)
                if wild:
                    fixed[cell] = self.wild
                free = [c for c in range(self.cells) if c not in fixed]
                if self.can_be_filled(fixed, free, set(lines), multiplier):
                    found.append((fixed, free, sorted(lines)))
        choice = None
        if found:
            fewest = min(len(free) for _, free, _ in found)
            weights = [len(self.fillers) ** (len(free) - fewest) * (len(free) if multiplier else 1)
                       for _, free, _ in found]
            choice = Choice(found, weights)
        self.placements_before[key] = choice
        return choice

    def line_choices(self, gains):
        """A line of its own for each gain; gains of one combination have ascending lines."""
        for lines in itertools.permutations(range(len(self.lines)), len(gains)):
            if all(gains[i] != gains[i + 1] or lines[i] < lines[i + 1] for i in range(len(gains) - 1)):
                yield lines

    def can_be_filled(self, fixed, free, lines, multiplier):
        """Whether the free cells can be filled so that exactly these lines win."""
        if multiplier and not free:
            return False
        others = [line for number, line in enumerate(self.lines) if number not in lines]
        for line in others:
            if all(cell in fixed for cell in line) and self.line_gain(fixed, line) is not None:
                return False
        if self.filling_is_easy:
            return True

        def fill(shown, left):
            if not left:
                return True
            cell = left[0]
            if cell in shown:  # the multiplier
                return fill(shown, left[1:])
            ending = [line for line in others if cell in line]
            for filler in self.fillers:
                shown[cell] = filler
                complete = (line for line in ending if all(c in shown for c in line))
                if all(self.line_gain(shown, line) is None for line in complete) and fill(shown, left[1:]):
                    return True
                del shown[cell]
            return False

        if not multiplier:
            return fill(dict(fixed), free)
        code = min(self.coefficients)
        return any(fill({**fixed, cell: code}, free) for cell in free)

    def line_gain(self, shown, line):
        """What a line gains, None when it does not win."""
        first, last, wild = shown[line[0]], shown[line[-1]], self.wild
        if first != last and first != wild and last != wild:
            return None  # most lines end here
        codes = [shown[cell] for cell in line]
        if self.wild is not None and codes.count(self.wild) == 1:
            codes.remove(self.wild)
        first = codes[0]
        return self.gain_of.get(first) if codes.count(first) == len(codes) else None

    def winning_lines(self, layout):
        return [number for number, line in enumerate(self.lines) if self.line_gain(layout, line) is not None]

    def lay(self, tier, prize, stream):
        if tier == LOSING:
            return self.lay_losing(stream)
        code, placements = self.choice(tier, prize).pick(stream)
        fillers, below = self.fillers, stream.below
        for _ in range(self.ATTEMPTS_MOST):
            fixed, free, lines = placements.pick(stream)
            layout = bytearray(self.cells)
            for cell, symbol in fixed.items():
                layout[cell] = symbol
            left = free
            if code is not None:
                multiplied = free[below(len(free))]
                layout[multiplied] = code
                left = [cell for cell in free if cell != multiplied]
            for cell in left:
                layout[cell] = fillers[below(len(fillers))]
            if self.winning_lines(layout) == lines:
                return bytes(layout)
        raise Failure("layout_not_prize", "no layout was found in %d attempts" % self.ATTEMPTS_MOST)

    def lay_losing(self, stream):
        fillers, below, count = self.fillers, stream.below, len(self.fillers)
        for _ in range(self.ATTEMPTS_MOST):
            layout = bytes([fillers[below(count)] for _ in range(self.cells)])
            if not self.winning_lines(layout):
                return layout
        raise Failure("layout_not_prize", "no losing layout was found in %d attempts" % self.ATTEMPTS_MOST)

    def read(self, layout):
        total = 0
        for line in self.lines:
            gain = self.line_gain(layout, line)
            if gain is not None:
                total += gain
        for code, coefficient in self.coefficients.items():
            if code in layout:
                total *= coefficient
        return total


# ---------------------------------------------------------------------------
# 4. Trees (block.md 8 and 9, RFC 6962 section 2.1)
# ---------------------------------------------------------------------------

def leaf_hash(data):
    return sha256(b"\x00" + data).digest()


def node_hash(left, right):
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """The hashes of a tree. heights[h] holds the roots of all complete subtrees of 2^h leaves."""

    def __init__(self, leaves):
        """leaves are the leaf hashes, one after the other as bytes."""
        self.size = len(leaves) // 32
        self.heights = [bytes(leaves)]
        while len(self.heights[-1]) >= 64:
            below = self.heights[-1]
            pairs = range(0, len(below) - 63, 64)
            self.heights.append(b"".join([sha256(b"\x01" + below[i:i + 64]).digest() for i in pairs]))

    def root(self, size=None):
        """The root over the first size leaves, over all where none is given."""
        size = self.size if size is None else size
        if size == 0:
            return sha256(b"").digest()
        root = None
        for height in range(size.bit_length()):
            if size >> height & 1:
                at = ((size >> height) - 1) * 32
                peak = self.heights[height][at:at + 32]
                root = peak if root is None else node_hash(peak, root)
        return root

    def level(self, number):
        """The hashes of a level of tiles; empty above the last."""
        return self.heights[8 * number] if 8 * number < len(self.heights) else b""

    def tiles(self):
        """The file of a block's hashes (block.md 9)."""
        return b"".join(self.heights[::8])


def inclusion_holds(leaf, index, size, path, root):
    """Verify an inclusion proof as RFC 9162, section 2.1.3.2, says."""
    if index >= size:
        return False
    f, s, r = index, size - 1, leaf
    for p in path:
        if s == 0:
            return False
        if f & 1 or f == s:
            r = node_hash(p, r)
            while f & 1 == 0 and f != 0:
                f >>= 1
                s >>= 1
        else:
            r = node_hash(r, p)
        f >>= 1
        s >>= 1
    return s == 0 and r == root


# ---------------------------------------------------------------------------
# 5. Units: deal a block again (block.md 5 to 8 and 10)
# ---------------------------------------------------------------------------

def unit_data(block, index, prize, layout, salt):
    return TAG_UNIT + block + u64(index) + u64(prize) + var(layout) + salt


def play_id(block, index, salt):
    return sha256(TAG_PLAY + block + u64(index) + salt).digest()[:16]


def sale_leaf(block, index, play, time):
    return leaf_hash(TAG_SALE + block + u64(index) + play + u64(time))


class Dealt:
    """A block, or its first units, dealt again from its secret.

    tiers[i] is the tier of unit i, leaves holds the leaf hashes, salts the
    salts; layouts are kept only when asked for. faults lists (unit, what) for
    units that could not be laid out or do not read as their prize, and wins
    the participations that win. Where there are faults the leaves are of no use.
    """

    FAULTS_MOST = 20

    def __init__(self, game, block, secret, salts, count=None, keep_layouts=False):
        count = game.size if count is None else count
        self.salts = salts
        self.tiers = game.shuffled_tiers(secret, block)
        self.faults, self.wins, self.layouts = [], [], []
        self.keep_layouts = keep_layouts
        leaves = []
        cipher = AES256(derived_key(secret, block, "layout"))
        blocks = (game.words + 3) // 4
        piece = max(PIECE // blocks, 1)
        told = 0
        for begin in range(0, count, piece):
            end = min(begin + piece, count)
            if count >= 100000 and begin * 10 // count > told:
                told = begin * 10 // count
                progress("  %d0 %% of %d units dealt again" % (told, count))
            words = words_of(cipher.encrypt_pairs((i, b) for i in range(begin, end) for b in range(blocks)))
            self.deal(game, block, cipher, begin, end, words, 4 * blocks, leaves)
            if len(self.faults) >= self.FAULTS_MOST:
                break
        self.leaves = b"".join(leaves)

    def deal(self, game, block, cipher, begin, end, words, width, leaves):
        """Deal the units from begin up to end, whose streams begin in words, width words each."""
        prizes = {tier: game.prize(tier) for tier in range(LOSING, len(game.tiers))}
        lay, read, salts, tiers = game.lay, game.read, self.salts, self.tiers
        head = b"\x00" + TAG_UNIT + block
        for i in range(begin, end):
            at = (i - begin) * width
            tier = tiers[i]
            prize = prizes[tier]
            try:
                layout = lay(tier, Stream(cipher, i, words[at:at + width]))
            except Failure as failure:
                self.faults.append((i, failure.what))
                continue
            if read(layout) != prize:
                self.faults.append((i, "the layout reads %s, not %s" % (money_text(read(layout)), money_text(prize))))
            if game.jackpot and layout == b"\x01":
                self.wins.append(i)
            if self.keep_layouts:
                self.layouts.append(layout)
            leaves.append(sha256(
                head + (i << 64 | prize).to_bytes(16, "big") + len(layout).to_bytes(4, "big")
                + layout + salts[16 * i:16 * i + 16]).digest())


# ---------------------------------------------------------------------------
# 6. Ed25519 (RFC 8032), keys, checkpoints (log.md 3)
# ---------------------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
NEUTRAL = (0, 1, 1, 0)  # points are (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z


def point_add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_multiply(scalar, point):
    result = NEUTRAL
    while scalar:
        if scalar & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        scalar >>= 1
    return result


def point_decode(data):
    """The point of 32 bytes, None when they are not the one right encoding of a point."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT_OF_MINUS_ONE % P
    if x * x % P != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def point_encode(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = point_decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def ed25519_verify(public, message, signature):
    """Whether the signature is right: encodings canonical, s below the order, no cofactor."""
    if len(public) != 32 or len(signature) != 64:
        return False
    a = point_decode(public)
    s = int.from_bytes(signature[32:], "little")
    if a is None or s >= ORDER or point_decode(signature[:32]) is None:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    minus_a = (P - a[0], a[1], a[2], P - a[3])
    return point_encode(point_add(point_multiply(s, BASE), point_multiply(k, minus_a))) == signature[:32]


OPERATOR_KEY = 1  # algorithm byte of plain Ed25519 signatures
WITNESS_KEY = 4   # of timestamped cosignatures


class Key:
    """A public key, read from the text name+hash+key."""

    def __init__(self, text, algorithm):
        parts = text.strip().split("+", 2)
        if len(parts) != 3 or not signer_name(parts[0]) or not re.match(r"[0-9a-f]{8}\Z", parts[1]):
            raise Unusable("a key has not the form name+hash+key: %s" % text.strip()[:100])
        self.name, self.hash = parts[0], bytes.fromhex(parts[1])
        data = strict_base64(parts[2])
        if data is None or len(data) != 33 or data[0] != algorithm:
            raise Unusable("the key of %s is not an Ed25519 key with algorithm byte %d" % (self.name, algorithm))
        if sha256(self.name.encode() + b"\n" + data).digest()[:4] != self.hash:
            raise Unusable("the key of %s does not have the hash that stands before it" % self.name)
        self.public = data[1:]


def signer_name(name):
    return name != "" and "+" not in name and not any(c.isspace() for c in name)


def strict_base64(text):
    """Bytes of standard base64 in its one right form, or None."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text else None


class Note:
    """A signed note (C2SP signed-note): a text and signature lines. ValueError when it is none."""

    SIGNATURES_MOST = 100

    def __init__(self, data):
        text = data.decode("utf-8")
        if any(c < " " and c != "\n" for c in text):
            raise ValueError("a signed note has a control character")
        body, found, signatures = text.rpartition("\n\n")
        if not found or not signatures.endswith("\n"):
            raise ValueError("a signed note has no signatures")
        self.text = body + "\n"
        self.signatures = []
        for line in signatures[:-1].split("\n"):
            match = re.match(r"\u2014 ([^ ]+) ([A-Za-z0-9+/=]+)\Z", line)
            signature = strict_base64(match.group(2)) if match else None
            if signature is None or len(signature) < 5 or not signer_name(match.group(1)):
                raise ValueError("a signature line of a signed note is malformed")
            self.signatures.append((match.group(1), signature[:4], signature[4:]))
        if len(self.signatures) > self.SIGNATURES_MOST:
            raise ValueError("a signed note has too many signatures")

    def of(self, key):
        """The signatures that say that they are by a key."""
        return [signature for name, hash_, signature in self.signatures
                if name == key.name and hash_ == key.hash]

    def signed_by(self, key):
        """Whether the operator signed it."""
        found = self.of(key)
        return bool(found) and all(ed25519_verify(key.public, self.text.encode(), s) for s in found)

    def cosigned_by(self, key):
        """Whether a witness cosigned it (C2SP tlog-cosignature)."""
        found = self.of(key)
        return bool(found) and all(
            len(s) == 72 and ed25519_verify(
                key.public,
                b"cosignature/v1\ntime %d\n" % int.from_bytes(s[:8], "big") + self.text.encode(), s[8:])
            for s in found)


class Checkpoint:
    """A checkpoint: origin, size, root. ValueError when the note is no checkpoint."""

    def __init__(self, data):
        self.note = Note(data)
        lines = self.note.text[:-1].split("\n")
        if len(lines) < 3 or "" in lines or not re.match(r"(?:0|[1-9][0-9]{0,15})\Z", lines[1]):
            raise ValueError("a checkpoint is malformed")
        self.origin, self.size, root = lines[0], int(lines[1]), strict_base64(lines[2])
        if root is None or len(root) != 32:
            raise ValueError("the root of a checkpoint is malformed")
        self.root = root

    def check(self, key, witnesses=()):
        """Raise the Failure for a wrong origin or signature, or a missing cosignature."""
        if self.origin != key.name or not self.note.signed_by(key):
            raise Failure("checkpoint_signature_wrong", "the checkpoint is not signed by %s" % key.name)
        for witness in witnesses:
            if not self.note.cosigned_by(witness):
                raise Failure("cosignature_missing", "there is no valid cosignature of %s" % witness.name)


# ---------------------------------------------------------------------------
# 7. Entries and rules of the public log (log.md 1 and 2)
# ---------------------------------------------------------------------------

ENTRY_BYTES_MOST = 65535
MINUTES_TEN = 10 * 60 * 1000


def bytes_of(length):
    return lambda value: is_bytes(value, length)


def is_text(value):
    return isinstance(value, str) and value != ""


def is_why(value):
    return isinstance(value, str) and len(value.encode("utf-8")) <= 500


def has_keys(value, must, may=()):
    """Whether an object has exactly these keys, each with a value that its function accepts."""
    may = dict(may)
    return (isinstance(value, dict) and set(must) <= set(value) <= set(must) | set(may)
            and all({**must, **may}[key](part) for key, part in value.items()))


def is_list_of(must):
    return lambda value: isinstance(value, list) and all(has_keys(part, must) for part in value)


def is_beacon(value):
    return has_keys(value, {"key": bytes_of(96), "round": is_number,
                            "scheme": lambda scheme: scheme == "bls-unchained-g1-rfc9380"})


def is_parties(value):
    return isinstance(value, list) and value != [] and all(map(is_name, value)) and len(set(value)) == len(value)


BLOCK, HASH = bytes_of(16), bytes_of(32)
CONTRIBUTIONS = is_list_of({"party": is_name, "commitment": HASH})
SHARES = is_list_of({"party": is_name, "share": HASH})

# For each kind the keys that it must have, and those that it may have.
KINDS = {
    "definition": ({"name": is_name, "type": lambda value: value in ("game", "jackpot"), "definition": HASH}, {}),
    "emission": ({"emission": is_number, "game": is_name, "stake": is_number, "blocks": is_number}, {}),
    "ceremony": ({"block": BLOCK, "emission": is_number, "position": is_number, "parties": is_parties},
                 {"beacon": is_beacon}),
    "contribution": ({"block": BLOCK, "party": is_name, "commitment": HASH}, {}),
    "abandonment": ({"block": BLOCK, "by": is_text, "why": is_why}, {}),
    "seal": ({"block": BLOCK, "format": lambda value: value == 1 and is_number(value), "game": is_name,
              "definition": HASH, "stake": is_number, "price": is_number, "size": is_number, "root": HASH,
              "commitment": HASH, "emission": is_number, "position": is_number, "by": is_text},
             {"contributions": CONTRIBUTIONS, "beacon": is_beacon}),
    "approval": ({"block": BLOCK, "by": is_text, "why": is_why}, {}),
    "sales": ({"block": BLOCK, "sold": is_number, "root": HASH}, {}),
    "jackpot-win": ({"jackpot": is_name, "block": BLOCK, "index": is_number, "amount": is_number,
                     "since": is_number}, {}),
    "withdrawal": ({"block": BLOCK, "sold": is_number, "root": HASH, "by": is_text, "why": is_why}, {}),
    "opening": ({"block": BLOCK, "secret": HASH}, {"shares": SHARES, "signature": is_bytes}),
}


def read_entry(data):
    """An entry of the public log from its bytes. ValueError when it is not what log.md 1 says."""
    if len(data) > ENTRY_BYTES_MOST:
        raise ValueError("it is too long")
    entry = read_json(data)
    if canonical_json(entry) != data:
        raise ValueError("it is not canonical")
    if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str) or entry["kind"] not in KINDS:
        raise ValueError("it is of no known kind")
    must, may = KINDS[entry["kind"]]
    common = {"kind": is_text, "version": lambda value: is_number(value) and value == 1, "at": is_number}
    if not has_keys(entry, {**common, **must}, may):
        raise ValueError("the keys of this %s are not those of its kind" % entry["kind"])
    return entry


class Life:
    """What the log says of one block."""

    def __init__(self, seal, number):
        self.seal, self.number = seal, number
        self.approval = self.withdrawal = self.opening = None
        self.heads = []   # (number, entry) of the approval, sales and withdrawals, in order
        self.wins = []    # (number, entry)
        self.sold = 0     # of the last sales entry
        self.roots = {}   # sold -> root

    def ended(self):
        return self.withdrawal is not None or self.sold == self.seal["size"]


class Rules:
    """The rules of log.md 2. take() is given every entry in order.

    An entry gives at most one code, the first of the table of publication.md 2
    that fits, and then counts as if it were right, so that one fault is not
    told again at every entry that follows.
    """

    def __init__(self):
        self.definitions = set()
        self.published = []    # the definition entries
        self.emissions = {}    # number -> list of entries
        self.ceremonies = {}   # block -> (entry, contributions by party, abandoned)
        self.places = {}       # (emission, position) -> block
        self.blocks = {}       # block -> Life
        self.last_at = 0

    def take(self, number, entry):
        """Returns (code, what) or None."""
        wrong = getattr(self, "take_" + entry["kind"].replace("-", "_"))(number, entry)
        if wrong is None and entry["at"] < self.last_at - MINUTES_TEN:
            wrong = "time_goes_back", "it is more than 10 minutes earlier than the entry before it"
        self.last_at = entry["at"]
        return wrong

    def take_definition(self, number, entry):
        self.definitions.add(entry["definition"])
        self.published.append(entry)

    def take_emission(self, number, entry):
        self.emissions.setdefault(entry["emission"], []).append(entry)

    def take_ceremony(self, number, entry):
        block, place = entry["block"], (entry["emission"], entry["position"])
        wrong = None
        if not any(entry["position"] < e["blocks"] for e in self.emissions.get(entry["emission"], ())):
            wrong = "emission_unknown", "no emission before it has this place"
        elif place in self.places:
            wrong = "place_taken_twice", "its place is that of block %s" % self.places[place]
        elif block in self.ceremonies or block in self.blocks:
            wrong = "ceremony_wrong", "the block has a ceremony or a seal already"
        self.places.setdefault(place, block)
        self.ceremonies.setdefault(block, [entry, {}, False])
        return wrong

    def take_contribution(self, number, entry):
        block, party = entry["block"], entry["party"]
        if block not in self.ceremonies or block in self.blocks:
            return "ceremony_wrong", "there is no ceremony that it could be part of"
        ceremony, contributions, abandoned = self.ceremonies[block]
        if abandoned or party not in ceremony["parties"] or party in contributions:
            return "ceremony_wrong", "the ceremony does not wait for a contribution of %s" % party
        contributions[party] = entry["commitment"]

    def take_abandonment(self, number, entry):
        block = entry["block"]
        if block not in self.ceremonies or block in self.blocks or self.ceremonies[block][2]:
            return "ceremony_wrong", "there is no ceremony to abandon"
        self.ceremonies[block][2] = True
        ceremony = self.ceremonies[block][0]
        place = ceremony["emission"], ceremony["position"]
        if self.places.get(place) == block:
            del self.places[place]

    def take_seal(self, number, entry):
        block, place = entry["block"], (entry["emission"], entry["position"])
        wrong = None
        if entry["definition"] not in self.definitions:
            wrong = "definition_unknown", "no entry before it published its definition"
        elif not any(e["game"] == entry["game"] and e["stake"] == entry["stake"] and entry["position"] < e["blocks"]
                     for e in self.emissions.get(entry["emission"], ())):
            wrong = "emission_unknown", "no emission before it has this game, stake and position"
        elif block in self.blocks:
            wrong = "block_sealed_twice", "block %s was sealed before" % block
        elif self.places.get(place, block) != block:
            wrong = "place_taken_twice", "its place is that of block %s" % self.places[place]
        else:
            wrong = self.ceremony_wrong(block, entry)
        self.places.setdefault(place, block)
        self.blocks.setdefault(block, Life(entry, number))
        return wrong

    def ceremony_wrong(self, block, seal):
        contributions, beacon = seal.get("contributions"), seal.get("beacon")
        if block not in self.ceremonies:
            if contributions or beacon:
                return "ceremony_wrong", "the seal has contributions or a beacon, but there was no ceremony"
            return None
        ceremony, given, abandoned = self.ceremonies[block]
        if abandoned:
            return "ceremony_wrong", "the ceremony of the block was abandoned"
        if (ceremony["emission"], ceremony["position"]) != (seal["emission"], seal["position"]):
            return "ceremony_wrong", "the seal has not the place of the ceremony"
        if contributions != [{"party": p, "commitment": given.get(p)} for p in ceremony["parties"]]:
            return "ceremony_wrong", "the seal does not repeat one contribution of each party in order"
        if beacon != ceremony.get("beacon"):
            return "ceremony_wrong", "the seal has not the beacon of the ceremony"
        return None

    def take_approval(self, number, entry):
        life = self.blocks.get(entry["block"])
        if life is None:
            return "block_unknown", "block %s has no seal before it" % entry["block"]
        wrong = None
        if life.approval is not None:
            wrong = "approval_wrong", "the block was approved before"
        elif entry["by"] == life.seal["by"]:
            wrong = "approval_wrong", "%s approved what they sealed themselves" % entry["by"]
        elif life.opening is not None:
            wrong = "approval_wrong", "the block was opened before"
        if life.approval is None:
            life.approval = entry
            life.heads.append((number, entry))
        return wrong

    def take_sales(self, number, entry):
        life = self.blocks.get(entry["block"])
        if life is None:
            return "block_unknown", "block %s has no seal before it" % entry["block"]
        wrong = None
        if life.approval is None:
            wrong = "sale_not_allowed", "the block was not approved"
        elif life.opening is not None:
            wrong = "sale_not_allowed", "the block was opened before"
        elif life.withdrawal is not None and entry["sold"] > life.withdrawal["sold"]:
            wrong = "sale_not_allowed", "the block was withdrawn before"
        else:
            wrong = self.sold_wrong(life, entry)
        life.sold = entry["sold"]
        life.roots.setdefault(entry["sold"], entry["root"])
        life.heads.append((number, entry))
        return wrong

    @staticmethod
    def sold_wrong(life, entry):
        if entry["sold"] < life.sold:
            return "sales_go_back", "%d units were sold before, %d now" % (life.sold, entry["sold"])
        if entry["sold"] > life.seal["size"]:
            return "sales_go_back", "more units were sold than the block has"
        if life.roots.get(entry["sold"], entry["root"]) != entry["root"]:
            return "sales_go_back", "two roots are given for %d sales" % entry["sold"]
        return None

    def take_withdrawal(self, number, entry):
        life = self.blocks.get(entry["block"])
        if life is None:
            return "block_unknown", "block %s has no seal before it" % entry["block"]
        wrong = None
        if life.approval is None and entry["sold"] > 0:
            wrong = "sale_not_allowed", "units were sold of a block that was not approved"
        elif life.withdrawal is not None or life.opening is not None:
            wrong = "sale_not_allowed", "the block had ended before"
        else:
            wrong = self.sold_wrong(life, entry)
        if life.withdrawal is None:
            life.withdrawal = entry
        life.roots.setdefault(entry["sold"], entry["root"])
        life.heads.append((number, entry))
        return wrong

    def take_jackpot_win(self, number, entry):
        life = self.blocks.get(entry["block"])
        if life is None:
            return "block_unknown", "block %s has no seal before it" % entry["block"]
        life.wins.append((number, entry))
        if life.opening is not None:
            return "sale_not_allowed", "the block was opened before"

    def take_opening(self, number, entry):
        life = self.blocks.get(entry["block"])
        if life is None:
            return "block_unknown", "block %s has no seal before it" % entry["block"]
        wrong = None
        if life.opening is not None:
            wrong = "opened_too_early", "the block was opened before"
        elif not life.ended():
            wrong = "opened_too_early", "the block is neither sold out nor withdrawn"
        if life.opening is None:
            life.opening = entry
        return wrong


# ---------------------------------------------------------------------------
# 8. The files of the public log (log.md 4, publication.md 2)
# ---------------------------------------------------------------------------

def read_file(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def tile_path(number):
    """The place of a tile in its level: 1234067 becomes x001/x234/067 (C2SP tlog-tiles)."""
    path = "%03d" % (number % 1000)
    while number >= 1000:
        number //= 1000
        path = "x%03d/%s" % (number % 1000, path)
    return path


def read_tile(folder, level, number, width):
    """A tile of width entries; the full one serves where a partial one was taken away."""
    path = os.path.join(folder, "tile", str(level), *tile_path(number).split("/"))
    if width < 256:
        try:
            return read_file(path + ".p", str(width))
        except FileNotFoundError:
            pass
    return read_file(path)


class PublicLog:
    """A public log, read and checked. findings holds what was found.

    rules is None when the log could not be read.
    """

    def __init__(self, folder, key, witnesses=(), older=None):
        if not os.path.isdir(folder):
            raise Unusable("there is no folder %s" % folder)
        inner = os.path.join(folder, "log")
        self.folder = inner if os.path.isdir(inner) else folder
        self.findings = Findings()
        self.checkpoint = self.tree = self.rules = None
        self.entries = []
        try:
            self.checkpoint = Checkpoint(read_file(self.folder, "checkpoint"))
        except OSError as error:
            self.findings.add("log_unreadable", "checkpoint", str(error))
            return
        except ValueError as error:
            self.findings.add("checkpoint_signature_wrong", "checkpoint", str(error))
            return
        self.check_signatures(self.checkpoint, key, witnesses, "checkpoint")
        try:
            self.read_entries()
            self.check_tiles()
        except (OSError, ValueError) as error:
            self.findings.add("log_unreadable", "tile", str(error))
            self.tree = None
        if older is not None:
            self.compare(older, key)
        if self.tree is not None:
            self.check_rules()

    def check_signatures(self, checkpoint, key, witnesses, where):
        try:
            checkpoint.check(key, witnesses)
        except Failure as failure:
            self.findings.add(failure.code, where, failure.what)

    def read_entries(self):
        size = self.checkpoint.size
        for number in range((size + 255) // 256):
            width = min(256, size - 256 * number)
            data = read_tile(self.folder, "entries", number, width)
            at = 0
            for _ in range(width):
                end = at + 2 + int.from_bytes(data[at:at + 2], "big")
                if at + 2 > len(data) or end > len(data):
                    raise ValueError("the entries of tile %d are cut off" % number)
                self.entries.append(data[at + 2:end])
                at = end
        self.tree = Tree(b"".join(map(leaf_hash, self.entries)))
        if self.tree.root() != self.checkpoint.root:
            self.findings.add("log_root_wrong", "checkpoint", "the entries do not give the checkpoint's root")

    def check_tiles(self):
        """Compare all tiles of hashes with those that the entries give."""
        for level in itertools.count():
            hashes = self.tree.level(level)
            if not hashes:
                return
            count = len(hashes) // 32
            for number in range((count + 255) // 256):
                width = min(256, count - 256 * number)
                tile = read_tile(self.folder, level, number, width)
                if len(tile) not in (32 * width, 32 * 256):
                    raise ValueError("tile %d of level %d has a wrong length" % (number, level))
                if tile[:32 * width] != hashes[8192 * number:8192 * number + 32 * width]:
                    self.findings.add("log_root_wrong", "tile/%d/%s" % (level, tile_path(number)),
                                      "the tile does not hold the hashes that the entries give")

    def compare(self, file, key):
        """Compare with an older checkpoint in a file (publication.md 2)."""
        try:
            older = Checkpoint(read_file(file))
        except OSError as error:
            raise Unusable("the older checkpoint cannot be read: %s" % error) from None
        except ValueError as error:
            self.findings.add("log_unreadable", file, str(error))
            return
        self.check_signatures(older, key, (), file)
        new = self.checkpoint
        if older.size > new.size:
            self.findings.add("log_rolled_back", "checkpoint", "the log had %d entries and now has %d"
                              % (older.size, new.size))
        elif older.size == new.size and older.root != new.root:
            self.findings.add("split_view", "checkpoint", "two checkpoints of %d entries have different roots"
                              % new.size)
        elif older.size < new.size and self.tree is not None and self.tree.root(older.size) != older.root:
            self.findings.add("log_rolled_back", "checkpoint", "the first %d entries are not those of the "
                              "older checkpoint" % older.size)

    def check_rules(self):
        self.rules = Rules()
        for number, data in enumerate(self.entries):
            try:
                wrong = self.rules.take(number, read_entry(data))
            except ValueError as error:
                wrong = "entry_malformed", str(error)
            if wrong is not None:
                self.findings.add(wrong[0], "entry %d" % number, wrong[1])


# ---------------------------------------------------------------------------
# 9. A block that is open (publication.md 3)
# ---------------------------------------------------------------------------

UNITS_MOST = 10_000_000  # definition.md 2


class OpenBlock:
    """Checks one block of a publication. report() is the one page of what came out."""

    def __init__(self, folder, block, log):
        self.folder, self.block, self.log = folder, block, log
        self.id = bytes.fromhex(block)
        self.findings = log.findings
        self.notes = []
        self.game = self.dealt = None
        self.life = log.rules.blocks.get(block) if log.rules is not None else None
        if self.life is None or self.life.opening is None:
            if not self.findings.items:
                raise Unusable("block %s is not %s in this log" % (block, "open" if self.life else "sealed"))
            self.seal, self.sold = None, 0
            return
        self.seal, self.opening = self.life.seal, self.life.opening
        self.secret = bytes.fromhex(self.opening["secret"])
        self.heads = self.life.heads
        sold = [entry["sold"] for _, entry in self.heads if "sold" in entry]
        self.sold = min(sold[-1], self.seal["size"]) if sold else 0
        self.check()

    def check(self):
        if self.seal["size"] > UNITS_MOST:
            raise Unusable("the block has more units than a definition allows")
        self.check_definition()                                            # step 1
        self.check_commitment()                                            # step 2
        self.check_shares()                                                # step 3
        self.check_derivable()                                             # step 4
        progress("salts of %d units" % self.seal["size"])
        salts = salts_of(self.secret, self.id, self.seal["size"])
        if self.game is not None:
            progress("dealing %d units again" % self.seal["size"])
            self.dealt = Dealt(self.game, self.id, self.secret, salts)
            self.check_prizes()                                            # step 5
        progress("comparing trees")
        self.check_root_and_tiles()                                        # step 6
        progress("checking %d sales" % self.sold)
        self.check_sales(salts)                                            # steps 7 and 8
        if self.dealt is not None:
            self.check_wins()                                              # step 9

    def check_definition(self):
        name = "definitions/%s.json" % self.seal["definition"]
        try:
            text = read_file(self.folder, name)
        except OSError:
            self.findings.add("definition_missing", name, "there is no such file")
            return
        try:
            game = read_definition(text, self.seal["stake"])
        except ValueError as error:
            game, what = None, str(error)
        if definition_hash(text).hex() != self.seal["definition"]:
            self.findings.add("definition_wrong", name, "its hash is not the one that the seal names")
        elif game is None:
            self.findings.add("definition_wrong", name, what)
        elif (game.name, game.size, game.price) != (self.seal["game"], self.seal["size"], self.seal["price"]):
            self.findings.add("definition_wrong", name, "name, block size or price is not the seal's")
        else:
            self.game = game

    def check_commitment(self):
        if secret_commitment(self.id, self.secret).hex() != self.seal["commitment"]:
            self.findings.add("commitment_wrong", "opening", "the secret is not the one that the seal commits to")

    def check_shares(self):
        contributions = self.seal.get("contributions", [])
        shares = {}
        for part in self.opening.get("shares", []):
            if part["party"] in shares:
                self.findings.add("share_wrong", "party " + part["party"], "two shares are given")
            shares[part["party"]] = bytes.fromhex(part["share"])
        missing = False
        for part in contributions:
            share = shares.get(part["party"])
            missing = missing or share is None
            if share is None:
                self.findings.add("share_wrong", "party " + part["party"], "the share is missing")
            elif share_commitment(self.id, part["party"], share).hex() != part["commitment"]:
                self.findings.add("share_wrong", "party " + part["party"], "the share is not the one committed to")
        for party in sorted(set(shares) - {part["party"] for part in contributions}):
            self.findings.add("share_wrong", "party " + party, "nobody committed to this share")
        signature = self.opening.get("signature")
        if (signature is not None) != ("beacon" in self.seal) or (signature is not None and len(signature) != 96):
            self.findings.add("beacon_wrong", "opening", "the signature of the beacon's round is missing or malformed")
            return
        if signature is not None:
            self.notes.append("The signature of the beacon's round was NOT checked: this checker has no BLS.")
        if contributions and not missing:
            beacon = sha256(bytes.fromhex(signature)).digest() if signature is not None else b""
            parts = [(part["party"], shares[part["party"]]) for part in contributions]
            if mixed_secret(self.id, parts, beacon) != self.secret:
                self.findings.add("mix_wrong", "opening", "the secret is not the mix of the shares")

    def check_derivable(self):
        """Step 4: nothing that was public before the seal is the secret, or hashes to it."""
        definition = bytes.fromhex(self.seal["definition"])
        public = [(self.id, "the block's identifier"), (definition, "the definition's hash"),
                  (self.id + definition, "the identifier followed by the definition's hash"),
                  (bytes.fromhex(self.seal["commitment"]), "the seal's commitment"),
                  (bytes.fromhex(self.seal["root"]), "the seal's root")]
        for number, data in enumerate(self.log.entries[:self.life.number]):
            public.append((data, "the bytes of entry %d" % number))
            public.append((leaf_hash(data), "the leaf of entry %d" % number))
            try:
                entry = read_entry(data)
            except ValueError:
                continue
            if entry["kind"] == "opening" and entry["block"] != self.block:
                public.append((bytes.fromhex(entry["secret"]), "the secret of block %s" % entry["block"]))
        derived = {}
        for data, what in public:
            derived.setdefault(data, what)
            derived.setdefault(sha256(data).digest(), "the SHA-256 of " + what)
        if self.secret in derived:
            self.findings.add("secret_derivable", "opening", "the secret is " + derived[self.secret])
        for part in self.opening.get("shares", []):
            what = derived.get(bytes.fromhex(part["share"]))
            if what is not None:
                self.findings.add("secret_derivable", "party " + part["party"], "the share is " + what)

    def check_prizes(self):
        faults = self.dealt.faults
        if faults:
            self.findings.add("layout_not_prize", "unit %d" % faults[0][0], faults[0][1])
            if len(faults) >= Dealt.FAULTS_MOST:
                self.notes.append("So many units were wrong that not all were dealt.")
        for tier, (amount, count) in enumerate(self.game.tiers):
            dealt = self.dealt.tiers.count(tier)
            if dealt != count:
                self.findings.add("prizes_not_table", "tier %d" % tier, "%d of %s were dealt, the table has %d"
                                  % (dealt, money_text(amount), count))
                return

    def check_root_and_tiles(self):
        leaves = tree = None
        too_many = self.game is not None and sum(count for _, count in self.game.tiers) > self.seal["size"]
        if self.dealt is not None and not self.dealt.faults and not too_many:
            leaves = self.dealt.leaves
            tree = Tree(leaves)
            if tree.root().hex() != self.seal["root"]:
                self.findings.add("root_wrong", "seal", "the units do not give the seal's root")
        name = "blocks/%s.tiles" % self.block
        try:
            tiles = read_file(self.folder, name)
        except OSError:
            self.findings.add("tiles_missing", name, "there is no such file")
            return
        published = tiles[:32 * self.seal["size"]]
        if leaves is not None and published != leaves:
            wrong = [i for i in range(self.seal["size"])
                     if published[32 * i:32 * i + 32] != leaves[32 * i:32 * i + 32]]
            self.findings.add("leaf_wrong", "unit %d" % wrong[0], "the leaves of %d units are not the published ones, "
                              "this is the first" % len(wrong))
        if tree is None or published != leaves:
            tree = Tree(published)
        if len(published) != 32 * self.seal["size"] or tree.root().hex() != self.seal["root"]:
            self.findings.add("tiles_wrong", name, "level 0 does not give the seal's root")
        elif tree.tiles() != tiles:
            self.findings.add("tiles_wrong", name, "a level above 0 does not hold the hashes of the one below")

    def check_sales(self, salts):
        name = "sales/%s.sales" % self.block
        try:
            data = read_file(self.folder, name)
        except OSError:
            data = b""
        count = min(len(data) // 24, self.sold)
        if count < self.sold or len(data) % 24:
            self.findings.add("sales_missing", name, "the log says that %d were sold, the file has %d"
                              % (self.sold, len(data) // 24))
        # A participation is sold by the play of its unit, so its own identifier tells nothing.
        jackpot = self.is_jackpot()
        wrong, leaves, plays = [], [], set()
        head, tail = TAG_PLAY + self.id, b"\x00" + TAG_SALE + self.id
        for i in range(count):
            sale, index = data[24 * i:24 * i + 24], i.to_bytes(8, "big")
            if jackpot:
                if sale[:16] in plays:
                    wrong.append(i)
                plays.add(sale[:16])
            elif sha256(head + index + salts[16 * i:16 * i + 16]).digest()[:16] != sale[:16]:
                wrong.append(i)
            leaves.append(sha256(tail + index + sale).digest())
        if wrong:
            self.findings.add("sale_not_of_unit", "sale %d" % wrong[0], "the play identifiers of %d sales are not those "
                              "of their units, this is the first" % len(wrong))
        tree = Tree(b"".join(leaves))
        for number, entry in self.heads:
            if entry.get("sold", count + 1) <= count and tree.root(entry["sold"]).hex() != entry["root"]:
                self.findings.add("sales_root_wrong", "entry %d" % number, "its root is not that of the first %d sales"
                                  % entry["sold"])
        self.check_times(data, count)

    def is_jackpot(self):
        """Whether the block holds participations; the log says so even where the definition is missing."""
        return any(entry["type"] == "jackpot" for entry in self.log.rules.published
                   if entry["definition"] == self.seal["definition"])

    def check_times(self, data, count):
        """Step 8: each sale lies between the entries that enclose it."""
        late, head, before = [], 0, 0
        for i in range(count):
            while head < len(self.heads) and self.heads[head][1].get("sold", 0) <= i:
                head += 1
            if head == len(self.heads):
                break
            time = int.from_bytes(data[24 * i + 16:24 * i + 24], "big")
            earliest = before
            if head > 0:
                earliest = max(earliest, self.heads[head - 1][1]["at"])
            if time > self.heads[head][1]["at"] or time < earliest - MINUTES_TEN:
                late.append(i)
            before = time
        if late:
            self.findings.add("sale_late", "sale %d" % late[0], "the times of %d sales do not fit the entries and sales "
                              "around them, this is the first" % len(late))

    def check_wins(self):
        told = {}
        sold_wins = {i for i in self.dealt.wins if i < self.sold}
        for number, entry in self.life.wins:
            where, index = "entry %d" % number, entry["index"]
            if index not in sold_wins:
                self.findings.add("win_wrong", where, "participation %d does not win, or was not sold" % index)
            elif index in told:
                self.findings.add("win_wrong", where, "participation %d won before" % index)
            elif entry["jackpot"] != self.game.name:
                self.findings.add("win_wrong", where, "it is of another jackpot")
            elif entry["amount"] != self.game.win_amount(entry["since"]):
                self.findings.add("win_wrong", where, "the amount is %s, it should be %s" % (
                    money_text(entry["amount"]), money_text(self.game.win_amount(entry["since"]))))
            told[index] = entry["amount"]
        for index in sorted(sold_wins - set(told)):
            self.findings.add("win_missing", "participation %d" % index, "it was sold and wins; no entry says so")

    def report(self):
        """The object that --json prints. What could not be found out is null."""
        seal = self.seal or {"game": None, "stake": None, "size": None}
        result = {"block": self.block, "game": seal["game"], "stake": seal["stake"], "size": seal["size"],
                  "sold": self.sold if self.seal else None, "prizes_sold": None, "prizes_unsold": None,
                  "tiers": [], "findings": self.findings.items}
        if self.dealt is not None:
            sold = self.dealt.tiers[:self.sold]
            for tier, (amount, count) in enumerate(self.game.tiers):
                result["tiers"].append({"amount": amount, "table": count, "dealt": self.dealt.tiers.count(tier),
                                        "sold": sold.count(tier)})
            tiers = result["tiers"]
            result["prizes_sold"] = sum(tier["amount"] * tier["sold"] for tier in tiers)
            result["prizes_unsold"] = sum(tier["amount"] * (tier["dealt"] - tier["sold"]) for tier in tiers)
        return result

    def page(self):
        """The report for a person."""
        report = self.report()
        lines = ["Block    %s" % self.block]
        if self.seal is not None:
            lines += ["Game     %s, stake %d, price %s" % (report["game"], report["stake"], money_text(self.seal["price"])),
                      "Units    %d, sold %d, unsold %d" % (report["size"], self.sold, report["size"] - self.sold)]
        if report["tiers"]:
            lines += ["", "%14s %10s %10s %10s %10s" % ("Amount", "Table", "Dealt", "Sold", "Unsold")]
            for tier in report["tiers"]:
                lines.append("%14s %10d %10d %10d %10d" % (money_text(tier["amount"]), tier["table"], tier["dealt"],
                                                           tier["sold"], tier["dealt"] - tier["sold"]))
        if self.dealt is not None:
            lines += ["", "Prizes of sold units    %s" % money_text(report["prizes_sold"]),
                      "Prizes of unsold units  %s" % money_text(report["prizes_unsold"])]
            if self.game.jackpot:
                amounts = [entry["amount"] for _, entry in self.life.wins]
                lines.append("Wins of the jackpot     %d, of %s together" % (len(amounts), money_text(sum(amounts))))
        return "\n".join(lines + [""] + self.notes + findings_text(self.findings))


def findings_text(findings):
    if not findings.items:
        return ["Nothing was found to be wrong."]
    return ["FOUND  %(code)s  %(where)s: %(what)s" % item for item in findings.items]


# ---------------------------------------------------------------------------
# 10. Receipts (receipt.md)
# ---------------------------------------------------------------------------

RECEIPT_BYTES_MOST = 65536


def is_path(value):
    return isinstance(value, list) and all(is_bytes(part, 32) for part in value)


def is_string(value):
    return isinstance(value, str)


PROVEN_ENTRY = {"entry": is_string, "index": is_number, "path": is_path}


def is_part(value):
    """The form of "unit" and of "participation"."""
    return has_keys(
        value,
        {"index": is_number, "prize": is_number, "layout": is_bytes, "salt": bytes_of(16), "path": is_path,
         "seal": lambda seal: has_keys(seal, PROVEN_ENTRY)},
        {"sales": lambda sales: has_keys(sales, {"path": is_path, "entry": is_string, "index": is_number,
                                                 "log": is_path})})


class Receipt:
    """A receipt that holds. Making one raises the first Failure of receipt.md, in its order."""

    def __init__(self, data, key, witnesses=()):
        self.read(data)
        try:
            self.checkpoint = Checkpoint(self.receipt["checkpoint"].encode("utf-8"))
        except ValueError as error:
            raise Failure("checkpoint_signature_wrong", "the checkpoint: %s" % error) from None
        self.checkpoint.check(key, witnesses)
        self.provisional = False
        self.seal = self.check_part("unit", self.receipt["unit"], is_unit=True)
        part = self.receipt.get("participation")
        other = None if part is None else self.check_part("participation", part, is_unit=False)
        self.check_win(part, other)
        if other is not None and other["block"] == self.seal["block"]:
            raise Failure("price_wrong", "unit and participation are of one block")

    def read(self, data):
        """Step 1: the form."""
        try:
            receipt = read_json(data) if len(data) <= RECEIPT_BYTES_MOST else None
        except ValueError as error:
            raise Failure("receipt_malformed", str(error)) from None
        if not has_keys(receipt,
                        {"format": lambda value: value == "talon-receipt/1", "play": bytes_of(16), "at": is_number,
                         "unit": is_part, "checkpoint": is_string},
                        {"participation": lambda part: is_part(part) and part["prize"] == 0,
                         "win": lambda win: has_keys(win, PROVEN_ENTRY)}):
            raise Failure("receipt_malformed", "it has not the form of a receipt of version 1")
        self.receipt = receipt

    def entry(self, text, index, path, kind):
        """An entry of the public log of a kind, None when it is not, or is not in the log."""
        data = text.encode("utf-8")
        path = [bytes.fromhex(part) for part in path]
        if not inclusion_holds(leaf_hash(data), index, self.checkpoint.size, path, self.checkpoint.root):
            return None
        try:
            entry = read_entry(data)
        except ValueError:
            return None
        return entry if entry["kind"] == kind else None

    def check_part(self, name, part, is_unit):
        """Steps 3 to 7 for the unit or the participation. Returns its seal."""
        seal = self.entry(part["seal"]["entry"], part["seal"]["index"], part["seal"]["path"], "seal")
        if seal is None:
            raise Failure("seal_not_in_log", "%s: the seal is not in the public log" % name)
        block, salt, index = bytes.fromhex(seal["block"]), bytes.fromhex(part["salt"]), part["index"]
        data = unit_data(block, index, part["prize"], bytes.fromhex(part["layout"]), salt)
        path = [bytes.fromhex(hash_) for hash_ in part["path"]]
        if not inclusion_holds(leaf_hash(data), index, seal["size"], path, bytes.fromhex(seal["root"])):
            raise Failure("inclusion_not_proven", "%s: prize, layout and salt are not in the sealed block" % name)
        if is_unit and play_id(block, index, salt).hex() != self.receipt["play"]:
            raise Failure("play_wrong", "the play is not that of the unit")
        self.check_sale(name, part, seal, block)
        return seal

    def check_sale(self, name, part, seal, block):
        sales = part.get("sales")
        if sales is None:
            self.provisional = True
            return
        entry = self.entry(sales["entry"], sales["index"], sales["log"], "sales")
        if entry is None or entry["block"] != seal["block"]:
            raise Failure("sale_not_in_log", "%s: the entry of its sales is not in the public log" % name)
        leaf = sale_leaf(block, part["index"], bytes.fromhex(self.receipt["play"]), self.receipt["at"])
        path = [bytes.fromhex(hash_) for hash_ in sales["path"]]
        if not inclusion_holds(leaf, part["index"], entry["sold"], path, bytes.fromhex(entry["root"])):
            raise Failure("sale_not_proven", "%s: the play is not at this place of the block's sales" % name)

    def check_win(self, part, seal):
        """Step 8."""
        win = self.receipt.get("win")
        wins = part is not None and part["layout"] == "01"
        if win is None:
            self.provisional = self.provisional or wins
            return
        if not wins:
            raise Failure("win_wrong", "the receipt has a win, but no participation that wins")
        entry = self.entry(win["entry"], win["index"], win["path"], "jackpot-win")
        if entry is None or entry["block"] != seal["block"] or entry["index"] != part["index"]:
            raise Failure("win_wrong", "the win is not in the public log, or is another's")

    def outcome(self):
        return "provisional" if self.provisional else "complete"


# ---------------------------------------------------------------------------
# 11. Test vectors (block.md 13)
# ---------------------------------------------------------------------------

def require(holds, what):
    if not holds:
        raise Failure("vector_failed", what)


def read_vectors(folder, name):
    return json.loads(read_file(folder, name).decode("utf-8"))


def vector_game(folder, vector):
    """The game or participations that a vector is about."""
    if "odds" in vector:
        return Participations(vector["game"], vector["size"], vector["odds"])
    text = read_file(folder, "definitions", vector["game"] + ".json")
    return read_definition(text.rstrip(b"\n"), vector["stake"])


def check_vectors_entropy(folder):
    vectors = read_vectors(folder, "entropy.json")
    count = 0
    for v in vectors["keys"]:
        for purpose in ("shuffle", "layout", "salt"):
            key = derived_key(bytes.fromhex(v["secret"]), bytes.fromhex(v["block"]), purpose)
            require(key.hex() == v[purpose], "key %s of %s" % (purpose, v["block"]))
            count += 1
    for v in vectors["streams"]:
        stream = Stream(AES256(bytes.fromhex(v["key"])), int(v["start"]))
        require([stream.word() for _ in v["words"]] == v["words"], "stream %s" % v["start"])
        count += 1
    for v in vectors["salts"]:
        salt = AES256(bytes.fromhex(v["key"])).encrypt_pairs([(0, v["index"])])
        require(salt.hex() == v["salt"], "salt %d" % v["index"])
        count += 1
    for v in vectors["below"]:
        words = iter(v["words"])
        stream = Stream(None, 0)
        stream.next = words.__next__
        require(stream.below(v["below"]) == v["number"], "below %d" % v["below"])
        require(len(v["words"]) - len(list(words)) == v["taken"], "words taken below %d" % v["below"])
        count += 1
    return count


def check_vectors_shuffle(folder):
    vectors = read_vectors(folder, "shuffle.json")["shuffles"]
    for v in vectors:
        items = list(range(v["items"]))
        shuffle(items, bytes.fromhex(v["key"]))
        for key in ("order", "first"):
            require(items[:len(v.get(key, ()))] == v.get(key, []), "%s of %d items" % (key, v["items"]))
        require(sha256(b"".join(map(u32, items))).hexdigest() == v["digest"], "digest of %d items" % v["items"])
    return len(vectors)


def check_vector_units(folder, v):
    """Deals as many units as the vector has and compares them all."""
    game = vector_game(folder, v)
    block, secret = bytes.fromhex(v["block"]), bytes.fromhex(v["secret"])
    where = "%s stake %d" % (v["game"], v["stake"])
    require(game.size == v["size"], where + ": size")
    require(secret_commitment(block, secret).hex() == v["commitment"], where + ": commitment")
    salts = salts_of(secret, block, len(v["units"]))
    dealt = Dealt(game, block, secret, salts, count=len(v["units"]), keep_layouts=True)
    require(not dealt.faults, where + ": layouts")
    for i, unit in enumerate(v["units"]):
        tier, salt = dealt.tiers[i], salts[16 * i:16 * i + 16]
        require(unit["index"] == i, where + ": order of units")
        got = (tier, money_text(game.prize(tier)), dealt.layouts[i].hex(), salt.hex(),
               dealt.leaves[32 * i:32 * i + 32].hex(), play_id(block, i, salt).hex())
        want = tuple(unit[key] for key in ("tier", "prize", "layout", "salt", "leaf", "play"))
        require(got == want, "%s: unit %d is %r, not %r" % (where, i, got, want))
    if "root" in v:
        require(Tree(dealt.leaves).root().hex() == v["root"], where + ": root")
    return len(v["units"])


def check_vectors_units(folder):
    return sum(check_vector_units(folder, v) for v in read_vectors(folder, "units.json")["vectors"])


def check_vectors_blocks(folder):
    return sum(check_vector_units(folder, v) for v in read_vectors(folder, "blocks.json")["vectors"])


def check_vectors_leaves(folder):
    vectors = read_vectors(folder, "leaves.json")["vectors"]
    for v in vectors["units"]:
        block, salt = bytes.fromhex(v["block"]), bytes.fromhex(v["salt"])
        data = unit_data(block, v["index"], money(v["prize"]), bytes.fromhex(v["layout"]), salt)
        if "failure" in v:
            require(v["failure"] == "leaf_differs" and leaf_hash(data).hex() != v["leaf"], v["comment"])
            continue
        require(data.hex() == v["data"] and leaf_hash(data).hex() == v["leaf"], v["comment"])
        require(play_id(block, v["index"], salt).hex() == v["play"], v["comment"])
    for v in vectors["sales"]:
        leaf = sale_leaf(bytes.fromhex(v["block"]), v["index"], bytes.fromhex(v["play"]), v["at"])
        require(leaf.hex() == v["leaf"], "leaf of sale %d" % v["index"])
    return len(vectors["units"]) + len(vectors["sales"])


def check_vectors_trees(folder):
    count = 0
    for v in read_vectors(folder, "trees.json")["vectors"]:
        tree = Tree(b"".join(leaf_hash(u64(i)) for i in range(v["size"])))
        require(tree.root().hex() == v["root"], "root of %d leaves" % v["size"])
        for proof in v["proofs"]:
            path = [bytes.fromhex(part) for part in proof["path"]]
            holds = inclusion_holds(bytes.fromhex(proof["leaf"]), proof["index"], v["size"], path, tree.root())
            require(holds == ("failure" not in proof), "proof of leaf %d of %d" % (proof["index"], v["size"]))
            require(proof.get("failure", "inclusion_not_proven") == "inclusion_not_proven", "code of a spoilt proof")
            count += 1
    return count


def check_vectors_roots(folder):
    vectors = read_vectors(folder, "roots.json")["vectors"]
    for v in vectors:
        check_vector_root(folder, v)
    return len(vectors)


def check_vector_root(folder, v):
    """Deals a whole block."""
    progress("%s, stake %d: %d units" % (v["game"], v["stake"], v["size"]))
    game = vector_game(folder, v)
    block, secret = bytes.fromhex(v["block"]), bytes.fromhex(v["secret"])
    require(secret_commitment(block, secret).hex() == v["commitment"], "commitment of %s" % v["block"])
    dealt = Dealt(game, block, secret, salts_of(secret, block, v["size"]))
    require(not dealt.faults, "layouts of %s" % v["block"])
    require(Tree(dealt.leaves).root().hex() == v["root"], "root of %s" % v["block"])


def check_vectors_log(folder):
    vectors = read_vectors(folder, "log.json")["vectors"]
    for v in vectors["entries"]:
        data = v["entry"].encode("utf-8")
        read_entry(data)
        require(leaf_hash(data).hex() == v["leaf"], "leaf of %s" % v["entry"])
    for v in vectors["refused"]:
        try:
            read_entry(v["entry"].encode("utf-8"))
        except ValueError:
            continue
        require(False, "%s is read as an entry" % v["name"])
    return len(vectors["entries"]) + len(vectors["refused"])


def check_vectors_receipts(folder):
    vectors = read_vectors(folder, "receipts.json")["vectors"]
    key = read_key(vectors["key"])
    for v in vectors["receipts"]:
        witnesses = [read_key(v["witness"], WITNESS_KEY)] if "witness" in v else []
        try:
            outcome, code = Receipt(v["receipt"].encode("utf-8"), key, witnesses).outcome(), ""
        except Failure as failure:
            outcome, code = "refused", failure.code
        require((outcome, code) == (v["outcome"], v.get("code", "")), "%s: %s %s" % (v["name"], outcome, code))
    return len(vectors["receipts"])


VECTORS = {
    "entropy.json": check_vectors_entropy,
    "shuffle.json": check_vectors_shuffle,
    "units.json": check_vectors_units,
    "blocks.json": check_vectors_blocks,
    "leaves.json": check_vectors_leaves,
    "trees.json": check_vectors_trees,
    "log.json": check_vectors_log,
    "receipts.json": check_vectors_receipts,
    "roots.json": check_vectors_roots,
}


# ---------------------------------------------------------------------------
# 12. The command line (publication.md 5)
# ---------------------------------------------------------------------------

HELP = """\
Check what a Talon lottery publishes. Nothing is installed and nothing is asked
of any server; all you need is the operator's public key and the files.

  receipt  proves that the prize and the symbols of one play were fixed in its
           block before the block's first sale, and that the play has this place
           in the order of sales. It does not prove who bought it, nor that
           the prize was paid.
  log      proves that the public log is the one that the operator signed, that
           every entry follows the rules, and, with --older, that nothing was
           taken back since a checkpoint that you kept.
  block    proves, for a block that is opened, that it held exactly the prize
           table; that every unit follows from the secret that was committed to
           before the first sale; that units were sold in order without a gap;
           and what was sold and what was not. It checks the log first. A block
           of a million units takes about half a minute.
  vectors  checks this checker itself with the test vectors of the project.

Not checked: signatures of a public beacon (BLS), which the report then says,
and that a beacon's round lay in the future, as its clock is not known here.
"""

EPILOG = """\
exit code: 0 nothing was found, 1 something was found, 2 the input cannot be used.
The codes are those of docs/spec/publication.md and docs/spec/receipt.md.
"""


def read_key(text, algorithm=OPERATOR_KEY):
    """A key's text, or a file that holds it."""
    if os.path.isfile(text):
        try:
            text = read_file(text).decode("utf-8")
        except (OSError, ValueError) as error:
            raise Unusable("the key cannot be read: %s" % error) from None
    return Key(text, algorithm)


def arguments():
    parser = argparse.ArgumentParser(prog="verify.py", description=HELP, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="receipt|log|block|vectors")

    def command(name, help_, *places):
        sub = commands.add_parser(name, help=help_)
        for place, what in places:
            sub.add_argument(place, help=what)
        if name != "vectors":
            sub.add_argument("--key", required=True, help="the operator's public key, or a file that holds it")
            sub.add_argument("--witness", action="append", default=[], metavar="KEY",
                             help="ask for the cosignature of this witness; may be given more than once")
            sub.add_argument("--json", action="store_true", help="print an object for programs")
        return sub

    publication = ("folder", "the folder of the publication")
    command("receipt", "check the receipt of a play", ("file", "the receipt"))
    command("log", "check the public log", publication).add_argument(
        "--older", metavar="FILE", help="a checkpoint of the same log that you kept")
    command("block", "check a block that is opened", publication, ("block", "identifier of the block"))
    command("vectors", "run the test vectors", ("folder", "the folder of the test vectors"))
    return parser


def run_receipt(options, key, witnesses):
    try:
        data = read_file(options.file)
    except OSError as error:
        raise Unusable("the receipt cannot be read: %s" % error) from None
    findings, receipt, outcome = Findings(), None, "refused"
    try:
        receipt = Receipt(data, key, witnesses)
        outcome = receipt.outcome()
    except Failure as failure:
        findings.add(failure.code, options.file, failure.what)
    if options.json:
        play = receipt.receipt["play"] if receipt else None
        print_json({"outcome": outcome, "play": play, "findings": findings.items})
    elif receipt is None:
        print("\n".join(["The receipt is REFUSED."] + findings_text(findings)))
    else:
        print(receipt_text(receipt))
    return 1 if findings.items else 0


def receipt_text(receipt):
    unit = receipt.receipt["unit"]
    lines = ["The receipt holds; it is %s." % receipt.outcome(),
             "Play     %s" % receipt.receipt["play"],
             "Game     %s, stake %d" % (receipt.seal["game"], receipt.seal["stake"]),
             "Unit     %d of block %s" % (unit["index"], receipt.seal["block"]),
             "Prize    %s" % money_text(unit["prize"]),
             "",
             "Prize and symbols were fixed in the block before its sale."]
    if receipt.provisional:
        lines.append("A sale or win is not in the public log yet: ask for the receipt again later.")
    else:
        lines.append("The play has this place in the block's order of sales.")
    return "\n".join(lines)


def run_log(options, key, witnesses):
    log = PublicLog(options.folder, key, witnesses, options.older)
    checkpoint = log.checkpoint
    if options.json:
        print_json({"origin": checkpoint and checkpoint.origin, "size": checkpoint and checkpoint.size,
                    "root": checkpoint and checkpoint.root.hex(), "findings": log.findings.items})
    else:
        lines = []
        if checkpoint is not None:
            lines = ["Log      %s" % checkpoint.origin, "Entries  %d" % checkpoint.size,
                     "Root     %s" % checkpoint.root.hex(), ""]
        print("\n".join(lines + findings_text(log.findings)))
    return 1 if log.findings.items else 0


def run_block(options, key, witnesses):
    if not is_bytes(options.block, 16):
        raise Unusable("a block's identifier is 32 lower-case hexadecimal digits")
    progress("checking the public log")
    log = PublicLog(options.folder, key, witnesses)
    block = OpenBlock(options.folder, options.block, log)
    if options.json:
        for note in block.notes:
            progress(note)
        print_json(block.report())
    else:
        print(block.page())
    return 1 if block.findings.items else 0


def run_vectors(options):
    try:
        names = sorted(name for name in os.listdir(options.folder) if name.endswith(".json"))
    except OSError as error:
        raise Unusable("the folder cannot be read: %s" % error) from None
    if not names:
        raise Unusable("the folder holds no test vectors")
    code = 0
    for name in names:
        if name not in VECTORS:
            print("NOT RUN %s: this checker does not know these vectors" % name)
            code = max(code, 2) if code != 1 else 1
            continue
        try:
            print("ok      %s: %d" % (name, VECTORS[name](options.folder)), flush=True)
        except Failure as failure:
            print("FAILED  %s: %s" % (name, failure.what), flush=True)
            code = 1
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Unusable("%s cannot be used: %r" % (name, error)) from None
    return code


def print_json(value):
    print(json.dumps(value, indent=1, ensure_ascii=False))


def main(argv=None):
    options = arguments().parse_args(argv)
    try:
        if options.command == "vectors":
            return run_vectors(options)
        key = read_key(options.key)
        witnesses = [read_key(text, WITNESS_KEY) for text in options.witness]
        run = {"receipt": run_receipt, "log": run_log, "block": run_block}[options.command]
        return run(options, key, witnesses)
    except Unusable as error:
        progress("verify.py: %s" % error)
        return 2
    except Exception as error:  # exit code 1 would claim that something was found
        progress("verify.py: the input cannot be used: %r" % error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
