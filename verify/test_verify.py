"""Tests of verify.py, with the standard library alone: python3 -m unittest discover -s verify

Expected values are those of testdata/vectors and of the standards. The
publications that are broken on purpose are made here, and signed by a small
signer of this file's own. TALON_LONG=1 adds the whole blocks of roots.json.
"""

import base64
import contextlib
import copy
import hashlib
import io
import itertools
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import verify  # noqa: E402

VECTORS = os.path.join(HERE, "..", "testdata", "vectors")
LONG = os.environ.get("TALON_LONG") == "1"


def sha(data):
    return hashlib.sha256(data).digest()


# --- a small signer: Ed25519 in affine coordinates, slow and plain (RFC 8032) ---

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
BASE = (15112221349535400772501151409588531511454012693041857206046113283949847762202,
        46316835694926478169428394003475163141307993866256225615783033603165251855960)


def add(a, b):
    cross = D * a[0] * b[0] * a[1] * b[1] % P
    return ((a[0] * b[1] + a[1] * b[0]) * pow(1 + cross, -1, P) % P,
            (a[1] * b[1] + a[0] * b[0]) * pow(1 - cross, -1, P) % P)


DOUBLES = [BASE]  # the base point times 1, 2, 4, ...
while len(DOUBLES) < 256:
    DOUBLES.append(add(DOUBLES[-1], DOUBLES[-1]))


def times_base(scalar):
    result = (0, 1)
    for place, point in enumerate(DOUBLES):
        if scalar >> place & 1:
            result = add(result, point)
    return result


def encode(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


class Signer:
    def __init__(self, name, seed, algorithm=1):
        digest = hashlib.sha512(seed).digest()
        self.name, self.prefix, self.algorithm = name, digest[32:], algorithm
        self.scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
        self.public = encode(times_base(self.scalar))
        data = bytes([algorithm]) + self.public
        self.hash = sha(name.encode() + b"\n" + data)[:4]
        self.text = "%s+%s+%s" % (name, self.hash.hex(), base64.b64encode(data).decode())

    def sign(self, message):
        r = int.from_bytes(hashlib.sha512(self.prefix + message).digest(), "little") % L
        point = encode(times_base(r))
        k = int.from_bytes(hashlib.sha512(point + self.public + message).digest(), "little") % L
        return point + ((r + k * self.scalar) % L).to_bytes(32, "little")

    def line(self, text):
        signature = self.sign(text.encode())
        return "\u2014 %s %s\n" % (self.name, base64.b64encode(self.hash + signature).decode())

    def cosignature(self, text, time=1767225600):
        signature = self.sign(b"cosignature/v1\ntime %d\n" % time + text.encode())
        data = self.hash + time.to_bytes(8, "big") + signature
        return "\u2014 %s %s\n" % (self.name, base64.b64encode(data).decode())


OPERATOR = Signer("lottery.example/log", bytes(range(32)))
STRANGER = Signer("lottery.example/log", bytes(range(1, 33)))
WITNESS = Signer("witness.example", bytes(range(2, 34)), algorithm=4)


# --- trees, as RFC 6962 defines them: recursively ---

def split(count):
    k = 1
    while 2 * k < count:
        k *= 2
    return k


def root(leaves):
    if len(leaves) < 2:
        return leaves[0] if leaves else sha(b"")
    k = split(len(leaves))
    return sha(b"\x01" + root(leaves[:k]) + root(leaves[k:]))


def path(index, leaves):
    if len(leaves) < 2:
        return []
    k = split(len(leaves))
    if index < k:
        return path(index, leaves[:k]) + [root(leaves[k:])]
    return path(index - k, leaves[k:]) + [root(leaves[:k])]


def hexes(hashes):
    return [h.hex() for h in hashes]


# --- a publication with three blocks, to be broken ---

def vector(name, place):
    with open(os.path.join(VECTORS, name)) as file:
        return json.load(file)["vectors"][place]


def plain(value):
    """JSON that is canonical as long as it holds only ASCII texts and whole numbers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


LUNE, POT = vector("blocks.json", 0), vector("blocks.json", 1)
with open(os.path.join(VECTORS, "definitions", "lune.json"), "rb") as lune_file:
    LUNE_TEXT = lune_file.read().rstrip(b"\n")
POT_TEXT = plain({"kind": "jackpot", "name": "petit-pot", "price": "0.03", "one_in": POT["odds"],
                  "block": {"size": POT["size"]}, "start": 100,
                  "shares": {"pot": "0.016", "reserve": "0.005", "operator": "0.009"}})
MIX_ID = "000102030405060708090a0b0c0d0e0f"
NEW_ID = "ffffffffffffffffffffffffffffffff"
SHARES = [("house", bytes([1] * 32)), ("guest", bytes([2] * 32))]
BEACON = {"key": "ab" * 96, "round": 7, "scheme": "bls-unchained-g1-rfc9380"}
SIGNATURE = "cd" * 48
BEGIN = 1767225600000
SALE_AT = BEGIN + 1000
POT_SOLD = 100
WINNER = next(u["index"] for u in POT["units"] if u["layout"] == "01")
WINNERS = [u["index"] for u in POT["units"][:POT_SOLD] if u["layout"] == "01"]
PLAYED = 5  # the unit of lune whose play bought the winning participation


def definition_hash(text):
    return sha(b"\x13talon/definition/v1" + len(text).to_bytes(4, "big") + text).hex()


def var(data):
    return len(data).to_bytes(4, "big") + data


class Publication:
    """Entries are objects (or bytes) that a test may change before write() signs them."""

    def __init__(self, beacon=False, lune_text=LUNE_TEXT, lune_secret=None):
        self.signers = [OPERATOR]
        self.witnesses = []
        self.files, self.removed = {}, []
        self.entries = []
        self.sales = {}
        self.leaves = {}
        self.checkpoint_root = None
        self.make_blocks(beacon, lune_text, lune_secret)
        self.make_entries(beacon)

    def make_blocks(self, beacon, lune_text, lune_secret):
        self.texts = {"lune": lune_text, "petit-pot": POT_TEXT}
        self.secrets = {LUNE["block"]: LUNE["secret"], POT["block"]: POT["secret"]}
        self.leaves[LUNE["block"]] = [bytes.fromhex(u["leaf"]) for u in LUNE["units"]]
        plays = [u["play"] for u in LUNE["units"]]
        if lune_secret is not None or lune_text != LUNE_TEXT:
            secret = lune_secret or bytes.fromhex(LUNE["secret"])
            leaves, plays = self.deal(lune_text, LUNE["block"], secret)
            self.secrets[LUNE["block"]] = secret.hex()
            self.leaves[LUNE["block"]] = leaves
        self.sales[LUNE["block"]] = [(play, SALE_AT) for play in plays]
        self.leaves[POT["block"]] = [bytes.fromhex(u["leaf"]) for u in POT["units"]]
        self.sales[POT["block"]] = [(plays[PLAYED] if i == WINNER else sha(b"%d" % i).hex()[:32], SALE_AT)
                                    for i in range(POT_SOLD)]
        mixed = b"\x13talon/secret-mix/v1" + var(bytes.fromhex(MIX_ID))
        for party, share in SHARES:
            mixed += var(party.encode()) + var(share)
        secret = sha(mixed + var(sha(bytes.fromhex(SIGNATURE)) if beacon else b""))
        self.secrets[MIX_ID] = secret.hex()
        self.leaves[MIX_ID], _ = self.deal(LUNE_TEXT, MIX_ID, secret)
        self.sales[MIX_ID] = []
        self.commitments = {
            block: sha(b"\x1atalon/secret-commitment/v1" + var(bytes.fromhex(block)) + var(bytes.fromhex(s))).hex()
            for block, s in self.secrets.items()}

    @staticmethod
    def deal(text, block, secret):
        """Leaves and plays; test_dealing compares this way of dealing with the vectors."""
        game, identifier = verify.read_definition(text, 0), bytes.fromhex(block)
        salts = verify.salts_of(secret, identifier, game.size)
        dealt = verify.Dealt(game, identifier, secret, salts)
        leaves = [dealt.leaves[i:i + 32] for i in range(0, len(dealt.leaves), 32)]
        plays = [verify.play_id(identifier, i, salts[16 * i:16 * i + 16]).hex() for i in range(game.size)]
        return leaves, plays

    def seal(self, block, game, price, emission, position, **more):
        return {"kind": "seal", "block": block, "format": 1, "game": game, "stake": 0, "price": price,
                "definition": definition_hash(self.texts[game]), "size": LUNE["size"] if game == "lune" else POT["size"],
                "root": root(self.leaves[block]).hex(), "commitment": self.commitments[block],
                "emission": emission, "position": position, "by": "anna", **more}

    def make_entries(self, beacon):
        contributions = [
            {"party": party, "commitment": sha(b"\x15talon/contribution/v1" + var(bytes.fromhex(MIX_ID))
                                               + var(party.encode()) + var(share)).hex()} for party, share in SHARES]
        beaconed = {"beacon": BEACON} if beacon else {}
        lune, pot = LUNE["block"], POT["block"]
        self.add({"kind": "definition", "name": "lune", "type": "game", "definition": definition_hash(self.texts["lune"])})
        self.add({"kind": "definition", "name": "petit-pot", "type": "jackpot", "definition": definition_hash(POT_TEXT)})
        self.add({"kind": "definition", "name": "lune", "type": "game", "definition": definition_hash(LUNE_TEXT)})
        self.add({"kind": "emission", "emission": 1, "game": "lune", "stake": 0, "blocks": 9})
        self.add({"kind": "emission", "emission": 2, "game": "petit-pot", "stake": 0, "blocks": 1})
        self.add(self.seal(lune, "lune", 10000, 1, 0))
        self.add(self.seal(pot, "petit-pot", 300, 2, 0))
        self.add({"kind": "ceremony", "block": MIX_ID, "emission": 1, "position": 1,
                  "parties": [party for party, _ in SHARES], **beaconed})
        for contribution in contributions:
            self.add({"kind": "contribution", "block": MIX_ID, **contribution})
        mix = self.seal(MIX_ID, "lune", 10000, 1, 1, contributions=contributions, **beaconed)
        self.add({**mix, "definition": definition_hash(LUNE_TEXT)})
        for block in (lune, pot, MIX_ID):
            self.add({"kind": "approval", "block": block, "by": "ben", "why": "The block is as it should be."})
        self.add({"kind": "sales", "block": lune, "sold": 5, "root": None})
        self.add({"kind": "sales", "block": pot, "sold": 40, "root": None})
        for index in WINNERS:  # 100 and 7 times 0.016 is 100.112, rounded up to 100.12
            self.add({"kind": "jackpot-win", "jackpot": "petit-pot", "block": pot, "index": index,
                      "amount": 1001200, "since": 7})
        self.add({"kind": "sales", "block": lune, "sold": 12, "root": None})
        self.add({"kind": "withdrawal", "block": pot, "sold": POT_SOLD, "root": None, "by": "anna", "why": "It ends."})
        self.add({"kind": "withdrawal", "block": MIX_ID, "sold": 0, "root": None, "by": "anna", "why": "It ends."})
        self.add({"kind": "opening", "block": lune, "secret": self.secrets[lune]})
        self.add({"kind": "opening", "block": pot, "secret": self.secrets[pot]})
        self.add({"kind": "opening", "block": MIX_ID, "secret": self.secrets[MIX_ID],
                  "shares": [{"party": party, "share": share.hex()} for party, share in SHARES],
                  **({"signature": SIGNATURE} if beacon else {})})

    def add(self, entry, at=None):
        number = len(self.entries)
        self.entries.append({"version": 1, "at": BEGIN + 2000 + 10 * number if at is None else at, **entry})

    def entry(self, kind, block, last=False):
        found = [e for e in self.entries if e["kind"] == kind and e["block"] == block]
        return found[-1 if last else 0]

    def sale_leaf(self, block, index):
        play, at = self.sales[block][index]
        return sha(b"\x00\x0dtalon/sale/v1" + bytes.fromhex(block) + index.to_bytes(8, "big")
                   + bytes.fromhex(play) + at.to_bytes(8, "big"))

    def sale_leaves(self, block, sold):
        return [self.sale_leaf(block, i) for i in range(min(sold, len(self.sales[block])))]

    def finish(self):
        """Fill in roots of sales that a test left alone, and encode the entries."""
        for entry in self.entries:
            if isinstance(entry, dict) and entry.get("root", "") is None:
                entry["root"] = root(self.sale_leaves(entry["block"], entry["sold"])).hex()
        self.data = [e if isinstance(e, bytes) else plain(e) for e in self.entries]
        self.log_leaves = [sha(b"\x00" + data) for data in self.data]
        tree = self.checkpoint_root or root(self.log_leaves)
        self.checkpoint = note(len(self.data), tree, self.signers, self.witnesses)

    def all_files(self):
        self.finish()
        files = {"log/checkpoint": self.checkpoint.encode()}
        for number in range(0, len(self.data), 256):
            entries, hashes = self.data[number:number + 256], self.log_leaves[number:number + 256]
            place = "%03d" % (number // 256) + (".p/%d" % len(entries) if len(entries) < 256 else "")
            files["log/tile/entries/" + place] = b"".join(len(e).to_bytes(2, "big") + e for e in entries)
            files["log/tile/0/" + place] = b"".join(hashes)
        full = len(self.data) // 256
        if full:
            files["log/tile/1/000.p/%d" % full] = b"".join(
                root(self.log_leaves[256 * i:256 * i + 256]) for i in range(full))
        for text in [*self.texts.values(), LUNE_TEXT]:
            files["definitions/%s.json" % definition_hash(text)] = text
        for block, leaves in self.leaves.items():
            upper = [root(leaves[i:i + 256]) for i in range(0, len(leaves) - 255, 256)]
            files["blocks/%s.tiles" % block] = b"".join(leaves + upper)
            files["sales/%s.sales" % block] = b"".join(
                bytes.fromhex(play) + at.to_bytes(8, "big") for play, at in self.sales[block])
        for name in self.removed:
            del files[name]
        files.update(self.files)
        return files

    def write(self, folder):
        for name, data in self.all_files().items():
            place = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                file.write(data)

    # receipts

    def proven(self, kind, block, last=False):
        number = self.entries.index(self.entry(kind, block, last))
        return {"entry": self.data[number].decode(), "index": number,
                "path": hexes(path(number, self.log_leaves))}

    def part(self, vector_, index, sold, kind="sales", last=True):
        block, unit = vector_["block"], vector_["units"][index]
        sales = self.proven(kind, block, last)
        return {"index": index, "prize": int(unit["prize"].replace(".", "")) * 100, "layout": unit["layout"],
                "salt": unit["salt"], "path": hexes(path(index, self.leaves[block])),
                "seal": self.proven("seal", block),
                "sales": {"entry": sales["entry"], "index": sales["index"], "log": sales["path"],
                          "path": hexes(path(index, self.sale_leaves(block, sold)))}}

    def receipt(self):
        self.finish()
        return {"format": "talon-receipt/1", "play": self.sales[LUNE["block"]][PLAYED][0], "at": SALE_AT,
                "unit": self.part(LUNE, PLAYED, 12), "participation": self.part(POT, WINNER, 40),
                "win": self.proven("jackpot-win", POT["block"]), "checkpoint": self.checkpoint}


def note(size, tree, signers=(OPERATOR,), witnesses=()):
    text = "%s\n%d\n%s\n" % (OPERATOR.name, size, base64.b64encode(tree).decode())
    lines = [s.line(text) for s in signers] + [w.cosignature(text) for w in witnesses]
    return text + "\n" + "".join(lines)


def run(*argv):
    """The command with --json: exit code and the object, None where nothing was printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = verify.main([*argv, "--json"])
    return code, json.loads(out.getvalue()) if out.getvalue() else None


def codes_of(result):
    return [finding["code"] for finding in result["findings"]]


class Checked(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def check(self, publication, command, want, *more):
        """Write a publication, run log or block on it, and compare the codes exactly."""
        with tempfile.TemporaryDirectory() as folder:
            publication.write(folder)
            code, result = run(command, folder, *more, "--key", OPERATOR.text)
        self.assertEqual(codes_of(result), want)
        self.assertEqual(code, 1 if want else 0)
        return result


class TestStandards(unittest.TestCase):
    def test_aes(self):
        cipher = verify.AES256(bytes(range(32)))  # FIPS 197, appendix C.3
        block = bytes.fromhex("00112233445566778899aabbccddeeff")
        self.assertEqual(cipher.encrypt(block).hex(), "8ea2b7ca516745bfeafc49904b496089")
        self.assertEqual(cipher.encrypt(block * 3).hex(), "8ea2b7ca516745bfeafc49904b496089" * 3)
        self.assertEqual((verify.SBOX[0], verify.SBOX[0x53], len(set(verify.SBOX))), (0x63, 0xed, 256))

    def test_hkdf(self):
        key = verify.hkdf(b"\x0b" * 22, bytes(range(13)), bytes(range(0xf0, 0xfa)), 42)  # RFC 5869, A.1
        self.assertEqual(key.hex(), "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
                                    "34007208d5b887185865")

    RFC_8032 = [
        ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
         "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
         "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd"
         "25bf5f0595bbe24655141438e7a100b"),
        ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
         "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
         "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
         "387b2eaeb4302aeeb00d291612bb0c00"),
    ]

    def test_ed25519(self):
        for seed, public, message, signature in self.RFC_8032:
            message, signature = bytes.fromhex(message), bytes.fromhex(signature)
            signer = Signer("x", bytes.fromhex(seed))
            self.assertEqual(signer.public.hex(), public)
            self.assertEqual(signer.sign(message), signature)
            self.assertTrue(verify.ed25519_verify(signer.public, message, signature))
            self.assertFalse(verify.ed25519_verify(signer.public, message + b"x", signature))
            for place in (0, 31, 32, 63):
                broken = bytearray(signature)
                broken[place] ^= 1
                self.assertFalse(verify.ed25519_verify(signer.public, message, bytes(broken)))

    def test_ed25519_strict(self):
        signature = OPERATOR.sign(b"text")
        s = int.from_bytes(signature[32:], "little") + L
        self.assertFalse(verify.ed25519_verify(OPERATOR.public, b"text", signature[:32] + s.to_bytes(32, "little")))
        for y in (P, P + 1, 2**255 - 1):
            self.assertIsNone(verify.point_decode(y.to_bytes(32, "little")))
        self.assertIsNone(verify.point_decode((1 | 1 << 255).to_bytes(32, "little")))  # x is 0, its sign 1
        self.assertIsNone(verify.point_decode((2).to_bytes(32, "little")))             # no point has y = 2

    def test_canonical_json(self):
        text = '{"a":[true,"\\b\\t\\n\\f\\r\\"\\\\\\u0001\x7f/é€😀\u2028"],"z":0,"\ud83d\ude00":1,"\ufb33":2}'
        text = text.encode("utf-16", "surrogatepass").decode("utf-16")
        self.assertEqual(verify.canonical_json(json.loads(text)), text.encode())
        for bad in ("1.0", "1e3", "-1", "-0", "null", "9007199254740992", "NaN", '"\\ud800"', '{"a":1,"a":1}',
                    "[" * 30000, "", "1 1"):
            with self.assertRaises(ValueError, msg=bad[:20]):
                verify.read_json(bad.encode())

    def test_tile_path(self):
        self.assertEqual([verify.tile_path(n) for n in (0, 999, 1000, 1234067)],
                         ["000", "999", "x001/000", "x001/x234/067"])


class TestVectors(unittest.TestCase):
    def test_small_vectors(self):
        for name, check in verify.VECTORS.items():
            if name != "roots.json":
                with self.subTest(name):
                    self.assertGreater(check(VECTORS), 0)

    @unittest.skipUnless(LONG, "whole blocks need TALON_LONG=1")
    def test_whole_blocks(self):
        self.assertEqual(verify.check_vectors_roots(VECTORS), 5)

    def test_broken_vectors_are_caught(self):
        broken = copy.deepcopy(LUNE)
        broken["units"][3]["layout"] = "01020001"
        with self.assertRaises(verify.Failure):
            verify.check_vector_units(VECTORS, broken)

    def test_dealing(self):
        leaves, plays = Publication.deal(LUNE_TEXT, LUNE["block"], bytes.fromhex(LUNE["secret"]))
        self.assertEqual(hexes(leaves), [u["leaf"] for u in LUNE["units"]])
        self.assertEqual(plays, [u["play"] for u in LUNE["units"]])

    def test_stream_goes_on(self):
        """A stream that needs more than its first blocks goes on where it was."""
        cipher = verify.AES256(bytes(32))
        long = verify.Stream(cipher, 9, blocks=64)
        short = verify.Stream(cipher, 9, verify.words_of(cipher.encrypt_pairs([(9, 0)])), blocks=1)
        self.assertEqual([short.word() for _ in range(200)], [long.word() for _ in range(200)])


class TestMechanics(unittest.TestCase):
    """The rules of block.md 7 that the vectors' games do not use, against enumeration."""

    @staticmethod
    def lines(**more):
        return {"kind": "lines", "rows": 2, "columns": 2, "lines": ["rows", "columns", "diagonals"],
                "symbols": [{"name": "a"}, {"name": "b"}, {"name": "w", "role": "wild"},
                            {"name": "m", "role": "multiplier"}, {"name": "n", "role": "neutral"}],
                "wild": {"symbol": "w", "most": 1}, "multiplier": {"symbol": "m", "coefficients": [2, 3]},
                "combinations": [{"symbol": "a", "alike": 2, "gains": [2]}, {"symbol": "b", "alike": 2, "gains": [1]}],
                **more}

    def test_codes(self):
        lines = verify.Lines(self.lines(), 0, {0: 0})
        self.assertEqual((lines.wild, lines.coefficients, lines.fillers, lines.symbols),
                         (2, {3: 2, 4: 3}, [0, 1, 5], [0, 1]))
        self.assertEqual(lines.lines, [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)])

    def test_reading(self):
        lines = verify.Lines(self.lines(), 0, {0: 0})
        # the two rows, their wild, and a multiplier of 3
        self.assertEqual(lines.read(bytes([0, 0, 5, 5])), 20000)
        self.assertEqual(lines.read(bytes([0, 2, 5, 5])), 20000)
        self.assertEqual(lines.read(bytes([0, 0, 4, 5])), 60000)
        self.assertEqual(lines.read(bytes([0, 1, 5, 5])), 0)

    def test_placements_are_those_that_exist(self):
        """can_be_filled says the same by its short cut, by search, and by trying all layouts."""
        lines = verify.Lines(self.lines(), 0, {0: 0})
        for gains in ((0,), (1,), (0, 0), (0, 1), (0, 0, 0)):
            for wild in (False, True):
                for multiplier in (False, True):
                    lines.placements_before = {}
                    found = lines.placements(gains, wild, multiplier)
                    got = {(tuple(sorted(f.items())), tuple(l)) for f, _, l in found.items} if found else set()
                    want = set()
                    for layout in itertools.product(range(6), repeat=4):
                        if layout.count(2) != wild or sum(c in (3, 4) for c in layout) != multiplier:
                            continue
                        won = [(lines.symbols.index(next(layout[c] for c in lines.lines[n] if layout[c] != 2)), n)
                               for n in lines.winning_lines(layout)]
                        if tuple(sorted(gain for gain, _ in won)) != gains:
                            continue
                        cells = {c for _, n in won for c in lines.lines[n]}
                        if wild and layout.index(2) not in cells:
                            continue
                        want.add((tuple((c, layout[c]) for c in sorted(cells)), tuple(sorted(n for _, n in won))))
                    self.assertEqual(got, want, (gains, wild, multiplier))

    def test_best_reading_uses_the_wild_best(self):
        collect = verify.Collect({"cells": 5, "symbols": [{"name": "a"}, {"name": "b"}, {"name": "w", "role": "wild"}],
                                  "combinations": [{"symbols": ["a", "a", "b"], "gains": [9]},
                                                   {"symbols": ["b", "b"], "gains": [8]}]}, 0, {0: 0})
        # a a b b w: a a and the wild as b, and b b; without the wild a combination would lack a b
        self.assertEqual(collect.best_reading((2, 2, 1)), (170000, (0, 1)))
        self.assertEqual(collect.best_reading((2, 1, 1)), (90000, (0,)))
        self.assertEqual(collect.best_reading((0, 4, 1)), (160000, (1, 1)))
        self.assertEqual(collect.best_reading((2, 2, 0)), (90000, (0,)))

    def test_weights(self):
        lines = verify.Lines(self.lines(weights=[{"prize": 4, "gains": [0], "multiplier": 2, "weight": 7}]), 0, {0: 40000})
        self.assertEqual(lines.weight(0, (0,), False, 2), 7)
        self.assertEqual([lines.weight(0, g, w, m) for g, w, m in
                          [((0,), False, None), ((0, 0), False, None), ((0, 0), True, None), ((0, 0, 0), True, 2),
                           ((0, 0, 0, 0), True, 2)]], [64, 16, 8, 1, 1])


class TestLog(Checked):
    def test_honest(self):
        result = self.check(Publication(), "log", [])
        self.assertEqual((result["origin"], result["size"]), (OPERATOR.name, len(Publication().entries)))

    def test_many_entries(self):
        publication = Publication()
        for number in range(600):
            publication.add({"kind": "emission", "emission": 100 + number, "game": "lune", "stake": 0, "blocks": 1})
        self.check(publication, "log", [])

    def broken_files(self, change, want):
        publication = Publication()
        name = "log/tile/%s/000.p/" + str(len(publication.entries))
        change(publication, name)
        self.check(publication, "log", want)

    def test_unreadable(self):
        entries = lambda p, name: p.all_files()[name % "entries"]
        self.broken_files(lambda p, n: p.files.update({"log/checkpoint": b"no note"}), ["checkpoint_signature_wrong"])
        self.broken_files(lambda p, n: p.removed.append("log/checkpoint"), ["log_unreadable"])
        self.broken_files(lambda p, n: p.removed.append(n % "entries"), ["log_unreadable"])
        self.broken_files(lambda p, n: p.removed.append(n % "0"), ["log_unreadable"])
        self.broken_files(lambda p, n: p.files.update({n % "entries": entries(p, n)[:-1]}), ["log_unreadable"])
        self.broken_files(lambda p, n: p.files.update({n % "0": bytes(31)}), ["log_unreadable"])

    def test_root_wrong(self):
        self.broken_files(lambda p, n: setattr(p, "checkpoint_root", bytes(32)), ["log_root_wrong"])
        self.broken_files(lambda p, n: p.files.update({n % "0": bytes(32 * len(p.entries))}), ["log_root_wrong"])

    def test_signatures(self):
        self.broken_files(lambda p, n: setattr(p, "signers", [STRANGER]), ["checkpoint_signature_wrong"])
        publication = Publication()
        publication.witnesses = [WITNESS]
        self.check(publication, "log", [], "--witness", WITNESS.text)
        self.check(Publication(), "log", ["cosignature_missing"], "--witness", WITNESS.text)
        text = "%s\n1\n%s\n" % (OPERATOR.name, base64.b64encode(bytes(32)).decode())
        broken = text + "\n" + OPERATOR.line(text) + WITNESS.cosignature(text + "x\n")
        with self.assertRaises(verify.Failure) as caught:
            verify.Checkpoint(broken.encode()).check(verify.Key(OPERATOR.text, 1), [verify.Key(WITNESS.text, 4)])
        self.assertEqual(caught.exception.code, "cosignature_missing")
        extended = text + "an extension\n"
        verify.Checkpoint((extended + "\n" + OPERATOR.line(extended)).encode()).check(verify.Key(OPERATOR.text, 1))

    def older(self, size, tree, want, signer=OPERATOR):
        file = os.path.join(self.folder, "older")
        with open(file, "wb") as out:
            out.write(note(size, tree, [signer]).encode())
        self.check(Publication(), "log", want, "--older", file)

    def test_older(self):
        publication = Publication()
        publication.finish()
        leaves, count = publication.log_leaves, len(publication.log_leaves)
        for size in (0, 1, 7, 8, 13, count):
            self.older(size, root(leaves[:size]), [])
        self.older(count, bytes(32), ["split_view"])
        self.older(count + 1, bytes(32), ["log_rolled_back"])
        self.older(13, bytes(32), ["log_rolled_back"])
        self.older(13, root(leaves[:13]), ["checkpoint_signature_wrong"], STRANGER)

    def added(self, want, *entries, change=None):
        publication = Publication()
        if change is not None:
            change(publication)
        for entry in entries:
            publication.add(entry)
        self.check(publication, "log", want)

    def test_entry_malformed(self):
        good = {"kind": "emission", "version": 1, "at": BEGIN, "emission": 8, "game": "lune", "stake": 0, "blocks": 1}
        text = plain(good)
        bad = [b"", b"{}", b"[]", b"\xff", text + b" ", text.replace(b":8", b":8.0"), text.replace(b":8", b':"8"'),
               text.replace(b'"game"', b'"g\\u0061me"'), plain({**good, "more": 1}), plain({**good, "version": 2}),
               plain({**good, "kind": "gift"}), plain({**good, "stake": -1}), plain({**good, "game": "Lune"}),
               plain({**good, "stake": True}), plain({k: v for k, v in good.items() if k != "at"}),
               plain({"kind": "approval", "version": 1, "at": BEGIN, "block": "AB" * 16, "by": "x", "why": ""}),
               plain({"kind": "approval", "version": 1, "at": BEGIN, "block": "ab" * 16, "by": "x", "why": "é" * 251})]
        for data in bad:
            with self.subTest(data), self.assertRaises(ValueError):
                verify.read_entry(data)
        self.assertEqual(verify.read_entry(text), good)
        publication = Publication()
        publication.entries.append(text + b" ")
        self.check(publication, "log", ["entry_malformed"])

    def new_seal(self, **more):
        return {**Publication().entry("seal", LUNE["block"]), "block": NEW_ID, "position": 5,
                "at": BEGIN + 5000, **more}

    def test_seals(self):
        self.added([], self.new_seal())
        self.added(["definition_unknown"], self.new_seal(definition="00" * 32))
        self.added(["emission_unknown"], self.new_seal(emission=3))
        self.added(["emission_unknown"], self.new_seal(position=9))
        self.added(["emission_unknown"], self.new_seal(stake=1))
        self.added(["emission_unknown"], self.new_seal(game="petit-pot"))
        self.added(["block_sealed_twice"], self.new_seal(block=LUNE["block"]))
        self.added(["place_taken_twice"], self.new_seal(position=0))

    def test_ceremonies(self):
        ceremony = {"kind": "ceremony", "block": NEW_ID, "emission": 1, "position": 5, "parties": ["house"]}
        given = {"kind": "contribution", "block": NEW_ID, "party": "house", "commitment": "11" * 32}
        given_up = {"kind": "abandonment", "block": NEW_ID, "by": "anna", "why": "The guest is ill."}
        parts = [{"party": "house", "commitment": "11" * 32}]
        seal = self.new_seal(contributions=parts)
        self.added([], ceremony, given, seal)
        self.added([], ceremony, given_up, {**ceremony, "block": "ee" * 16})
        self.added([], ceremony, given_up, {**self.new_seal(), "block": "ee" * 16})
        self.added(["emission_unknown"], {**ceremony, "emission": 3})
        self.added(["place_taken_twice"], {**ceremony, "position": 0})
        self.added(["place_taken_twice"], ceremony, {**ceremony, "block": "ee" * 16})
        self.added(["place_taken_twice"], ceremony, self.new_seal(block="ee" * 16))
        wrong = ["ceremony_wrong"]
        self.added(wrong, given)
        self.added(wrong, ceremony, given, given)
        self.added(wrong, ceremony, {**given, "party": "guest"})
        self.added(wrong, ceremony, given, seal, given)
        self.added(wrong, ceremony, seal)
        self.added(wrong, ceremony, given, self.new_seal())
        self.added(wrong, ceremony, given, self.new_seal(contributions=[{**parts[0], "commitment": "22" * 32}]))
        self.added(wrong, ceremony, given, self.new_seal(contributions=parts, beacon=BEACON))
        self.added(wrong, {**ceremony, "beacon": BEACON}, given, seal)
        self.added(wrong, ceremony, given, {**seal, "position": 6})
        self.added(wrong, ceremony, given_up, self.new_seal())
        self.added(wrong, given_up)
        self.added(wrong, seal)
        self.added(wrong, ceremony, {**ceremony, "position": 6})

    def test_block_unknown(self):
        for kind in ("approval", "sales", "jackpot-win", "withdrawal", "opening"):
            block = POT["block"] if kind in ("jackpot-win", "withdrawal") else LUNE["block"]
            with self.subTest(kind):
                self.added(["block_unknown"], {**Publication().entry(kind, block), "root": "00" * 32, "block": NEW_ID}
                           if kind in ("sales", "withdrawal") else
                           {**Publication().entry(kind, block), "block": NEW_ID})

    def test_life(self):
        approval = {"kind": "approval", "block": NEW_ID, "by": "ben", "why": "Good."}
        sales = {"kind": "sales", "block": NEW_ID, "sold": 3, "root": "33" * 32}
        end = {"kind": "withdrawal", "block": NEW_ID, "sold": 3, "root": "33" * 32, "by": "anna", "why": "It ends."}
        opening = {"kind": "opening", "block": NEW_ID, "secret": "44" * 32}
        seal = self.new_seal()
        self.added([], seal, approval, sales, sales, end, sales, opening)
        self.added([], seal, {**end, "sold": 0}, opening)
        self.added(["approval_wrong"], seal, {**approval, "by": "anna"})
        self.added(["approval_wrong"], seal, approval, approval)
        self.added(["approval_wrong"], seal, {**end, "sold": 0}, opening, approval)
        self.added(["sale_not_allowed"], seal, sales)
        self.added(["sale_not_allowed"], seal, approval, end, {**sales, "sold": 4})
        self.added(["sale_not_allowed"], seal, approval, end, opening, sales)
        self.added(["sale_not_allowed"], seal, approval, end, end)
        self.added(["sales_go_back"], seal, approval, sales, {**sales, "sold": 2})
        self.added(["sales_go_back"], seal, approval, {**sales, "sold": 13})
        self.added(["sales_go_back"], seal, approval, sales, {**sales, "root": "55" * 32})
        self.added(["sales_go_back"], seal, approval, sales, {**end, "sold": 2})
        self.added(["sales_go_back"], seal, approval, sales, {**end, "root": "55" * 32})
        self.added(["opened_too_early"], seal, approval, sales, opening)
        self.added(["opened_too_early"], seal, approval, end, opening, opening)
        self.added(["time_goes_back"], {**seal, "at": BEGIN - 600000})


class TestBlock(Checked):
    def open(self, publication, want, block=LUNE["block"]):
        return self.check(publication, "block", want, block)

    def test_honest(self):
        result = self.open(Publication(), [])
        self.assertEqual(result, {
            "block": LUNE["block"], "game": "lune", "stake": 0, "size": 12, "sold": 12,
            "prizes_sold": 170000, "prizes_unsold": 0,
            "tiers": [{"amount": 100000, "table": 1, "dealt": 1, "sold": 1},
                      {"amount": 20000, "table": 2, "dealt": 2, "sold": 2},
                      {"amount": 10000, "table": 3, "dealt": 3, "sold": 3}], "findings": []})
        result = self.open(Publication(), [], POT["block"])
        self.assertEqual((result["size"], result["sold"], result["tiers"]), (300, POT_SOLD, []))
        result = self.open(Publication(), [], MIX_ID)
        self.assertEqual((result["sold"], result["prizes_unsold"]), (0, 170000))
        self.open(Publication(beacon=True), [], MIX_ID)

    def test_log_first(self):
        publication = Publication()
        publication.signers = [STRANGER]
        self.open(publication, ["checkpoint_signature_wrong"])
        publication = Publication()
        publication.removed = ["log/checkpoint"]
        self.open(publication, ["log_unreadable"])

    def test_not_open(self):
        publication = Publication()
        publication.entries = [e for e in publication.entries if e["kind"] != "opening"]
        publication.write(self.folder)
        for block in (LUNE["block"], NEW_ID, "x"):
            self.assertEqual(run("block", self.folder, block, "--key", OPERATOR.text), (2, None))

    def test_definition(self):
        name = "definitions/%s.json" % definition_hash(LUNE_TEXT)
        publication = Publication()
        publication.removed = [name]
        self.open(publication, ["definition_missing"])
        publication = Publication()
        publication.files[name] = LUNE_TEXT.replace(b'"size":12', b'"size":13')
        self.open(publication, ["definition_wrong"])
        publication = Publication()
        publication.entry("seal", LUNE["block"])["price"] = 5000
        self.open(publication, ["definition_wrong"])
        publication = Publication()
        publication.files[name] = LUNE_TEXT + b"\n"
        self.open(publication, ["definition_wrong"])

    def test_commitment(self):
        publication = Publication()
        publication.entry("seal", LUNE["block"])["commitment"] = "00" * 32
        self.open(publication, ["commitment_wrong"])
        publication = Publication()
        publication.entry("opening", LUNE["block"])["secret"] = "00" * 32
        self.open(publication, ["commitment_wrong", "root_wrong", "leaf_wrong", "sale_not_of_unit"])

    def test_shares(self):
        def broken(want, change, beacon=False):
            publication = Publication(beacon)
            change(publication.entry("opening", MIX_ID))
            self.open(publication, want, MIX_ID)

        broken(["share_wrong"], lambda o: o["shares"].pop())
        broken(["share_wrong", "share_wrong"], lambda o: o.pop("shares"))
        broken(["share_wrong"], lambda o: o["shares"].append({"party": "stranger", "share": "77" * 32}))
        broken(["share_wrong", "mix_wrong"], lambda o: o["shares"][0].update(share="77" * 32))
        broken(["beacon_wrong"], lambda o: o.pop("signature"), beacon=True)
        broken(["beacon_wrong"], lambda o: o.update(signature="cd" * 47), beacon=True)
        broken(["mix_wrong"], lambda o: o.update(signature="ce" * 48), beacon=True)

    def test_mix(self):
        publication = Publication()
        secret = bytes([9] * 32)
        publication.leaves[MIX_ID], _ = Publication.deal(LUNE_TEXT, MIX_ID, secret)
        commitment = sha(b"\x1atalon/secret-commitment/v1" + var(bytes.fromhex(MIX_ID)) + var(secret)).hex()
        publication.entry("seal", MIX_ID).update(root=root(publication.leaves[MIX_ID]).hex(), commitment=commitment)
        publication.entry("opening", MIX_ID)["secret"] = secret.hex()
        self.open(publication, ["mix_wrong"], MIX_ID)

    def test_derivable(self):
        identifier = bytes.fromhex(LUNE["block"])
        hash_ = bytes.fromhex(definition_hash(LUNE_TEXT))
        first = Publication()
        first.finish()
        for secret in (hash_, sha(hash_), sha(identifier), sha(identifier + hash_), first.log_leaves[3],
                       sha(first.data[3]), sha(first.log_leaves[3])):
            self.open(Publication(lune_secret=secret), ["secret_derivable"])
        publication = Publication()
        share = publication.entry("opening", MIX_ID)["shares"][0]
        share["share"] = sha(bytes.fromhex(MIX_ID)).hex()
        self.open(publication, ["share_wrong", "mix_wrong", "secret_derivable"], MIX_ID)

    def test_secret_of_another_opening(self):
        """The mixed block is opened first, then lune is sealed with the same secret."""
        secret = bytes.fromhex(Publication().secrets[MIX_ID])
        publication = Publication(lune_secret=secret)
        early = [e for e in publication.entries if e.get("block", MIX_ID) == MIX_ID]
        late = [e for e in publication.entries if e.get("block", MIX_ID) != MIX_ID]
        publication.entries = early + late
        self.open(publication, ["secret_derivable"])

    def test_definition_that_cannot_be_dealt(self):
        broken = LUNE_TEXT.replace(b'"amounts":[10]', b'"amounts":[11]')
        self.open(Publication(lune_text=broken), ["layout_not_prize", "tiles_wrong"])
        broken = LUNE_TEXT.replace(b'"count":3', b'"count":30')
        self.open(Publication(lune_text=broken), ["prizes_not_table"])

    def test_two_units_swapped(self):
        publication = Publication()
        leaves = publication.leaves[LUNE["block"]]
        leaves[2], leaves[10] = leaves[10], leaves[2]
        publication.entry("seal", LUNE["block"])["root"] = root(leaves).hex()
        result = self.open(publication, ["root_wrong", "leaf_wrong"])
        self.assertEqual(result["findings"][1]["where"], "unit 2")
        self.assertIn("2 units", result["findings"][1]["what"])

    def test_root_and_tiles(self):
        publication = Publication()
        publication.entry("seal", LUNE["block"])["root"] = "00" * 32
        self.open(publication, ["root_wrong", "tiles_wrong"])
        publication = Publication()
        publication.leaves[LUNE["block"]][3] = bytes(32)
        self.open(publication, ["leaf_wrong", "tiles_wrong"])
        name = "blocks/%s.tiles"
        publication = Publication()
        publication.removed = [name % LUNE["block"]]
        self.open(publication, ["tiles_missing"])
        for change in (lambda data: data[:-32] + bytes(32), lambda data: data[:-32], lambda data: data + bytes(32)):
            publication = Publication()
            publication.files[name % POT["block"]] = change(publication.all_files()[name % POT["block"]])
            self.open(publication, ["tiles_wrong"], POT["block"])

    def test_sales(self):
        def broken(want, change, block=LUNE["block"]):
            publication = Publication()
            change(publication, publication.sales[block])
            return self.open(publication, want, block)

        name = "sales/%s.sales" % LUNE["block"]
        broken(["sales_missing"], lambda p, s: p.removed.append(name))
        broken(["sales_missing"], lambda p, s: p.files.update({name: p.all_files()[name][:-1]}))
        broken([], lambda p, s: s.append(("00" * 16, SALE_AT)), POT["block"])  # more than the log says

        def exchange(p, s):
            s[3], s[4] = s[4], s[3]
        result = broken(["sale_not_of_unit"], exchange)
        self.assertEqual(result["findings"][0]["where"], "sale 3")
        broken(["sale_not_of_unit"], lambda p, s: s.__setitem__(slice(2, 12), s[3:] + s[2:3]))  # an index skipped
        broken(["sale_not_of_unit"], lambda p, s: s.__setitem__(1, s[0]), POT["block"])
        broken(["sales_root_wrong"], lambda p, s: p.entry("sales", LUNE["block"]).update(root="00" * 32))

    def test_late(self):
        def broken(want, index, at):
            publication = Publication()
            sales = publication.sales[LUNE["block"]]
            sales[index] = (sales[index][0], at)
            self.open(publication, want)

        entry, next_ = (Publication().entry("sales", LUNE["block"], last)["at"] for last in (False, True))
        broken(["sale_late"], 4, entry + 1)
        broken([], 4, entry)
        broken(["sale_late"], 11, next_ + 1)
        broken(["sale_late"], 11, entry - 600001)
        broken([], 5, SALE_AT - 1)
        broken(["sale_late"], 0, Publication().entry("approval", LUNE["block"])["at"] - 600001)

    def test_before_the_sale_before(self):
        """Entries an hour apart: only the sale before a sale can say that it is late."""
        publication = Publication()
        hour = 3600000
        for number, entry in enumerate(publication.entries):
            entry["at"] = BEGIN + hour * number
        first, last = (publication.entry("sales", LUNE["block"], last)["at"] for last in (False, True))
        plays = [play for play, _ in publication.sales[LUNE["block"]]]
        times = [first] * 5 + [first + 900000, first + 200000] + [first + 900000] * 5
        publication.sales[LUNE["block"]] = list(zip(plays, times))
        self.assertLess(times[-1], last)
        self.open(publication, ["sale_late"])

    def test_wins(self):
        def broken(want, change):
            publication = Publication()
            change(publication, publication.entry("jackpot-win", POT["block"]))
            self.open(publication, want, POT["block"])

        loser = next(u["index"] for u in POT["units"] if u["layout"] == "00")
        broken(["win_missing"], lambda p, win: p.entries.remove(win))
        broken(["win_wrong"], lambda p, win: win.update(amount=win["amount"] + 100))
        broken(["win_wrong"], lambda p, win: win.update(jackpot="lune"))
        broken(["win_wrong", "win_missing"], lambda p, win: win.update(index=loser))
        broken(["win_wrong"], lambda p, win: p.entries.insert(p.entries.index(win), dict(win)))
        unsold = next((u["index"] for u in POT["units"][POT_SOLD:] if u["layout"] == "01"), 200)
        broken(["win_wrong"], lambda p, win: p.entries.insert(p.entries.index(win), {**win, "index": unsold}))
        publication = Publication()
        win = publication.entry("jackpot-win", POT["block"])
        publication.entries.insert(publication.entries.index(win), {**win, "block": LUNE["block"]})
        self.open(publication, ["win_wrong"])


class TestReceipt(Checked):
    def setUp(self):
        super().setUp()
        self.publication = Publication()
        self.receipt = self.publication.receipt()

    def verify(self, receipt, outcome, want=(), *more):
        file = os.path.join(self.folder, "receipt.json")
        with open(file, "wb") as out:
            out.write(receipt if isinstance(receipt, bytes) else json.dumps(receipt, indent=2).encode())
        code, result = run("receipt", file, "--key", OPERATOR.text, *more)
        self.assertEqual((result["outcome"], codes_of(result)), (outcome, list(want)))
        self.assertEqual(code, 1 if want else 0)

    def refused(self, code, change):
        receipt = copy.deepcopy(self.receipt)
        change(receipt)
        self.verify(receipt, "refused", [code])

    def test_honest(self):
        self.verify(self.receipt, "complete")
        for key in (("win",), ("unit", "sales"), ("participation", "sales")):
            receipt = copy.deepcopy(self.receipt)
            place = receipt
            for step in key[:-1]:
                place = place[step]
            del place[key[-1]]
            self.verify(receipt, "provisional")
        receipt = copy.deepcopy(self.receipt)
        del receipt["win"], receipt["participation"]
        self.verify(receipt, "complete")

    def test_malformed(self):
        self.verify(b"{}", "refused", ["receipt_malformed"])
        self.verify(b"{", "refused", ["receipt_malformed"])
        self.verify(json.dumps(self.receipt).encode() + b" " * 65536, "refused", ["receipt_malformed"])
        for change in (lambda r: r.update(more=1), lambda r: r.update(format="talon-receipt/2"),
                       lambda r: r.update(at="1"), lambda r: r.update(play="AB" * 16), lambda r: r.pop("unit"),
                       lambda r: r["unit"].update(more=1), lambda r: r["unit"].pop("salt"),
                       lambda r: r["unit"].update(salt="00"), lambda r: r["unit"]["path"].append("00"),
                       lambda r: r["participation"].update(prize=1), lambda r: r["unit"]["seal"].pop("path"),
                       lambda r: r["unit"]["sales"].pop("log"), lambda r: r["win"].update(log=[])):
            self.refused("receipt_malformed", change)

    def test_checkpoint(self):
        self.refused("checkpoint_signature_wrong", lambda r: r.update(checkpoint="x"))
        self.publication.signers = [STRANGER]
        self.verify(self.publication.receipt(), "refused", ["checkpoint_signature_wrong"])
        self.verify(self.receipt, "refused", ["cosignature_missing"], "--witness", WITNESS.text)

    def test_each_step(self):
        r = self.receipt
        unit, other = r["unit"], r["participation"]
        self.refused("seal_not_in_log", lambda r: r["unit"]["seal"].update(index=0))
        self.refused("seal_not_in_log", lambda r: r["unit"]["seal"].update(entry=unit["seal"]["entry"] + " "))
        self.refused("seal_not_in_log", lambda r: r["unit"].update(seal=self.publication.proven("approval", LUNE["block"])))
        self.refused("seal_not_in_log", lambda r: r["participation"]["seal"]["path"].pop())
        self.refused("inclusion_not_proven", lambda r: r["unit"].update(prize=10000))
        self.refused("inclusion_not_proven", lambda r: r["unit"].update(layout="00"))
        self.refused("inclusion_not_proven", lambda r: r["unit"].update(index=12))
        self.refused("inclusion_not_proven", lambda r: r["unit"].update(seal=other["seal"]))  # another block
        self.refused("inclusion_not_proven", lambda r: r["participation"].update(layout="00"))
        self.refused("play_wrong", lambda r: r.update(play="00" * 16))
        self.refused("sale_not_in_log", lambda r: r["unit"]["sales"].update(index=0))
        self.refused("sale_not_in_log", lambda r: r["unit"].update(sales=other["sales"]))
        self.refused("sale_not_proven", lambda r: r.update(at=SALE_AT + 1))
        self.refused("sale_not_proven", lambda r: r["unit"]["sales"]["path"].pop())
        first = self.publication.proven("sales", LUNE["block"])  # five sold: unit 5 is not among them
        self.refused("sale_not_proven", lambda r: r["unit"]["sales"].update(
            entry=first["entry"], index=first["index"], log=first["path"]))
        self.refused("win_wrong", lambda r: r["win"].update(index=0))
        self.refused("win_wrong", lambda r: r.update(win=unit["seal"]))
        self.refused("win_wrong", lambda r: r.pop("participation"))
        self.refused("price_wrong", lambda r: r.pop("win") and r.update(participation=dict(unit, prize=0))
                     if unit["prize"] == 0 else self.fail("the unit must be a losing one"))


class TestCommand(Checked):
    def test_unusable(self):
        self.assertEqual(run("log", os.path.join(self.folder, "none"), "--key", OPERATOR.text), (2, None))
        self.assertEqual(run("receipt", os.path.join(self.folder, "none"), "--key", OPERATOR.text), (2, None))
        Publication().write(self.folder)
        for key in ("x", OPERATOR.text[:-4] + "AAA=", OPERATOR.text.replace("lottery", "lotterz"), WITNESS.text):
            self.assertEqual(run("log", self.folder, "--key", key), (2, None))
        self.assertEqual(run("log", self.folder, "--key", OPERATOR.text, "--older", "/none"), (2, None))

    def test_key_file_and_text(self):
        Publication().write(self.folder)
        key = os.path.join(self.folder, "key")
        with open(key, "w") as out:
            out.write(OPERATOR.text + "\n")
        for argv, want in ((["log", self.folder, "--key", key], "Nothing was found"),
                           (["log", os.path.join(self.folder, "log"), "--key", key], "Nothing was found"),
                           (["block", self.folder, POT["block"], "--key", key], "Wins of the jackpot")):
            out = io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(verify.main(argv), 0)
            self.assertIn(want, out.getvalue())


if __name__ == "__main__":
    unittest.main()
